"""Waiting for what comes about by itself."""

import asyncio
from collections.abc import Callable

PATIENCE = 12.0
"""Seconds."""


async def until(met: Callable[[], object], what: str = "it") -> None:
    """Returns once it has come about. Fails where it never does."""
    for _ in range(int(PATIENCE / 0.05)):
        if met():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{what} never came about")


async def quiet(seconds: float = 0.3) -> None:
    """Long enough for what should not come about."""
    await asyncio.sleep(seconds)
