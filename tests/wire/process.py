"""The bot as a process of its own, pointed at the loopback Discord."""

import asyncio
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

from tests.wire.nursery import Program, start

from .loopback import Loopback

CONNECTED_WITHIN = 60.0
"""Seconds."""


class Process:
    """`python -m bot` with its database in `home`; if `anew`, with all its imports, as it starts for people."""

    def __init__(
        self,
        discord: Loopback,
        home: Path,
        command: Sequence[str] = ("-m", "bot"),
        anew: bool = False,
        **settings: str,
    ) -> None:
        self.discord, self.home = discord, home
        self._command, self._anew = command, anew
        self._settings: Mapping[str, str] = settings
        self.log = ""
        self._process: Program | None = None
        self._listener: Thread | None = None

    async def start(self) -> "Process":
        """Returns when the bot is connected and its commands are there."""
        own = {
            "DISCORD_TOKEN": "bG9vcGJhY2s.loopback.token",
            "DISCORD_API_BASE": self.discord.api,
            "DISCORD_GATEWAY": self.discord.gateway,
            "UMPIRE_GROUNDS": "none",
            "UMPIRE_DATABASE_URL": f"sqlite+aiosqlite:///{self.home}/umpire.db",
        }
        settings = {**own, **self._settings}
        self.discord.link.ready.clear()
        self._process = await asyncio.to_thread(start, self._command, self.home, settings, self._anew)
        if self not in self.discord.programs:
            self.discord.programs.append(self)
        self._listener = Thread(target=self._listen, args=(self._process,), daemon=True)
        self._listener.start()
        ready = asyncio.create_task(self.discord.link.ready.wait())
        try:
            async with asyncio.timeout(CONNECTED_WITHIN):
                while not (await asyncio.wait({ready}, timeout=0.2))[0]:
                    assert self._process.poll() is None, f"the bot did not connect:\n{self.log}"
        finally:
            ready.cancel()
        return self

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process is not None
        return self._process.pid

    def _listen(self, process: Program) -> None:
        assert process.stdout is not None
        with process.stdout as said:
            for line in said:
                self.log += line

    async def stop(self, number: signal.Signals = signal.SIGTERM, seconds: float = 20) -> int:
        """Sends the signal; what the program then exits with, negative for a signal."""
        assert self._process is not None
        self._process.send_signal(number)
        try:
            return await asyncio.to_thread(self._process.wait, seconds)
        finally:
            self._process.kill()
            if self._listener is not None:
                await asyncio.to_thread(self._listener.join)

    async def kill(self) -> int:
        """As the machine's power going: nothing is finished, nothing closed."""
        return await self.stop(signal.SIGKILL)


def tracebacks(said: str) -> list[str]:
    """The tracebacks in what a bot logged: each from the line before it, and at most 40 lines."""
    lines = said.splitlines()
    starts = (number for number, line in enumerate(lines) if "Traceback" in line)
    return ["\n".join(lines[max(start - 1, 0) : start + 40]) for start in starts]


def running(pid: int) -> bool:
    """Whether there is such a process."""
    return Path(f"/proc/{pid}").exists()


def descendants(pid: int) -> set[int]:
    """The processes below one."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            told = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        children.setdefault(int(told[1]), []).append(int(stat.parent.name))
    found: set[int] = set()
    new = {pid}
    while new:
        new = {child for parent in new for child in children.get(parent, ())}
        found |= new
    return found
