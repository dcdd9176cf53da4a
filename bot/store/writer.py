"""The one connection that writes games, kept open. What waits at the same time shares a commit.

Acknowledged means committed: `insert` and `run` return only then.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, InvalidRequestError

from .dedicated_connection import Lane
from .entry_insert import insert_entries
from .migrate import require_own_tables
from .outages import Watch, is_away

log = logging.getLogger(__name__)

Work: TypeAlias = Callable[[Connection], object]
"""Changes in one transaction. On SQLite the writer's thread runs them."""
Outcomes: TypeAlias = list[IntegrityError | None]
"""Result of each job: None if written, an error if its key was taken."""


@dataclass(eq=False)
class _Job:
    """A queued write: a single entry, or work with its own transaction."""

    entry: Mapping[str, Any] = field(default_factory=dict)
    work: Work | None = None
    done: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def end(self, error: BaseException | None = None) -> None:
        """Tells whoever waits for it."""
        if self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


class Writer:
    """Write queued jobs in order.

    Where the database is away, nobody waits longer than for one try: what has not begun by then is refused with it.
    """

    def __init__(self, lane: Lane, watch: Watch) -> None:
        self._lane = lane
        self._watch = watch
        self._waiting: list[_Job] = []
        self._writing: asyncio.Task[None] | None = None

    async def insert(self, entry: Mapping[str, Any]) -> None:
        """Adds an entry to its journal. Raises IntegrityError where its number or its interaction is already used.

        Raises BeingUpdated, DatabaseAway; where it may have been written all the same, OutcomeUnknown.
        """
        await self._ended(_Job(entry=entry))

    async def run(self, work: Work) -> None:
        """Run `work` in a transaction. Raises IntegrityError for a taken key, and the errors of `insert`."""
        await self._ended(_Job(work=work))

    def run_later(self, work: Work, what: str) -> None:
        """Run `work` in a transaction later; on failure, the log names `what`."""
        job = self._queued(_Job(work=work))

        def tell(done: "asyncio.Future[None]") -> None:
            if not done.cancelled() and (error := done.exception()) is not None:
                log.warning("%s failed", what, exc_info=None if is_away(error) else error)

        job.done.add_done_callback(tell)

    async def close(self) -> None:
        """Writes what still waits, and gives the connection back."""
        if self._writing is not None:
            await self._writing
        await self._lane.close()

    async def _ended(self, job: _Job) -> None:
        with self._watch.over(writing=True):
            await self._queued(job).done

    def _queued(self, job: _Job) -> _Job:
        self._waiting.append(job)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())
        return job

    async def _write_all(self) -> None:
        while self._waiting:
            taken, self._waiting = self._waiting, []
            jobs = [job for job in taken if not job.done.cancelled()]
            await self._tried([job for job in jobs if job.work is None], self._insert)
            for job in jobs:
                if job.work is not None:
                    await self._tried([job], partial(self._transact, job.work))

    async def _tried(self, jobs: Sequence[_Job], write: Callable[[Sequence[_Job], Connection], Outcomes]) -> None:
        """Write the jobs, with one retry after a lost connection; jobs already committed then fail their key."""
        lost: Exception | None = None
        while jobs := [job for job in jobs if not job.done.done()]:
            try:
                self._watch.require()
                outcomes = await self._lane.do(partial(_on_own_tables, partial(write, jobs)))
            except Exception as error:
                await self._lane.give_up()
                if lost or not (isinstance(error, DBAPIError) and error.connection_invalidated):
                    self._fail(jobs, lost if lost is not None and is_away(error) else error)
                    return
                lost = error
            else:
                for job, outcome in zip(jobs, outcomes, strict=True):
                    job.end(outcome)
                return

    def _fail(self, jobs: Sequence[_Job], error: Exception) -> None:
        """Ends the jobs with the error they met, so that those behind them in the queue need not try."""
        if is_away(error):
            self._watch.failed(error)
        for job in jobs:
            job.end(error)

    def _insert(self, jobs: Sequence[_Job], connection: Connection) -> Outcomes:
        """Insert all entries in one commit; after a key conflict, insert each separately."""
        entries = [job.entry for job in jobs]
        if len(entries) > 1 and self._transacted(connection, lambda: insert_entries(connection, entries)) is None:
            return [None] * len(entries)
        return [_key_error(partial(insert_entries, connection, [entry])) for entry in entries]

    def _transact(self, work: Work, _: Sequence[_Job], connection: Connection) -> Outcomes:
        return [self._transacted(connection, lambda: work(connection))]

    def _transacted(self, connection: Connection, write: Callable[[], object]) -> IntegrityError | None:
        """Return what became of all that `write` writes, in one transaction."""
        connection.exec_driver_sql(self._lane.begin)
        try:
            write()
            connection.exec_driver_sql("COMMIT")
        except BaseException as error:
            if not is_away(error):  # else the connection is given up
                with suppress(DBAPIError, InvalidRequestError):  # and one that was lost has nothing to take back
                    connection.exec_driver_sql("ROLLBACK")
            if isinstance(error, IntegrityError):
                return error
            raise
        return None


def _on_own_tables(write: Callable[[Connection], Outcomes], connection: Connection) -> Outcomes:
    """Return the outcomes. Raises BeingUpdated if the schema is newer than the program."""
    outcomes = write(connection)
    if any(outcomes):
        require_own_tables(connection)
    return outcomes


def _key_error(write: Callable[[], object]) -> IntegrityError | None:
    """Return the key conflict, or None."""
    try:
        write()
    except IntegrityError as error:
        return error
    return None
