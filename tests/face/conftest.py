"""The bot in a simulated Discord, with people round a table."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest
import simcord
from aiohttp.test_utils import TestClient, TestServer

from bot.runtime import client
from bot.runtime.client import UmpireBot, make_bot
from bot.runtime.periodic import PeriodicTask
from bot.runtime.settings import Settings
from bot.workers import ThreadWorkers
from bot.workers.inspections import Inspections
from cogs.kit.cards import stale_buttons
from cogs.kit.errors import USER_ERRORS
from rules.registry import rulesets
from tests.conftest import THREADED_TESTS
from tests.databases import create_database
from tests.map_seals import replace_maps_with_seals
from web.server import Address, LiveMap

from .env import Env
from .live_page import ORIGIN, Browser
from .sheet import PlayersSheet
from .table import Table

P = ParamSpec("P")
T = TypeVar("T")


@pytest.fixture(autouse=True)
def same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal seeds and ids in every run: therefore also equal dice."""
    numbers = iter(range(1, 10_000))
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes([next(numbers) % 256]) * size)
    monkeypatch.setattr(secrets, "token_hex", lambda size=8: f"{next(numbers):0{2 * size}x}")


@pytest.fixture(autouse=True)
def inspections_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """ThreadWorkers instead of a process that reads files of users.

    A process takes a second to start, and knows no toy system.
    """
    monkeypatch.setattr(client, "make_inspections", lambda _: Inspections(ThreadWorkers()))


CONCURRENT = (
    "test_acknowledgement",
    "test_combat",
    "test_single_flight",
    "test_opponent_interruptions",
    "test_pictures",
    "test_rule",
    "test_group_moves",
)
"""Further modules whose tests need real threads, for concurrent work."""


async def run_inline(work: Callable[P, T], /, *given: P.args, **options: P.kwargs) -> T:
    """Run `work` in the event loop's own thread, after the tasks that already wait."""
    await asyncio.sleep(0)
    return work(*given, **options)


@pytest.fixture(autouse=True)
def no_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules computed in the event loop's own thread, except in tests of concurrency.

    A change of threads costs more than most of the work in them. `tests/wire` uses real threads.
    """
    if request.path.stem not in (*THREADED_TESTS, *CONCURRENT):
        monkeypatch.setattr(asyncio, "to_thread", run_inline)


@pytest.fixture
def real_maps() -> None:
    """A mark of tests that need really drawn maps, to look at them or to search them for leaks."""


@pytest.fixture(autouse=True)
def sealed_maps(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Maps of one pixel, with a seal of their scene, except in tests that use `real_maps`.

    Drawing would take a third of the tests' time. `tests/render` checks the drawn maps.
    """
    if "real_maps" not in request.fixturenames:
        replace_maps_with_seals(monkeypatch)


@pytest.fixture
def periodic_tasks() -> None:
    """A mark of tests that need periodic tasks, such as reminders and updates of boards."""


@pytest.fixture(autouse=True)
def no_periodic_tasks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No periodic tasks, except in tests that use `periodic_tasks`. The bot is idle sooner without them."""
    if "periodic_tasks" not in request.fixturenames:
        monkeypatch.setattr(PeriodicTask, "start", lambda _: None)


@cache
def usual_settings() -> Settings:
    """Return settings without a token, worker processes or maps drawn in advance."""
    return Settings.model_validate({"DISCORD_TOKEN": None, "UMPIRE_WORKERS": 0, "UMPIRE_GROUNDS": "none"})


@pytest.fixture
def new_bot(tmp_path: Path) -> Callable[[], UmpireBot]:
    """A function that makes bots on one database."""
    url = create_database(tmp_path / "umpire.db", rulesets())
    settings = usual_settings().model_copy(update={"database_url": url})
    return lambda: make_bot(settings)


@pytest.fixture
def simcord_bot(new_bot: Callable[[], UmpireBot]) -> UmpireBot:
    """The bot of this test."""
    return new_bot()


@pytest.fixture
def expected_faults() -> list[type[Exception]]:
    """Exceptions that a test provokes itself. Override this fixture to expect some."""
    return []


@pytest.fixture(autouse=True)
def instant_button_removal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outdated buttons that disappear at once, without an advance of the virtual clock."""
    monkeypatch.setattr(stale_buttons, "REMOVAL_DELAY", 0)


@pytest.fixture
async def simcord_env(simcord_bot: UmpireBot, expected_faults: list[type[Exception]]) -> AsyncIterator[simcord.Env]:
    """A running environment. Any error fails the test, except user errors and `expected_faults`."""
    env = Env(simcord_bot, check_errors=False, settle_timeout=60.0)
    await env.start()
    try:
        yield env
    finally:
        await env.shutdown()
        assert isinstance(env.bot, UmpireBot)
        await env.bot.store.close()
    errors = (error for error in env.errors if isinstance(error, Exception))
    expected = (*USER_ERRORS, *expected_faults)
    faults = [error for error in errors if not isinstance(getattr(error, "original", error), expected)]
    if faults:
        raise ExceptionGroup("the bot failed", faults)


@pytest.fixture
def table(simcord_env: simcord.Env, new_bot: Callable[[], UmpireBot]) -> Table:
    """A channel with four people."""
    return Table.create(simcord_env, new_bot)


@pytest.fixture
async def sheet(table: Table) -> PlayersSheet:
    """The order sheet of the Mahdists' player in Suakin, whose turn it is."""
    await table.start()
    return PlayersSheet(table, table.mahdist)


@pytest.fixture
async def live_map(table: Table, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LiveMap]:
    """The bot's live map. The bot knows its address."""
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    assert bot.channel_announcer is not None
    monkeypatch.setattr(bot, "live_map_url", ORIGIN)
    served = LiveMap(
        bot.games, bot.store, bot.web_sessions, bot.workers, bot.channel_announcer, Address(ORIGIN, "127.0.0.1", 0)
    )
    yield served
    await served.close()


@pytest.fixture
async def browser(live_map: LiveMap) -> AsyncIterator[Browser]:
    """A browser without an opened link."""
    async with TestClient(TestServer(live_map.make_app())) as client:
        # The page's address differs from the test server's, as behind a proxy. Cookies still reach the server.
        yield Browser(client)
