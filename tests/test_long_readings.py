"""Long readings: reports, exports and checks of 2,000 entries must not block the event loop."""

import asyncio
import gc
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from sqlalchemy import case, insert, literal, select

from bot.journal.snapshots import KEPT_ACTIONS
from bot.services import Games
from bot.store import Store
from bot.store.tables import ENTRIES
from bot.workers import ProcessWorkers
from rules.core.model import PUBLIC, UMPIRE
from rules.registry import rulesets
from tests.readings import export_latest, read_luck, render_replay, verify_throws, write_latest_page

from .conftest import ANNA, CHANNEL

ENOUGH = 2000
MAX_BLOCK = 0.04
"""Maximum seconds for which the event loop may be blocked; parsing 2,000 entries takes far more."""


@pytest.fixture
async def games(store: Store) -> AsyncIterator[Games]:
    workers = ProcessWorkers(1, rulesets())
    games = Games(store, rulesets(), workers)
    await games.starter.start(CHANNEL, 5, ANNA, "magdala", "suakin-1885", interaction=1)
    for number in range(10):
        await games.rolls.roll(CHANNEL, ANNA, "8d6>=5", "Royal Marines fire", interaction=10 + number)
    await lengthen(store)
    yield Games(store, rulesets(), workers)
    await workers.close()


async def lengthen(store: Store) -> None:
    """Double the journal until it is long enough, with as many snapshots as a real journal."""
    async with store.write() as session:
        state = await session.scalar(select(ENTRIES.c.state).where(ENTRIES.c.seq == 1))
        while (length := await session.scalar(select(ENTRIES.c.seq).order_by(ENTRIES.c.seq.desc()).limit(1))) < ENOUGH:
            seq = ENTRIES.c.seq + length
            new = {"seq": seq, "interaction": literal(0), "state": case((seq <= KEPT_ACTIONS, literal(state)))}
            columns = [new.get(column.name, column) for column in ENTRIES.c]
            copies = select(*columns).where(ENTRIES.c.seq <= ENOUGH - length)
            await session.execute(insert(ENTRIES).from_select([column.name for column in ENTRIES.c], copies))


async def measure_longest_block(work: Awaitable[object]) -> float:
    """Return the longest block of the event loop until `work` is done, in seconds of its processor time.

    Garbage of earlier tests is excluded.
    """
    gc.collect()
    gc.disable()
    longest, before = 0.0, time.thread_time()
    task = asyncio.ensure_future(work)
    while not task.done():
        await asyncio.sleep(0.001)
        now = time.thread_time()
        longest, before = max(longest, now - before), now
    gc.enable()
    await task
    return longest


READINGS: dict[str, Callable[[Games], Awaitable[object]]] = {
    "report": lambda games: write_latest_page(games, CHANNEL, UMPIRE),
    "export": lambda games: export_latest(games, CHANNEL, ANNA),
    "verify": lambda games: verify_throws(games, CHANNEL),
    "luck": lambda games: read_luck(games, CHANNEL, PUBLIC),
    "replay": lambda games: render_replay(games, CHANNEL, None, 10_000_000),
}


@pytest.mark.parametrize("database_kind", ["sqlite"])
async def test_long_readings_do_not_block_the_event_loop(games: Games) -> None:
    blocks = {name: await measure_longest_block(reading(games)) for name, reading in READINGS.items()}
    assert max(blocks.values()) < MAX_BLOCK, blocks


async def test_a_worker_reads_the_whole_journal(games: Games) -> None:
    page = await write_latest_page(games, CHANNEL, PUBLIC, "markdown")
    assert page.count("Royal Marines fire") >= ENOUGH * 10 // 11 - 1
    assert len(json.loads(await export_latest(games, CHANNEL, ANNA))["entries"]) == ENOUGH
    assert (await verify_throws(games, CHANNEL)).wrong == tuple(map(str, range(1, 11))), (
        "each of the ten throws comes again and again"
    )
    (luck,) = await read_luck(games, CHANNEL, PUBLIC)
    assert luck.dice == 10 * 8, "each throw counts once, however often it is told"
