"""/turn orders: a private sheet, written by menus or as text, seen on a map, done in one message."""

from typing import Any

import discord
import pytest
from discord import ui

from bot.games import Actor
from bot.sheet import SheetOrder
from bot.sheets import OLD
from cogs.kit.card import Card
from rules.core.state import Verdict
from rules.core.tabletop.victory import Reckoning

from .loaded import LoadedDice
from .sheet import PlayersSheet, menus
from .table import Answer, Table, custom_ids, labels, text


@pytest.fixture(autouse=True)
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch, otherwise=3)


@pytest.fixture
async def sheet(table: Table) -> PlayersSheet:
    """The sheet of the Mahdists' player, whose turn it is."""
    await table.start()
    return PlayersSheet(table, table.mahdist)


async def seq(table: Table) -> int:
    return int((await table.env.bot.games.running(table.channel.id)).seq)


async def test_orders_by_menus_are_done_in_one_message(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open()
    before = await seq(table)
    await sheet.order("Towards Royal Marine", "All 14")
    assert "**1** Hadendoa of Tamai, Hadendoa of Sinkat, Hadendoa of Erkowit and" in sheet.said
    await sheet.order("Fire 1st Berkshires", "Riflemen of Hashin")
    assert "*about*" in sheet.said
    assert await seq(table) == before, "nothing is done yet"
    assert sheet.public == 0
    done = await sheet.press("Do all")
    said = text(done.announced)
    assert "Army of Osman Digna: " in said
    assert "Riflemen of Hashin fire at 1st Berkshires" in said
    assert len(done.announced.attachments) == 1
    assert "Choose units" in sheet.said, "the sheet is empty again"
    assert await seq(table) > before + 10


async def test_only_what_can_still_be_done_after_the_orders_before_is_offered(sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 4")
    await sheet.choose("Whom you order", "Amarar", "Arteiga")
    (forward,) = [one for one in menus(sheet.message)["What they do"]["options"] if one["label"] == "Forward 4"]
    assert forward["description"] == "Suits Arteiga; others if they can"


async def test_what_is_mostly_wanted_is_offered_first_and_the_enemy_before_friends(sheet: PlayersSheet) -> None:
    await sheet.open()
    await sheet.choose("Whom you order", "Amarar")
    offered = [one["label"] for one in menus(sheet.message)["What they do"]["options"]]
    assert offered[0].startswith("Towards "), "to the enemy"
    ways = [offered.index(one) for one in ("Forward 4", "Lie down", "Back 4")]
    assert ways == sorted(ways)
    await sheet.order("Lie down", "Amarar")
    assert "**1** Amarar: lie down" in sheet.said
    await sheet.choose("Whom you order", "Riflemen of Hashin")
    assert next(iter(menus(sheet.message)["What they do"]["options"]))["label"].startswith("Fire ")


async def test_passing_on_tells_what_it_brought_a_line_each_and_no_sign_without_its_place(
    table: Table,
) -> None:
    await table.start(at_once=True)
    await table.give(table.umpire, "umpire set", unit="ashraf", field="morale", value="retreating")
    await table.give(table.mahdist, "turn next")
    british = PlayersSheet(table, table.british)
    await british.open("Lancers: forward 3")
    await british.press("☐ Through with this turn")
    told = text((await british.press("Do all and pass on")).announced)
    assert "• Ashraf: " in told
    assert told.count("Turn 2") == 1, "at the end, where it says whose it is"
    assert ("ʳ" in told) == ("ʳ ruling" in told)


async def test_who_starts_a_game_and_takes_a_side_gives_its_orders_and_passes_on(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "game join", side="mahdists")
    sheet = PlayersSheet(table, table.umpire)
    await sheet.open("Amarar: forward 4; 1st Berkshires: forward 2")
    assert "✎ “1st Berkshires: forward 2”: No unit of yours is called “1st Berkshires”" in sheet.said
    told = text((await sheet.press("Do all and pass on")).announced)
    assert "Amarar" in told
    assert "Turn 1 of 12, British" in told


async def test_what_followed_from_an_order_stands_in_lines_of_its_own(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start(at_once=True)
    sheet = PlayersSheet(table, table.mahdist)
    LoadedDice(monkeypatch, otherwise=2).fall(6, 6, 1, 1)
    await sheet.open("Riflemen of Hashin fire 1st Berkshires; Riflemen of Tokar fire 1st Berkshires")
    told = text((await sheet.press("Do all")).announced).splitlines()
    order = next(place for place, line in enumerate(told) if line.startswith("**1** Riflemen of Hashin"))
    assert told[order].endswith("2D6 6 6")
    assert told[order + 1].startswith("• 1st Berkshires: morale under fire"), told[order:]


async def test_orders_as_text_with_errors_line_by_line(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 6; nobody: forward 3; all Hadendoa: towards 1st Berk; Arteiga: dance")
    assert "**1** Amarar: forward 6 · *about*, 91.7%" in sheet.said
    assert "**2** Hadendoa of Tamai, Hadendoa of Sinkat, Hadendoa of Erkowit: towards 1st Berk" in sheet.said
    assert "✎ “nobody: forward 3”: No unit of yours is called “nobody”" in sheet.said
    assert "✖ “dance” is no place on the table" in sheet.said
    shown = await sheet.press("Write as text")
    (part,) = shown.result.modal["components"]
    assert part["component"]["value"].splitlines() == [
        "Amarar: forward 6",
        "Hadendoa of Tamai, Hadendoa of Sinkat, Hadendoa of Erkowit: towards 1st Berk",
        "Arteiga: dance",
        "nobody: forward 3",
    ]
    await sheet.write("Arteiga: forward 3\nAmarar: left 2")
    assert "**1** Arteiga: forward 3" in sheet.said
    assert "nobody" not in sheet.said
    done = await sheet.press("Do all")
    assert "2 orders" in text(done.announced)


async def test_orders_to_many_units_come_back_from_the_form_as_they_were(sheet: PlayersSheet) -> None:
    await sheet.open()
    await sheet.order("Towards Royal Marine", "All 14")
    before = sheet.said
    await sheet.write(await in_form(sheet))
    assert sheet.said == before


async def in_form(sheet: PlayersSheet) -> str:
    """What stands in the form of *Write as text*."""
    (part,) = (await sheet.press("Write as text")).result.modal["components"]
    return str(part["component"]["value"])


async def test_no_line_of_a_form_is_lost_however_many_are_wrong(sheet: PlayersSheet) -> None:
    await sheet.open()
    lines = [f"nobody {number}: forward 3" for number in range(30)]
    await sheet.write("\n".join([*lines, "Amarar: forward 3"]))
    assert "more lines: *Write as text* shows all of them." in sheet.said
    assert (await in_form(sheet)).splitlines() == ["Amarar: forward 3", *lines]
    await sheet.write("\n".join(lines * 2))
    assert "A sheet holds 40 orders." in sheet.said
    assert "So this was not taken over: nobody 0" in sheet.said
    assert (await in_form(sheet)).splitlines() == ["Amarar: forward 3", *lines]


async def test_what_a_form_cannot_hold_is_not_cut_in_it(sheet: PlayersSheet) -> None:
    await sheet.open()
    for _ in range(20):
        await sheet.open("; ".join(["all: towards 1st Berkshires with charge"] * 2))
    told = (await sheet.press("Write as text")).told
    assert "longer than the 4000 characters of a form" in told


@pytest.mark.usefixtures("drawn")
async def test_its_map_follows_and_is_kept_while_only_menus_change(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 6")
    (first,) = sheet.message.attachments
    assert (await first.read()).startswith(b"\x89PNG")
    drawn = len([one for one in table.env.http_requests if one.method == "PATCH"])
    await sheet.choose("Whom you order", "Arteiga")
    assert [one.filename for one in sheet.message.attachments] == [first.filename]
    assert len([one for one in table.env.http_requests if one.method == "PATCH"]) == drawn
    await sheet.choose("What they do", "Forward")
    assert [one.filename for one in sheet.message.attachments] != [first.filename]


async def test_warnings_of_the_sketch_stand_under_the_order(sheet: PlayersSheet) -> None:
    await sheet.open("Hadendoa of Erkowit: towards 1st Berk; Riflemen of Hashin fire 1st Berkshires")
    assert "⚠ Hadendoa of Erkowit stand in the line of fire from Riflemen of Hashin to 1st Berkshires" in sheet.said


async def test_what_is_refused_stays_with_its_reason_and_holds_up_nobody_else(
    table: Table, sheet: PlayersSheet
) -> None:
    await sheet.open("Ashraf: forward 3; Ashraf: forward 3; Ashraf: face east; Arteiga: forward 3")
    done = await sheet.press("Do all")
    assert "Ashraf move 3" in text(done.announced)
    assert "Arteiga move" in text(done.announced)
    assert "**1** Ashraf: forward 3\n✖ Ashraf have made their move" in sheet.said
    assert "**2** Ashraf: face east" in sheet.said
    before = await seq(table)
    again = await sheet.press("Do all")
    assert not again.public
    assert await seq(table) == before


async def test_what_was_refused_in_a_turn_that_is_over_is_struck(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Ashraf: forward 3; Ashraf: forward 3")
    await sheet.press("Do all")
    for player in (table.mahdist, table.british):
        await table.give(player, "turn next")
    await sheet.open("Ashraf: forward 3")
    assert "✖ The time for this is over" in sheet.said
    done = await sheet.press("Do all")
    assert "Ashraf move 3" in text(done.announced)
    assert "Ashraf: forward" not in sheet.said


async def test_a_unit_that_cannot_keeps_no_other_of_its_order_from_it(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Ashraf: forward 3; Ashraf, Arteiga: forward 3")
    done = await sheet.press("Do all")
    assert "Arteiga move" in text(done.announced)
    assert "**1** Ashraf: forward 3\n✖ Ashraf have made their move" in sheet.said


async def test_all_of_whom_none_can_are_told_so_and_stand_not_on_the_sheet(sheet: PlayersSheet) -> None:
    await sheet.open("all fire 1st Berkshires; all fire 1st Berkshires; Amarar: forward 2")
    assert "✎ “all fire 1st Berkshires”: None of them can: " in sheet.said
    assert "**2** Amarar: forward 2" in sheet.said


async def test_the_last_is_removed_and_all_are_cleared(sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3; Arteiga: forward 3")
    await sheet.press("Remove last")
    assert "Arteiga: forward" not in sheet.said
    await sheet.press("Clear")
    assert "Choose units" in sheet.said


async def test_a_sheet_and_what_is_chosen_in_it_survive_a_restart(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3")
    await sheet.choose("Whom you order", "Arteiga")
    await table.restart()
    await sheet.choose("What they do", "Forward")
    assert "**2** Arteiga: forward 4" in sheet.said
    await table.restart()
    assert "2 orders" in text((await sheet.press("Do all")).announced)


async def test_an_old_press_shows_the_new_sheet(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3")
    newer = PlayersSheet(table, table.mahdist)
    await newer.open("Arteiga: forward 3")
    before = await seq(table)
    await sheet.press("Do all")
    assert OLD in sheet.said
    assert "**2** Arteiga: forward 3" in sheet.said
    assert await seq(table) == before
    form = (await newer.press("Write as text")).result
    await sheet.press("Remove last")
    (part,) = form.modal["components"]
    sent = Answer(await table.mahdist.submit_modal(form, {part["component"]["custom_id"]: "Ashraf: forward 2"}))
    assert "this was not taken over: Ashraf: forward 2" in text(newer.message) + sent.said


async def test_the_buttons_say_what_they_will_do(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open()
    assert sheet.labels == ["Write as text", "☐ Go on by yourself", "☐ Through with this turn"]
    await sheet.press("☐ Through with this turn")
    assert "Pass on" in sheet.labels
    await sheet.write("Amarar: forward 3")
    done = await sheet.press("Do all and pass on")
    said = text(done.announced)
    assert "Army of Osman Digna: 1 order" in said
    assert f"### Turn 1 of 12, British\n<@{table.british.id}>: it is your turn." in said, "in the same message"
    assert labels(done.announced) == ["Give orders", "End the turn of the British"]
    assert table.now(done.announced).attachments, "the map"
    assert table.newest(table.onlooker).id == done.announced.id


async def test_where_a_message_does_not_hold_both_the_turn_has_one_of_its_own(
    table: Table, sheet: PlayersSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.kit.card.MOST_CHARACTERS", 600)
    await sheet.open("all: forward 3")
    done = await sheet.press("Do all and pass on")
    assert "Army of Osman Digna: 12 orders" in text(done.announced)
    assert "the rest in" not in text(done.announced)
    assert "Turn 1 of 12" not in text(done.announced)
    assert not labels(done.announced)
    turn = table.newest(table.onlooker)
    assert text(turn).startswith("### Turn 1 of 12, British")
    assert labels(turn) == ["Give orders", "End the turn of the British"]


async def test_how_it_ended_is_left_to_the_message_of_the_end(
    table: Table, sheet: PlayersSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = Verdict(winner="british", why="It is late.")
    monkeypatch.setattr(Reckoning, "ended", lambda _, state: late if state.active == "british" else None)
    await sheet.open("Amarar: forward 3")
    done = await sheet.press("Do all and pass on")
    assert "late" not in text(done.announced)
    assert "It is late." in text(table.newest(table.onlooker))


async def test_passing_on_fights_the_rounds_that_leave_no_choice(table: Table) -> None:
    await table.start(at_once=True)
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="43,25,180")
    sheet = PlayersSheet(table, table.mahdist)
    await sheet.open("Amarar: towards Royal Marine Light Infantry")
    met = (await sheet.press("Do all and pass on")).announced
    assert "Turn 1 of 12, British" not in text(met), "the defender fires first, or does not"
    fought = await table.press(table.british, met, "Royal Marine Light Infantry hold their fire")
    assert "Amarar fight Royal Marine Light Infantry" in text(fought.announced)
    assert "### Turn 1 of 12, British" in text(fought.announced), "all in the message of the one who was waited for"


async def test_nobody_is_passed_on_for_while_he_still_writes(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open()
    await sheet.press("☐ Through with this turn")
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="1")
    assert (await table.env.bot.games.running(table.channel.id)).state.active == "mahdists"
    await sheet.press("Pass on")
    assert (await table.env.bot.games.running(table.channel.id)).state.active == "british"


async def test_a_turn_taken_back_is_not_passed_again_at_once(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open()
    await sheet.press("☐ Through with this turn")
    await sheet.press("Pass on")
    undo = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, undo.messages[0], "Take it back")
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="1")
    assert (await table.env.bot.games.running(table.channel.id)).state.active == "mahdists"
    await sheet.open()
    assert "☐ Through with this turn" in sheet.labels


async def test_orders_for_ones_own_turn_are_written_in_the_others(table: Table, sheet: PlayersSheet) -> None:
    british = PlayersSheet(table, table.british)
    await british.open("G Battery fire Amarar")
    assert "**1** in my turn: G Battery RHA fire Amarar · *about*" in british.said
    await british.order("Fire Arteiga", "5th Scottish Battery")
    assert "**2** in my turn: 5th Scottish Battery RA fire Arteiga" in british.said
    assert "Do all" not in british.labels
    await british.press("Do all in time")
    assert "What is for later is done when its time comes." in british.said
    passed = await table.give(table.mahdist, "turn next")
    assert "British: 2 orders" in text(passed.announced)
    assert "G Battery RHA fires at Amarar" in text(passed.announced)


@pytest.mark.parametrize("silent", [False, True])
async def test_who_waited_for_an_answer_is_told_once_that_his_sheet_can_go_on(table: Table, silent: bool) -> None:
    await table.start()
    if silent:
        await table.give(table.mahdist, "game pings", mentions="off")
    games = table.env.bot.games
    game = await games.running(table.channel.id)
    waiting = SheetOrder(kind="move", units=("amarar",), args={"to": "forward 3"}, why="Wait.", waits=True)
    musa = Actor(table.mahdist.id, "musa")
    await games.revise(table.channel.id, musa, game.id, 0, lambda _, sheet: sheet.with_orders([waiting]))
    for casualties in ("1", "2"):
        await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value=casualties)
    (told,) = [one for one in table.channel.history() if "your order sheet can go on" in text(one)]
    assert (f"<@{table.mahdist.id}>" in text(told)) is not silent
    assert labels(told) == ["Give orders"]


async def test_it_is_for_players_of_a_running_game(table: Table) -> None:
    assert "No game runs" in (await table.give(table.british, "turn orders")).told
    await table.start()
    assert "only looking on" in (await table.give(table.onlooker, "turn orders")).told


async def test_give_orders_stands_under_the_messages_of_a_turn(table: Table) -> None:
    await table.start()
    sheet = PlayersSheet(table, table.mahdist)
    await sheet.open_under(table.newest(table.mahdist))
    assert "Your order sheet" in sheet.said
    passed = await table.give(table.mahdist, "turn next")
    await sheet.open_under(passed.announced)
    assert "When it is my turn" not in menus(sheet.message)
    status = await table.give(table.british, "turn status")
    assert "Give orders" in labels(status.private[0])


def forged(table: Table, sheet: PlayersSheet) -> Card:
    """A public message with every button and menu of a sheet, and the button that shows it."""
    buttons: list[Any] = [
        ui.Button(label=f"b{place}", custom_id=one) for place, one in enumerate(custom_ids(sheet.message))
    ]
    game = custom_ids(sheet.message)[0].split(":")[3]
    card = Card().buttons([*buttons, ui.Button(label="read", custom_id=f"umpire:read:{game}:{table.mahdist.id}")])
    for menu in menus(sheet.message).values():
        choices = [discord.SelectOption(label=one["label"], value=one["value"]) for one in menu["options"]]
        card.menu(ui.Select(custom_id=menu["custom_id"], options=choices, placeholder=menu["placeholder"]))
    return card


async def test_nobody_else_reads_or_presses_a_sheet(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3; nobody: hides")
    await sheet.choose("Whom you order", "Arteiga")
    card = forged(table, sheet)
    await table.env.bot.get_partial_messageable(table.channel.id).send(view=card.view())
    message = table.newest(table.onlooker)
    before, kept = await seq(table), sheet.said
    for other in (table.british, table.umpire, table.onlooker):
        told = [await table.press(other, message, label) for label in labels(message)]
        told += [
            Answer(await other.select(message, [menu["options"][0]["value"]], custom_id=menu["custom_id"]))
            for menu in menus(message).values()
        ]
        told.append(await table.give(other, "turn orders"))
        for answer in told:
            assert not answer.public
            assert answer.private
        assert not any(secret in answer.said for answer in told for secret in ("forward 3", "hides"))
        assert not any("forward 3" in read or "hides" in read for read in table.read_by(other))
    assert (await seq(table), sheet.said) == (before, kept)


async def test_its_own_player_is_answered_privately_wherever_he_presses(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3")
    await table.env.bot.get_partial_messageable(table.channel.id).send(view=forged(table, sheet).view())
    message = table.newest(table.onlooker)
    pressed = await table.press(table.mahdist, message, "b2")
    assert "Your order sheet" in pressed.told
    assert not any("forward 3" in read for read in table.read_by(table.onlooker))


async def test_his_side_may_read_a_sheet_and_change_nothing(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3")
    await table.give(table.onlooker, "game join", side="mahdists")
    fellow = PlayersSheet(table, table.onlooker)
    await fellow.open()
    shown = await table.press(table.onlooker, fellow.message, "Sheet of musa")
    (read,) = shown.private
    assert "### Order sheet of musa" in text(read)
    assert "**1** Amarar: forward 3" in text(read)
    assert not labels(read)
    assert not menus(read)
    assert "Amarar" not in fellow.said.partition("Suakin 1885")[0]
