"""What a turn costs by order sheets: presses, and public messages of the bot, at Suakin and El Teb."""

import pytest

from .loaded import LoadedDice
from .sheet import PlayersSheet
from .table import Message, Table, labels, text

MOST_MESSAGES = 4
MOST_PRESSES = 12


@pytest.fixture
def threes(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    """Every die shows a three."""
    return LoadedDice(monkeypatch, otherwise=3)


def public(table: Table) -> int:
    """Messages that everyone reads."""
    return len(table.channel.history(viewer=table.onlooker))


def with_orders(table: Table) -> Message:
    """The newest message under which orders can be given."""
    return next(one for one in reversed(table.channel.history()) if "Give orders" in labels(one))


@pytest.mark.usefixtures("threes")
async def test_suakin_turn_1_by_menus(table: Table) -> None:
    await table.start()
    before = public(table)
    sheet = PlayersSheet(table, table.mahdist)
    await sheet.open_under(with_orders(table))
    await sheet.order("Towards 1st Berk", "All 14")
    await sheet.order("Fire 1st Berkshires", "Riflemen of Hashin")
    await sheet.press("☐ Through with this turn")
    done = await sheet.press("Do all and pass on")
    assert "13 orders" in text(done.announced)
    assert sheet.presses == 7
    assert public(table) - before == 2, "what was done, and whose turn it is"

    before = public(table)
    british = PlayersSheet(table, table.british)
    await british.open_under(with_orders(table))
    await british.order("Fire Hadendoa of Sinkat", "1st Berkshires", "Royal Marine", "Naval Brigade")
    await british.order("Fire Amarar", "G Battery", "5th Scottish")
    await british.order("Forward 12", "5th Lancers", "20th Hussars")
    await british.press("☐ Through with this turn")
    done = await british.press("Do all and pass on")
    assert "7 orders" in text(done.announced)
    while tests := [label for label in labels(table.newest(table.onlooker)) if label.startswith("Morale")]:
        await table.press(table.mahdist, table.newest(table.onlooker), tests[0])
        sheet.presses += 1
    assert british.presses <= MOST_PRESSES
    assert public(table) - before <= MOST_MESSAGES
    assert (await table.env.bot.games.running(table.channel.id)).state.turn == 2


@pytest.mark.usefixtures("threes")
async def test_suakin_turn_1_by_text(table: Table) -> None:
    await table.start()
    before = public(table)
    sheet = PlayersSheet(table, table.mahdist)
    await sheet.open("Riflemen of Hashin fire 1st Berk; all: towards 1st Berk")
    await sheet.press("Do all")
    assert (sheet.presses, public(table) - before) == (2, 1)


async def test_el_teb_turn_1_by_menus(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="empire", scenario="el-teb-1884")
    await table.give(table.british, "game join", side="british")
    await table.give(table.mahdist, "game join", side="mahdists")
    before = public(table)
    mahdists, british = (PlayersSheet(table, player) for player in (table.mahdist, table.british))
    for sheet, goal in ((mahdists, "Towards Royal Marines"), (british, "Forward 3")):
        await sheet.open()
        await sheet.choose("When", "In movement of units")
        await sheet.order("Conduct", "All")
        await sheet.order(goal, "All")
        await sheet.press("☐ Go on by yourself")
        await sheet.press("☐ Through with this turn")
    await british.press("Pass on")
    asked = table.newest(table.onlooker)
    winner = table.british if "The British have the initiative: who moves first?" in text(asked) else table.mahdist
    await table.press(winner, asked, "Mahdists first")
    shown = [text(message) for message in table.channel.history(viewer=table.onlooker)[before:]]
    assert any("Mahdists and British" in one or "British and Mahdists" in one for one in shown), shown
    for sheet in (mahdists, british):
        assert sheet.presses + 1 <= MOST_PRESSES
    assert public(table) - before <= 2 * MOST_MESSAGES, shown
    state = (await table.env.bot.games.running(table.channel.id)).state
    assert state.turn == 2 or state.phase in ("artillery fire", "rifle and machine gun fire", "melee"), shown
