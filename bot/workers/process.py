"""One worker process, and the pipe to it. All methods except `kill` block, and need one caller at a time."""

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

from .child import BEGUN, READY, Job, Outcome, find_system, run_jobs_from_pipe

FORKSERVER = "forkserver"
START_SECONDS = 120.0
"""Maximum seconds for the start of a worker. The first start waits until the fork server has imported its modules."""
RETRY_PAUSES = (0.0, 0.1, 0.5, 2.0)
"""Seconds of pause before each retry of a failed start, because a dying fork server ends new workers for a while."""


def fork_server_context() -> Any:
    """Return the multiprocessing context of workers: a fork server that has loaded the modules of all workers."""
    if FORKSERVER not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    forkserver = multiprocessing.get_context(FORKSERVER)
    forkserver.set_forkserver_preload(["bot.workers.shared"])
    return forkserver


class WorkerDied(Exception):
    """The worker process ended or was killed before its answer."""


class WorkerProcess:
    """A process that runs one job at a time. It has its own pipe, so that a crash does not affect other workers."""

    def __init__(self, systems: Mapping[str, Ruleset[Any]], memory: int | None = None) -> None:
        """Create the process. `memory` is the maximum number of bytes it may allocate; None means no limit."""
        self._memory = memory
        self._dispatch_table = {type(system): _pickle_system_by_id for system in systems.values()}
        self._context = fork_server_context()
        self._process: BaseProcess | None = None
        self._pipe: Connection[Any, Any] | None = None

    def start(self) -> None:
        """Start a new process if none is alive, and wait until the process is ready. Raises WorkerDied."""
        if self._process is not None and self._process.is_alive():
            return
        for pause in RETRY_PAUSES:
            try:
                self._spawn()
            except WorkerDied:
                time.sleep(pause)
            else:
                return
        self._spawn()

    def run_job(self, job: Job) -> Outcome:
        """Run a job in the process, and return its outcome. Start a new process first if the old one has died.

        Raises WorkerDied, and pickle's errors for a job that cannot be pickled.
        """
        packed = self._pickle_job(job)
        if not self._send_job(packed):
            self.close()
            self.start()
            if not self._send_job(packed):
                raise WorkerDied
        try:
            assert self._pipe is not None
            outcome: Outcome = pickle.loads(self._pipe.recv_bytes())
        except (EOFError, OSError) as error:
            self.close()
            raise WorkerDied from error
        return outcome

    def _spawn(self) -> None:
        self.close()
        try:
            self._pipe, worker_pipe = self._context.Pipe()
            arguments = worker_pipe, TILES.folder, self._memory
            process = self._context.Process(target=run_jobs_from_pipe, args=arguments, name="worker", daemon=True)
            process.start()
            self._process = process
            worker_pipe.close()
            if not self._pipe.poll(START_SECONDS) or self._pipe.recv_bytes() != READY:
                raise EOFError
        except (EOFError, OSError) as error:
            self.close()
            raise WorkerDied from error

    def _send_job(self, packed: bytes) -> bool:
        """Send the pickled job to the process. Return whether the process received the job."""
        assert self._pipe is not None, "it was started"
        try:
            self._pipe.send_bytes(packed)
            return self._pipe.recv_bytes() == BEGUN
        except (EOFError, OSError):
            return False

    def kill(self) -> None:
        """Kill the process. Its running job raises WorkerDied."""
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        """Kill the process and wait for its end."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._pipe = None

    def _pickle_job(self, job: Job) -> bytes:
        """Return the pickled job. Rule systems are pickled as their ids."""
        out = io.BytesIO()
        pickler = pickle.Pickler(out, pickle.HIGHEST_PROTOCOL)
        pickler.dispatch_table = self._dispatch_table
        pickler.dump(job)
        return out.getvalue()


def _pickle_system_by_id(ruleset: Ruleset[Any]) -> tuple[Any, tuple[str]]:
    return find_system, (ruleset.id,)
