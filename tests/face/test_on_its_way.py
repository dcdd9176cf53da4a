"""One of a kind a channel: who asks for what is being made already is told that it is on its way."""

from collections.abc import Callable, Hashable
from typing import Any

import pytest

from bot.runtime.client import UmpireBot

from .table import Table

FOR_ONE = {
    "game report": "The report of this game",
    "game export": "The file of this game",
    "dice verify": "The check of these dice",
    "dice luck": "The luck of this game",
}


def bot_of(table: Table) -> UmpireBot:
    assert isinstance(table.env.bot, UmpireBot)
    return table.env.bot


@pytest.fixture
def made(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[set[Hashable]]:
    """What was under way each time that a worker did something."""
    bot, made = bot_of(table), []
    run = bot.workers.run

    async def watched(job: Callable[..., Any], /, *args: Any, **options: Any) -> Any:
        made.append(set(bot.single_flight.keys))
        return await run(job, *args, **options)

    monkeypatch.setattr(bot.workers, "run", watched)
    return made


async def started(table: Table) -> None:
    await table.start()
    for unit in ("arteiga", "amarar"):
        await table.give(table.umpire, "move", unit=unit, to="forward 2")


@pytest.mark.parametrize(("command", "what"), FOR_ONE.items())
async def test_what_is_for_one_is_made_once_at_a_time(table: Table, made: Any, command: str, what: str) -> None:
    await started(table)
    made.clear()
    assert "on its way" not in (await table.give(table.british, command)).private_text
    assert made == [{(what, table.channel.id)}]
    with bot_of(table).single_flight.hold(what, table.channel.id, then=""):
        told = (await table.give(table.onlooker, command)).private_text
    assert told == f"{what} is on its way. If somebody else asked for it, ask again in a moment."
    assert len(made) == 1
    assert "on its way" not in (await table.give(table.onlooker, command)).private_text, (
        "and then it may be asked for again"
    )


async def test_a_replay_is_shown_once(table: Table, made: Any) -> None:
    await started(table)
    made.clear()
    assert (await table.give(table.british, "game replay")).announced.attachments
    assert made == [{("The replay of this game", table.channel.id)}]
    with bot_of(table).single_flight.hold("The replay of this game", table.channel.id, then=""):
        told = (await table.give(table.onlooker, "game replay")).private_text
    assert told == "The replay of this game is on its way. It will be shown here."


async def test_a_map_is_shown_once_but_another_part_of_it_is_another_map(table: Table, made: Any) -> None:
    await started(table)
    made.clear()
    assert (await table.give(table.british, "map")).announced.attachments
    ((key,),) = made
    with bot_of(table).single_flight.hold(*key, then=""):
        assert "This map is on its way" in (await table.give(table.onlooker, "map")).private_text
        assert (await table.give(table.onlooker, "map", area="A1")).announced.attachments
        assert "on its way" not in (await table.give(table.british, "map", side="british")).private_text


async def test_other_channels_are_served_meanwhile(table: Table) -> None:
    await started(table)
    with bot_of(table).single_flight.hold("The report of this game", table.channel.id + 1, then=""):
        assert "on its way" not in (await table.give(table.onlooker, "game report")).private_text


async def test_what_went_wrong_may_be_asked_for_again(table: Table) -> None:
    await table.start()
    for _ in range(2):
        assert "Play a turn first" in (await table.give(table.british, "game replay")).private_text
    assert not bot_of(table).single_flight.keys
