"""The writer of the database, with one open connection. Entries that wait at the same time share a commit.

`insert` and `run` begin at once if the writer is free. They return awaitables, which end only after the commit.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, InvalidRequestError

from .changes import Change, execute_changes
from .dedicated_connection import DedicatedConnection
from .entry_insert import insert_entries
from .migrate import require_current_program
from .outages import OutageWatch, is_outage

log = logging.getLogger(__name__)

Work: TypeAlias = Callable[[Connection], object]
"""A function that makes changes in one transaction. For SQLite it runs in the writer's thread."""
Outcomes: TypeAlias = list[IntegrityError | None]
"""For each job, None after success, or the key conflict that prevented it."""


@dataclass(eq=False)
class _Job:
    """A queued write: an `entry` to insert, or a function `work` to run in its own transaction."""

    entry: Mapping[str, Any] = field(default_factory=dict)
    work: Work | None = None
    done: "asyncio.Future[None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def complete(self, error: BaseException | None = None) -> None:
        """Complete the job's future with success, or with the given error."""
        if self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


class Writer:
    """Writes queued jobs in order. During an outage, all waiting jobs fail together after one attempt."""

    def __init__(self, dedicated: DedicatedConnection, watch: OutageWatch) -> None:
        self._dedicated = dedicated
        self._watch = watch
        self._waiting: list[_Job] = []
        self._writing: asyncio.Task[None] | None = None

    def insert(self, entry: Mapping[str, Any]) -> Awaitable[None]:
        """Begin to insert an entry, and return an awaitable of the commit.

        `entry` maps the names of columns to values. Raises IntegrityError if the entry's number or interaction is
        already used, ProgramOutdated, DatabaseUnavailable, or OutcomeUnknown if the entry may have been written.
        """
        return self._begin_job(_Job(entry=entry))

    def run(self, work: Work) -> Awaitable[None]:
        """Begin to run `work` in a transaction, and return an awaitable of the commit. Raises like `insert`."""
        return self._begin_job(_Job(work=work))

    async def execute(self, *changes: Change) -> int:
        """Make the changes in a transaction, and return the last statement's row count. Raises like `insert`."""
        rows: list[int] = []
        await self.run(lambda connection: rows.append(execute_changes(connection, changes)))
        return rows[-1]

    def run_later(self, work: Work, name: str) -> None:
        """Queue `work` for a transaction, without waiting for its end. Log a failure under `name`."""
        job = _Job(work=work)

        def log_failure(future: "asyncio.Future[None]") -> None:
            if not future.cancelled() and (error := future.exception()) is not None:
                log.warning("%s failed", name, exc_info=None if is_outage(error) else error)

        job.done.add_done_callback(log_failure)
        self._enqueue(job)

    async def close(self) -> None:
        """Write all waiting jobs, and close the connection."""
        if self._writing is not None:
            await self._writing
        await self._dedicated.close()

    def _begin_job(self, job: _Job) -> Awaitable[None]:
        self._watch.require_available()
        self._enqueue(job)
        return self._wait_for_job(job)

    async def _wait_for_job(self, job: _Job) -> None:
        with self._watch.guard_query(writing=True):
            await job.done

    def _enqueue(self, job: _Job) -> None:
        """Queue the job. If nothing is being written, begin to write the job before the event loop continues."""
        if self._writing is not None and not self._writing.done():
            self._waiting.append(job)
        else:
            self._writing = asyncio.create_task(self._drain_queue([job], self._begin_writing([job])))

    async def _drain_queue(self, jobs: Sequence[_Job], writing: Awaitable[Outcomes]) -> None:
        """Finish the jobs that are being written, then all waiting jobs."""
        await self._finish_jobs(jobs, writing)
        while self._waiting:
            queue, self._waiting = self._waiting, []
            waiting = [job for job in queue if not job.done.cancelled()]
            await self._finish_jobs([job for job in waiting if job.work is None])
            for job in waiting:
                if job.work is not None:
                    await self._finish_jobs([job])

    def _begin_writing(self, jobs: Sequence[_Job]) -> Awaitable[Outcomes]:
        """Begin to write these jobs: any number of inserts, or a single job with `work`."""
        write = self._insert_entries if jobs[0].work is None else partial(self._run_work, jobs[0].work)
        return self._dedicated.run(partial(_write_with_table_check, partial(write, jobs)))

    async def _finish_jobs(self, jobs: Sequence[_Job], writing: Awaitable[Outcomes] | None = None) -> None:
        """Write the jobs. If the connection is lost, try once more.

        Jobs that were committed before the loss get a key conflict in the second attempt. `writing` is a first attempt
        that has already begun.
        """
        connection_error: Exception | None = None
        while jobs:
            try:
                if writing is None:
                    self._watch.require_available()
                    writing = self._begin_writing(jobs)
                outcomes = await writing
            except Exception as error:
                await self._dedicated.discard_connection()
                if connection_error or not (isinstance(error, DBAPIError) and error.connection_invalidated):
                    self._fail_jobs(
                        jobs, connection_error if connection_error is not None and is_outage(error) else error
                    )
                    return
                connection_error, writing = error, None
                jobs = [job for job in jobs if not job.done.done()]
            else:
                for job, outcome in zip(jobs, outcomes, strict=True):
                    job.complete(outcome)
                return

    def _fail_jobs(self, jobs: Sequence[_Job], error: Exception) -> None:
        """End the jobs with an error. Record an outage, so that the next jobs fail without an attempt."""
        if is_outage(error):
            self._watch.record_failure(error)
        for job in jobs:
            job.complete(error)

    def _insert_entries(self, jobs: Sequence[_Job], connection: Connection) -> Outcomes:
        """Insert all entries in one commit. After a key conflict, insert each entry separately."""
        entries = [job.entry for job in jobs]
        if (
            len(entries) > 1
            and self._run_in_transaction(connection, lambda: insert_entries(connection, entries)) is None
        ):
            return [None] * len(entries)
        return [_try_write(partial(insert_entries, connection, [entry])) for entry in entries]

    def _run_work(self, work: Work, _: Sequence[_Job], connection: Connection) -> Outcomes:
        return [self._run_in_transaction(connection, lambda: work(connection))]

    def _run_in_transaction(self, connection: Connection, write: Callable[[], object]) -> IntegrityError | None:
        """Run `write` in one transaction. Return the key conflict that rolled it back, or None."""
        connection.exec_driver_sql(self._dedicated.begin)
        try:
            write()
            connection.exec_driver_sql("COMMIT")
        except BaseException as error:
            if not is_outage(error):  # after an outage the connection is discarded
                with suppress(DBAPIError, InvalidRequestError):  # a lost connection has no transaction to roll back
                    connection.exec_driver_sql("ROLLBACK")
            if isinstance(error, IntegrityError):
                return error
            raise
        return None


def _write_with_table_check(write: Callable[[Connection], Outcomes], connection: Connection) -> Outcomes:
    """Run `write`, and return its outcomes. Raises ProgramOutdated if a job failed and the tables are newer."""
    outcomes = write(connection)
    if any(outcomes):
        require_current_program(connection)
    return outcomes


def _try_write(write: Callable[[], object]) -> IntegrityError | None:
    """Run `write`. Return the key conflict that it raised, or None."""
    try:
        write()
    except IntegrityError as error:
        return error
    return None
