"""The local table: the bot in a browser page on this machine, without a token and without Discord.

SimCord simulates Discord for tests, with a stopped clock. This package runs it in real time, and needs private parts of
it for that. Therefore, the version of SimCord is pinned exactly.
"""

import asyncio
import os
import signal
import sys
import webbrowser
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Any

import discord
import simcord
from simcord import _dpy_internals, _runtime
from simcord.backend.errors import SetupError
from sqlalchemy import make_url

from bot.errors import BadSettings
from bot.store.backup import database_file

from . import tabs
from .address import load_or_create_key, page_token

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot
    from bot.runtime.settings import Settings

# Append only: the ids of channels and seats depend on their positions here, and games are found by channel.
CHANNELS = ("table-1", "table-2", "table-3", "table-4")
SEATS = ("Umpire", "Player one", "Player two", "Onlooker")
_GUILD = 1000

_WELCOME = (
    "**{channel} of the local table.** Choose your seat under *Viewing as* above. Type `/` for the commands; "
    "`/help` shows the first steps.\n"
    "-# Games are kept when the program stops, messages are not. Rooms, reminders to a telephone and servers of your "
    "own need Discord: README.md says how."
)

_QUIET = 0.06  # seconds without activity of the bot after which an action counts as done
_PATIENCE = 2.9  # maximum seconds to wait for an answer; Discord allows 3
_PUBLISH_AFTER = 0.05  # seconds that events are collected before the pages are updated


class _RealClock:
    """A clock for SimCord that shows real time. Message ids derive from the clock, so they differ in every run."""

    @property
    def elapsed(self) -> float:
        return monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def advance(self, seconds: float) -> None:
        """Do nothing: real time advances without help."""


class _ActivitySignal(list[Any]):
    """Replacement for SimCord's transcript. It calls `signal` for each event, and stores nothing."""

    def __init__(self, signal: Callable[[], None]) -> None:
        super().__init__()
        self._signal = signal

    def append(self, _entry: Any) -> None:
        self._signal()


class LocalTable:
    """The simulated Discord server with its channels, seats and pages, and the bot that runs in it."""

    def __init__(self, bot: "UmpireBot", key: bytes = b"") -> None:
        """Create a table. The addresses of its pages are made from `key`."""
        self._key = key
        sharded = isinstance(bot, discord.AutoShardedClient)
        self.bot = bot
        self.env: Any = simcord.Env(bot, check_errors=False, shard_count=1 if sharded else None)
        self.channels: list[Any] = []
        self.seats: list[Any] = []
        self.pages: list[tabs.ChannelPages] = []
        self._action_lock = asyncio.Lock()
        self._last_activity = monotonic()
        self._publishing: asyncio.TimerHandle | None = None

    async def open(self, port: int) -> None:
        """Start the bot in a new simulated server, and serve each channel at its own port.

        The ports are `port` and the ports after it; with port 0, any free ports. Raises BadSettings if a port cannot be
        used.
        """
        self._create_server()
        self._use_real_time()
        await self.env.start()
        self.bot.spare_channels = [channel.id for channel in self.channels]
        for place, channel in enumerate(self.channels):
            await self.bot.get_partial_messageable(channel.id).send(_WELCOME.format(channel=channel.name))
            await self._serve_channel(channel, port + place if port else 0)
            self.bot.dispatch("table_open", channel.id)  # the cog of games listens for this event

    async def close(self) -> None:
        """Close the pages, the bot, and the simulated Discord."""
        if self._publishing is not None:
            self._publishing.cancel()
        for page in self.pages:
            await page.close()
        await self.bot.close()
        await self.env.shutdown()

    def _create_server(self) -> None:
        """Create the server with its channels and seats while the clock stands still.

        The ids of channels and seats derive from the clock, so they are equal at every start.
        """
        self.env.backend.bot_user.name = "Umpire"
        guild = self.env.create_guild("Local table", id=_GUILD)
        self.env.backend.clock.advance(1)
        no_threads = discord.PermissionOverwrite(create_private_threads=False)  # threads have no pages here
        self.channels = [
            guild.create_text_channel(name, overwrites={guild.default_role: no_threads}) for name in CHANNELS
        ]
        self.env.backend.clock.advance(1)
        for name in SEATS:
            user = self.env.create_user(name.lower().replace(" ", "-"), global_name=name)
            self.seats.append(guild.add_member(user))

    def _use_real_time(self) -> None:
        self.env.backend.clock = _RealClock()
        self.env.backend.transcript = _ActivitySignal(self._note_activity)
        self.env.backend.http_requests = deque(maxlen=20)
        self.env._settle_internal = self._wait_until_idle
        # SimCord calls this after its own setup and before the bot runs.
        self.env._capture_errors = self._restore_loop

    def _restore_loop(self) -> None:
        _runtime._restore_loop(self.env)
        _dpy_internals.release_clocks(self.env)

    def _note_activity(self) -> None:
        self._last_activity = monotonic()
        if self._publishing is None:
            self._publishing = asyncio.get_running_loop().call_later(_PUBLISH_AFTER, self._publish)

    def _publish(self) -> None:
        self._publishing = None
        for page in self.pages:
            page.show_changes()

    async def _wait_until_idle(self, **_: object) -> None:
        """Wait until the newest interaction is answered and the bot is idle, but at most _PATIENCE seconds."""
        until = monotonic() + _PATIENCE
        while monotonic() < until:
            await asyncio.sleep(_QUIET / 3)
            newest = next(reversed(self.env.backend.interactions.values()), None)
            if (newest is None or newest.responded) and monotonic() - self._last_activity > _QUIET:
                return

    async def _serve_channel(self, channel: Any, port: int) -> None:
        try:
            page = tabs.make_pages(
                self.env, channel, self.seats, port, self._action_lock, page_token(self._key, channel.name)
            )
            await page.__aenter__()
        except SetupError as problem:
            raise BadSettings(
                f"The local table cannot have port {port}: it is taken, or there is none. Is a table open already? "
                f"If not, set UMPIRE_LOCAL_PORT to a free port; it and the {len(CHANNELS) - 1} after it are used."
            ) from problem
        self.pages.append(page)


async def run_local_table(make_bot: "Callable[[Settings], UmpireBot]", settings: "Settings") -> None:
    """Serve the local table until Ctrl-C, SIGTERM or the page's "End preview session"."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # on Windows, Ctrl-C ends asyncio.run itself
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    bot = make_bot(settings)
    table = LocalTable(bot, load_or_create_key(database_file(make_url(settings.database_url))))
    try:
        await table.open(settings.local_port)
        if bot.live_map_url is None:  # with UMPIRE_WEB_URL, the bot serves the map already
            await bot.start_live_map(f"http://{settings.web_host}:{settings.web_port}")
        print("The local table is open. It is for this machine only; change seats in the page under “Viewing as”.")
        for channel, page in zip(table.channels, table.pages, strict=True):
            print(f"  {channel.name}  {page.url}")
        print("Ctrl-C closes it. Games are kept and stand in their channels next time.", flush=True)
        if settings.open_browser and _has_screen():
            await asyncio.to_thread(webbrowser.open, table.pages[0].url)
        await _wait_for_first(stop.wait(), *(page.wait_closed() for page in table.pages))
    finally:
        await table.close()


def _has_screen() -> bool:
    """Whether a browser can open a window. If not, Python would start a text browser in the terminal."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


async def _wait_for_first(*waits: Any) -> None:
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
