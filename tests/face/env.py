"""A simulated Discord that starts quickly and notices soon that the bot is idle.

Registering the bot's commands is slow, and gives the same result for the same systems: the result is cached.
"""

from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import simcord
from simcord import components, gateway, results
from simcord.http import router

from bot.runtime.client import UmpireBot

POLL_INTERVAL = 0.002
"""Seconds between two checks whether the bot is idle.

SimCord's own 0.05 seconds add up: each new task repeats the wait.
"""
CLOCK_ADVANCE = 7
"""Seconds that the virtual clock advances after the start of the bot."""
IMMUTABLE_TYPES = (str, int, float, bool, type(None))
"""Types of immutable values, which need no copy."""
ADDED_FIELDS = ("id", "application_id")
"""Fields that Discord adds to a command."""


def copy_data(value: Any) -> Any:
    """Copy JSON-like data. Python's `deepcopy` would take a tenth of a test's time."""
    if isinstance(value, dict):
        return {name: copy_data(each) for name, each in value.items()}
    if isinstance(value, list):
        return [copy_data(each) for each in value]
    return value if isinstance(value, IMMUTABLE_TYPES) else deepcopy(value)


for module in (components, results):
    module.deepcopy = copy_data
for module in (gateway, router):
    module.copy = SimpleNamespace(deepcopy=copy_data)

Commands = list[dict[str, Any]]
_registered: dict[tuple[str, ...], Commands] = {}
"""Registered commands, by the ids of the bot's systems."""


class Env(simcord.Env):
    """SimCord's environment with a faster start. The bot's behaviour and the virtual clock are unchanged."""

    async def start(self) -> None:
        """Start the bot and wait until it is ready. Register its commands from the cache, if possible.

        The clock advances afterwards: so the number of commands does not change later ids, and thus the dice.
        """
        assert isinstance(self.bot, UmpireBot)
        systems = tuple(self.bot.rulesets)
        with self._use_cached(_registered[systems]) if systems in _registered else nullcontext():
            await super().start()
        commands = self.backend.commands[None].values()
        _registered.setdefault(
            systems, [{name: one[name] for name in one if name not in ADDED_FIELDS} for one in commands]
        )
        self.backend.advance_clock(CLOCK_ADVANCE)

    def _use_cached(self, commands: Commands) -> AbstractContextManager[Any]:
        async def register() -> bool:
            self.backend.register_commands(None, commands)
            return True

        return patch.object(self.bot, "register_changed_commands", register)

    async def _settle_internal(self, *, idle: float = POLL_INTERVAL, **options: Any) -> None:
        await super()._settle_internal(idle=min(idle, POLL_INTERVAL), **options)
