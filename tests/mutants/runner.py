"""A pytest plug-in that collects the tests of a package once, and then runs some tests on request.

Each run is a fork of the process: with a fault in one function, or without a fault and with a profile of calls.
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

SURVIVED, FAILED, NOT_APPLIED = 0, 1, 2
MEMORY = 8 << 30
"""Maximum memory of a run in bytes."""

Function = tuple[str, int]
"""A function: its file below the tree, and its first line."""
Entered = dict[str, tuple[float, set[Function]]]
"""CPU seconds and entered functions of each test."""


class Session:
    """Plug-in that serves requests from a pipe: `watch`, `run` and `run_all`, by name."""

    def __init__(self, tree: Path, pipe: "Connection[Any, Any]") -> None:
        self._tree, self._pipe = tree, pipe
        self._items: dict[str, pytest.Item] = {}

    def pytest_configure(self) -> None:
        """Make Hypothesis neither shrink nor store failing examples."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        profile = hypothesis.settings(deadline=None, database=None, derandomize=True, phases=phases)
        hypothesis.settings.register_profile("mutants", profile)
        hypothesis.settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Serve requests until the pipe is closed, instead of running the tests."""
        self._items = {item.nodeid: item for item in session.items}
        self._pipe.send(None)
        while True:
            try:
                name, *arguments = self._pipe.recv()
            except EOFError:
                return True
            self._pipe.send(getattr(self, name)(*arguments))

    def watch(self, out: Path) -> int:
        """Run all tests and write the functions that each enters. Return SURVIVED if all pass."""
        return run_in_fork(lambda: self._profile(out))

    def run_all(self, first: Sequence[str], seconds: float) -> int:
        """Run all tests, `first` before the others, until one fails or `seconds` of CPU time are used."""
        present = dict.fromkeys(test for test in first if test in self._items)
        return self.run([*present, *(test for test in self._items if test not in present)], seconds, None)

    def run(self, tests: Sequence[str], seconds: float, fault: Fault | None) -> int:
        """Run tests until one fails or `seconds` of CPU time are used. NOT_APPLIED: the fault's function is missing."""

        def run_until_failure() -> int:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            if fault is not None and not patch_function(self._tree, fault):
                return NOT_APPLIED
            items = [self._items[test] for test in tests]
            return SURVIVED if all(map(run_test, items, [*items[1:], None])) else FAILED

        return run_in_fork(run_until_failure)

    def _profile(self, out: Path) -> int:
        entered: Entered = {}
        items = list(self._items.values())
        for item, following in zip(items, [*items[1:], None], strict=True):
            codes: set[CodeType] = set()
            start = time.process_time()
            sys.setprofile(_make_profiler(codes))
            passed = run_test(item, following)
            sys.setprofile(None)
            if not passed:
                print("failed:", item.nodeid, flush=True)
                return FAILED
            entered[item.nodeid] = (time.process_time() - start, self._list_rule_functions(codes))
        out.write_bytes(pickle.dumps(entered))
        return SURVIVED

    def _list_rule_functions(self, codes: set[CodeType]) -> set[Function]:
        root, above = f"{self._tree}/rules/", len(str(self._tree)) + 1
        return {(code.co_filename[above:], code.co_firstlineno) for code in codes if code.co_filename.startswith(root)}


def run_test(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Run a test; keep fixtures that `following` needs. Return whether all tests have passed."""
    item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
    return not item.session.testsfailed


def run_in_fork(work: Callable[[], int]) -> int:
    """Run `work` in a fork; return its result, or FAILED if a signal ends the fork, as at the CPU limit."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        finally:
            os._exit(FAILED)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else FAILED


def patch_function(tree: Path, fault: Fault) -> bool:
    """Replace the code of the fault's function in all its objects. Return whether the function was found."""
    if not fault.functions:
        return False
    path, line = tree / fault.file, fault.functions[-1]
    original = _find_code(compile(path.read_bytes(), path, "exec"), line)
    replacement = _find_code(compile(fault.insert(path.read_bytes()), path, "exec"), line)
    if len(original) != 1 or len(replacement) != 1:
        return False
    gc.unfreeze()  # get_objects does not list frozen objects
    functions = [
        thing for thing in gc.get_objects() if isinstance(thing, FunctionType) and thing.__code__ == original[0]
    ]
    for function in functions:
        if len(function.__code__.co_freevars) != len(replacement[0].co_freevars):
            return False
        function.__code__ = replacement[0]
    return bool(functions)


def _find_code(module: CodeType, line: int) -> list[CodeType]:
    """Return the code of functions that begin at `line`, in a module or its classes."""
    codes = []
    for code in (constant for constant in module.co_consts if isinstance(constant, CodeType)):
        if code.co_flags & 1 and code.co_firstlineno == line:  # optimized: a function
            codes.append(code)
        else:
            codes += _find_code(code, line)
    return codes


def _make_profiler(codes: set[CodeType]) -> Callable[[FrameType, str, Any], None]:
    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    return profile


def serve(tree: Path, package: str, pipe: "Connection[Any, Any]") -> None:
    """Collect the tests of a package, send a message when ready, and serve requests."""
    os.chdir(tree)
    sys.path[:] = [str(tree), *(path for path in sys.path if not (Path(path or ".") / "rules").is_dir())]
    sys.dont_write_bytecode = True
    with get_log_file(tree).open("w") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    options = ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider"]
    pytest.main([*options, f"{package}/tests"], plugins=[Session(tree, pipe)])


def get_log_file(tree: Path) -> Path:
    """Return the file with the output of the last process in a tree."""
    return tree.with_suffix(".txt")
