"""Programs of ours that run at once: `start` forks them from a process that has done their second of imports.

That process, the nursery, has one thread and does nothing of its own. What it forks runs as `python -m` runs a module,
with the environment, directory, output and signals of a fresh process, and the process id is its own. What is about
starting is started `anew` all the same.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parents[2]
NOT_KEPT = ("DISCORD_", "UMPIRE_", "PYTHONDONTWRITEBYTECODE")
"""Variables that are the bot's own; and what would have every process compile each module anew."""
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""Else numpy starts more while it is imported, and what forks must have one."""
LOADED = (
    *("bot.runtime.client", "alembic.command", "render.odds"),
    *("sqlalchemy.dialects.sqlite.aiosqlite", "sqlalchemy.dialects.postgresql.asyncpg"),
)
"""What the bot imports with a token, cogs and jobs apart: nothing of the local table, which changes discord.py."""


class Forked:
    """A program that the nursery has forked, as far as it is like a Popen."""

    def __init__(self, talk: socket.socket, said: socket.socket) -> None:
        self._told = talk.makefile("rb", buffering=0)
        self.pid = int(self._told.readline())
        self.stdout = said.makefile("r")
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """What it exited with; None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """What it exits with, negative for a signal. Raises TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a forked program", timeout or 0)
            self.returncode = int(self._told.readline())
            self._told.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """As Popen: to one that has ended nothing is sent."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Ends it at once."""
        self.send_signal(signal.SIGKILL)


Program: TypeAlias = "Forked | subprocess.Popen[str]"


def start(command: Sequence[str], home: Path, own: Mapping[str, str], anew: bool = False) -> Program:
    """Runs `python` with that command in `home`: `-m` and a module, or `anew` whatever Python takes.

    Of the bot's variables it has its `own` alone. Its errors come with its output.
    """
    env = {**_kept(), **own}
    if not anew:
        _, module = command
        return _fork(module, home, env)
    return subprocess.Popen(
        [sys.executable, *command], cwd=home, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def _kept() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_KEPT)}
    return {**kept, "PYTHONPATH": str(ROOT)}


@cache
def open_nursery() -> socket.socket:
    """Start the nursery; return the socket where this process, and those forked from it, ask for programs.

    The nursery ends with the last of these processes.
    """
    asking, theirs = socket.socketpair()
    with theirs:
        fd, env = theirs.fileno(), _kept() | ONE_THREAD
        command = [sys.executable, "-m", __name__, str(fd)]
        process = subprocess.Popen(command, cwd=ROOT, env=env, pass_fds=[fd], stdout=subprocess.DEVNULL)
    atexit.register(process.wait)
    atexit.register(asking.close)
    return asking


def _fork(module: str, home: Path, env: Mapping[str, str]) -> Forked:
    talk, its_talk = socket.socketpair()
    said, its_output = socket.socketpair()
    with talk, its_talk, said, its_output:
        socket.send_fds(open_nursery(), [b"."], [its_talk.fileno(), its_output.fileno()])
        its_talk.close()
        talk.sendall(json.dumps([module, str(home), env]).encode() + b"\n")
        return Forked(talk, said)


def load() -> None:
    """In the nursery: imports what the bot does."""
    for name in LOADED:
        importlib.import_module(name)
    for package in map(importlib.import_module, ("cogs", "bot.jobs")):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
    importlib.import_module("cogs.kit.lookup.topics").prepare_search()
    gc.collect()
    gc.freeze()


def serve(asked: socket.socket) -> None:
    """Forks whenever it is asked to, until nobody is left to ask. Runs on in a forked program too, until that ends."""
    while given := socket.recv_fds(asked, 1, 2)[1]:
        if os.fork() == 0:
            asked.close()
            mind(socket.socket(fileno=given[0]), given[1])
            return
        for fd in given:
            os.close(fd)
        reap()


def reap() -> None:
    """Lets go of the processes that have done their minding."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def mind(talk: socket.socket, output: int) -> None:
    """Forks one program, and tells its process id and what it exits with. Runs it in the fork."""
    with talk, talk.makefile("rw") as lines:
        module, home, env = json.loads(lines.readline())
        if pid := os.fork():
            os.close(output)
            print(pid, file=lines, flush=True)
            _, status = os.waitpid(pid, 0)
            with contextlib.suppress(BrokenPipeError):
                print(os.waitstatus_to_exitcode(status), file=lines, flush=True)
            os._exit(0)
    os.dup2(output, sys.stdout.fileno())
    os.dup2(output, sys.stderr.fileno())
    os.close(output)
    os.chdir(home)
    os.environ.clear()
    os.environ.update(env)
    sys.argv, sys.path[0] = [module], home
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    load()
    with socket.socket(fileno=int(sys.argv[1])) as asked:
        serve(asked)
    reap()
