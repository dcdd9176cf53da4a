"""Tries faults, each in two steps.

First the tests that enter the faulty function, in a process that has everything loaded; where they pass, or the fault
is in no function, all tests of the package, in a new process on a copy of the tree with the fault in its file.
"""

import multiprocessing
import os
import pickle
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

from . import watched
from .faults import Fault
from .watched import Entered

ROOT = Path(__file__).parents[2]
NEEDED = ("rules", "render", "docs", "conftest.py", "pyproject.toml", "CONTRIBUTING.md")
"""What the tests of the rules read."""
AT_ONCE = 2
SLOWER, AT_LEAST = 5, 10
"""How many times as long as they took may tests take, and seconds of work beside."""


class Server:
    """A process that has collected the tests of a package of a tree. Raises EOFError when they cannot be collected."""

    def __init__(self, context: Any, tree: Path, package: str) -> None:
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=watched.serve, args=(tree, package, theirs))
        self._process.start()
        theirs.close()
        try:
            self._pipe.recv()
        except EOFError:
            self.close()
            raise

    def ask(self, *question: Any) -> int:
        """What came of `watch`, `run` or `run_all`."""
        self._pipe.send(question)
        code: int = self._pipe.recv()
        return code

    def close(self) -> None:
        """Ends it."""
        self._pipe.close()
        self._process.join()


class Lane:
    """A copy of the tree, with a process for each package."""

    def __init__(self, tree: Path) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.mutants.watched"])
        self.tree = tree
        self._servers: dict[str, Server] = {}

    def server(self, package: str) -> Server:
        """The one that has everything loaded, without a fault."""
        if package not in self._servers:
            self._servers[package] = Server(self._context, self.tree, package)
        return self._servers[package]

    @contextmanager
    def anew(self, package: str) -> Iterator[Server]:
        """A new one, of the tree as it is now."""
        server = Server(self._context, self.tree, package)
        try:
            yield server
        finally:
            server.close()

    def close(self) -> None:
        """Ends all."""
        for server in self._servers.values():
            server.close()


class Trial:
    """Copies of the tree, as many as are tried at once, and what the tests of each package enter."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._all = [Lane(_copied(home / str(number))) for number in range(AT_ONCE)]
        self._idle: SimpleQueue[Lane] = SimpleQueue()
        for lane in self._all:
            self._idle.put(lane)
        self._entered: dict[str, Entered] = {}

    @property
    def tree(self) -> Path:
        """One of the copies: what is changed meanwhile where they were made of is not tried."""
        return self._all[0].tree

    def watch(self, package: str) -> None:
        """Runs its tests once, without a fault. Raises RuntimeError when one of them falls."""
        out = self._home / package.replace("/", ".")
        with self._lane() as lane:
            if lane.server(package).ask("watch", out) != watched.SURVIVED:
                raise RuntimeError(f"Without a fault already, in {package}:\n{watched.text_of(lane.tree).read_text()}")
        self._entered[package] = pickle.loads(out.read_bytes())

    def survives(self, fault: Fault, *, thorough: bool = True) -> bool:
        """Whether the tests of its package pass with it; if not thorough, those alone that enter its function."""
        entered = self._entered[fault.package]
        near = nearest(fault, entered)
        with self._lane() as lane:
            if near and fault.functions:
                code = lane.server(fault.package).ask("run", near, allowed(near, entered), fault)
                if code == watched.FELL or (code == watched.SURVIVED and not thorough):
                    return code == watched.SURVIVED
            with faulty(lane.tree, fault):
                try:
                    with lane.anew(fault.package) as server:
                        return server.ask("run_all", near, allowed([*entered], entered)) == watched.SURVIVED
                except EOFError:
                    return False

    @contextmanager
    def _lane(self) -> Iterator[Lane]:
        lane = self._idle.get()
        try:
            yield lane
        finally:
            self._idle.put(lane)

    def close(self) -> None:
        """Ends all processes."""
        for lane in self._all:
            lane.close()


def nearest(fault: Fault, entered: Entered) -> list[str]:
    """The tests that enter the function with the fault, or any of its file where it is in none; the quickest first."""
    for line in fault.functions:
        if tests := [test for test, (_, functions) in entered.items() if (fault.file, line) in functions]:
            break
    else:
        tests = [test for test, (_, functions) in entered.items() if any(fault.file == file for file, _ in functions)]
    return sorted(tests, key=lambda test: entered[test][0])


def allowed(tests: Sequence[str], entered: Entered) -> float:
    """Seconds of work that they may take with a fault."""
    return AT_LEAST + SLOWER * sum(entered[test][0] for test in tests)


@contextmanager
def faulty(tree: Path, fault: Fault) -> Iterator[None]:
    """The tree with the fault in it. The file looks newer, so that nothing compiled of it before is taken for it."""
    path = tree / fault.file
    right, at = path.read_bytes(), path.stat().st_mtime
    path.write_bytes(fault.put_into(right))
    os.utime(path, (at + 10, at + 10))
    try:
        yield
    finally:
        path.write_bytes(right)
        os.utime(path, (at, at))


@contextmanager
def trial() -> Iterator[Trial]:
    """A Trial in a directory of its own."""
    with TemporaryDirectory(prefix="mutants-") as directory:
        one = Trial(Path(directory))
        try:
            yield one
        finally:
            one.close()


def _copied(tree: Path) -> Path:
    tree.mkdir()
    for name in NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, tree)
    return tree
