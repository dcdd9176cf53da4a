"""The one connection that writes games, kept open. What waits at the same time shares a commit.

Acknowledged means committed: `insert` and `run` return only then.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sqlalchemy import insert
from sqlalchemy.exc import DBAPIError, IntegrityError, InvalidRequestError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from .tables import ENTRIES
from .watch import Watch, is_away

log = logging.getLogger(__name__)

Work: TypeAlias = Callable[[AsyncConnection], Awaitable[None]]
"""Changes made on a connection, all or none of them."""

INSERT = insert(ENTRIES)


@dataclass(eq=False)
class _Job:
    """What waits to be written: an entry alone, or work in a transaction of its own."""

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
    """Writes what is handed to it in order; `engine` commits each statement by itself.

    Where the database is away, nobody waits longer than for one try: what has not begun by then is refused with it.
    """

    def __init__(self, engine: AsyncEngine, begin: str, watch: Watch) -> None:
        self._engine = engine
        self._begin = begin
        self._watch = watch
        self._connection: AsyncConnection | None = None
        self._waiting: list[_Job] = []
        self._writing: asyncio.Task[None] | None = None

    async def insert(self, entry: Mapping[str, Any]) -> None:
        """Adds an entry to its journal. Raises IntegrityError where its number or its interaction is taken.

        Raises DatabaseAway; where it may have been written all the same, Unsure.
        """
        await self._ended(_Job(entry=entry))

    async def run(self, work: Work) -> None:
        """Does the work in a transaction. Raises IntegrityError where a key is taken, and as `insert` does."""
        await self._ended(_Job(work=work))

    def run_later(self, work: Work, what: str) -> None:
        """Does the work in a transaction when there is time; where it fails, the log says `what` did."""
        job = self._queued(_Job(work=work))

        def tell(done: "asyncio.Future[None]") -> None:
            if not done.cancelled() and (error := done.exception()) is not None:
                log.warning("%s failed", what, exc_info=None if is_away(error) else error)

        job.done.add_done_callback(tell)

    async def close(self) -> None:
        """Writes what still waits, and gives the connection back."""
        if self._writing is not None:
            await self._writing
        await self._give_up_connection()

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
                    await self._tried([job], self._transact)

    async def _tried(
        self, jobs: Sequence[_Job], write: Callable[[AsyncConnection, Sequence[_Job]], Awaitable[None]]
    ) -> None:
        """Writes the jobs; once more where the connection was lost. What was committed already then fails its key."""
        lost: Exception | None = None
        while jobs := [job for job in jobs if not job.done.done()]:
            try:
                self._watch.require()
                await write(await self._connected(), jobs)
            except Exception as error:
                await self._give_up_connection()
                if lost or not (isinstance(error, DBAPIError) and error.connection_invalidated):
                    self._fail(jobs, lost if lost is not None and is_away(error) else error)
                    return
                lost = error

    def _fail(self, jobs: Sequence[_Job], error: Exception) -> None:
        """Ends the jobs with what befell them; after one of them the next in the queue need not try."""
        if is_away(error):
            self._watch.failed(error)
        for job in jobs:
            job.end(error)

    async def _insert(self, connection: AsyncConnection, jobs: Sequence[_Job]) -> None:
        """All entries in one commit; where one fails its key, each alone, so that only the loser hears of it."""
        if len(jobs) > 1:
            try:
                await self._in_transaction(connection, lambda: connection.execute(INSERT, [job.entry for job in jobs]))
            except IntegrityError:
                pass
            else:
                for job in jobs:
                    job.end()
                return
        for job in jobs:
            await self._told(job, connection.execute(INSERT, job.entry))

    async def _transact(self, connection: AsyncConnection, jobs: Sequence[_Job]) -> None:
        (job,) = jobs
        work = job.work
        assert work is not None
        await self._told(job, self._in_transaction(connection, lambda: work(connection)))

    async def _told(self, job: _Job, writing: Awaitable[Any]) -> None:
        """Ends the job as its writing ends, but for what fails other jobs as well."""
        try:
            await writing
        except IntegrityError as error:
            job.end(error)
        else:
            job.end()

    async def _in_transaction(self, connection: AsyncConnection, write: Callable[[], Awaitable[Any]]) -> None:
        await connection.exec_driver_sql(self._begin)
        try:
            await write()
            await connection.exec_driver_sql("COMMIT")
        except BaseException as error:
            if not is_away(error):  # else the connection is given up
                with suppress(DBAPIError, InvalidRequestError):  # and one that was lost has nothing to take back
                    await connection.exec_driver_sql("ROLLBACK")
            raise

    async def _connected(self) -> AsyncConnection:
        if self._connection is None:
            self._connection = await self._engine.connect()
        return self._connection

    async def _give_up_connection(self) -> None:
        """Closes it for good: what stands half done on it is seen by nobody."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(DBAPIError, InvalidRequestError):
                await connection.invalidate()
            await connection.close()
