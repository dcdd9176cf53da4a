"""The pretended Discord, which looks more often whether the bot has done all that it was asked.

What a bot tells it of its commands takes long, and is the same of the same systems: it is worked out once.
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

LOOKS_AGAIN = 0.002
"""Seconds between two looks. SimCord's own 0.05 are slept through whenever work has begun since the last look."""
LATER = 7
"""Seconds from the start of the bot to the first that happens."""
PLAIN = (str, int, float, bool, type(None))
"""What needs no copy."""
GIVEN = ("id", "application_id")
"""What Discord adds to a command."""


def copied(value: Any) -> Any:
    """A copy of what Discord is sent, which is all plain: a tenth of a test's time goes into Python's own."""
    if isinstance(value, dict):
        return {name: copied(each) for name, each in value.items()}
    if isinstance(value, list):
        return [copied(each) for each in value]
    return value if isinstance(value, PLAIN) else deepcopy(value)


for module in (components, results):
    module.deepcopy = copied
for module in (gateway, router):
    module.copy = SimpleNamespace(deepcopy=copied)

Commands = list[dict[str, Any]]
_told: dict[tuple[str, ...], Commands] = {}
"""The commands that the first bot of such systems told of."""


class Env(simcord.Env):
    """SimCord's environment. What the bot does in it, and its virtual clock, are the same."""

    async def start(self) -> None:
        """Brings the bot to where it is ready; Discord knows its commands then, of whatever bot it was told.

        What comes then has ids of a later second: how many commands there are changes none, and so no dice.
        """
        assert isinstance(self.bot, UmpireBot)
        systems = tuple(self.bot.rulesets)
        with self._remembering(_told[systems]) if systems in _told else nullcontext():
            await super().start()
        known = self.backend.commands[None].values()
        _told.setdefault(systems, [{name: one[name] for name in one if name not in GIVEN} for one in known])
        self.backend.advance_clock(LATER)

    def _remembering(self, commands: Commands) -> AbstractContextManager[Any]:
        async def tell() -> bool:
            self.backend.register_commands(None, commands)
            return True

        return patch.object(self.bot, "sync_if_changed", tell)

    async def _settle_internal(self, *, idle: float = LOOKS_AGAIN, **options: Any) -> None:
        await super()._settle_internal(idle=min(idle, LOOKS_AGAIN), **options)
