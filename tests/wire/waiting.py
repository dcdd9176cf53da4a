"""Functions that wait for a condition, or for a fixed time."""

import asyncio
from collections.abc import Callable

PATIENCE = 12.0
"""Seconds until `wait_until` gives up."""


async def wait_until(condition: Callable[[], object], name: str = "the condition") -> None:
    """Wait until `condition` returns a true value. Fails after `PATIENCE`; `name` is for the error message."""
    for _ in range(int(PATIENCE / 0.05)):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{name} never came about")


async def pause(seconds: float = 0.3) -> None:
    """Wait long enough for an unwanted event to show itself."""
    await asyncio.sleep(seconds)
