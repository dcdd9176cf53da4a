"""Who is called when a game waits and nobody would be: sides without a player, and who asked for an undo."""

import pytest
import simcord

from .loaded import LoadedDice
from .table import Message, Table, text


@pytest.fixture(autouse=True)
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch, otherwise=3)


def mentions(message: Message, player: simcord.MemberActor) -> bool:
    return f"<@{player.id}>: " in text(message)


async def test_the_umpire_is_called_for_a_side_that_nobody_plays(table: Table) -> None:
    await table.start(seated=False)
    await table.give(table.mahdist, "game join", side="mahdists")
    await table.give(table.mahdist, "move", unit="ashraf", to="forward 3")
    passed = await table.give(table.mahdist, "turn next")
    assert mentions(passed.announced, table.umpire)
    await table.give(table.umpire, "move", unit="lancers", to="forward 3")
    back = await table.give(table.umpire, "turn next")
    assert mentions(back.announced, table.mahdist)
    assert not mentions(back.announced, table.umpire)


async def test_the_umpire_is_called_when_the_player_who_is_waited_for_leaves(table: Table) -> None:
    await table.start()
    assert not mentions((await table.give(table.british, "game leave")).announced, table.umpire)
    assert mentions((await table.give(table.mahdist, "game leave")).announced, table.umpire)
    await table.give(table.umpire, "game pings", mentions="off")
    await table.give(table.mahdist, "game join", side="mahdists")
    assert not mentions((await table.give(table.mahdist, "game leave")).announced, table.umpire)


async def test_a_new_umpire_is_called_where_a_side_has_no_player(table: Table) -> None:
    await table.start(seated=False)
    named = await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    assert mentions(named.announced, table.onlooker)
    await table.give(table.mahdist, "game join", side="mahdists")
    again = await table.give(table.onlooker, "umpire appoint", user=table.umpire)
    assert not mentions(again.announced, table.umpire)


async def test_who_asked_to_take_back_is_called_when_another_consents(table: Table) -> None:
    await table.start(at_once=True)
    await table.give(table.mahdist, "fire", unit="Riflemen of Hashin", target="1st Berkshires")
    await table.give(table.mahdist, "turn next")
    shown = await table.give(table.mahdist, "game undo", steps=2)
    asked = await table.press(table.mahdist, shown.private[0], "Ask the table")
    done = await table.press(table.british, asked.announced, "Consent")
    assert mentions(done.announced, table.mahdist)
