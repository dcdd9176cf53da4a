"""A game's clock: the hours that each side has for a turn, counted from journal entries."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import ColumnElement, and_, delete, func, insert, or_, select
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game
from bot.journal.ledger import Ledger
from bot.store.tables import CLOCKS, ENTRIES
from rules.core.model import PUBLIC, Viewer
from rules.core.refusal import Refused
from rules.core.report import Report

from .opponents import UNSEATED
from .quiet_hours import QuietHours, kept_quiet_of, parse_quiet_hours
from .rights import require_umpire
from .seats import RELIEVED

CLOCK, EXTENDED, SUBSTITUTED = "game clock", "game extend", "game substitute"
"""Kinds of entries that restart the time: `CLOCK` for all sides, the others for the entry's side."""
MOST_HOURS = 24 * 30
NO_CLOCK = "This game has no clock. The umpire sets one with /game clock hours:48 and perhaps quiet:22-7 Europe/Berlin."


@dataclass(frozen=True)
class Clock:
    """A side's hours per turn, and quiet hours without reminders (None without)."""

    hours: int
    quiet: QuietHours | None


@dataclass(frozen=True)
class Deadline:
    """A side's time limit: `hours` after `began`, the time of public entry number `since`."""

    side: Viewer
    since: int
    began: datetime
    hours: int

    @property
    def ends(self) -> datetime:
        """The moment at which the allowed time ends."""
        return self.after(1)

    def after(self, share: float) -> datetime:
        """Return the moment at which `share` (0-1) of the allowed time has passed."""
        return self.began + timedelta(hours=self.hours * share)


class Clocks:
    """Service for the clocks of games."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def now(self) -> datetime:
        """Return the present moment."""
        return datetime.now(UTC)

    async def clock(self, game: Game) -> Clock | None:
        """Return the game's clock, or None without a clock."""
        query = select(CLOCKS.c.hours, CLOCKS.c.quiet).where(CLOCKS.c.game == game.id)
        async with self._ledger.store.ask() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else Clock(row.hours, read_quiet_hours(row.quiet))

    async def deadlines(self, game: Game) -> tuple[Deadline, ...]:
        """Return the deadlines of all awaited sides. Empty without a clock."""
        clock = await self.clock(game)
        if clock is None:
            return ()
        async with self._ledger.store.ask() as connection:
            turn, waits = game.state.turn, sorted(game.waits_for)
            found = [await find_deadline(connection, game.id, turn, side, clock.hours) for side in waits]
        return tuple(one for one in found if one is not None)

    async def set_clock(
        self, channel: int, actor: Actor, hours: int | None, quiet: str | None, *, interaction: int = 0
    ) -> Game:
        """Set the game's clock, or stop it with 0 hours, and restart the time of all sides.

        `hours` or `quiet` of None keep their old value. Raises NotAllowed unless the actor is the umpire, UserError or
        Refused for invalid quiet hours, UserError if there is no clock to change.
        """
        wanted = None if quiet is None else parse_quiet_hours(quiet)
        change = _ClockChange(actor, hours, quiet is not None, wanted)
        played = await self._ledger.read_and_change(channel, actor, self.clock, change.draft, interaction=interaction)
        return played[0].game


@dataclass(frozen=True)
class _ClockChange:
    """New hours and quiet hours. `hours` of None or `sets_quiet` of False keep the old value."""

    actor: Actor
    hours: int | None
    sets_quiet: bool
    quiet: QuietHours | None

    def draft(self, game: Game, before: Clock | None) -> Draft:
        """Draft the entry. Raises NotAllowed, UserError."""
        require_umpire(game, self.actor, "set the clock")
        if before is None and not self.hours:
            raise UserError(NO_CLOCK)
        old = before or Clock(0, None)
        hours = old.hours if self.hours is None else self.hours
        clock = Clock(hours, self.quiet if self.sets_quiet else old.quiet)
        what = f"gives each turn {format_hours(hours)}" if hours else "stops the clock"
        return Draft(
            kind=CLOCK,
            report=Report(headline=f"{self.actor.name} {what}", outcome=describe_clock(clock), side=PUBLIC),
            action={"hours": hours, "quiet": str(clock.quiet or "")},
            state_seq=game.state_seq,
            waits=game.all_awaited_sides,
            also=partial(_store_clock, game=game.id, clock=clock),
        )


def _store_clock(connection: Connection, game: str, clock: Clock) -> None:
    connection.execute(delete(CLOCKS).where(CLOCKS.c.game == game))
    if clock.hours:
        row = {"game": game, "hours": clock.hours, "quiet": str(clock.quiet or "")}
        connection.execute(insert(CLOCKS), row)


def format_hours(hours: int) -> str:
    """Return `1 hour` or `48 hours`."""
    return f"{hours} hour{'s' * (hours != 1)}"


def describe_clock(clock: Clock) -> str:
    """Return a sentence about when reminders come, or an empty string for a stopped clock."""
    if not clock.hours:
        return ""
    but = f", not from {clock.quiet}" if clock.quiet else ""
    return f"Reminders come at half and at nine tenths of the time{but}."


def read_quiet_hours(words: str) -> QuietHours | None:
    """Parse stored quiet hours. Return None for none, and for a time zone that is no longer known."""
    try:
        return kept_quiet_of(words)
    except (UserError, Refused):
        return None


async def find_deadline(connection: AsyncConnection, game: str, turn: int, side: Viewer, hours: int) -> Deadline | None:
    """Return a side's deadline in `turn`, or None if the game does not wait for the side.

    Time counts from the entry since which the game has waited for the side without a break in this turn. A newer entry
    may restart the time.
    """
    here = ENTRIES.c.game == game
    not_waiting = or_(ENTRIES.c.waits.is_(None), ~entry_waits_for(side), ENTRIES.c.turn != turn)
    last = select(func.coalesce(func.max(ENTRIES.c.seq), 0)).where(here, not_waiting).scalar_subquery()
    first = select(func.min(ENTRIES.c.seq)).where(here, ENTRIES.c.seq > last).scalar_subquery()
    for_side = and_(ENTRIES.c.kind.in_((EXTENDED, SUBSTITUTED, UNSEATED, RELIEVED)), ENTRIES.c.side == side)
    restarts = or_(ENTRIES.c.seq == first, ENTRIES.c.kind == CLOCK, for_side)
    query = select(ENTRIES.c.public, ENTRIES.c.at, ENTRIES.c.kind, ENTRIES.c.action)
    query = query.where(here, ENTRIES.c.seq >= first, restarts).order_by(ENTRIES.c.seq.desc()).limit(1)
    row = (await connection.execute(query)).first()
    if row is None:
        return None
    return Deadline(side, row.public, row.at, row.action["hours"] if row.kind == EXTENDED else hours)


def entry_waits_for(side: Viewer) -> ColumnElement[bool]:
    """Return the SQL condition for entries after which the game waits for `side`."""
    return func.replace(ENTRIES.c.waits, f"\n{side}\n", "") != ENTRIES.c.waits
