"""A plug-in of pytest that collects the tests of a package once, and then runs some of them as often as it is asked to.

Each time is in a fork of the process: with a fault put into one function, or without one and watched.
"""

import gc
import os
import pickle
import resource
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import hypothesis
import pytest

from .faults import Fault

SURVIVED, FELL, NOT_PUT_IN = 0, 1, 2
MEMORY = 8 << 30
"""Bytes that a process may take."""

Function = tuple[str, int]
"""A file below the tree, and the first line of a function in it."""
Entered = dict[str, tuple[float, set[Function]]]
"""For each test its seconds of work and the functions that it enters."""


class Session:
    """Serves the other end of a pipe: `watch`, `run` and `run_all`, by name."""

    def __init__(self, tree: Path, pipe: "Connection[Any, Any]") -> None:
        self._tree, self._pipe = tree, pipe
        self._items: dict[str, pytest.Item] = {}

    def pytest_configure(self) -> None:
        """What falls is not made smaller, and is not written down."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        profile = hypothesis.settings(deadline=None, database=None, derandomize=True, phases=phases)
        hypothesis.settings.register_profile("mutants", profile)
        hypothesis.settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of running them: serves until the pipe is closed."""
        self._items = {item.nodeid: item for item in session.items}
        self._pipe.send(None)
        while True:
            try:
                name, *given = self._pipe.recv()
            except EOFError:
                return True
            self._pipe.send(getattr(self, name)(*given))

    def watch(self, out: Path) -> int:
        """Runs all, and writes down what each enters; SURVIVED when all pass."""
        return forked(lambda: self._watched(out))

    def run_all(self, first: Sequence[str], seconds: float) -> int:
        """Runs all tests that there are, these first, until one falls or they work for longer."""
        known = dict.fromkeys(test for test in first if test in self._items)
        return self.run([*known, *(test for test in self._items if test not in known)], seconds, None)

    def run(self, tests: Sequence[str], seconds: float, fault: Fault | None) -> int:
        """Runs tests until one falls or they work for longer; NOT_PUT_IN when no function is there for the fault."""

        def until_one_falls() -> int:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            if fault is not None and not put_in(self._tree, fault):
                return NOT_PUT_IN
            items = [self._items[test] for test in tests]
            return SURVIVED if all(map(passes, items, [*items[1:], None])) else FELL

        return forked(until_one_falls)

    def _watched(self, out: Path) -> int:
        entered: Entered = {}
        items = list(self._items.values())
        for item, following in zip(items, [*items[1:], None], strict=True):
            seen: set[CodeType] = set()
            began = time.process_time()
            sys.setprofile(_note_in(seen))
            good = passes(item, following)
            sys.setprofile(None)
            if not good:
                print("fell:", item.nodeid, flush=True)
                return FELL
            entered[item.nodeid] = (time.process_time() - began, self._ours(seen))
        out.write_bytes(pickle.dumps(entered))
        return SURVIVED

    def _ours(self, seen: set[CodeType]) -> set[Function]:
        root, above = f"{self._tree}/rules/", len(str(self._tree)) + 1
        return {(code.co_filename[above:], code.co_firstlineno) for code in seen if code.co_filename.startswith(root)}


def passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Runs a test with its fixtures; what the next one needs of them is kept."""
    item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
    return not item.session.testsfailed


def forked(work: Callable[[], int]) -> int:
    """What it returns, done in a fork of this process; FELL when that is ended for working too long."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        finally:
            os._exit(FELL)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else FELL


def put_in(tree: Path, fault: Fault) -> bool:
    """Gives the function with the fault its faulty code, wherever it is referred to. False when there is none such."""
    if not fault.functions:
        return False
    path, line = tree / fault.file, fault.functions[-1]
    right = _codes(compile(path.read_bytes(), path, "exec"), line)
    wrong = _codes(compile(fault.put_into(path.read_bytes()), path, "exec"), line)
    if len(right) != 1 or len(wrong) != 1:
        return False
    gc.unfreeze()  # what was set aside after the collection is not listed
    found = [one for one in gc.get_objects() if isinstance(one, FunctionType) and one.__code__ == right[0]]
    for function in found:
        if len(function.__code__.co_freevars) != len(wrong[0].co_freevars):
            return False
        function.__code__ = wrong[0]
    return bool(found)


def _codes(module: CodeType, line: int) -> list[CodeType]:
    """The functions that begin in a line, of a module and its classes."""
    found = []
    for code in (constant for constant in module.co_consts if isinstance(constant, CodeType)):
        if code.co_flags & 1 and code.co_firstlineno == line:  # optimized: a function
            found.append(code)
        else:
            found += _codes(code, line)
    return found


def _note_in(seen: set[CodeType]) -> Callable[[FrameType, str, Any], None]:
    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            seen.add(frame.f_code)

    return note


def serve(tree: Path, package: str, pipe: "Connection[Any, Any]") -> None:
    """Collects the tests of a package of the tree, says so, and serves."""
    os.chdir(tree)
    sys.path[:] = [str(tree), *(path for path in sys.path if not (Path(path or ".") / "rules").is_dir())]
    sys.dont_write_bytecode = True
    with text_of(tree).open("w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    options = ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider"]
    pytest.main([*options, f"{package}/tests"], plugins=[Session(tree, pipe)])


def text_of(tree: Path) -> Path:
    """The file that has what the last process in a tree printed."""
    return tree.with_suffix(".txt")
