"""What goes on by itself in channels: one loop a channel, which stops between two steps when the bot is told to."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

Step = Callable[[], Awaitable[bool]]
"""Run one step; return whether there was work."""


class Loops:
    """The loops of all channels. `pause` seconds pass between two steps."""

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._asked: dict[int, Step] = {}
        self._resting: set[int] = set()
        self._halted: set[int] = set()
        self._stopped = False

    def start(self, channel: int, step: Step) -> None:
        """Run steps until no work is left; a running loop checks again at its end."""
        if self._stopped:
            return
        self._halted.discard(channel)
        self._asked[channel] = step
        if channel not in self._tasks:
            self._tasks[channel] = asyncio.create_task(self._run(channel), name=f"loop of channel {channel}")

    def halt(self, channel: int) -> None:
        """Has the channel's loop take no further step until it is started again."""
        self._asked.pop(channel, None)
        if channel in self._tasks:
            self._halted.add(channel)

    async def stop(self, seconds: float) -> None:
        """Starts no more, and waits so long at most for every loop to finish its present step."""
        self._stopped = True
        for channel in self._resting:
            self._tasks[channel].cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=seconds)

    async def _run(self, channel: int) -> None:
        try:
            while step := self._asked.pop(channel, None):
                while self.goes_on(channel) and await step() and self.goes_on(channel):
                    await self._rest(channel)
        except Exception:
            log.exception("the loop of channel %s broke off", channel)
        finally:
            del self._tasks[channel]
            self._halted.discard(channel)

    def goes_on(self, channel: int) -> bool:
        """Whether the channel's loop may continue."""
        return not self._stopped and channel not in self._halted

    async def _rest(self, channel: int) -> None:
        """Wait for the pause; only here a loop may be cancelled."""
        self._resting.add(channel)
        try:
            await asyncio.sleep(self._pause)
        finally:
            self._resting.discard(channel)
