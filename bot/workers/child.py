"""Main loop of a worker process: run jobs from the pipe until the pipe closes.

This module imports neither Discord nor the database, so that a worker is small.
"""

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from render.tiles import TILES
from rules.core.ruleset import Ruleset
from rules.registry import rulesets

NICE = 10
"""The Unix nice value of a worker: its priority is lower than the bot's."""

READY, BEGUN = b"ready", b"begun"
"""Messages from a worker: it is ready for jobs, and it has received a job."""

Job = tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any]]
Outcome = tuple[bool, Any]
"""Whether the job succeeded, and its result or exception."""


def find_system(ruleset: str) -> Ruleset[Any]:
    """Return the rule system with the id `ruleset`. A pickled job holds this call in place of each rule system."""
    return rulesets()[ruleset]


def lower_priority() -> None:
    """Lower this process's priority to NICE, and ignore Ctrl-C, which the bot handles."""
    if hasattr(os, "nice"):
        os.nice(max(NICE - os.nice(0), 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def limit_memory(most: int) -> None:
    """Limit this process to `most` bytes of memory, except on Windows. Python raises MemoryError beyond the limit."""
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def run_jobs_from_pipe(pipe: "Connection[Any, Any]", grounds: Path | None, memory: int | None = None) -> None:
    """Send READY, then run incoming jobs until the pipe closes. After SIGTERM, finish the running job and exit.

    `grounds` is the folder for drawn map backgrounds; None keeps them in memory. `memory` is the maximum number of
    bytes that the worker may allocate; None means no limit.
    """
    lower_priority()
    TILES.folder = grounds
    if memory is not None:
        limit_memory(memory)
    told_to_stop = at_work = False

    def stop(*_: object) -> None:
        nonlocal told_to_stop
        told_to_stop = True
        if not at_work:
            sys.exit(0)

    signal.signal(signal.SIGTERM, stop)
    try:
        pipe.send_bytes(READY)
        while not told_to_stop:
            job = pipe.recv_bytes()
            at_work = True
            pipe.send_bytes(BEGUN)
            pipe.send_bytes(run_job(job))
            at_work = False
    except (EOFError, OSError):  # the bot closed the pipe, or has died
        return


def run_job(job: bytes) -> bytes:
    """Run a pickled job, and return the pickled Outcome. Add the traceback to an exception as a note."""
    try:
        function, args, options = pickle.loads(job)
        return pickle.dumps((True, function(*args, **options)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        error.add_note(f"In a worker:\n{traceback.format_exc()}")
        return _pickle_error(error)


def _pickle_error(error: Exception) -> bytes:
    try:
        raised = pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
        pickle.loads(raised)  # some exceptions can be pickled, but not unpickled
    except Exception:
        return pickle.dumps((False, RuntimeError("\n".join((repr(error), *error.__notes__)))))
    return raised
