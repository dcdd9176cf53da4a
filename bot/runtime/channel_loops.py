"""Loops, one for each channel. A loop plays the automatic steps of a game, and can be stopped between two steps."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

Step = Callable[[], Awaitable[bool]]
"""A function that runs one step. It returns False if there was nothing to do."""


class ChannelLoops:
    """The loops of all channels. Each loop waits `pause` seconds between two steps."""

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._steps: dict[int, Step] = {}
        self._pausing: set[int] = set()
        self._halted: set[int] = set()
        self._stopped = False

    def start(self, channel: int, step: Step) -> None:
        """Run `step` repeatedly until it returns False. If the channel's loop is running, begin after its work."""
        if self._stopped:
            return
        self._halted.discard(channel)
        self._steps[channel] = step
        if channel not in self._tasks:
            self._tasks[channel] = asyncio.create_task(self._run(channel), name=f"loop of channel {channel}")

    def halt(self, channel: int) -> None:
        """Stop the channel's loop after its present step, until the next `start`."""
        self._steps.pop(channel, None)
        if channel in self._tasks:
            self._halted.add(channel)

    async def stop(self, seconds: float) -> None:
        """Stop all loops after their present steps. Wait at most `seconds` for these steps. Start no more loops."""
        self._stopped = True
        for channel in self._pausing:
            self._tasks[channel].cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=seconds)

    async def _run(self, channel: int) -> None:
        try:
            while step := self._steps.pop(channel, None):
                while self.may_continue(channel) and await step() and self.may_continue(channel):
                    await self._pause_between_steps(channel)
        except Exception:
            log.exception("the loop of channel %s broke off", channel)
        finally:
            del self._tasks[channel]
            self._halted.discard(channel)

    def may_continue(self, channel: int) -> bool:
        """Whether the channel's loop may take a further step."""
        return not self._stopped and channel not in self._halted

    async def _pause_between_steps(self, channel: int) -> None:
        """Wait between two steps. The loop's task may be cancelled only during this pause."""
        self._pausing.add(channel)
        try:
            await asyncio.sleep(self._pause)
        finally:
            self._pausing.discard(channel)
