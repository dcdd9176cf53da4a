"""@mentions when a game waits for a side without a player, and after a consented undo."""

import pytest
import simcord

from .loaded_dice import LoadedDice
from .table import Message, Table, text


@pytest.fixture(autouse=True)
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch, default=3)


def mentions(message: Message, player: simcord.MemberActor) -> bool:
    return f"<@{player.id}>: " in text(message)


async def test_the_umpire_is_mentioned_for_a_side_without_a_player(table: Table) -> None:
    await table.start(seated=False)
    await table.give(table.mahdist, "game join", side="mahdists")
    await table.give(table.mahdist, "move", unit="ashraf", to="forward 3")
    passed = await table.give(table.mahdist, "turn next")
    assert mentions(passed.announced, table.umpire)
    await table.give(table.umpire, "move", unit="lancers", to="forward 3")
    back = await table.give(table.umpire, "turn next")
    assert mentions(back.announced, table.mahdist)
    assert not mentions(back.announced, table.umpire)


async def test_the_umpire_is_mentioned_when_the_next_player_leaves(table: Table) -> None:
    await table.start()
    assert not mentions((await table.give(table.british, "game leave")).announced, table.umpire)
    assert mentions((await table.give(table.mahdist, "game leave")).announced, table.umpire)
    await table.give(table.umpire, "game pings", mentions="off")
    await table.give(table.mahdist, "game join", side="mahdists")
    assert not mentions((await table.give(table.mahdist, "game leave")).announced, table.umpire)


async def test_a_new_umpire_is_mentioned_for_a_side_without_a_player(table: Table) -> None:
    await table.start(seated=False)
    answer = await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    assert mentions(answer.announced, table.onlooker)
    await table.give(table.mahdist, "game join", side="mahdists")
    return_answer = await table.give(table.onlooker, "umpire appoint", user=table.umpire)
    assert not mentions(return_answer.announced, table.umpire)


async def test_a_consent_to_an_undo_mentions_its_requester(table: Table) -> None:
    await table.start(at_once=True)
    await table.give(table.mahdist, "fire", unit="Riflemen of Hashin", target="1st Berkshires")
    await table.give(table.mahdist, "turn next")
    preview = await table.give(table.mahdist, "game undo", steps=2)
    question = await table.press(table.mahdist, preview.private[0], "Ask the table")
    answer = await table.press(table.british, question.announced, "Consent")
    assert mentions(answer.announced, table.mahdist)
