"""The Discord client: opens the store, loads the cogs, and registers changed commands with Discord."""

import asyncio
import hashlib
import importlib
import json
import logging
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import discord
from discord.ext import commands

from bot.channel.boards import Boards
from bot.channel.message_cache import REMOVAL_TASK, MessageCache
from bot.channel.reminders import Reminders
from bot.channel.undelivered import UndeliveredMessages
from bot.errors import BadSettings
from bot.games.palettes import UserPalettes
from bot.games.rooms import Rooms
from bot.games.rulings import Rulings
from bot.games.stored_armies import StoredArmies
from bot.games.uploaded_scenarios import UploadedScenarios
from bot.page.channel_announcer import ChannelAnnouncer
from bot.page.sessions import WebSessions
from bot.services import Games
from bot.store import Store
from bot.workers import ProcessWorkers, ThreadWorkers, Workers
from bot.workers.inspections import LIMITS, PROCESSES, Inspections
from render.tiles import TILES
from rules.core.ruleset import Ruleset
from rules.registry import rulesets as every_ruleset

from . import request_failures
from .background_tasks import BackgroundTasks
from .channel_loops import ChannelLoops
from .health import Heartbeat
from .periodic import PeriodicTask
from .settings import Settings
from .single_flight import SingleFlight

log = logging.getLogger(__name__)

FINISH_SECONDS = 10.0
"""Maximum seconds that closing the bot waits for each kind of running work."""

PAUSE = 1.2
"""Seconds between two messages about automatic steps of a game. Discord allows five messages in five seconds."""

COMMANDS_MODULE = "cogs.extension"
"""The module that adds the commands to the bot."""

USUAL_WORKERS = 4
"""Maximum number of worker processes, unless the settings give a number. Each process needs memory."""

FINISHED_TASKS = (
    "CommandTree-invoker",
    "discord-ui-dynamic-item",
    "discord.py: on_interaction",
    "discord.py: on_table_open",
    REMOVAL_TASK,
)
"""Prefixes of the names of tasks that must finish before the bot closes: they answer interactions, open the local
table, or remove older buttons."""


def describe_state_versions(rulesets: Mapping[str, Ruleset[Any]]) -> str:
    """Return a text that lists each rule system with its version, for comparison with the database."""
    return ", ".join(f"{name} {system.version}" for name, system in rulesets.items())


class UmpireBot(commands.Bot):
    """The bot. Its attributes are the services that the cogs use."""

    def __init__(self, settings: Settings, rulesets: Mapping[str, Ruleset[Any]], **sharding: Any) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            http_trace=request_failures.make_trace_config(),
            **sharding,
        )
        self.settings = settings
        self.rulesets = rulesets
        self.store = Store(settings.database_url)
        self.workers = make_workers(settings, rulesets)
        self.inspections = make_inspections(rulesets)
        self.games = Games(self.store, rulesets, self.workers, self.inspections)
        self.rulings = Rulings(self.store, self.games.actions, self.games.rolls, self.games.running_game)
        self.uploads = UploadedScenarios(self.store, rulesets, self.inspections)
        self.armies = StoredArmies(self.store)
        self.user_palettes = UserPalettes(self.store)
        self.undelivered = UndeliveredMessages(self.store)
        self.reminders = Reminders(self.store, self.games)
        self.boards = Boards(self.store, self.games)
        self.rooms = Rooms(self.store)
        self.web_sessions = WebSessions(self.store)
        self.channel_announcer: ChannelAnnouncer | None = None
        self.spare_channels: Sequence[int] = ()
        """Channels in which battles of campaigns are fought in place of private threads; used by the local table."""
        self._live_map: Any = None
        self.live_map_url: str | None = None
        self.background_tasks = BackgroundTasks()
        self.loops = ChannelLoops(PAUSE)
        self._periodic_tasks: list[PeriodicTask] = []
        self.single_flight = SingleFlight()
        self.message_cache = MessageCache()
        self._heartbeat = Heartbeat(settings.heartbeat)

    async def setup_hook(self) -> None:
        """Open and migrate the store, load every cog, and register the commands with Discord if they changed."""
        await self.store.open(describe_state_versions(self.rulesets))
        await self.rooms.load()
        await importlib.import_module(COMMANDS_MODULE).setup(self)
        if self.settings.web_url is not None:
            await self.start_live_map(self.settings.web_url)
        await self.register_changed_commands()
        await asyncio.to_thread(TILES.use_folder, self.settings.grounds_folder)
        self.workers.start()
        self._heartbeat.start(lambda: self.is_ready() and not self.is_closed())

    async def start_live_map(self, url: str) -> None:
        """Serve the live map, whose address for browsers is `url`. Raises BadSettings if its port cannot be used."""
        settings, announcer = self.settings, self.channel_announcer
        assert announcer is not None, "the cogs are loaded"
        server = importlib.import_module("web.server")
        address = server.Address(url, settings.web_host, settings.web_port)
        self._live_map = server.LiveMap(self.games, self.store, self.web_sessions, self.workers, announcer, address)
        try:
            self.live_map_url = await self._live_map.start()
        except OSError as problem:
            raise BadSettings(
                f"The live map cannot have port {settings.web_port} at {settings.web_host}: {problem.strerror}. Set "
                "UMPIRE_WEB_PORT to a free port, or to 0 for any; UMPIRE_WEB_HOST to an address of this machine."
            ) from problem

    async def register_changed_commands(self) -> bool:
        """Register the commands with Discord if they changed, and return whether they were registered.

        Without a token, always register them, because the local table forgets the commands when it ends.
        """
        tree = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(tree, sort_keys=True, default=str).encode()).hexdigest()
        fact = f"commands of {self.application_id}"
        if self.settings.discord_token is not None and await self.store.load_fact(fact) == digest:
            return False
        await self.tree.sync()
        await self.store.store_fact(fact, digest)
        log.info("Told Discord of %d commands.", len(tree))
        return True

    def run_every(self, seconds: float, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run `work` every `seconds` until the bot closes. `name` is for the log."""
        self._periodic_tasks.append(PeriodicTask(name, seconds, work, self.wait_until_ready))
        self._periodic_tasks[-1].start()

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event to its listeners. Drop it if the bot is closed, because there is no event loop then."""
        if not self.is_closed():
            super().dispatch(event_name, *args, **kwargs)

    async def close(self) -> None:
        """Finish running work, then disconnect from Discord and close the store."""
        if self.is_closed():
            return
        under_way = [
            task
            for task in asyncio.all_tasks()
            if task.get_name().startswith(FINISHED_TASKS) and task is not asyncio.current_task()
        ]
        if under_way:
            await asyncio.wait(under_way, timeout=FINISH_SECONDS)
        if self._live_map is not None:
            await self._live_map.close()
        for task in self._periodic_tasks:
            await task.stop(FINISH_SECONDS)
        await self.loops.stop(FINISH_SECONDS)
        await self.background_tasks.finish(FINISH_SECONDS)
        await self.games.wait_for_changes()
        await self.workers.close()
        await self.inspections.close()
        TILES.use_folder(None)
        self._heartbeat.stop()
        await super().close()
        await self.store.close()


class ShardedUmpireBot(UmpireBot, commands.AutoShardedBot):
    """The bot on several shards. Other processes may serve further shards."""


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_workers(settings: Settings, rulesets: Mapping[str, Ruleset[Any]]) -> Workers:
    """Create the workers that the settings ask for, without starting them."""
    count = min(count_cores(), USUAL_WORKERS) if settings.workers is None else settings.workers
    return ProcessWorkers(count, rulesets) if count else ThreadWorkers()


def make_inspections(rulesets: Mapping[str, Ruleset[Any]]) -> Inspections:
    """Create the inspections of members' files. Their processes start when the first file arrives."""
    return Inspections(ProcessWorkers(PROCESSES, rulesets, LIMITS))


def make_bot(settings: Settings, rulesets: Mapping[str, Ruleset[Any]] | None = None) -> UmpireBot:
    """Create a bot without starting it. `rulesets` are its rule systems; None means all systems."""
    systems = rulesets if rulesets is not None else every_ruleset()
    if settings.shard_count is None:
        return UmpireBot(settings, systems)
    shards = list(settings.shards) or None
    return ShardedUmpireBot(settings, systems, shard_ids=shards, shard_count=settings.shard_count)
