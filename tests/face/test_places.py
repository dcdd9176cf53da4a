"""`/move to:` offers the system's places: hexes at Tanga, and never the surroundings of another player's unit."""

import pytest

from bot.runtime import client

from .loaded_dice import LoadedDice
from .table import Table, text
from .test_tanga import begin, british_turn


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Automatic play without pauses."""
    monkeypatch.setattr(client, "PAUSE", 0.001)


async def test_tanga_offers_and_accepts_hexes(table: Table) -> None:
    await begin(table)
    await british_turn(table)
    for beginning in ("", "towards"):
        completions = await table.complete(table.umpire, "move", "to", beginning, unit="17-fk-1")
        assert not [to for to in completions if to.startswith("towards")]
    completions = await table.complete(table.umpire, "move", "to", unit="17-fk-1")
    moved = await table.give(table.umpire, "move", unit="17-fk-1", to=completions[0])
    assert completions[0] in text(moved.announced)
    refused = await table.give(table.umpire, "move", unit="17-fk-1", to="towards Leader 2")
    assert "“Leader 2” may be any of these: Leader 2 13th Rajputs, Leader 2 61st Pioneers." in refused.private_text


async def test_move_accepts_the_words_of_order_lines_on_hexes(table: Table) -> None:
    await begin(table)
    await british_turn(table)
    completions = await table.complete(table.umpire, "move", "to", "north", unit="17-fk-2")
    assert completions[0] == "north", "a typed direction is offered because it is accepted"
    moved = await table.give(table.umpire, "move", unit="2nd plt 17 FK", to="one hex north")
    assert "2611 → 2610" in text(moved.announced)
    for place, why in (("forward 2", "Hexes have no front: write “north 2”"), ("west", "Neighbouring hexes lie north")):
        refused = await table.give(table.umpire, "move", unit="17-fk-3", to=place)
        assert why in refused.private_text
    answer = await table.give(table.umpire, "odds", test="move", unit="17-fk-3", to="north-east")
    assert "no hex" not in answer.private_text


async def test_to_completes_only_for_a_unit_that_the_player_may_move(table: Table) -> None:
    await table.start()
    completions = await table.complete(table.mahdist, "move", "to", "royal", unit="amarar")
    assert "towards Royal Marine Light Infantry" in completions
    assert not await table.complete(table.british, "move", "to", "royal", unit="amarar")


async def test_the_umpire_corrects_a_place_in_the_words_of_a_move(table: Table) -> None:
    await table.start()
    answer = await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="towards Royal Marine")
    assert "corrects Amarar: place" in text(answer.announced)
    answer = await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="C2 facing ne")
    assert " → C2 facing north-east (30,18 facing 45°)." in text(answer.announced)
    completions = await table.complete(table.umpire, "umpire set", "value", unit="amarar", field="place")
    assert completions[:3] == ["C2 facing north-east (30,18 facing 45°)", "none", "A1"]
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="D3 NW")
    back = await table.give(table.umpire, "umpire set", unit="amarar", field="place", value=completions[0])
    assert f"D3 NW facing north-east (38,26 facing 45°) → {completions[0]}." in text(back.announced)
    card = await table.give(table.onlooker, "unit show", unit="amarar")
    assert f"**Place:** {completions[0]}" in card.private_text
    refused = await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="over there")
    assert "Say it as “C2”, “C2 NW facing south”, “forward 6”" in refused.private_text
    assert "the parts N, NE, E, SE, S, SW, W and NW" in refused.private_text
    off = await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="K2")
    assert "squares A1 to F4" in off.private_text


async def test_a_unit_moves_to_a_named_square_and_facing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="C2 W")
    completions = await table.complete(table.mahdist, "move", "to", unit="amarar")
    assert {"C2", "B2", "C3"} < {*completions}
    assert "face north-east" in await table.complete(table.mahdist, "move", "to", "face", unit="amarar")
    assert "c2 n facing w" in await table.complete(table.mahdist, "move", "to", "c2 n facing w", unit="amarar")
    assert "c2 nnw" not in await table.complete(table.mahdist, "move", "to", "c2 nnw", unit="amarar")
    LoadedDice(monkeypatch).fall(3, 2)
    moved = await table.give(table.mahdist, "move", unit="amarar", to="to C2, facing west")
    assert "They stand at C2 facing west." in text(moved.announced)


async def test_a_unit_is_added_at_a_named_square(table: Table) -> None:
    await table.start()
    troop = (await table.complete(table.umpire, "unit add", "troop", "british"))[0]
    new = {"troop": troop, "side": "British", "name": "Naval Brigade"}
    assert await table.complete(table.umpire, "unit add", "at", "b4") == ["B4"]
    answer = await table.give(table.umpire, "unit add", **new, at="B4", x=3.0)
    assert "Say where once" in answer.private_text
    await table.give(table.umpire, "unit add", **new, at="B4 facing east")
    card = await table.give(table.british, "unit show", unit="Naval Brigade")
    assert "B4 facing east (18,42 facing 90°)" in card.private_text
