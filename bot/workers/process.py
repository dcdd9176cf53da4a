"""One worker process and the pipe to it. All methods but `kill` block, and are called from one thread at a time."""

import io
import multiprocessing
import pickle
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from render.tiles import TILES
from rules.core.ruleset import Ruleset

from .child import BEGUN, READY, Job, Outcome, serve, system

FORKSERVER = "forkserver"
START_SECONDS = 120.0
"""The longest that a worker may take to be there: the first waits until the fork server has loaded all they share."""
AGAIN_AFTER = (0.0, 0.1, 0.5, 2.0)
"""Seconds until a worker that could not be made is tried again: a fork server that is dying is there for a moment yet,
and takes new workers along."""


def context() -> Any:
    """Return how workers are made: by a fork server that has loaded what they share; never by forking the bot."""
    if FORKSERVER not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    forkserver = multiprocessing.get_context(FORKSERVER)
    forkserver.set_forkserver_preload(["bot.workers.shared"])
    return forkserver


class Died(Exception):
    """The worker was gone, or was killed, before it answered."""


class WorkerProcess:
    """A process running one job at a time. Separate pipes isolate a crash from other workers."""

    def __init__(self, systems: Mapping[str, Ruleset[Any]], memory: int | None = None) -> None:
        """Create the process. `memory` is the maximum number of bytes it may allocate; None means no limit."""
        self._memory = memory
        self._by_id = {type(one): _by_id for one in systems.values()}
        self._context = context()
        self._process: BaseProcess | None = None
        self._pipe: Connection[Any, Any] | None = None

    def start(self) -> None:
        """Start a new process if none is alive, and wait for its signal. Raises Died."""
        if self._process is not None and self._process.is_alive():
            return
        for pause in AGAIN_AFTER:
            try:
                self._make()
            except Died:
                time.sleep(pause)
            else:
                return
        self._make()

    def do(self, job: Job) -> Outcome:
        """Return what came of a job. Raises Died, and what pickle raises of a job that no pipe can carry.

        A process that went before it had the job gives way to a new one.
        """
        packed = self._packed(job)
        if not self._begun(packed):
            self.close()
            self.start()
            if not self._begun(packed):
                raise Died
        try:
            assert self._pipe is not None
            outcome: Outcome = pickle.loads(self._pipe.recv_bytes())
        except (EOFError, OSError) as error:
            self.close()
            raise Died from error
        return outcome

    def _make(self) -> None:
        self.close()
        try:
            self._pipe, theirs = self._context.Pipe()
            given = theirs, TILES.folder, self._memory
            process = self._context.Process(target=serve, args=given, name="worker", daemon=True)
            process.start()
            self._process = process
            theirs.close()
            if not self._pipe.poll(START_SECONDS) or self._pipe.recv_bytes() != READY:
                raise EOFError
        except (EOFError, OSError) as error:
            self.close()
            raise Died from error

    def _begun(self, packed: bytes) -> bool:
        """Send the job to the process. Return whether the process received it."""
        assert self._pipe is not None, "it was started"
        try:
            self._pipe.send_bytes(packed)
            return self._pipe.recv_bytes() == BEGUN
        except (EOFError, OSError):
            return False

    def kill(self) -> None:
        """Kill the process; pending jobs raise Died."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Kill the process and wait for its end."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._pipe = None

    def _packed(self, job: Job) -> bytes:
        """Return the job pickled, with rule systems by their id."""
        out = io.BytesIO()
        pickler = pickle.Pickler(out, pickle.HIGHEST_PROTOCOL)
        pickler.dispatch_table = self._by_id
        pickler.dump(job)
        return out.getvalue()


def _by_id(one: Ruleset[Any]) -> tuple[Any, tuple[str]]:
    return system, (one.id,)
