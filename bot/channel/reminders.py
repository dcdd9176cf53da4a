"""Reminders of a game's clock: what is due, claimed by one process, sent, and then never again.

Nothing of it is written before it is due: it follows from the journal. A claim is a lease: where a process dies with
one, another takes it up, and Discord takes one message of both by its `nonce`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import blake2s
from typing import Any

from sqlalchemy import ColumnElement, Row, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from bot.games.clock import Deadline, deadline, kept_quiet
from bot.journal.audience import viewers_in
from bot.services import Games
from bot.store import Store
from bot.store.tables import CLOCKS, ENTRIES, GAMES, REMINDERS

LEASE = timedelta(minutes=2)
"""Lease duration of a claimed reminder. An unsent reminder may then be claimed again."""

TRY_AGAIN = timedelta(minutes=10)
"""Time after which a reminder that Discord forbade is tried again: somebody may have given the right meanwhile."""


class Which(StrEnum):
    """What a reminder says of a deadline."""

    HALF = "half"
    NEARLY = "nearly"
    OVER = "over"


SHARES = {Which.OVER: 1.0, Which.NEARLY: 0.9, Which.HALF: 0.5}
"""Share of the allowed time at which each reminder is due; a later reminder replaces earlier ones."""


@dataclass(frozen=True)
class Due:
    """A reminder that is due now."""

    game: str
    channel: int
    deadline: Deadline
    which: Which

    @property
    def nonce(self) -> str:
        """By which Discord knows the same reminder, sent twice."""
        name = "|".join((self.game, self.deadline.side, str(self.deadline.since), self.which))
        return blake2s(name.encode(), digest_size=12).hexdigest()


@dataclass
class _Known:
    """Cached deadlines and sent reminders of a game, valid until the next entry."""

    seq: int
    deadlines: Sequence[Deadline]
    sent: set[str] = field(default_factory=set)


class Reminders:
    """Reminders for stored games with a clock."""

    def __init__(self, store: Store, games: Games) -> None:
        self._store, self._games = store, games
        self._known: dict[str, _Known] = {}

    async def due(self) -> list[Due]:
        """Return what is due and not known to be sent. In quiet hours nothing is."""
        now, found = self._games.clocks.now(), list[Due]()
        rows = await self._clocks()
        self._known = {row.id: self._known[row.id] for row in rows if row.id in self._known}
        for row in rows:
            quiet = kept_quiet(row.quiet)
            if quiet is not None and quiet.over(now) > now:
                continue
            known = await self._of(row)
            for one in known.deadlines:
                which = next((which for which, share in SHARES.items() if one.after(share) <= now), None)
                if which is not None:
                    found.append(Due(row.id, row.channel, one, which))
        return [due for due in found if due.nonce not in self._known[due.game].sent]

    async def claim(self, due: Due) -> bool:
        """Claim the reminder for this process for the lease duration. Return whether the claim succeeded."""
        now, claimed = self._games.clocks.now(), list[bool]()

        def claim(connection: Connection) -> None:
            row = connection.execute(select(REMINDERS.c.claimed, REMINDERS.c.sent).where(*_key(due))).first()
            if row is None:
                connection.execute(insert(REMINDERS).values(**_key_columns(due), claimed=now))
                claimed.append(True)
            elif row.sent is not None:
                self._known[due.game].sent.add(due.nonce)
            elif row.claimed <= now - LEASE:
                still = update(REMINDERS).where(*_key(due), REMINDERS.c.claimed == row.claimed)
                claimed.append(connection.execute(still.values(claimed=now)).rowcount == 1)

        try:
            await self._store.writer.run(claim)
        except IntegrityError:
            return False
        return any(claimed)

    async def sent(self, due: Due) -> None:
        """Record the reminder as sent or no longer needed."""
        now: datetime = self._games.clocks.now()

        def note(connection: Connection) -> None:
            connection.execute(update(REMINDERS).where(*_key(due)).values(sent=now))

        await self._store.writer.run(note)
        self._known[due.game].sent.add(due.nonce)

    async def put_off(self, due: Due) -> None:
        """Have the reminder tried again after TRY_AGAIN, by whichever process then claims it."""
        claimed = self._games.clocks.now() + TRY_AGAIN - LEASE

        def note(connection: Connection) -> None:
            connection.execute(update(REMINDERS).where(*_key(due)).values(claimed=claimed))

        await self._store.writer.run(note)

    async def _clocks(self) -> Sequence[Row[Any]]:
        """Return every running game with a clock, and whom it waits for: the one question asked every minute."""
        of_game = select(func.max(ENTRIES.c.seq)).where(ENTRIES.c.game == GAMES.c.id)
        newest = of_game.correlate(GAMES).scalar_subquery()
        asked = (
            select(GAMES.c.id, GAMES.c.channel, CLOCKS.c.hours, CLOCKS.c.quiet)
            .add_columns(ENTRIES.c.seq, ENTRIES.c.turn, ENTRIES.c.waits)
            .join(CLOCKS, CLOCKS.c.game == GAMES.c.id)
            .join(ENTRIES, (ENTRIES.c.game == GAMES.c.id) & (ENTRIES.c.seq == newest))
            .where(GAMES.c.ended.is_(None))
        )
        async with self._store.ask() as connection:
            return (await connection.execute(asked)).all()

    async def _of(self, row: Row[Any]) -> _Known:
        """Return the cached deadlines and reminders of a game, reloaded if the game has a newer entry."""
        known = self._known.get(row.id)
        if known is None or known.seq != row.seq:
            waits = sorted(viewers_in(row.waits) or ())
            async with self._store.ask() as connection:
                found = [await deadline(connection, row.id, row.turn, side, row.hours) for side in waits]
            known = self._known[row.id] = _Known(row.seq, [one for one in found if one is not None])
        return known


def _key_columns(due: Due) -> dict[str, str | int]:
    return {"game": due.game, "side": due.deadline.side, "since": due.deadline.since, "which": due.which.value}


def _key(due: Due) -> list[ColumnElement[bool]]:
    return [REMINDERS.c[name] == value for name, value in _key_columns(due).items()]
