"""Trials of faults, each in two steps.

First run the tests that enter the faulty function, in a process that has loaded all tests. If they pass, or if the
fault is in no function, run all tests of the package in a new process, on a copy of the tree with the fault.
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

from . import runner
from .faults import Fault
from .runner import Entered

ROOT = Path(__file__).parents[2]
COPIED = ("rules", "render", "docs", "conftest.py", "pyproject.toml", "CONTRIBUTING.md")
"""Files and folders that the tests of the rules read."""
WORKERS = 2
TIME_FACTOR, EXTRA_SECONDS = 5, 10
"""Limit of a run with a fault: this multiple of the usual CPU time, plus these seconds."""


class Server:
    """A process that has collected the tests of a package. Raises EOFError if the collection fails."""

    def __init__(self, context: Any, tree: Path, package: str) -> None:
        self._pipe, server_pipe = context.Pipe()
        self._process = context.Process(target=runner.serve, args=(tree, package, server_pipe))
        self._process.start()
        server_pipe.close()
        try:
            self._pipe.recv()
        except EOFError:
            self.close()
            raise

    def call(self, *request: Any) -> int:
        """Call `watch`, `run` or `run_all` in the process; return the result code."""
        self._pipe.send(request)
        code: int = self._pipe.recv()
        return code

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.join()


class Lane:
    """A copied tree with a running server per package."""

    def __init__(self, tree: Path) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.mutants.runner"])
        self.tree = tree
        self._servers: dict[str, Server] = {}

    def get_server(self, package: str) -> Server:
        """Return the package's server without a fault; start the server if necessary."""
        if package not in self._servers:
            self._servers[package] = Server(self._context, self.tree, package)
        return self._servers[package]

    @contextmanager
    def open_fresh_server(self, package: str) -> Iterator[Server]:
        """Start a server from the current files of the tree; close the server afterwards."""
        server = Server(self._context, self.tree, package)
        try:
            yield server
        finally:
            server.close()

    def close(self) -> None:
        """Close all servers."""
        for server in self._servers.values():
            server.close()


class Trial:
    """Copies of the tree for parallel runs, and the functions that tests enter."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._all = [Lane(_copy_tree(home / str(number))) for number in range(WORKERS)]
        self._idle: SimpleQueue[Lane] = SimpleQueue()
        for lane in self._all:
            self._idle.put(lane)
        self._entered: dict[str, Entered] = {}

    @property
    def tree(self) -> Path:
        """A copy of the tree. Changes of the original files during a trial do not matter."""
        return self._all[0].tree

    def watch(self, package: str) -> None:
        """Run a package's tests without a fault; store the functions they enter. Raises RuntimeError on failure."""
        out = self._home / package.replace("/", ".")
        with self._borrow_lane() as lane:
            if lane.get_server(package).call("watch", out) != runner.SURVIVED:
                raise RuntimeError(
                    f"The tests of {package} fail without a fault:\n{runner.get_log_file(lane.tree).read_text()}"
                )
        self._entered[package] = pickle.loads(out.read_bytes())

    def survives(self, fault: Fault, *, thorough: bool = True) -> bool:
        """Whether the package's tests pass with the fault. If not `thorough`, the nearest tests decide, if any."""
        entered = self._entered[fault.package]
        near = find_nearest_tests(fault, entered)
        with self._borrow_lane() as lane:
            if near and fault.functions:
                code = lane.get_server(fault.package).call("run", near, compute_limit(near, entered), fault)
                if code == runner.FAILED or (code == runner.SURVIVED and not thorough):
                    return code == runner.SURVIVED
            with apply_fault(lane.tree, fault):
                try:
                    with lane.open_fresh_server(fault.package) as server:
                        return server.call("run_all", near, compute_limit([*entered], entered)) == runner.SURVIVED
                except EOFError:
                    return False

    @contextmanager
    def _borrow_lane(self) -> Iterator[Lane]:
        lane = self._idle.get()
        try:
            yield lane
        finally:
            self._idle.put(lane)

    def close(self) -> None:
        """End all processes."""
        for lane in self._all:
            lane.close()


def find_nearest_tests(fault: Fault, entered: Entered) -> list[str]:
    """Return the tests that enter the fault's function, or without such tests its file, quickest first."""
    for line in fault.functions:
        if tests := [test for test, (_, functions) in entered.items() if (fault.file, line) in functions]:
            break
    else:
        tests = [test for test, (_, functions) in entered.items() if any(fault.file == file for file, _ in functions)]
    return sorted(tests, key=lambda test: entered[test][0])


def compute_limit(tests: Sequence[str], entered: Entered) -> float:
    """Return the CPU seconds that the tests may use with a fault."""
    return EXTRA_SECONDS + TIME_FACTOR * sum(entered[test][0] for test in tests)


@contextmanager
def apply_fault(tree: Path, fault: Fault) -> Iterator[None]:
    """Write the fault into its file, and restore the file afterwards. A later file time invalidates compiled code."""
    path = tree / fault.file
    right, at = path.read_bytes(), path.stat().st_mtime
    path.write_bytes(fault.insert(right))
    os.utime(path, (at + 10, at + 10))
    try:
        yield
    finally:
        path.write_bytes(right)
        os.utime(path, (at, at))


@contextmanager
def open_trial() -> Iterator[Trial]:
    """Open a Trial in a temporary folder."""
    with TemporaryDirectory(prefix="mutants-") as directory:
        trial = Trial(Path(directory))
        try:
            yield trial
        finally:
            trial.close()


def _copy_tree(tree: Path) -> Path:
    tree.mkdir()
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, tree)
    return tree
