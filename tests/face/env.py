"""The pretended Discord, which looks more often whether the bot has done all that it was asked."""

from typing import Any

import simcord

LOOKS_AGAIN = 0.01
"""Seconds. By itself it sleeps for five times as long whenever something has begun that it had not seen begin."""


class Env(simcord.Env):
    """SimCord's environment. What the bot does in it, and its virtual clock, are the same."""

    async def _settle_internal(self, *, idle: float = LOOKS_AGAIN, **options: Any) -> None:
        await super()._settle_internal(idle=min(idle, LOOKS_AGAIN), **options)
