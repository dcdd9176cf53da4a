"""Markers in the chat: public and private messages, and names of markers in commands."""

from .table import Table, text
from .test_opponent import game_of
from .test_own_table import TROOPS, open_battle_form, submit_battle_form


async def set_up_table(table: Table, *, secret: bool = False) -> None:
    """Set up a bare table with a unit and a player for each side, and the option of hidden troops."""
    await submit_battle_form(table, await open_battle_form(table))
    ours, theirs = TROOPS["magdala"]
    for troop, side, name, at in ((ours, "british", "Rifles", "C4"), (theirs, "egyptians", "Amarar", "C1")):
        await table.give(table.umpire, "unit add", troop=troop, side=side, name=name, at=at)
    await table.give(table.british, "game join", side="british")
    await table.give(table.mahdist, "game join", side="egyptians")
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    if secret:
        await table.give(table.umpire, "umpire option", name="deploy in secret", value="yes")


async def test_a_unit_and_a_dummy_are_announced_alike_outside_replies(table: Table) -> None:
    await set_up_table(table)
    await table.give(table.mahdist, "unit hide", unit="Amarar")
    under = await table.give(table.mahdist, "unit hide", unit="Amarar", marker=True)
    assert not under.public
    assert "Amarar are hidden under Marker A" in under.text
    first = text(table.newest(table.onlooker))
    dummy = await table.give(table.mahdist, "unit dummy", side="Egyptians", at="E1 facing south")
    assert not dummy.public
    second = text(table.newest(table.onlooker))
    assert "A marker of the Egyptians is put on the table at C1: Marker A" in first
    assert "A marker of the Egyptians is put on the table at E1: Marker B" in second
    assert not any("Amarar are hidden" in text_read for text_read in table.read_by(table.british))


async def test_commands_list_show_complete_move_and_remove_markers(table: Table) -> None:
    await set_up_table(table)
    await table.give(table.mahdist, "unit hide", unit="Amarar")
    await table.give(table.mahdist, "unit hide", unit="Amarar", marker=True)
    await table.give(table.mahdist, "unit dummy", side="Egyptians", at="E1 facing south")
    enemy_list = (await table.give(table.british, "unit list")).private_text
    own = (await table.give(table.mahdist, "unit list")).private_text
    assert enemy_list.count("perhaps troops, perhaps nothing") == 2
    assert "under it Amarar" in own
    assert "under it nothing" in own
    assert "perhaps nothing" in (await table.give(table.british, "unit show", unit="Marker B")).private_text
    assert "under it nothing" in (await table.give(table.mahdist, "unit show", unit="Marker B")).private_text
    for command in ("unit show", "unit unhide", "move"):
        assert "marker_a" in await table.complete(table.british, command, "unit")
    assert "Amarar, Marker A" in await table.complete(table.british, "unit remove", "unit", "Amarar, ma")
    assert "marker_a" in await table.complete(table.british, "map", "area")
    assert "Marker A" in text((await table.give(table.british, "map", area="Marker A")).announced)
    answer = await table.give(table.mahdist, "move", unit="Marker A", to="D2")
    assert "Marker A is put at D2" in text(answer.announced)
    assert "move Marker A" in (await table.give(table.mahdist, "move", unit="Amarar", to="C1")).text
    assert "Egyptians" in (await table.give(table.british, "move", unit="Marker A", to="C1")).private_text
    both = await table.give(table.mahdist, "move", unit="Marker A, Marker B", to="right 2")
    assert all(f"Marker {letter} is put at" in text(both.announced) for letter in "AB")
    state = (await game_of(table)).state
    assert state.hidden["amarar"].place == state.markers["marker_a"].place
    assert await table.complete(table.mahdist, "move", "to", unit="Marker A")
    removal = await table.give(table.mahdist, "unit remove", unit="Marker B")
    assert "Marker B is taken off the table" in text(removal.announced)
    moved = await table.give(table.umpire, "umpire set", unit="Marker A", field="place", value="C2")
    assert "The umpire puts Marker A at C2" in text(moved.announced)
    turned = await table.give(table.mahdist, "unit unhide", unit="Marker A")
    assert "Amarar lie under Marker A" in text(turned.announced)


async def test_markers_are_moved_by_an_order_sheet(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    await table.give(table.umpire, "unit hide", unit="Amarar", marker=True)
    await table.give(table.umpire, "unit dummy", side="mahdists", at="F3 facing south")
    lines = "Marker A: right 20\nMarker B, Arteiga: forward 3\nall: forward 1"
    sheet = await table.give(table.mahdist, "turn orders", text=lines)
    assert 'Marker A: right 20\n✖ Marker A may move 8" in a turn' in sheet.private_text
    assert "Marker B, Arteiga: forward 3" in sheet.private_text
    assert "Marker A," not in sheet.private_text.split("**3**")[1]
    answer = await table.give(table.british, "turn orders", text="Marker A: right 2")
    assert "No unit of yours is called “Marker A”" in answer.private_text
    await table.press(table.mahdist, sheet.private[0], "Clear")
    before = (await game_of(table)).state
    sheet = await table.give(table.mahdist, "turn orders", text="Marker A: right 4\nMarker B, Arteiga: forward 3")
    await table.press(table.mahdist, sheet.private[0], "Do all")
    after = (await game_of(table)).state
    moved = [
        after.markers[marker_id].place.point != before.markers[marker_id].place.point
        for marker_id in ("marker_a", "marker_b")
    ]
    assert moved == [True, True]
    assert after.hidden["amarar"].place == after.markers["marker_a"].place
    assert after.units["arteiga"].place != before.units["arteiga"].place


async def test_a_secret_set_up_announces_no_markers(table: Table) -> None:
    await set_up_table(table, secret=True)
    before = [*table.read_by(table.british)]
    await table.give(table.mahdist, "unit hide", unit="Amarar", marker=True)
    await table.give(table.mahdist, "unit dummy", side="Egyptians", at="E1")
    assert [*table.read_by(table.british)] == before
    assert "Marker" not in (await table.give(table.british, "unit list")).private_text
    assert "Marker D" in (await table.give(table.mahdist, "unit list")).private_text


async def test_markers_need_the_option_of_hidden_troops(table: Table) -> None:
    await table.start()
    assert "hidden troops" in (await table.give(table.umpire, "unit dummy", side="British", at="C3")).private_text
    assert "hidden troops" in (await table.give(table.umpire, "unit hide", unit="Amarar", marker=True)).private_text


async def test_impossible_markers_are_refused_with_the_reason(table: Table) -> None:
    await set_up_table(table)
    await table.give(table.mahdist, "unit hide", unit="Amarar", marker=True)
    answer = await table.give(table.mahdist, "unit hide", unit="Amarar", marker=True)
    assert "Amarar are hidden under Marker A already" in answer.private_text
    for place in ("Z99", "500,500"):
        off = await table.give(table.mahdist, "unit dummy", side="Egyptians", at=place)
        assert "The marker would lie off the table" in off.private_text
    order = await table.give(table.mahdist, "order", unit="Marker A", action="move")
    assert "move marker needs “to”" in order.private_text
    for name in ("Marker C", "Marker  C", "Märker-c"):
        rename_answer = await table.give(table.umpire, "umpire set", unit="Rifles", field="name", value=name)
        assert "is not a name for a unit here" in rename_answer.private_text


async def test_an_umpire_who_sees_all_may_not_reuse_a_hidden_units_name(table: Table) -> None:
    await set_up_table(table)
    await table.give(table.mahdist, "unit hide", unit="Amarar")
    correction = {"unit": "Rifles", "field": "name", "value": "AMARAR"}
    reply = (await table.give(table.umpire, "umpire set", **correction)).private_text
    assert "A hidden unit is already called “AMARAR”" in reply
    wide = await table.give(table.umpire, "umpire set", unit="Rifles", field="name", value="Ａmarar\u200b")
    assert "A hidden unit is already called “Ａmarar”" in wide.private_text
    added = {"troop": TROOPS["magdala"][0], "side": "british", "name": "Amarar", "at": "E4"}
    assert (
        "A hidden unit is already called “Amarar”" in (await table.give(table.umpire, "unit add", **added)).private_text
    )
    await table.give(table.british, "game leave")
    await table.give(table.umpire, "game join", side="british")  # then nothing may tell
    assert "Name: Rifles → AMARAR" in (await table.give(table.umpire, "umpire set", **correction)).text
    await table.give(table.umpire, "umpire set", unit="AMARAR", field="casualties", value="1")
