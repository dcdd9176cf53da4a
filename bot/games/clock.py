"""A game's clock: each side's time for a turn, counted from journal entries."""

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
from .quiet_hours import Quiet, kept_quiet_of, quiet_of
from .rights import require_umpire
from .seats import RELIEVED

CLOCK, EXTENDED, SUBSTITUTED = "game clock", "game extend", "game substitute"
"""Kinds of entries from which time is counted anew: for all sides, or for the entry's."""
MOST_HOURS = 24 * 30
NO_CLOCK = "This game has no clock. The umpire sets one with /game clock hours:48 and perhaps quiet:22-7 Europe/Berlin."


@dataclass(frozen=True)
class Clock:
    """Hours per turn for a side, and quiet hours without reminders."""

    hours: int
    quiet: Quiet | None


@dataclass(frozen=True)
class Deadline:
    """Until when a side has time: `hours` from an entry; by then `since` entries were for everyone."""

    side: Viewer
    since: int
    began: datetime
    hours: int

    @property
    def ends(self) -> datetime:
        """Return the moment when the allowed time ends."""
        return self.after(1)

    def after(self, share: float) -> datetime:
        """Return the moment when `share` (0-1) of the allowed time has passed."""
        return self.began + timedelta(hours=self.hours * share)


class Clocks:
    """The clocks of games."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def now(self) -> datetime:
        """Return the present moment."""
        return datetime.now(UTC)

    async def clock(self, game: Game) -> Clock | None:
        """Return the game's clock, or None for games without one."""
        asked = select(CLOCKS.c.hours, CLOCKS.c.quiet).where(CLOCKS.c.game == game.id)
        async with self._ledger.store.ask() as connection:
            row = (await connection.execute(asked)).first()
        return None if row is None else Clock(row.hours, kept_quiet(row.quiet))

    async def deadlines(self, game: Game) -> tuple[Deadline, ...]:
        """Return the deadlines of all waited-for sides; none without a clock."""
        clock = await self.clock(game)
        if clock is None:
            return ()
        async with self._ledger.store.ask() as connection:
            turn, waits = game.state.turn, sorted(game.waits_for)
            found = [await deadline(connection, game.id, turn, side, clock.hours) for side in waits]
        return tuple(one for one in found if one is not None)

    async def set_clock(
        self, channel: int, actor: Actor, hours: int | None, quiet: str | None, *, interaction: int = 0
    ) -> Game:
        """Sets the game's clock, or with 0 hours ends it; what is None stays. Time is counted anew from now.

        Raises NotAllowed for all but the umpire, UserError and Refused on quiet hours that are none.
        """
        wanted = None if quiet is None else quiet_of(quiet)
        change = _ClockChange(actor, hours, quiet is not None, wanted)
        played = await self._ledger.read_and_change(channel, actor, self.clock, change.draft, interaction=interaction)
        return played[0].game


@dataclass(frozen=True)
class _ClockChange:
    """New hours and quiet hours; `hours` of None, or `sets_quiet` of False, leave the old."""

    actor: Actor
    hours: int | None
    sets_quiet: bool
    quiet: Quiet | None

    def draft(self, game: Game, before: Clock | None) -> Draft:
        """Return the entry. Raises NotAllowed, UserError."""
        require_umpire(game, self.actor, "set the clock")
        if before is None and not self.hours:
            raise UserError(NO_CLOCK)
        kept = before or Clock(0, None)
        hours = kept.hours if self.hours is None else self.hours
        clock = Clock(hours, self.quiet if self.sets_quiet else kept.quiet)
        does = f"gives each turn {in_hours(hours)}" if hours else "stops the clock"
        return Draft(
            kind=CLOCK,
            report=Report(headline=f"{self.actor.name} {does}", outcome=in_words(clock), side=PUBLIC),
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


def in_hours(hours: int) -> str:
    """`1 hour`, `48 hours`."""
    return f"{hours} hour{'s' * (hours != 1)}"


def in_words(clock: Clock) -> str:
    """When reminders come."""
    if not clock.hours:
        return ""
    but = f", not from {clock.quiet}" if clock.quiet else ""
    return f"Reminders come at half and at nine tenths of the time{but}."


def kept_quiet(words: str) -> Quiet | None:
    """Quiet hours as they were kept; none where the time zone is no longer known."""
    try:
        return kept_quiet_of(words)
    except (UserError, Refused):
        return None


async def deadline(connection: AsyncConnection, game: str, turn: int, side: Viewer, hours: int) -> Deadline | None:
    """Return a side's deadline for its turn, or None if the newest entry does not wait for the side.

    It counts from the first entry of the turn since which the game has waited for it, or from the newest after that
    which gives new time.
    """
    here = ENTRIES.c.game == game
    broken = or_(ENTRIES.c.waits.is_(None), ~waits_for(side), ENTRIES.c.turn != turn)
    last = select(func.coalesce(func.max(ENTRIES.c.seq), 0)).where(here, broken).scalar_subquery()
    first = select(func.min(ENTRIES.c.seq)).where(here, ENTRIES.c.seq > last).scalar_subquery()
    for_side = and_(ENTRIES.c.kind.in_((EXTENDED, SUBSTITUTED, UNSEATED, RELIEVED)), ENTRIES.c.side == side)
    anew = or_(ENTRIES.c.seq == first, ENTRIES.c.kind == CLOCK, for_side)
    asked = select(ENTRIES.c.public, ENTRIES.c.at, ENTRIES.c.kind, ENTRIES.c.action)
    asked = asked.where(here, ENTRIES.c.seq >= first, anew).order_by(ENTRIES.c.seq.desc()).limit(1)
    row = (await connection.execute(asked)).first()
    if row is None:
        return None
    return Deadline(side, row.public, row.at, row.action["hours"] if row.kind == EXTENDED else hours)


def waits_for(side: Viewer) -> ColumnElement[bool]:
    """Return the entries after which the game waits for that side."""
    return func.replace(ENTRIES.c.waits, f"\n{side}\n", "") != ENTRIES.c.waits
