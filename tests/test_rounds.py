"""Background loops: they repeat, survive errors, and stop between two rounds."""

import asyncio
from time import monotonic

from bot.errors import DatabaseUnavailable
from bot.runtime.periodic import PeriodicTask


async def at_once() -> None:
    """Return at once."""


async def test_an_error_does_not_end_the_loop() -> None:
    calls, fourth = list[int](), asyncio.Event()

    async def go() -> None:
        calls.append(len(calls))
        if len(calls) < 3:
            raise (DatabaseUnavailable(), KeyError("a mistake of ours"))[len(calls) - 1]
        if len(calls) == 4:
            fourth.set()

    rounds = PeriodicTask("rounds", 0.001, go, at_once)
    rounds.start()
    await asyncio.wait_for(fourth.wait(), 5)
    await rounds.stop(1)
    count = len(calls)
    await asyncio.sleep(0.01)
    assert len(calls) == count


async def test_a_stopped_loop_finishes_its_round() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def go() -> None:
        begun.set()
        await asyncio.sleep(0.02)
        ended.set()

    rounds = PeriodicTask("rounds", 0.001, go, at_once)
    rounds.start()
    await begun.wait()
    await rounds.stop(5)
    assert ended.is_set()
    before, rested = monotonic(), asyncio.Event()

    async def rest() -> None:
        rested.set()

    resting = PeriodicTask("resting", 60, rest, at_once)
    resting.start()
    await rested.wait()
    await asyncio.sleep(0.001)
    await resting.stop(5)
    assert monotonic() - before < 1
