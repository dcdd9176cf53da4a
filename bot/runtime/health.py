"""Health check without a network port: the connected bot touches a file, and this program checks the file's age.

`python -m bot.runtime.health` exits with 0 if the file named by UMPIRE_HEARTBEAT is fresh, otherwise with 1.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bot.errors import BadSettings

from .settings import load_settings

log = logging.getLogger(__name__)

EVERY_SECONDS = 15.0
STALE_SECONDS = 60.0


class Heartbeat:
    """Touches a file every 15 seconds while the bot is alive. Does nothing if no file is set."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._task: asyncio.Task[None] | None = None

    def start(self, alive: Callable[[], bool]) -> None:
        """Start a task that touches the file regularly while `alive` returns True."""
        if self._file is not None:
            self._task = asyncio.create_task(self._keep_touching_file(self._file, alive), name="heartbeat")

    def stop(self) -> None:
        """Stop the task, and delete the file, because a closed bot is not alive."""
        if self._task is not None and self._file is not None:
            self._task.cancel()
            self._file.unlink(missing_ok=True)

    async def _keep_touching_file(self, file: Path, alive: Callable[[], bool]) -> None:
        while True:
            if alive():
                try:
                    await asyncio.to_thread(file.touch)
                except OSError as error:
                    log.error("The heartbeat %s cannot be touched: %s.", file, error.strerror)
            await asyncio.sleep(EVERY_SECONDS if alive() else 1.0)


def find_health_problem(file: Path | None) -> str:
    """Return a sentence about the bot's health problem, or an empty string for a healthy bot."""
    if file is None:
        return "Set UMPIRE_HEARTBEAT to the file the bot touches, so that its health can be checked."
    if not file.exists():
        return f"The bot is not connected: {file} is not there."
    age = time.time() - file.stat().st_mtime
    return f"The bot has been silent for {age:.0f} seconds." if age > STALE_SECONDS else ""


def main() -> int:
    """Check the bot, print a problem if there is one, and return the exit code."""
    try:
        complaint = find_health_problem(load_settings().heartbeat)
    except BadSettings as error:
        complaint = str(error)
    if complaint:
        print(complaint, file=sys.stderr)
    return 1 if complaint else 0


if __name__ == "__main__":
    sys.exit(main())
