"""Reminders of a game's clock.

The journal determines which reminders are due; a row is stored only for a claim. A claim is a lease: if its process
dies, another process sends the reminder. Discord drops a second message with the reminder's `nonce`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from hashlib import blake2s
from typing import Any

from sqlalchemy import ColumnElement, Row, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from bot.games.clock import load_deadlines, stored_quiet_hours_or_none
from bot.games.missed_turns import MISSED
from bot.games.turn_time import Deadline
from bot.journal.audience import read_viewers
from bot.services import Games
from bot.store import Store
from bot.store.queries import fetch_rows
from bot.store.tables import CLOCKS, ENTRIES, GAMES, REMINDERS
from rules.core.model import UMPIRE

LEASE = timedelta(minutes=2)
"""Lease duration of a claimed reminder. An unsent reminder may then be claimed again."""

TRY_AGAIN, TRY_AT_LEAST_EVERY = timedelta(minutes=10), timedelta(hours=6)
"""Delay before a refused reminder is tried again. The first value doubles with each refusal, up to the second."""
MOST_TRIES = 17
"""Maximum number of tries of a refused reminder."""


class ReminderKind(StrEnum):
    """When a reminder is due: after half the time, near the deadline, or after the deadline.

    ENDS is no reminder: no awaited side has time left, and the turn must end.
    """

    HALF = "half"
    NEARLY = "nearly"
    OVER = "over"
    ENDS = "ends"


SHARES = {ReminderKind.OVER: 1.0, ReminderKind.NEARLY: 0.9, ReminderKind.HALF: 0.5}
"""Share of the turn's time after which each reminder is due. Only the last due reminder of a side is sent."""


@dataclass(frozen=True)
class DueReminder:
    """A reminder that is due now."""

    game: str
    channel: int
    deadline: Deadline
    kind: ReminderKind
    is_late: bool = True
    """Whether the overdue side is still late. If not, a process died between recording and announcing the turn."""
    others: tuple[Deadline, ...] = ()
    """Deadlines of other sides at the same moment, included in the same message."""

    @property
    def deadlines(self) -> tuple[Deadline, ...]:
        """All deadlines in the reminder's message."""
        return (self.deadline, *self.others)

    @property
    def nonce(self) -> str:
        """The nonce of the reminder's message. If the message is sent twice, Discord drops the second message."""
        words = (word for deadline in self.deadlines for word in (deadline.side, str(deadline.since)))
        name = "|".join((self.game, *words, self.kind))
        return blake2s(name.encode(), digest_size=12).hexdigest()

    @property
    def single_reminders(self) -> "tuple[DueReminder, ...]":
        """One reminder for each deadline of this reminder."""
        return tuple(replace(self, deadline=deadline, others=()) for deadline in self.deadlines)


def join_reminders(due: Iterable[DueReminder]) -> Sequence[DueReminder]:
    """Join a game's reminders of one moment into one reminder, except those of missed turns."""
    joined: dict[tuple[Any, ...], DueReminder] = {}
    for reminder in due:
        moment = reminder.deadline.side if reminder.kind is ReminderKind.OVER else reminder.deadline.ends
        key = (reminder.game, reminder.kind, reminder.is_late, moment)
        first = joined.get(key)
        joined[key] = reminder if first is None else replace(first, others=(*first.others, reminder.deadline))
    return tuple(joined.values())


@dataclass
class _CachedReminders:
    """Cached deadlines and sent reminders of a game, valid until the next entry."""

    seq: int
    deadlines: tuple[Deadline, ...]
    is_complete: bool
    """Whether every awaited side has a deadline. If not, some side's clock is stopped indefinitely."""
    sent: set[str] = field(default_factory=set)


class Reminders:
    """Reminders for stored games with a clock."""

    def __init__(self, store: Store, games: Games) -> None:
        self._store, self._games = store, games
        self._known: dict[str, _CachedReminders] = {}

    async def find_due_reminders(self) -> list[DueReminder]:
        """Return the due reminders, except those that this process knows as sent. Quiet hours of a game have none."""
        now, reminders = self._games.clocks.now(), list[DueReminder]()
        rows = await self._load_clocks()
        unannounced = await self._load_unannounced_missed_turns([row.id for row in rows])
        self._known = {row.id: self._known[row.id] for row in rows if row.id in self._known}
        for row in rows:
            quiet = stored_quiet_hours_or_none(row.quiet)
            if quiet is not None and quiet.postpone(now) > now:
                continue
            record = await self._refresh_cached_reminders(row)
            ends_together = self._ends_turn_at_deadline(row)
            if (
                ends_together
                and record.deadlines
                and record.is_complete
                and all(deadline.ends <= now for deadline in record.deadlines)
            ):
                ends = ReminderKind.ENDS
                reminders.append(
                    DueReminder(row.id, row.channel, record.deadlines[0], ends, others=record.deadlines[1:])
                )
                continue
            for deadline in record.deadlines:
                kind = next((kind for kind, share in SHARES.items() if deadline.moment_after_share(share) <= now), None)
                if kind is not None and not (ends_together and kind is ReminderKind.OVER):
                    reminders.append(DueReminder(row.id, row.channel, deadline, kind))
            open_turns = {(deadline.side, deadline.since) for deadline in record.deadlines}
            reminders += [
                DueReminder(row.id, row.channel, deadline, ReminderKind.OVER, is_late=False)
                for deadline in unannounced.get(row.id, ())
                if (deadline.side, deadline.since) not in open_turns
            ]
        return [due for due in reminders if due.nonce not in self._known[due.game].sent]

    def _ends_turn_at_deadline(self, row: Row[Any]) -> bool:
        """Whether the turn ends at the deadline for all sides. No turn ends while the game waits for the umpire."""
        ruleset = self._games.rulesets.get(row.ruleset)
        return ruleset is not None and ruleset.ends_turn_at_deadline and UMPIRE not in (read_viewers(row.waits) or ())

    async def claim(self, due: DueReminder) -> bool:
        """Claim the reminder for this process, for the duration LEASE. Return whether the claim succeeded."""
        now, claimed = self._games.clocks.now(), list[bool]()

        def store_claim(connection: Connection) -> None:
            row = connection.execute(select(REMINDERS.c.claimed, REMINDERS.c.sent).where(*_row_conditions(due))).first()
            if row is None:
                connection.execute(insert(REMINDERS).values(**_reminder_key(due), claimed=now))
                claimed.append(True)
            elif row.sent is not None:
                self._known[due.game].sent.add(due.nonce)
            elif row.claimed <= now - LEASE:
                still = update(REMINDERS).where(*_row_conditions(due), REMINDERS.c.claimed == row.claimed)
                claimed.append(connection.execute(still.values(claimed=now)).rowcount == 1)

        try:
            await self._store.writer.run(store_claim)
        except IntegrityError:
            return False
        return any(claimed)

    async def mark_sent(self, due: DueReminder) -> None:
        """Record the reminder as sent or no longer needed."""
        now = self._games.clocks.now()
        await self._store.writer.execute(
            *(update(REMINDERS).where(*_row_conditions(reminder)).values(sent=now) for reminder in due.single_reminders)
        )
        self._known[due.game].sent.update(reminder.nonce for reminder in due.single_reminders)

    async def postpone_reminder(self, due: DueReminder) -> tuple[bool, bool]:
        """Schedule another try of a reminder that Discord refused, after a wait that doubles each time.

        Return two flags: whether this is the first refusal since the game's last sent reminder, and whether
        this was the last try.
        """
        now, tries, refused_before = self._games.clocks.now(), list[int](), list[bool]()

        def store_refusal(connection: Connection) -> None:
            refused: int = connection.execute(select(REMINDERS.c.tries).where(*_row_conditions(due))).scalar_one() + 1
            wait = min(TRY_AGAIN * 2 ** (refused - 1), TRY_AT_LEAST_EVERY)
            refused_before.append(refused > 1 or _has_refused_reminder(connection, due.game))
            given_up = {"sent": now} if refused >= MOST_TRIES else {}
            changed = {"tries": refused, "claimed": now + wait - LEASE, **given_up}
            for reminder in due.single_reminders:
                connection.execute(update(REMINDERS).where(*_row_conditions(reminder)).values(changed))
            tries.append(refused)

        await self._store.writer.run(store_refusal)
        if tries[-1] >= MOST_TRIES:
            self._known[due.game].sent.update(reminder.nonce for reminder in due.single_reminders)
        return not refused_before[-1], tries[-1] >= MOST_TRIES

    async def _load_clocks(self) -> Sequence[Row[Any]]:
        """Return the rows of running games with a clock.

        A row includes the game's newest entry and awaited sides. This query runs every minute, like
        `_load_unannounced_missed_turns`.
        """
        of_game = select(func.max(ENTRIES.c.seq)).where(ENTRIES.c.game == GAMES.c.id)
        newest = of_game.correlate(GAMES).scalar_subquery()
        query = (
            select(GAMES.c.id, GAMES.c.channel, GAMES.c.ruleset, CLOCKS.c.quiet)
            .add_columns(ENTRIES.c.seq, ENTRIES.c.turn, ENTRIES.c.waits)
            .join(CLOCKS, CLOCKS.c.game == GAMES.c.id)
            .join(ENTRIES, (ENTRIES.c.game == GAMES.c.id) & (ENTRIES.c.seq == newest))
            .where(GAMES.c.ended.is_(None))
        )
        return await fetch_rows(self._store, query)

    async def _load_unannounced_missed_turns(self, games: Sequence[str]) -> Mapping[str, Sequence[Deadline]]:
        """Return, by game, the deadlines of missed turns that are recorded but not announced.

        This finds announcements whose process died, and those that Discord refused.
        """
        claimed = REMINDERS.c.claimed <= self._games.clocks.now() - LEASE
        unsent = select(REMINDERS.c.game, REMINDERS.c.side, REMINDERS.c.since).where(
            REMINDERS.c.game.in_(games), REMINDERS.c.which == ReminderKind.OVER.value
        )
        unsent = unsent.where(claimed, REMINDERS.c.sent.is_(None))
        deadlines: dict[str, list[Deadline]] = {}
        missed_turns = {(row.game, row.side, row.since) for row in await fetch_rows(self._store, unsent)}
        if not missed_turns:
            return deadlines
        of_games = ENTRIES.c.game.in_({game for game, *_ in missed_turns}), ENTRIES.c.kind == MISSED
        entries = select(ENTRIES.c.game, ENTRIES.c.at, ENTRIES.c.action).where(*of_games)
        for row in await fetch_rows(self._store, entries):
            side, since = row.action.get("side"), row.action.get("since")
            if (row.game, side, since) in missed_turns:
                deadlines.setdefault(row.game, []).append(Deadline(side, since, row.at, row.at))
        return deadlines

    async def _refresh_cached_reminders(self, row: Row[Any]) -> _CachedReminders:
        """Return a game's cached deadlines and sent reminders, loaded again after a new entry."""
        record = self._known.get(row.id)
        if record is None or record.seq != row.seq:
            async with self._store.query_connection() as connection:
                ruleset, waits = self._games.rulesets.get(row.ruleset), read_viewers(row.waits) or ()
                deadlines = tuple(await load_deadlines(connection, row.id, ruleset, row.turn, waits))
            record = self._known[row.id] = _CachedReminders(row.seq, deadlines, len(deadlines) == len(waits))
        return record


def _has_refused_reminder(connection: Connection, game: str) -> bool:
    """Whether Discord has refused a reminder since the game last sent one."""
    in_game, was_sent = REMINDERS.c.game == game, REMINDERS.c.sent.is_not(None) & (REMINDERS.c.tries < MOST_TRIES)
    last_sent = connection.execute(select(func.max(REMINDERS.c.sent)).where(in_game, was_sent)).scalar()
    refused = [in_game, REMINDERS.c.tries > 0, ~was_sent, *([REMINDERS.c.claimed > last_sent] if last_sent else [])]
    return connection.execute(select(REMINDERS.c.side).where(*refused).limit(1)).first() is not None


def _reminder_key(due: DueReminder) -> dict[str, str | int]:
    return {"game": due.game, "side": due.deadline.side, "since": due.deadline.since, "which": due.kind.value}


def _row_conditions(due: DueReminder) -> list[ColumnElement[bool]]:
    return [REMINDERS.c[name] == value for name, value in _reminder_key(due).items()]
