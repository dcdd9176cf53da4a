"""Worker processes: a dead or hanging one is replaced, only its caller fails, none outlives the bot."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from multiprocessing import active_children
from pickle import PicklingError
from typing import Any

import pytest

from bot.errors import BadFile, UserError
from bot.jobs import game_import, pictures, scenario
from bot.jobs.game_import import ImportContext
from bot.journal.game import Actor
from bot.workers import JobLimits, ProcessWorkers, ThreadWorkers, Workers, base
from bot.workers.inspections import LIMITS, PROCESSES, Inspections
from render.photograph import UnfitPicture, convert_illustration
from rules.core.refusal import Refused
from rules.registry import rulesets

from .fuzz import RandomDice

LONGEST = 30.0


@pytest.fixture
async def workers() -> AsyncIterator[ProcessWorkers]:
    """Two worker processes, which start in milliseconds once the fork server runs."""
    workers = ProcessWorkers(2, rulesets(), JobLimits(LONGEST))
    yield workers
    await workers.close()


async def evaluate(workers: Workers, expression: str) -> Any:
    """Evaluate a Python expression in a worker."""
    return await workers.run(eval, f"(lambda os, sys, signal: {expression})(*map(__import__, ('os', 'sys', 'signal')))")


async def list_pids(workers: Workers) -> set[int]:
    """Return the process ids of both workers."""
    both = await asyncio.gather(
        *(workers.run(eval, "(__import__('time').sleep(.1), __import__('os').getpid())[1]") for _ in range(2))
    )
    assert len(set(both)) == 2
    return set(both)


async def test_only_the_caller_hears_of_a_dead_worker(workers: ProcessWorkers) -> None:
    before = await list_pids(workers)
    second = asyncio.create_task(workers.run(eval, "(__import__('time').sleep(.5), 'done')[1]"))
    with pytest.raises(UserError, match="Try again"):
        await workers.run(os._exit, 1)
    assert await second == "done"
    assert len(before & await list_pids(workers)) == 1


async def test_a_worker_killed_at_work_is_replaced(workers: ProcessWorkers) -> None:
    await list_pids(workers)
    working = asyncio.create_task(workers.run(eval, "__import__('os').kill(__import__('os').getpid(), 9)"))
    with pytest.raises(UserError, match="Nothing in the game was changed"):
        await working
    assert await evaluate(workers, "1 + 1") == 2


async def test_nobody_hears_of_a_worker_that_dies_idle(workers: ProcessWorkers) -> None:
    for pid in await list_pids(workers):
        os.kill(pid, signal.SIGKILL)
    assert await asyncio.gather(*(evaluate(workers, "2 + 2") for _ in range(4))) == [4] * 4


async def test_a_worker_killed_while_answering_harms_no_other(workers: ProcessWorkers) -> None:
    await list_pids(workers)
    for _ in range(10):
        answering = asyncio.create_task(workers.run(bytes, 30_000_000))
        second = asyncio.create_task(evaluate(workers, "3 + 3"))
        await asyncio.sleep(0.005)
        os.kill(active_children()[0].pid or 0, signal.SIGKILL)
        results = await asyncio.gather(answering, second, return_exceptions=True)
        refused = [result for result in results if isinstance(result, UserError)]
        assert len(refused) <= 1
        assert all(result in (bytes(30_000_000), 6) for result in results if result not in refused)
    assert await evaluate(workers, "4 + 4") == 8


async def test_a_hanging_worker_is_ended_and_replaced() -> None:
    workers = ProcessWorkers(1, rulesets(), JobLimits(0.5))
    assert await evaluate(workers, "1")
    start = time.monotonic()
    with pytest.raises(UserError, match="Try again"):
        await workers.run(time.sleep, 60)
    assert time.monotonic() - start < 30
    assert await evaluate(workers, "5 + 5") == 10
    await workers.close()


async def test_the_timeout_of_a_finished_job_is_cancelled() -> None:
    workers = ProcessWorkers(1, rulesets(), JobLimits(1.0))
    pid = await evaluate(workers, "os.getpid()")
    await asyncio.sleep(1.3)
    assert await evaluate(workers, "os.getpid()") == pid
    await workers.close()


async def test_an_exception_of_a_job_returns_with_its_traceback(workers: ProcessWorkers) -> None:
    with pytest.raises(ValueError, match="invalid literal") as raised:
        await workers.run(int, "x")
    assert "In a worker:\nTraceback" in raised.value.__notes__[0]
    with pytest.raises((AttributeError, PicklingError)):
        await workers.run(lambda: 1)
    assert await evaluate(workers, "6") == 6


async def test_a_worker_is_small_has_low_priority_and_preloads_modules(workers: ProcessWorkers) -> None:
    assert await evaluate(workers, "{'discord', 'sqlalchemy', 'simcord'} & set(sys.modules)") == set()
    assert await evaluate(workers, "{'render.scenes', 'bot.jobs.pictures', 'rules.tanga.ruleset'} <= set(sys.modules)")
    assert await evaluate(workers, "os.nice(0)") >= 10
    assert await evaluate(workers, "os.getppid()") != os.getpid(), (
        "it is made by the fork server, not forked off the bot"
    )
    assert await evaluate(workers, "signal.getsignal(signal.SIGINT) is signal.SIG_IGN"), "Ctrl-C is the bot's"


async def test_a_picture_comes_from_a_worker_as_from_a_thread(workers: ProcessWorkers) -> None:
    """Draws a table and a hex map."""
    for name in ("charge", "great_war"):
        system = rulesets()[name]
        state = system.setup(next(iter(system.scenarios)), {}, RandomDice(1))
        picture = await workers.run(pictures.draw_table, system, state)
        assert picture == await ThreadWorkers().run(pictures.draw_table, system, state)


async def test_a_terminated_worker_finishes_its_job(workers: ProcessWorkers) -> None:
    pid = await evaluate(workers, "os.getpid()")
    working = asyncio.create_task(
        workers.run(
            eval, "(__import__('os').kill(__import__('os').getpid(), 15), __import__('time').sleep(.2), 'done')[2]"
        )
    )
    assert await working == "done"
    assert await evaluate(workers, "os.getpid()") != pid


async def test_a_cancelled_caller_leaves_the_worker_to_its_job(workers: ProcessWorkers) -> None:
    await list_pids(workers)
    task = asyncio.create_task(workers.run(time.sleep, 4.0))
    await asyncio.sleep(0.1)
    task.cancel()
    answers = asyncio.gather(*(evaluate(workers, "7 + 7") for _ in range(4)))
    assert await asyncio.wait_for(answers, 3.0) == [14] * 4, "the other worker does what comes meanwhile"


async def test_closing_ends_all_workers_and_jobs(workers: ProcessWorkers) -> None:
    before = await list_pids(workers)
    working = asyncio.create_task(workers.run(time.sleep, 60))
    await asyncio.sleep(0.05)
    start = time.monotonic()
    await workers.close()
    with pytest.raises(UserError):
        await working
    with pytest.raises(UserError):
        await workers.run(time.sleep, 0)
    assert time.monotonic() - start < LONGEST / 2, "nobody waits until the job has taken too long"
    assert not before & {child.pid for child in active_children()}


async def test_long_jobs_leave_one_worker_free() -> None:
    """Pictures are drawn while reports queue."""
    workers, at_once, peak = ProcessWorkers(3, rulesets(), JobLimits(LONGEST)), 0, 0

    async def long() -> None:
        nonlocal at_once, peak
        async with workers.long_job_slot():
            at_once += 1
            peak = max(peak, at_once)
            await asyncio.sleep(0.01)
            at_once -= 1

    await asyncio.gather(*(long() for _ in range(8)))
    assert peak == 2
    await workers.close()


async def test_the_queue_of_long_jobs_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "MOST_WAITING", 3)
    workers, go = ThreadWorkers(), asyncio.Event()

    async def long() -> str:
        async with workers.long_job_slot():
            await go.wait()
            return "done"

    tasks = [asyncio.create_task(long()) for _ in range(4)]
    await asyncio.sleep(0)
    with pytest.raises(UserError, match="Ask again in a few minutes"):
        await long()
    go.set()
    assert await asyncio.gather(*tasks) == ["done"] * 4
    assert await long() == "done"


@pytest.fixture
async def patient() -> AsyncIterator[Inspections]:
    """Inspections with the usual limits, as a busy machine needs more than half a second."""
    patient = Inspections(ProcessWorkers(PROCESSES, rulesets(), LIMITS))
    yield patient
    await patient.close()


@pytest.fixture
async def inspections() -> AsyncIterator[Inspections]:
    """Inspections limited to half a second and little memory."""
    limits = replace(LIMITS, seconds=0.5, memory=400 * 2**20)
    inspections = Inspections(ProcessWorkers(PROCESSES, rulesets(), limits))
    yield inspections
    await inspections.close()


async def inspect_expression(inspections: Inspections, expression: str, member: int = 1) -> Any:
    async with inspections.reserve_worker_for_member(member) as run:
        return await run(eval, expression)


async def test_reading_that_takes_too_long_or_too_much_memory_is_refused(inspections: Inspections) -> None:
    assert await inspect_expression(inspections, "6 * 7") == 42
    with pytest.raises(UserError, match=r"could not be read within .* Nothing was changed"):
        await inspect_expression(inspections, "__import__('time').sleep(60)")
    with pytest.raises(UserError, match="needs too much memory"):
        await inspect_expression(inspections, "len(bytes(500 * 2**20))")
    assert await inspect_expression(inspections, "6 * 7") == 42


async def test_each_file_is_read_by_a_process_of_its_own(inspections: Inspections) -> None:
    pids = {await inspect_expression(inspections, "__import__('os').getpid()") for _ in range(3)}
    assert len(pids) == 3
    assert not pids & {child.pid for child in active_children()}


async def test_a_member_has_one_file_read_at_a_time(inspections: Inspections) -> None:
    first = asyncio.create_task(inspect_expression(inspections, "__import__('time').sleep(.2)"))
    await asyncio.sleep(0.05)
    with pytest.raises(UserError, match="still being read"):
        await inspect_expression(inspections, "1")
    assert await inspect_expression(inspections, "2", member=2) == 2
    await first
    assert await inspect_expression(inspections, "1") == 1


async def test_each_kind_of_refusal_returns_from_a_reading_process(patient: Inspections) -> None:
    """Exceptions arrive unchanged: a bad file, an unfit picture, a scenario refused by its rules."""
    with pytest.raises(BadFile, match="not JSON"):
        async with patient.reserve_worker_for_member(1) as run:
            await run(
                game_import.read_imported_rows, b"{", dict(rulesets()), ImportContext("g", 1, 1, Actor(1, "Anna"), 0)
            )
    with pytest.raises(UnfitPicture, match="no picture"):
        async with patient.reserve_worker_for_member(1) as run:
            await run(convert_illustration, b"GIF")
    with pytest.raises(Refused, match="no TOML"):
        async with patient.reserve_worker_for_member(1) as run:
            await run(scenario.read_scenario_file, rulesets()["magdala"], b"x")
