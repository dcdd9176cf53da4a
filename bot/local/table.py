"""The local table: the very same bot in a browser page on this machine, with no token and no Discord.

SimCord stands in for Discord. It is made for tests, where the clock stands still and the event loop is watched; here
it is put on real time, the loop is given back before the bot runs, and its preview pages are published as things
happen. That leans on SimCord's private parts: its version is pinned exactly, and nothing but this file and its
neighbours `local_*` touches them.
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

from bot.errors import BadSettings

from . import tabs

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot
    from bot.runtime.settings import Settings

# Append only: a channel's and a seat's ids follow from its place here, and games are found again by channel.
CHANNELS = ("table-1", "table-2", "table-3", "table-4")
SEATS = ("Umpire", "Player one", "Player two", "Onlooker")
_GUILD = 1000

_WELCOME = (
    "**{channel} of the local table.** Sit down under *Viewing as* above, then type `/` for the commands: "
    "`/game new` starts a game, `/help` shows the first steps.\n"
    "Games are kept when the program stops, messages are not: a game that stands here is shown below."
)

_QUIET = 0.06  # seconds without a word from the bot after which an action counts as done
_PATIENCE = 2.9  # seconds Discord gives a bot for its first answer, less a little
_PUBLISH_AFTER = 0.05  # seconds that events are gathered before the pages are drawn anew


class _RealClock:
    """SimCord's clock, on real time. Ids are made of it, so those of one run never repeat those of another."""

    @property
    def elapsed(self) -> float:
        return monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def advance(self, seconds: float) -> None:
        """Real time advances by itself."""


class _Pulse(list[Any]):
    """Sits where SimCord keeps its transcript: keeps nothing, tells that something was said."""

    def __init__(self, told: Callable[[], None]) -> None:
        super().__init__()
        self._told = told

    def append(self, _entry: Any) -> None:
        self._told()


class Table:
    """The world the bot sees, the channels' pages, and the turn in which people's actions reach it."""

    def __init__(self, bot: discord.Client) -> None:
        sharded = isinstance(bot, discord.AutoShardedClient)
        self.bot = bot
        self.env: Any = simcord.Env(bot, check_errors=False, shard_count=1 if sharded else None)
        self.channels: list[Any] = []
        self.seats: list[Any] = []
        self.pages: list[tabs.Pages] = []
        self._turn = asyncio.Lock()
        self._last_word = monotonic()
        self._publishing: asyncio.TimerHandle | None = None

    async def open(self, port: int) -> None:
        """Builds the world, starts the bot in it and serves channel n at `port` + n (0: any). Raises BadSettings."""
        self._build()
        self._put_on_real_time()
        await self.env.start()
        for place, channel in enumerate(self.channels):
            await self.bot.get_partial_messageable(channel.id).send(_WELCOME.format(channel=channel.name))
            await self._serve(channel, port + place if port else 0)
            self.bot.dispatch("table_open", channel.id)  # the cog of games listens

    async def close(self) -> None:
        """Close the pages, the bot, and the simulated Discord."""
        if self._publishing is not None:
            self._publishing.cancel()
        for page in self.pages:
            await page.close()
        await self.bot.close()
        await self.env.shutdown()

    def _build(self) -> None:
        """Makes guild, channels and seats while the clock stands at its fixed start: same ids at every start."""
        self.env.backend.bot_user.name = "Umpire"
        guild = self.env.create_guild("Local table", id=_GUILD)
        self.env.backend.clock.advance(1)
        no_threads = discord.PermissionOverwrite(create_private_threads=False)  # they have no pages here
        self.channels = [
            guild.create_text_channel(name, overwrites={guild.default_role: no_threads}) for name in CHANNELS
        ]
        self.env.backend.clock.advance(1)
        for name in SEATS:
            user = self.env.create_user(name.lower().replace(" ", "-"), global_name=name)
            self.seats.append(guild.add_member(user))

    def _put_on_real_time(self) -> None:
        self.env.backend.clock = _RealClock()
        self.env.backend.transcript = _Pulse(self._heard)
        self.env.backend.http_requests = deque(maxlen=20)
        self.env._settle_internal = self._settle
        # Called when all of SimCord's stand-ins are in place and before the first line of the bot runs.
        self.env._capture_errors = self._give_the_loop_back

    def _give_the_loop_back(self) -> None:
        _runtime._restore_loop(self.env)
        _dpy_internals.release_clocks(self.env)

    def _heard(self) -> None:
        self._last_word = monotonic()
        if self._publishing is None:
            self._publishing = asyncio.get_running_loop().call_later(_PUBLISH_AFTER, self._publish)

    def _publish(self) -> None:
        self._publishing = None
        for page in self.pages:
            page.tell()

    async def _settle(self, **_: object) -> None:
        """Waits for the answer to the newest interaction and for the bot to fall silent, never longer than Discord."""
        until = monotonic() + _PATIENCE
        while monotonic() < until:
            await asyncio.sleep(_QUIET / 3)
            newest = next(reversed(self.env.backend.interactions.values()), None)
            if (newest is None or newest.responded) and monotonic() - self._last_word > _QUIET:
                return

    async def _serve(self, channel: Any, port: int) -> None:
        try:
            page = tabs.pages_of(self.env, channel, self.seats, port, self._turn)
            await page.__aenter__()
        except SetupError as problem:
            raise BadSettings(
                f"The local table cannot have port {port}: it is taken, or there is none. Is a table open already? "
                f"If not, set UMPIRE_LOCAL_PORT to a free port; it and the {len(CHANNELS) - 1} after it are used."
            ) from problem
        self.pages.append(page)


async def run(make_bot: "Callable[[Settings], UmpireBot]", settings: "Settings") -> None:
    """Plays at the local table until Ctrl-C, SIGTERM or the page's "End preview session"."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows: there Ctrl-C ends asyncio.run by itself
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    table = Table(make_bot(settings))
    try:
        await table.open(settings.local_port)
        print("The local table is open. It is for this machine only; change seats in the page under “Viewing as”.")
        for channel, page in zip(table.channels, table.pages, strict=True):
            print(f"  {channel.name}  {page.url}")
        print("Ctrl-C closes it. Games are kept and stand in their channels next time.", flush=True)
        if settings.open_browser and _has_screen():
            await asyncio.to_thread(webbrowser.open, table.pages[0].url)
        await _first(stop.wait(), *(page.wait_closed() for page in table.pages))
    finally:
        await table.close()


def _has_screen() -> bool:
    """Whether a browser would come up in a window; without one, Python would start a text browser in the terminal."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


async def _first(*waits: Any) -> None:
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
