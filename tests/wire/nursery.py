"""The nursery: a process that has imported the bot, from which `start` forks bots without a second of imports.

The nursery has one thread and runs no other code. A forked program runs like `python -m`: it has its own process id,
environment, directory, output and signals. Tests of the start use a `fresh` interpreter instead.
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
DROPPED_VARIABLES = ("DISCORD_", "UMPIRE_", "PYTHONDONTWRITEBYTECODE")
"""Prefixes of variables that programs do not inherit: the bot's settings, and a switch that disables `.pyc` files."""
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""Environment that stops numpy from starting threads: the nursery must have one thread in order to fork."""
PRELOADED_MODULES = (
    *("bot.runtime.client", "alembic.command", "render.odds"),
    *("sqlalchemy.dialects.sqlite.aiosqlite", "sqlalchemy.dialects.postgresql.asyncpg"),
)
"""Modules of the bot to import, besides cogs and jobs. The local table is not among them: it patches discord.py."""


class ForkedProgram:
    """A program forked by the nursery, with the methods of `Popen` that tests use."""

    def __init__(self, talk: socket.socket, output: socket.socket) -> None:
        self._replies = talk.makefile("rb", buffering=0)
        self.pid = int(self._replies.readline())
        self.stdout = output.makefile("r")
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, or None while the program runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; return the exit code, negative for a signal. Raises TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._replies], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a forked program", timeout or 0)
            self.returncode = int(self._replies.readline())
            self._replies.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal. Like Popen, do nothing if the program has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the program."""
        self.send_signal(signal.SIGKILL)


Program: TypeAlias = "ForkedProgram | subprocess.Popen[str]"


def start(command: Sequence[str], home: Path, settings: Mapping[str, str], fresh: bool = False) -> Program:
    """Run Python in the folder `home` with the arguments `command`; unless `fresh`, they must be `-m` and a module.

    `settings` are environment variables; the bot's variables are not inherited. Errors go to standard output.
    """
    env = {**_inherited_environment(), **settings}
    if not fresh:
        _, module = command
        return _fork(module, home, env)
    return subprocess.Popen(
        [sys.executable, *command], cwd=home, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def _inherited_environment() -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED_VARIABLES)}
    return {**inherited, "PYTHONPATH": str(ROOT)}


@cache
def open_nursery() -> socket.socket:
    """Start the nursery; return the socket through which this process and its forks request programs.

    The nursery ends with the last process that holds the socket.
    """
    asking, serving = socket.socketpair()
    with serving:
        fd, env = serving.fileno(), _inherited_environment() | ONE_THREAD
        command = [sys.executable, "-m", __name__, str(fd)]
        process = subprocess.Popen(command, cwd=ROOT, env=env, pass_fds=[fd], stdout=subprocess.DEVNULL)
    atexit.register(process.wait)
    atexit.register(asking.close)
    return asking


def _fork(module: str, home: Path, env: Mapping[str, str]) -> ForkedProgram:
    talk, their_talk = socket.socketpair()
    output, their_output = socket.socketpair()
    with talk, their_talk, output, their_output:
        socket.send_fds(open_nursery(), [b"."], [their_talk.fileno(), their_output.fileno()])
        their_talk.close()
        talk.sendall(json.dumps([module, str(home), env]).encode() + b"\n")
        return ForkedProgram(talk, output)


def preload() -> None:
    """Import the modules of the bot, in the nursery."""
    for name in PRELOADED_MODULES:
        importlib.import_module(name)
    for module in pkgutil.iter_modules(importlib.import_module("bot.jobs").__path__, "bot.jobs."):
        importlib.import_module(module.name)
    importlib.import_module("cogs.extension").import_modules()
    importlib.import_module("cogs.kit.lookup.topics").build_search_indexes()
    gc.collect()
    gc.freeze()


def serve(requests: socket.socket) -> None:
    """Fork a program for each request, until all requesters are gone. In a fork, return when its program ends."""
    while fds := socket.recv_fds(requests, 1, 2)[1]:
        if os.fork() == 0:
            requests.close()
            run_program(socket.socket(fileno=fds[0]), fds[1])
            return
        for fd in fds:
            os.close(fd)
        reap_children()


def reap_children() -> None:
    """Collect the exit codes of finished children."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def run_program(talk: socket.socket, output: int) -> None:
    """Fork a program and run it in the fork; send its process id, and later its exit code, through `talk`."""
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
    preload()
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        serve(requests)
    reap_children()
