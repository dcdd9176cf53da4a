"""A channel makes only one report, file or map of a kind at a time: a second request is told to wait."""

from collections.abc import Callable, Hashable
from typing import Any

import pytest

from bot.runtime.client import UmpireBot

from .table import Table

SINGLE_JOBS = {
    "game report": "The report of this game",
    "game export": "The file of this game",
    "dice verify": "The check of these dice",
    "dice luck": "The luck of this game",
}


def get_bot(table: Table) -> UmpireBot:
    assert isinstance(table.env.bot, UmpireBot)
    return table.env.bot


@pytest.fixture
def keys_in_progress(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[set[Hashable]]:
    """The keys in progress at each job of a worker."""
    bot, keys_in_progress = get_bot(table), []
    run = bot.workers.run

    async def watch(job: Callable[..., Any], /, *args: Any, **options: Any) -> Any:
        keys_in_progress.append(set(bot.single_flight.keys))
        return await run(job, *args, **options)

    monkeypatch.setattr(bot.workers, "run", watch)
    return keys_in_progress


async def begin_with_moves(table: Table) -> None:
    await table.start()
    for unit in ("arteiga", "amarar"):
        await table.give(table.umpire, "move", unit=unit, to="forward 2")


@pytest.mark.parametrize(("command", "work"), SINGLE_JOBS.items())
async def test_each_kind_of_file_is_made_once_at_a_time(
    table: Table, keys_in_progress: Any, command: str, work: str
) -> None:
    await begin_with_moves(table)
    keys_in_progress.clear()
    assert "on its way" not in (await table.give(table.british, command)).private_text
    assert keys_in_progress == [{(work, table.channel.id)}]
    with get_bot(table).single_flight.mark_running(work, table.channel.id, ending=""):
        reply = (await table.give(table.onlooker, command)).private_text
    assert reply == f"{work} is on its way. If somebody else asked for it, ask again in a moment."
    assert len(keys_in_progress) == 1
    assert "on its way" not in (await table.give(table.onlooker, command)).private_text, (
        "and then it may be asked for again"
    )


async def test_a_replay_is_shown_once(table: Table, keys_in_progress: Any) -> None:
    await begin_with_moves(table)
    keys_in_progress.clear()
    assert (await table.give(table.british, "game replay")).announced.attachments
    assert keys_in_progress == [{("The replay of this game", table.channel.id)}]
    with get_bot(table).single_flight.mark_running("The replay of this game", table.channel.id, ending=""):
        reply = (await table.give(table.onlooker, "game replay")).private_text
    assert reply == "The replay of this game is on its way. It will be shown here."


async def test_a_map_is_drawn_once_at_a_time_for_each_area(table: Table, keys_in_progress: Any) -> None:
    await begin_with_moves(table)
    keys_in_progress.clear()
    assert (await table.give(table.british, "map")).announced.attachments
    ((key,),) = keys_in_progress
    with get_bot(table).single_flight.mark_running(*key, ending=""):
        assert "This map is on its way" in (await table.give(table.onlooker, "map")).private_text
        assert (await table.give(table.onlooker, "map", area="A1")).announced.attachments
        assert "on its way" not in (await table.give(table.british, "map", side="british")).private_text


async def test_a_job_of_one_channel_blocks_no_other_channel(table: Table) -> None:
    await begin_with_moves(table)
    with get_bot(table).single_flight.mark_running("The report of this game", table.channel.id + 1, ending=""):
        assert "on its way" not in (await table.give(table.onlooker, "game report")).private_text


async def test_a_failed_request_may_be_repeated(table: Table) -> None:
    await table.start()
    for _ in range(2):
        assert "Play a turn first" in (await table.give(table.british, "game replay")).private_text
    assert not get_bot(table).single_flight.keys
