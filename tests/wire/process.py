"""The bot as a process of its own, pointed at the loopback Discord."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from .loopback import Loopback

ROOT = Path(__file__).parents[2]
NOT_KEPT = ("DISCORD_", "UMPIRE_", "PYTHONDONTWRITEBYTECODE")
"""Variables that are the bot's own; and what would have every process compile each module anew."""


class Process:
    """`python -m bot` with its database in `home`."""

    def __init__(self, discord: Loopback, home: Path, command: Sequence[str] = ("-m", "bot"), **settings: str) -> None:
        self.discord, self.home = discord, home
        self._command = command
        self._settings: Mapping[str, str] = settings
        self.said = ""
        self._process: asyncio.subprocess.Process | None = None
        self._listener: asyncio.Task[None] | None = None

    async def start(self) -> "Process":
        """Returns when the bot is connected and its commands are there."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_KEPT)}
        own = {
            "DISCORD_TOKEN": "bG9vcGJhY2s.loopback.token",
            "DISCORD_API_BASE": self.discord.api,
            "DISCORD_GATEWAY": self.discord.gateway,
            "PYTHONPATH": str(ROOT),
            "UMPIRE_DATABASE_URL": f"sqlite+aiosqlite:///{self.home}/umpire.db",
        }
        self.discord.link.ready.clear()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *self._command,
            cwd=self.home,
            env={**kept, **own, **self._settings},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        self._listener = asyncio.create_task(self._listen())
        ready = asyncio.create_task(self.discord.link.ready.wait())
        done, _ = await asyncio.wait({ready, self._listener}, timeout=60, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        assert ready in done, f"the bot did not connect:\n{self.said}"
        return self

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process is not None
        return self._process.pid

    async def _listen(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.said += line.decode()

    async def stop(self, number: signal.Signals = signal.SIGTERM, seconds: float = 20) -> int:
        """Sends the signal; what the program then exits with, negative for a signal."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(number)
        try:
            return await asyncio.wait_for(self._process.wait(), seconds)
        finally:
            if self._process.returncode is None:
                self._process.kill()
            if self._listener is not None:
                await self._listener

    async def kill(self) -> int:
        """As the machine's power going: nothing is finished, nothing closed."""
        return await self.stop(signal.SIGKILL)
