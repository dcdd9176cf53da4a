"""The number of presses, and of the bot's public messages, in a turn with order sheets at Suakin and El Teb."""

import re

import pytest

from cogs.kit.cards.telephone import MOST_LINES
from rules.core import sealed_dice

from .loaded_dice import LoadedDice
from .sheet import PlayersSheet
from .table import DETAILS, Answer, Message, Table, labels, text
from .test_message_lengths import wrap_lines

MOST_MESSAGES = 4
MOST_PRESSES = 12
MOST_WAITS = 3


@pytest.fixture
def only_threes(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    """Dice that always show a three."""
    return LoadedDice(monkeypatch, default=3)


def count_public(table: Table) -> int:
    """Return the number of public messages."""
    return len(table.channel.history(viewer=table.onlooker))


def find_turn_message(table: Table) -> Message:
    """Return the newest message with the button *Give orders*."""
    return next(message for message in reversed(table.channel.history()) if "Give orders" in labels(message))


@pytest.mark.usefixtures("only_threes", "no_drawing")
async def test_suakin_turn_1_by_menus(table: Table) -> None:
    await table.start()
    before = count_public(table)
    sheet = PlayersSheet(table, table.mahdist)
    await sheet.open_under(find_turn_message(table))
    await sheet.order("Towards 1st Berk", "All 14")
    await sheet.order("Fire 1st Berkshires", "Riflemen of Hashin")
    await sheet.press("☐ End my turn when done")
    answer = await sheet.press("Do all and end my turn")
    assert "13 orders" in text(answer.announced)
    assert sheet.presses == 7
    assert count_public(table) - before == 1, "the actions and the next turn"

    before = count_public(table)
    british = PlayersSheet(table, table.british)
    await british.open_under(find_turn_message(table))
    await british.order("Fire Hadendoa of Sinkat", "1st Berkshires", "Royal Marine", "Naval Brigade")
    await british.order("Fire Amarar", "G Battery", "5th Scottish")
    await british.order("Forward 12", "5th Lancers", "20th Hussars")
    await british.press("☐ End my turn when done")
    answer = await british.press("Do all and end my turn")
    assert "7 orders" in text(answer.announced)
    while tests := [label for label in labels(table.newest(table.onlooker)) if label.startswith("Morale")]:
        await table.press(table.mahdist, table.newest(table.onlooker), tests[0])
        sheet.presses += 1
    assert british.presses <= MOST_PRESSES
    assert count_public(table) - before <= MOST_MESSAGES
    assert (await table.env.bot.games.running_game(table.channel.id)).state.turn == 2


@pytest.mark.usefixtures("only_threes", "no_drawing")
async def test_suakin_turn_1_by_text(table: Table) -> None:
    await table.start()
    before = count_public(table)
    sheet = PlayersSheet(table, table.mahdist)
    await sheet.open("Riflemen of Hashin fire 1st Berk; all: towards 1st Berk")
    await sheet.press("Do all")
    assert (sheet.presses, count_public(table) - before) == (2, 1)


FOOT = ("1st York", "Royal Marines", "1st Gordon", "1st Black Watch", "2nd Irish", "3rd 60th")
HORSE = ("19th Hussars", "10th Hussars", "Mounted Infantry")
SPEARS = ("Hadendoa of Tamai", "Hadendoa of Sinkat", "Hadendoa of Erkowit", "Arteiga", "Hassanab", "Beni Amer")
CAMELS = ("Hadendoa horse", "Bisharin camelmen")
BRITISH_TEXT = """York, Marines, Gordons, Black Watch, Irish, 60th bayonets
York, Marines, Gordons, Black Watch, Irish, 60th, 19th, 10th, Mounted Infantry: forward 6
Camel Battery fire West Krupps
York, Marines, Gordons fire Riflemen of Tokar
Gatlings fire Riflemen of Tokar dice 3"""
MAHDIST_TEXT = """all Hadendoa, Arteiga, Hassanab, Beni Amer, Bisharin: forward 9
West Krupps, East Krupps fire Camel Battery
Riflemen of Tokar, Riflemen of Sinkat fire Camel Battery"""


@pytest.fixture
def mahdists_initiative(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that show a three, but a five for the Mahdists' initiative, so that the initiative is no tie."""
    monkeypatch.setattr(
        sealed_dice, "compute_faces", lambda _, label, count, __: (5 if "of the Mahdists" in label else 3,) * count
    )


@pytest.fixture
def no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A constant picture instead of drawn tables."""
    monkeypatch.setattr("render.scenes.draw", lambda *_, **__: b"a picture")


async def start_el_teb(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="empire", scenario="el-teb-1884")
    await table.give(table.british, "game join", side="british")
    await table.give(table.mahdist, "game join", side="mahdists")


async def choose_british_first(table: Table, sheet: PlayersSheet) -> Answer:
    """Let the winner of the initiative choose that the British move first."""
    answer = await table.press(sheet.player, find_turn_message(table), "British first")
    sheet.presses += 1
    return answer


def count_mentions(table: Table, since: int) -> dict[str, int]:
    """Return how often the messages since number `since` mention each player."""
    texts = [text(message) for message in table.channel.history(viewer=table.onlooker)[since:]]
    players = {"british": table.british, "mahdists": table.mahdist}
    return {side: sum(f"<@{player.id}>" in message_text for message_text in texts) for side, player in players.items()}


@pytest.mark.soak
@pytest.mark.usefixtures("mahdists_initiative", "no_drawing")
async def test_el_teb_turn_1_by_menus(table: Table) -> None:
    """One sheet per player covers bayonets, movement with conduct, guns, rifles and a machine gun."""
    await start_el_teb(table)
    before = count_public(table)
    british, mahdists = (PlayersSheet(table, player) for player in (table.british, table.mahdist))

    # The game waits for the British first. They order the whole turn; later orders run in their phase.
    await british.open_under(find_turn_message(table))
    await british.order("Bayonets", *FOOT)
    await british.order("Forward 6", *FOOT, *HORSE)
    await british.order("Fire West Krupps", "Camel Battery")
    await british.order("Fire Riflemen of Tokar", "1st York", "Royal Marines", "1st Gordon", "Naval Gatlings")
    fixed = await british.press("Do all and end my turn")
    assert "bayonets. ·" not in text(fixed.announced), "the initiative is no result of an order"

    # The Mahdists have won the initiative: they order their turn, and choose who moves first.
    await mahdists.open_under(find_turn_message(table))
    await mahdists.order("Forward 9", *SPEARS, *CAMELS)
    await mahdists.order("Fire Camel Battery", "West Krupps", "East Krupps")
    await mahdists.order("Fire Camel Battery", "Riflemen of Tokar", "Riflemen of Sinkat")
    await mahdists.press("Do all and end my turn")
    moved = await choose_british_first(table, mahdists)
    assert re.search(r"for conduct: may move .* · D6 3\n[^\n]* move 6", text(moved.announced)), "a line each"
    assert "### British and Mahdists: 26 orders" in text(moved.announced)
    assert "Royal Marines move 6" in text(moved.announced)

    # The Gatlings' owner chooses their dice, then the turn runs to its end.
    message = find_turn_message(table)
    assert len(labels(message)) == len({*labels(message)}), "no button twice"
    await table.press(table.british, message, "3 dice")
    british.presses += 1
    assert (await table.env.bot.games.running_game(table.channel.id)).state.turn == 2

    assert (british.presses, mahdists.presses) == (11, 9)
    assert count_public(table) - before == 3
    assert max(british.presses, mahdists.presses) <= MOST_PRESSES
    assert count_public(table) - before <= 2 * MOST_MESSAGES
    mentions = count_mentions(table, before)
    assert mentions == {"british": 1, "mahdists": 2}, "the first message mentions nobody, the last is of turn 2"
    assert max(mentions.values()) <= MOST_WAITS


@pytest.mark.usefixtures("mahdists_initiative", "no_drawing")
async def test_el_teb_turn_1_by_text(table: Table) -> None:
    await start_el_teb(table)
    before = count_public(table)
    british, mahdists = (PlayersSheet(table, player) for player in (table.british, table.mahdist))
    await british.open(BRITISH_TEXT.replace("\n", "; "))
    await british.press("Do all and end my turn")
    await mahdists.open(MAHDIST_TEXT.replace("\n", "; "))
    await mahdists.press("Do all and end my turn")
    await choose_british_first(table, mahdists)
    assert (await table.env.bot.games.running_game(table.channel.id)).state.turn == 2
    assert (british.presses, mahdists.presses) == (2, 3)
    assert count_public(table) - before == 2, "one message per player, with his actions and the next turn"
    assert max(count_mentions(table, before).values()) <= 1


@pytest.mark.usefixtures("mahdists_initiative", "no_drawing")
async def test_a_turn_of_many_orders_is_summarised_with_details(table: Table) -> None:
    await start_el_teb(table)
    british, mahdists = (PlayersSheet(table, player) for player in (table.british, table.mahdist))
    await british.open(BRITISH_TEXT.replace("\n", "; "))
    await british.press("Do all and end my turn")
    await mahdists.open(MAHDIST_TEXT.replace("\n", "; "))
    await mahdists.press("Do all and end my turn")
    turn = (await choose_british_first(table, mahdists)).announced
    reply = text(turn)
    assert "The British moved 9 units and fired with 5 units" in reply
    assert "for conduct" not in reply
    assert "line of fire" not in reply
    assert "the rest in" not in reply
    assert "### Turn 2 of 9" in reply
    assert len(wrap_lines(turn)) <= MOST_LINES
    details = await table.press(table.onlooker, turn, DETAILS)
    assert details.private[0].attachments, "every throw, in a file"
