"""The bot as a separate process that uses the loopback Discord."""

import asyncio
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

from tests.wire.nursery import Program, start

from .loopback import Loopback

CONNECTED_WITHIN = 60.0
"""Seconds until a bot must be connected."""


class Process:
    """A bot with its database in `home`, by default `python -m bot`.

    With `fresh`, it runs in a new Python interpreter; otherwise it is forked, with its imports done.
    """

    def __init__(
        self,
        discord: Loopback,
        home: Path,
        command: Sequence[str] = ("-m", "bot"),
        fresh: bool = False,
        **settings: str,
    ) -> None:
        self.discord, self.home = discord, home
        self._command, self._fresh = command, fresh
        self._settings: Mapping[str, str] = settings
        self.log = ""
        self._process: Program | None = None
        self._listener: Thread | None = None

    async def start(self) -> "Process":
        """Start the bot and wait until it is connected to the gateway."""
        defaults = {
            "DISCORD_TOKEN": "bG9vcGJhY2s.loopback.token",
            "DISCORD_API_BASE": self.discord.api_url,
            "DISCORD_GATEWAY": self.discord.gateway_url,
            "UMPIRE_GROUNDS": "none",
            "UMPIRE_DATABASE_URL": f"sqlite+aiosqlite:///{self.home}/umpire.db",
        }
        settings = {**defaults, **self._settings}
        self.discord.gateway.ready.clear()
        self._process = await asyncio.to_thread(start, self._command, self.home, settings, self._fresh)
        if self not in self.discord.programs:
            self.discord.programs.append(self)
        self._listener = Thread(target=self._listen, args=(self._process,), daemon=True)
        self._listener.start()
        ready = asyncio.create_task(self.discord.gateway.ready.wait())
        try:
            async with asyncio.timeout(CONNECTED_WITHIN):
                while not (await asyncio.wait({ready}, timeout=0.2))[0]:
                    assert self._process.poll() is None, f"the bot did not connect:\n{self.log}"
        finally:
            ready.cancel()
        return self

    @property
    def pid(self) -> int:
        """Process id."""
        assert self._process is not None
        return self._process.pid

    def _listen(self, process: Program) -> None:
        assert process.stdout is not None
        with process.stdout as output:
            for line in output:
                self.log += line

    async def stop(self, number: signal.Signals = signal.SIGTERM, seconds: float = 20) -> int:
        """Send a signal and wait; return the exit code, negative for a signal. Kill the bot after `seconds`."""
        assert self._process is not None
        self._process.send_signal(number)
        try:
            return await asyncio.to_thread(self._process.wait, seconds)
        finally:
            self._process.kill()
            if self._listener is not None:
                await asyncio.to_thread(self._listener.join)

    async def kill(self) -> int:
        """Kill the bot like a power cut, without a chance to finish or close anything."""
        return await self.stop(signal.SIGKILL)


def find_tracebacks(log: str) -> list[str]:
    """Return a log's tracebacks, each with the line before and at most 40 lines."""
    lines = log.splitlines()
    starts = (number for number, line in enumerate(lines) if "Traceback" in line)
    return ["\n".join(lines[max(start - 1, 0) : start + 40]) for start in starts]


def is_running(pid: int) -> bool:
    """Whether a process with this id exists."""
    return Path(f"/proc/{pid}").exists()


def list_descendants(pid: int) -> set[int]:
    """Return the ids of all child processes, children of children included."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    descendants: set[int] = set()
    new = {pid}
    while new:
        new = {child for parent in new for child in children.get(parent, ())}
        descendants |= new
    return descendants
