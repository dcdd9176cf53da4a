"""Main loop of a worker process: run jobs from the pipe until the pipe closes.

Imports neither Discord nor the database, so that a worker is small.
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
"""How far a worker stands back behind the bot, on Unix's scale."""

READY, BEGUN = b"ready", b"begun"
"""Signals of a worker: ready for jobs, and job received."""

Job = tuple[Callable[..., Any], Sequence[Any], Mapping[str, Any]]
Outcome = tuple[bool, Any]
"""Whether the job succeeded, and its result or exception."""


def system(ruleset: str) -> Ruleset[Any]:
    """Return the rule system named `ruleset`, as sent through the pipe."""
    return rulesets()[ruleset]


def stand_back() -> None:
    """Gives way to the bot, and leaves Ctrl-C in the terminal to it."""
    if hasattr(os, "nice"):
        os.nice(max(NICE - os.nice(0), 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def limit_memory(most: int) -> None:
    """Limit this process to allocating `most` bytes; a job beyond that raises MemoryError. Does nothing on Windows."""
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def serve(pipe: "Connection[Any, Any]", grounds: Path | None, memory: int | None = None) -> None:
    """Send READY, then do incoming jobs until the pipe closes. On SIGTERM finish the job under way.

    `grounds` is the folder of drawn grounds; None keeps them in memory only. `memory` is the maximum number of bytes
    that the worker may allocate; None means no limit.
    """
    stand_back()
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
            pipe.send_bytes(outcome(job))
            at_work = False
    except (EOFError, OSError):  # the bot closed the pipe, or is gone
        return


def outcome(job: bytes) -> bytes:
    """Does a pickled job; its pickled Outcome. What it raised carries the traceback as a note."""
    try:
        function, args, options = pickle.loads(job)
        return pickle.dumps((True, function(*args, **options)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        error.add_note(f"In a worker:\n{traceback.format_exc()}")
        return _raised(error)


def _raised(error: Exception) -> bytes:
    try:
        raised = pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
        pickle.loads(raised)  # some exceptions are pickled and cannot be read again
    except Exception:
        return pickle.dumps((False, RuntimeError("\n".join((repr(error), *error.__notes__)))))
    return raised
