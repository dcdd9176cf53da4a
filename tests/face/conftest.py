"""The bot in a pretended Discord, with people round a table."""

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
from bot.workers import Threads
from bot.workers.inspections import Inspections
from cogs.kit.cards import stale_buttons
from cogs.kit.errors import USER_ERRORS
from rules.registry import rulesets
from tests.conftest import WITH_THREADS
from tests.databases import ready
from tests.sealing import seal
from web.server import Address, LiveMap

from .env import Env
from .live_page import ORIGIN, Browser
from .sheet import PlayersSheet
from .table import Table

P = ParamSpec("P")
T = TypeVar("T")


@pytest.fixture(autouse=True)
def same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds and ids that are the same in every run, so that the dice are."""
    counted = iter(range(1, 10_000))
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes([next(counted) % 256]) * size)
    monkeypatch.setattr(secrets, "token_hex", lambda size=8: f"{next(counted):0{2 * size}x}")


@pytest.fixture(autouse=True)
def inspections_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """What people send is read in threads: a process for it takes a second to be made, and knows no toy system."""
    monkeypatch.setattr(client, "make_inspections", lambda _: Inspections(Threads()))


MEANWHILE = (
    "test_acknowledgement",
    "test_combat",
    "test_on_its_way",
    "test_opponent_meanwhile",
    "test_pictures",
    "test_rule",
    "test_several",
)
"""More tests of what happens at the same time."""


async def at_once(work: Callable[P, T], /, *given: P.args, **options: P.kwargs) -> T:
    """Do the work in the event loop's own thread, after what waits already."""
    await asyncio.sleep(0)
    return work(*given, **options)


@pytest.fixture(autouse=True)
def usually_without_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules are reckoned in the loop's own thread, except in tests of what happens at the same time.

    Each change of threads costs more than most of what is done in them. tests/wire has all threads as they are.
    """
    if request.path.stem not in (*WITH_THREADS, *MEANWHILE):
        monkeypatch.setattr(asyncio, "to_thread", at_once)


@pytest.fixture
def drawn() -> None:
    """Asked for where maps are drawn as they are: where they are looked at, or searched for what is hidden."""


@pytest.fixture(autouse=True)
def usually_only_sealed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In all other tests a map is one pixel, with the seal of what it would show.

    Drawing takes a third of their time, and tests/render looks at what is drawn.
    """
    if "drawn" not in request.fixturenames:
        seal(monkeypatch)


@pytest.fixture
def rounds() -> None:
    """Asked for where reminders come, and boards are brought up to date, by themselves."""


@pytest.fixture(autouse=True)
def usually_no_rounds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In all other tests nothing goes its rounds: whether all is done is found out the sooner."""
    if "rounds" not in request.fixturenames:
        monkeypatch.setattr(PeriodicTask, "start", lambda _: None)


@cache
def usual_settings() -> Settings:
    """Return settings without a token, worker processes, or grounds drawn ahead."""
    return Settings.model_validate({"DISCORD_TOKEN": None, "UMPIRE_WORKERS": 0, "UMPIRE_GROUNDS": "none"})


@pytest.fixture
def new_bot(tmp_path: Path) -> Callable[[], UmpireBot]:
    """Makes bots on one and the same database."""
    url = ready(tmp_path / "umpire.db", rulesets())
    settings = usual_settings().model_copy(update={"database_url": url})
    return lambda: make_bot(settings)


@pytest.fixture
def simcord_bot(new_bot: Callable[[], UmpireBot]) -> UmpireBot:
    """The bot."""
    return new_bot()


@pytest.fixture
def expected_faults() -> list[type[Exception]]:
    """Faults that a test brings about itself."""
    return []


@pytest.fixture(autouse=True)
def buttons_go_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Older buttons go at once, not when the virtual clock moves on."""
    monkeypatch.setattr(stale_buttons, "REST", 0)


@pytest.fixture
async def simcord_env(simcord_bot: UmpireBot, expected_faults: list[type[Exception]]) -> AsyncIterator[simcord.Env]:
    """A running environment. What users are told is no error; any other error fails the test."""
    env = Env(simcord_bot, check_errors=False, settle_timeout=60.0)
    await env.start()
    try:
        yield env
    finally:
        await env.shutdown()
        assert isinstance(env.bot, UmpireBot)
        await env.bot.store.close()
    told = (error for error in env.errors if isinstance(error, Exception))
    foreseen = (*USER_ERRORS, *expected_faults)
    faults = [error for error in told if not isinstance(getattr(error, "original", error), foreseen)]
    if faults:
        raise ExceptionGroup("the bot failed", faults)


@pytest.fixture
def table(simcord_env: simcord.Env, new_bot: Callable[[], UmpireBot]) -> Table:
    """A channel with four people."""
    return Table.laid(simcord_env, new_bot)


@pytest.fixture
async def sheet(table: Table) -> PlayersSheet:
    """The order sheet of the Mahdists' player in Suakin, whose turn it is."""
    await table.start()
    return PlayersSheet(table, table.mahdist)


@pytest.fixture
async def live_map(table: Table, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LiveMap]:
    """A live map of the bot, which knows its address."""
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    assert bot.channel_port is not None
    monkeypatch.setattr(bot, "live_map_url", ORIGIN)
    served = LiveMap(
        bot.games, bot.store, bot.web_sessions, bot.workers, bot.channel_port, Address(ORIGIN, "127.0.0.1", 0)
    )
    yield served
    await served.close()


@pytest.fixture
async def browser(live_map: LiveMap) -> AsyncIterator[Browser]:
    """A browser that has opened nothing yet."""
    async with TestClient(TestServer(live_map.make_app())) as client:
        # The page has another address than the test server, as behind a proxy: cookies go to the server all the same.
        yield Browser(client)
