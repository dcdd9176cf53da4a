"""`pytest --processes 5`: collect the tests once, then fork processes that run one test file after another.

With pytest-xdist each process would import and collect every test, in 5 to 15 seconds of processor time. Forking takes
hardly any. Forked processes report to the first, which prints the reports.

While files that calculate remain, at most half of the processes run files that wait; otherwise cores would idle.
"""

import multiprocessing
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

File = Sequence[pytest.Item]
WAITS = "waits"
"""Pytest mark of a file that mostly waits for another process, such as the bot or a browser."""
WANTS_FILE, STARTS, REPORTS, WARNS = "wants a file", "starts", "reports", "warns"
"""Kinds of messages from a forked process to the first."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--processes`."""
    told = "run the tests in so many processes, forked once the tests are collected"
    parser.getgroup("general").addoption("--processes", type=int, default=1, metavar="COUNT", help=told)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run all tests in forked processes, or return None to leave the tests to pytest."""
    options = session.config.option
    if options.processes < 2 or options.collectonly or options.usepdb or session.testsfailed:
        return None
    files = [list(tests) for _, tests in groupby(session.items, key=lambda item: item.nodeid.split("::")[0])]
    FirstProcess(session, files).run(min(options.processes, len(files)))
    return True


@dataclass
class Worker:
    """A forked process as seen by the first process."""

    process: BaseProcess
    connection: Connection
    test: str = ""
    """Id of the running test."""
    waits: bool = False
    """Whether the running file mostly waits."""
    stopped: bool = False


class FileQueue:
    """Queue of the files not yet given to a process, by number."""

    def __init__(self, files: Sequence[File]) -> None:
        kinds = [tests[0].get_closest_marker(WAITS) is not None for tests in files]
        self._left = {kind: deque(number for number, one in enumerate(kinds) if one is kind) for kind in (True, False)}

    def take(self, *, waits: bool) -> tuple[int | None, bool]:
        """Return the next file and whether it waits, preferring files that wait if `waits`.

        Return None if no file is left.
        """
        for kind in (waits, not waits):
            if self._left[kind]:
                return self._left[kind].popleft(), kind
        return None, False


class FirstProcess:
    """The process that collected the tests. Distributes files and passes on reports."""

    def __init__(self, session: pytest.Session, files: Sequence[File]) -> None:
        self._session, self._files, self._hook = session, files, session.config.hook
        self._queue = FileQueue(files)
        self._workers: dict[Connection, Worker] = {}
        reporter: Any = session.config.pluginmanager.getplugin("terminalreporter")
        if reporter is not None:
            reporter.showfspath = False  # tests of several files take turns

    def run(self, count: int) -> None:
        """Run all tests in `count` processes. Raises Failed or Interrupted as pytest's own loop does."""
        base = self._session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        for number in range(count):
            self._fork(base / f"process-{number}")
        processes = [worker.process for worker in self._workers.values()]
        try:
            self._listen()
        finally:
            for connection in self._workers:
                connection.close()
            for process in processes:
                process.join()
        if self._session.shouldfail:
            raise self._session.Failed(self._session.shouldfail)
        if self._session.shouldstop:
            raise self._session.Interrupted(self._session.shouldstop)

    def _fork(self, base: Path) -> None:
        ours, theirs = multiprocessing.Pipe()
        inherited = [*self._workers, ours]
        process = multiprocessing.get_context("fork").Process(
            target=run_files, args=(self._session, self._files, theirs, inherited, base)
        )
        with theirs, warnings.catch_warnings():
            # Python 3.12 warns of numpy's threads, which stand a fork. The forked process keeps this filter.
            warnings.filterwarnings("ignore", ".*multi-threaded", DeprecationWarning)
            process.start()
        self._workers[ours] = Worker(process, ours)

    def _listen(self) -> None:
        while self._workers:
            for connection in wait(list(self._workers)):
                assert isinstance(connection, Connection)
                try:
                    self._hear(self._workers[connection], *connection.recv())
                except (EOFError, ConnectionResetError):
                    self._end(self._workers.pop(connection))
                if self._session.shouldfail or self._session.shouldstop:
                    self._stop()

    def _hear(self, worker: Worker, kind: str, content: Any) -> None:
        if kind == WANTS_FILE:
            if not worker.stopped:
                waiting = sum(other.waits for other in self._workers.values() if other is not worker)
                number, worker.waits = self._queue.take(waits=waiting < max(len(self._workers) // 2, 1))
                worker.connection.send(number)
        elif kind == STARTS:
            worker.test = content
        elif kind == WARNS:
            self._hook.pytest_warning_recorded.call_historic(kwargs=content)
        else:
            report = self._hook.pytest_report_from_serializable(config=self._session.config, data=content)
            self._hook.pytest_runtest_logreport(report=report)

    def _stop(self) -> None:
        """Stop each process after its running test."""
        for worker in self._workers.values():
            if not worker.stopped:
                worker.stopped = True
                with suppress(BrokenPipeError):
                    worker.connection.send(None)

    def _end(self, worker: Worker) -> None:
        """Report a crashed process as a failure of its running test."""
        worker.connection.close()
        worker.process.join()
        if worker.process.exitcode:
            told = f"the process ended with {worker.process.exitcode}; the rest of the file was not run"
            place = worker.test.split("::")[0], None, worker.test
            report = pytest.TestReport(worker.test, place, {}, "failed", told, "call")
            self._hook.pytest_runtest_logreport(report=report)


class Reporting:
    """Pytest plugin with which a forked process reports to the first."""

    def __init__(self, config: pytest.Config, connection: Connection) -> None:
        self._config, self._connection = config, connection

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._connection.send((STARTS, nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        content = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._connection.send((REPORTS, content))

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: tuple[str, int, str] | None
    ) -> None:
        if when != "runtest":  # pluggy repeats those of the collection to a new plugin
            return
        told = warning_message
        plain = warnings.WarningMessage(str(told.message), told.category, told.filename, told.lineno)
        content = {"warning_message": plain, "when": when, "nodeid": nodeid, "location": location}
        self._connection.send((WARNS, content))


def run_files(
    session: pytest.Session, files: Sequence[File], connection: Connection, inherited: Iterable[Connection], base: Path
) -> None:
    """Run test files in a forked process until the first process has none left."""
    for other in inherited:
        other.close()
    plugins = session.config.pluginmanager
    plugins.unregister(plugins.getplugin("terminalreporter"))
    plugins.register(Reporting(session.config, connection))
    capture: Any = plugins.getplugin("capturemanager")
    capture.stop_global_capturing()  # else all processes write to one and the same temporary file
    capture.start_global_capturing()
    base.mkdir()
    session.config._tmp_path_factory._basetemp = base  # type: ignore[attr-defined]
    with suppress(KeyboardInterrupt, BrokenPipeError):
        try:
            _run_tests(session, chain.from_iterable(_given(files, connection)), connection)
        finally:
            session._setupstate.teardown_exact(None)


def _given(files: Sequence[File], connection: Connection) -> Iterator[File]:
    """Yield the files that the first process sends to this process."""
    while True:
        connection.send((WANTS_FILE, None))
        number = connection.recv()
        if number is None:
            return
        yield files[number]


def _run_tests(session: pytest.Session, tests: Iterable[pytest.Item], connection: Connection) -> None:
    """Run tests in sequence. Request the next file before the last test of a file.

    Pytest must know the next test to keep the fixtures that both tests use.
    """
    for test, following in pairwise(chain(tests, [None])):
        assert test is not None
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
        if session.shouldfail or session.shouldstop or connection.poll():
            return
