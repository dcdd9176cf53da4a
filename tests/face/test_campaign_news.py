"""What a campaign tells at a day's end: each command its own account, everyone the gazette."""

from types import SimpleNamespace

from cogs.kit.cards import telephone
from cogs.kit.cards.turn_account import account_card
from rules.core.turn_account import Account, AccountLine

from .rooms import room, room_messages
from .table import Answer, Table, labels, text
from .test_campaign import GRAHAM, OSMAN, begin

ACCOUNT = "What happened to my columns"


async def end_day(table: Table) -> Answer:
    """End the first day, in which Graham marches to El Teb; return the message of the second."""
    await begin(table)
    await table.give(table.british, "move", unit="Graham's column", to="El Teb", **{"with": "attack"})
    await table.give(table.mahdist, "turn next")
    return await table.give(table.british, "turn next")


async def test_each_command_reads_its_own_account(table: Table) -> None:
    ended = await end_day(table)
    (public,) = ended.public
    assert "**Gazette of day 1**" in text(public)
    assert "Battle in 2318 (El Teb): begins, the Mahdists defend" in text(public)
    assert "marches" not in text(public)
    (own,) = ended.private
    assert f"### Day 1: {GRAHAM}" in text(own)
    assert "**Graham's column**: marches 3 hexes to 2318 (El Teb); is in battle" in text(own)
    reply = (await table.press(table.mahdist, public, ACCOUNT)).private_text
    assert f"### Day 1: {OSMAN}" in reply
    assert "**Siege of Tokar, Camp of Tamai, Siege of Sinkat and Camelmen**: each stays" in reply
    assert "Suakin garrison" not in reply
    for actor in (table.umpire, table.onlooker):
        assert "You play no side of this game" in (await table.press(actor, public, ACCOUNT)).private_text


async def test_an_account_stays_that_of_its_day(table: Table) -> None:
    (public,) = (await end_day(table)).public
    first = (await table.press(table.british, public, ACCOUNT)).private_text
    await table.give(table.umpire, "turn next")
    assert (await table.press(table.british, table.now(public), ACCOUNT)).private_text == first


async def test_a_day_that_was_taken_back_has_no_account(table: Table) -> None:
    (public,) = (await end_day(table)).public
    (preview,) = (await table.give(table.umpire, "game undo")).private
    await table.press(table.umpire, preview, "Take it back")
    assert "taken back" in (await table.press(table.british, table.now(public), ACCOUNT)).private_text


async def test_a_command_with_a_room_gets_one_message_there(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "umpire rooms")
    before = {side: len(room_messages(table, side)) for side in (GRAHAM, OSMAN)}
    await table.give(table.mahdist, "turn next")
    ended = await table.give(table.british, "turn next")
    await table.env.settle()
    assert not ended.private, "the room has it"
    for side, number in before.items():
        (message,) = room_messages(table, side)[number:]
        assert f"### Day 1: {side}" in text(message)
        assert "Give orders" in labels(message)


async def test_the_gazette_of_any_day(table: Table) -> None:
    await begin(table)
    assert "first day has not ended" in (await table.give(table.british, "campaign gazette")).private_text
    await table.give(table.british, "move", unit="Graham's column", to="El Teb", **{"with": "attack"})
    await table.give(table.umpire, "turn next")
    await table.give(table.umpire, "turn next")
    days = await table.complete(table.onlooker, "campaign gazette", "day", "")
    assert days == ["2", "1"]
    (first,) = (await table.give(table.onlooker, "campaign gazette", day="1")).private
    assert "• Battle in 2318 (El Teb): begins, the Mahdists defend" in text(first)
    assert "Suakin 1884 — day 1 of 14" in text(first)
    seals = await table.details(table.onlooker, first)
    assert seals.count("`") == 4
    last = (await table.give(table.onlooker, "campaign gazette")).private_text
    assert "### Gazette of day 2" in last
    assert "missed the day" in last
    assert (
        "Days that have ended are 1 to 2" in (await table.give(table.british, "campaign gazette", day="9")).private_text
    )


def test_an_account_fits_a_telephone() -> None:
    lines = [AccountLine(f"Column {number}", "marches and marches and marches " * 9) for number in range(10)]
    game, entry = SimpleNamespace(id="g", state=None), SimpleNamespace(name="7")
    card = account_card(game, "blue", entry, Account("Day 3: Blue", lines), None)  # type: ignore[arg-type]
    telephone_lines = telephone.wrap_lines(card.words)
    assert len(telephone_lines) <= telephone.MOST_LINES
    assert sum("Column" in line for line in telephone_lines) == len(lines)
    brief = account_card(game, "blue", entry, Account("Day 3: Blue", [AccountLine("Column", "stays")]), None)  # type: ignore[arg-type]
    assert brief.words == "### Day 3: Blue\n**Column**: stays"


async def test_a_command_that_ends_the_day_in_its_room_gets_one_message_too(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "umpire rooms")
    await table.give(table.mahdist, "turn next")
    before = len(room_messages(table, GRAHAM))
    ended = await table.give(table.british, "turn next", channel=room(table, GRAHAM))
    await table.env.settle()
    texts = [text(message) for message in (*room_messages(table, GRAHAM)[before:], *ended.private)]
    assert len([line for line in texts if f"### Day 1: {GRAHAM}" in line]) == 1, texts
