"""Execution of an order sheet: one message, refused orders, waiting orders, passing on, and later turns."""

import pytest

from bot.journal.game import Actor
from bot.order_sheets.model import SheetOrder
from cogs.kit.cards.idle_turn import ANYWAY
from rules.core.state import Verdict
from rules.core.tabletop.victory import VictoryRules

from .loaded_dice import LoadedDice
from .sheet import PlayersSheet
from .table import Table, labels, text


@pytest.fixture(autouse=True)
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch, default=3)


async def test_passing_on_lists_its_results_and_explains_its_signs(
    table: Table,
) -> None:
    await table.start(at_once=True)
    await table.give(table.umpire, "umpire set", unit="ashraf", field="morale", value="retreating")
    await table.pass_on(table.mahdist)
    british = PlayersSheet(table, table.british)
    await british.open("Lancers: forward 3")
    await british.press("☐ End my turn when done")
    reply = text((await british.press("Do all and end my turn")).announced)
    assert "The Ashraf are halted" in reply
    assert reply.count("Turn 2") == 1, "only in the headline of the next turn"
    assert ("ʳ" in reply) == ("ʳ ruling" in reply)


async def test_a_playing_umpire_orders_only_his_own_side(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "game join", side="mahdists")
    sheet = PlayersSheet(table, table.umpire)
    await sheet.open("Amarar: forward 4; 1st Berkshires: forward 2")
    assert "✎ “1st Berkshires: forward 2”: No unit of yours is called “1st Berkshires”" in sheet.text
    reply = text((await sheet.press("Do all and end my turn")).announced)
    assert "Amarar" in reply
    assert "Turn 1 of 6, British" in reply


async def test_results_of_an_order_have_their_own_lines(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start(at_once=True)
    sheet = PlayersSheet(table, table.mahdist)
    LoadedDice(monkeypatch, default=2).fall(6, 6, 1, 1)
    await sheet.open("Riflemen of Hashin fire 1st Berkshires; Riflemen of Tokar fire 1st Berkshires")
    lines = text((await sheet.press("Do all")).announced).splitlines()
    order = next(place for place, line in enumerate(lines) if line.startswith("**1** Riflemen of Hashin"))
    assert lines[order].endswith("2D6 6 6")
    assert lines[order + 1].startswith("• 1st Berkshires: morale under fire"), lines[order:]


async def test_a_refused_order_stays_with_its_reason_while_others_run(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Ashraf: forward 3; Ashraf: forward 3; Ashraf: face east; Arteiga: forward 3")
    answer = await sheet.press("Do all")
    assert "Ashraf move 3" in text(answer.announced)
    assert "Arteiga move" in text(answer.announced)
    assert "**1** Ashraf: forward 3\n✖ Ashraf have made their move" in sheet.text
    assert "**2** Ashraf: face east" in sheet.text
    before = await table.seq()
    second_press = await sheet.press("Do all")
    assert not second_press.public
    assert await table.seq() == before


async def test_an_order_runs_by_itself_when_its_condition_holds(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Ashraf: forward 3 if 1st Berkshires are pinned; Arteiga: face east if an enemy is within 1")
    await sheet.press("Do all")
    assert sheet.text.count("◇ Left undone: ") == 2
    before = await table.seq()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="1")
    assert await table.seq() == before + 1, "nothing else was done"
    await table.give(table.umpire, "umpire set", unit="berkshires", field="morale", value="pinned")
    assert await table.seq() == before + 3, "the order followed"
    await sheet.open()
    assert "Ashraf: forward" not in sheet.text
    assert "**1** Arteiga: face east if an enemy is within 1" in sheet.text
    mentions = [line for line in table.read_by(table.onlooker) if "could not be done" in line]
    assert not mentions
    await table.pass_on(table.mahdist)
    await sheet.open()
    assert "Arteiga: face east" not in sheet.text, "the order leaves the sheet after its phase"


async def test_refused_orders_are_too_late_after_their_turn(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Ashraf: forward 3; Ashraf: forward 3")
    await sheet.press("Do all")
    for player in (table.mahdist, table.british):
        await table.pass_on(player)
    await sheet.open("Ashraf: forward 3")
    assert "✖ Too late for this order" in sheet.text
    answer = await sheet.press("Do all")
    assert "Ashraf move 3" in text(answer.announced)
    assert "Ashraf: forward" not in sheet.text


async def test_a_unit_that_cannot_act_does_not_stop_others_of_its_order(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Ashraf: forward 3; Ashraf, Arteiga: forward 3")
    answer = await sheet.press("Do all")
    assert "Arteiga move" in text(answer.announced)
    assert "**1** Ashraf: forward 3\n✖ Ashraf have made their move" in sheet.text


async def test_an_order_to_all_is_refused_if_no_unit_can(sheet: PlayersSheet) -> None:
    await sheet.open("all fire 1st Berkshires; all fire 1st Berkshires; Amarar: forward 2")
    assert "✎ “all fire 1st Berkshires”: None of them can: " in sheet.text
    assert "**2** Amarar: forward 2" in sheet.text


async def test_the_sheets_buttons_name_their_effect(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open()
    toggles = ["☐ Carry on without asking me", "☐ End my turn when done"]
    assert sheet.labels == ["Write as text", *toggles, "Standing answers"]
    await sheet.press("☐ End my turn when done")
    assert "Pass on" in sheet.labels
    await sheet.write("Amarar: forward 3")
    answer = await sheet.press("Do all and end my turn")
    reply = text(answer.announced)
    assert "Army of Osman Digna: 1 order" in reply
    assert f"### Turn 1 of 6, British\n<@{table.british.id}>: it is your turn." in reply, "in the same message"
    assert labels(answer.announced) == ["Give orders", "End the turn of the British"]
    assert table.now(answer.announced).attachments, "the map"
    assert table.newest(table.onlooker).id == answer.announced.id


async def test_one_message_holds_many_orders_and_the_next_turn(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("all: forward 3")
    message = (await sheet.press("Do all and end my turn")).announced
    assert text(message).startswith("-# Army of Osman Digna: 12 orders\n### The Army of Osman Digna moved 12 units")
    assert "### Turn 1 of 6, British" in text(message)
    assert labels(message) == ["Give orders", "End the turn of the British"]


async def test_the_end_of_the_game_is_told_by_its_own_message(
    table: Table, sheet: PlayersSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = Verdict(winner="british", why="It is late.")
    monkeypatch.setattr(VictoryRules, "find_verdict", lambda _, state: late if state.active == "british" else None)
    await sheet.open("Amarar: forward 3")
    answer = await sheet.press("Do all and end my turn")
    assert "late" not in text(answer.announced)
    assert "It is late." in text(table.newest(table.onlooker))


async def test_passing_on_fights_forced_rounds_of_melee(table: Table) -> None:
    await table.start(at_once=True)
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="43,25,180")
    sheet = PlayersSheet(table, table.mahdist)
    await sheet.open("Amarar: towards Royal Marine Light Infantry")
    met = (await sheet.press("Do all and end my turn")).announced
    assert "Turn 1 of 6, British" not in text(met), "the defender fires first, or does not"
    fought = await table.press(table.british, met, "Royal Marine Light Infantry hold their fire")
    assert "Amarar fight Royal Marine Light Infantry" in text(fought.announced)
    assert "### Turn 1 of 6, British" in text(fought.announced), "the answer's own message shows everything"


async def test_the_sheet_does_not_pass_on_while_its_player_edits(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open()
    await sheet.press("☐ End my turn when done")
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="1")
    assert (await table.env.bot.games.running_game(table.channel.id)).state.active == "mahdists"
    await sheet.press("Pass on")
    assert (await table.env.bot.games.running_game(table.channel.id)).state.active == "british"


async def test_an_undone_turn_is_not_passed_on_again(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open()
    await sheet.press("☐ End my turn when done")
    question = await sheet.press("Pass on")
    await table.press(table.mahdist, question.private[0], ANYWAY)
    undo = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, undo.messages[0], "Take it back")
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="1")
    assert (await table.env.bot.games.running_game(table.channel.id)).state.active == "mahdists"
    await sheet.open()
    assert "☐ End my turn when done" in sheet.labels


async def test_orders_may_be_written_in_the_enemys_turn(table: Table, sheet: PlayersSheet) -> None:
    british = PlayersSheet(table, table.british)
    await british.open("G Battery fire Amarar")
    assert "**1** in my turn: G Battery RHA fire Amarar · *about*" in british.text
    await british.order("Fire Arteiga", "5th Scottish Battery")
    assert "**2** in my turn: 5th Scottish Battery RA fire Arteiga" in british.text
    assert "Do all" not in british.labels
    await british.press("Do all in time")
    assert "Saved. Later orders run in their phase." in british.text
    passed = await table.pass_on(table.mahdist)
    assert "British: 2 orders" in text(passed.announced)
    assert "G Battery RHA fires at Amarar" in text(passed.announced)


@pytest.mark.parametrize("silent", [False, True])
async def test_a_player_is_told_once_that_his_waiting_sheet_can_go_on(table: Table, silent: bool) -> None:
    await table.start()
    if silent:
        await table.give(table.mahdist, "game pings", mentions="off")
    games = table.env.bot.games
    game = await games.running_game(table.channel.id)
    waiting = SheetOrder(kind="move", units=("amarar",), args={"to": "forward 3"}, why="Wait.", waits=True)
    musa = Actor(table.mahdist.id, "musa")
    await games.sheets.revise(table.channel.id, musa, game.id, 0, lambda _, sheet: sheet.with_orders([waiting]))
    for casualties in ("1", "2"):
        await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value=casualties)
    (message,) = [message for message in table.channel.history() if "your order sheet can go on" in text(message)]
    assert (f"<@{table.mahdist.id}>" in text(message)) is not silent
    assert labels(message) == ["Give orders"]
