"""The bot as Discord sees it: opens the store, loads the cogs, tells Discord of its commands when they changed."""

import asyncio
import hashlib
import importlib
import json
import logging
import os
import pkgutil
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Any

import discord
from discord.ext import commands

from bot.channel.boards import Boards
from bot.channel.message_cache import REMOVAL_TASK, MessageCache
from bot.channel.reminders import Reminders
from bot.channel.undelivered import UndeliveredMessages
from bot.games.kept_armies import Armies
from bot.games.rooms import Rooms
from bot.games.rulings import Rulings
from bot.games.uploaded_scenarios import Uploads
from bot.services import Games
from bot.store import Store
from bot.workers import Processes, Threads, Workers
from bot.workers.inspections import AT_ONCE, LIMITS, Inspections
from render.tiles import TILES
from rules.core.ruleset import Ruleset
from rules.registry import rulesets as every_ruleset

from . import request_failures
from .background_tasks import Aside
from .channel_loops import Loops
from .health import Heartbeat
from .periodic import Rounds
from .settings import Settings
from .single_flight import UnderWay

log = logging.getLogger(__name__)

FINISH_SECONDS = 10.0
"""How long closing waits for commands under way."""

PAUSE = 1.2
"""Seconds between two messages about what a game does by itself: Discord allows five in five."""

USUAL_WORKERS = 4
"""Worker processes at most, unless the settings say otherwise: each takes memory."""

AT_WORK = (
    "CommandTree-invoker",
    "discord-ui-dynamic-item",
    "discord.py: on_interaction",
    "discord.py: on_table_open",
    REMOVAL_TASK,
)
"""What the tasks are called that are finished first: discord.py's, which answer a command, a button, a form, or the
opening of the local table; and those that take older buttons off."""


@cache
def cog_names() -> tuple[str, ...]:
    """Return every module of `cogs` that can be loaded, by name."""
    package = importlib.import_module("cogs")
    names = (f"cogs.{module.name}" for module in pkgutil.iter_modules(package.__path__))
    return tuple(name for name in names if hasattr(importlib.import_module(name), "setup"))


def versions_of(rulesets: Mapping[str, Ruleset[Any]]) -> str:
    """Return the version in which each system stores its states, in the form that the database keeps."""
    return ", ".join(f"{name} {system.version}" for name, system in rulesets.items())


class UmpireBot(commands.Bot):
    """The bot, with the services that cogs use.

    `games`, `rulings`, `uploads`, `armies`, `undelivered`, `reminders`, `boards`, `rooms`, `workers`, `inspections`,
    `loops`, `under_way`, `sent`, `settings`, `store`, `rulesets`.
    """

    def __init__(self, settings: Settings, rulesets: Mapping[str, Ruleset[Any]], **sharding: Any) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            http_trace=request_failures.trace(),
            **sharding,
        )
        self.settings = settings
        self.rulesets = rulesets
        self.store = Store(settings.database_url)
        self.workers = workers_of(settings, rulesets)
        self.inspections = inspections_of(rulesets)
        self.games = Games(self.store, rulesets, self.workers, self.inspections)
        self.rulings = Rulings(self.store, self.games.actions, self.games.rolls, self.games.running)
        self.uploads = Uploads(self.store, rulesets, self.inspections)
        self.armies = Armies(self.store)
        self.undelivered = UndeliveredMessages(self.store)
        self.reminders = Reminders(self.store, self.games)
        self.boards = Boards(self.store, self.games)
        self.rooms = Rooms(self.store)
        self.aside = Aside()
        self.loops = Loops(PAUSE)
        self._rounds: list[Rounds] = []
        self.under_way = UnderWay()
        self.message_cache = MessageCache()
        self._heartbeat = Heartbeat(settings.heartbeat)

    async def setup_hook(self) -> None:
        """Opens and migrates the store, loads every cog, and syncs the commands if they changed."""
        await self.store.open(versions_of(self.rulesets))
        await self.rooms.load()
        for name in cog_names():
            await importlib.import_module(name).setup(self)
        await self.sync_if_changed()
        await asyncio.to_thread(TILES.keep_in, self.settings.grounds_folder)
        self.workers.start()
        self._heartbeat.start(lambda: self.is_ready() and not self.is_closed())

    async def sync_if_changed(self) -> bool:
        """Register the commands with Discord if they changed. Return whether they were registered.

        Without a token there is no Discord that remembers them from one start to the next.
        """
        tree = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(tree, sort_keys=True, default=str).encode()).hexdigest()
        fact = f"commands of {self.application_id}"
        if self.settings.discord_token is not None and await self.store.fact(fact) == digest:
            return False
        await self.tree.sync()
        await self.store.remember(fact, digest)
        log.info("Told Discord of %d commands.", len(tree))
        return True

    def every(self, seconds: float, name: str, round_: Callable[[], Awaitable[None]]) -> None:
        """Run `round_` every `seconds` until the bot closes."""
        self._rounds.append(Rounds(name, seconds, round_, self.wait_until_ready))
        self._rounds[-1].start()

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Tell listeners of an event, but of none once the bot closes: discord.py then has no loop to run them in."""
        if not self.is_closed():
            super().dispatch(event_name, *args, **kwargs)

    async def close(self) -> None:
        """Finishes what runs, then leaves Discord and closes the store."""
        if self.is_closed():
            return
        under_way = [
            task
            for task in asyncio.all_tasks()
            if task.get_name().startswith(AT_WORK) and task is not asyncio.current_task()
        ]
        if under_way:
            await asyncio.wait(under_way, timeout=FINISH_SECONDS)
        for rounds in self._rounds:
            await rounds.stop(FINISH_SECONDS)
        await self.loops.stop(FINISH_SECONDS)
        await self.aside.finish(FINISH_SECONDS)
        await self.games.settle()
        await self.workers.close()
        await self.inspections.close()
        TILES.keep_in(None)
        self._heartbeat.stop()
        await super().close()
        await self.store.close()


class ShardedUmpireBot(UmpireBot, commands.AutoShardedBot):
    """The same on several shards of those that all processes serve together."""


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def workers_of(settings: Settings, rulesets: Mapping[str, Ruleset[Any]]) -> Workers:
    """Return the workers configured in the settings, before their start."""
    count = min(cores(), USUAL_WORKERS) if settings.workers is None else settings.workers
    return Processes(count, rulesets) if count else Threads()


def inspections_of(rulesets: Mapping[str, Ruleset[Any]]) -> Inspections:
    """Return the inspections. Their processes start when a file arrives, whatever the settings say of workers."""
    return Inspections(Processes(AT_ONCE, rulesets, LIMITS))


def make_bot(settings: Settings, rulesets: Mapping[str, Ruleset[Any]] | None = None) -> UmpireBot:
    """Return a bot by its settings, not yet started, with every rule system (or those given)."""
    systems = rulesets if rulesets is not None else every_ruleset()
    if settings.shard_count is None:
        return UmpireBot(settings, systems)
    shards = list(settings.shards) or None
    return ShardedUmpireBot(settings, systems, shard_ids=shards, shard_count=settings.shard_count)
