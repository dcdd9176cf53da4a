"""A game's clock, which the umpire sets, and the deadlines that follow from the journal."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import and_, delete, func, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game
from bot.journal.ledger import Ledger
from bot.store.tables import CLOCKS, ENTRIES
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.ruleset import Ruleset

from .clock_change import ClockChange, apply_clock_change, describe_clock_settings, format_turn_time
from .daily_end import parse_daily_end
from .missed_turns_setting import parse_missed_turns_setting
from .opponents import UNSEATED
from .quiet_hours import QuietHours, parse_stored_quiet_hours
from .rights import require_umpire
from .service import Service
from .stops import GameStops, load_stops
from .successors import JOINED, LEFT, RELIEVED, SUBSTITUTED
from .turn_time import Clock, ClockStop, Deadline, compute_deadline

CLOCK, EXTENDED = "game clock", "game extend"
"""Kinds of entries that restart the time of a turn. `CLOCK` restarts it for all sides, `EXTENDED` for one side."""
SEAT_CHANGES = (JOINED, LEFT, RELIEVED, SUBSTITUTED, UNSEATED)
"""Kinds of entries that change who plays a side. The side's time then begins again."""
MOST_HOURS = 24 * 30


class Clocks(Service):
    """Service for the clocks of games."""

    def now(self) -> datetime:
        """Return the present moment."""
        return datetime.now(UTC)

    async def load_clock(self, game: Game) -> Clock | None:
        """Return the game's clock, or None without a clock."""
        async with self._ledger.store.query_connection() as connection:
            return await load_clock(connection, game.id)

    async def load_stops(self, game: Game) -> GameStops:
        """Return the game's pauses and absences."""
        async with self._ledger.store.query_connection() as connection:
            return await load_stops(connection, game.id)

    async def load_deadlines(self, game: Game) -> tuple[Deadline, ...]:
        """Return the deadlines of the awaited sides, or an empty tuple without a clock.

        A side has no deadline while its clock is stopped without a known end.
        """
        async with self._ledger.store.query_connection() as connection:
            return tuple(await load_deadlines(connection, game.id, game.ruleset, game.state.turn, game.awaited_viewers))

    async def set_clock(self, channel: int, actor: Actor, change: ClockChange, *, interaction: int = 0) -> Game:
        """Set the game's clock, or stop it with 0 hours. The time of all sides begins again.

        Raises NotAllowed unless the actor is the umpire. Raises UserError if there is no clock to change, or if a
        fixed hour has no time zone.
        """
        draft = partial(_draft_clock_change, actor=actor, change=change)
        played = await self._ledger.read_and_change(channel, actor, self.load_clock, draft, interaction=interaction)
        return played[0].game


class ClockReadingService(Service):
    """A service that also reads the clocks of games."""

    def __init__(self, ledger: Ledger, clocks: Clocks) -> None:
        super().__init__(ledger)
        self._clocks = clocks


def _draft_clock_change(game: Game, before: Clock | None, actor: Actor, change: ClockChange) -> Draft:
    """Draft the entry of a changed clock. Raises NotAllowed, UserError."""
    require_umpire(game, actor, "set the clock")
    clock = apply_clock_change(before, change)
    effect = f"gives each turn {format_turn_time(clock)}" if clock.hours else "stops the clock"
    columns = make_clock_document(clock)
    row = {"game": game.id, "daily": columns.pop("at"), **columns}
    clear = delete(CLOCKS).where(CLOCKS.c.game == game.id)
    return Draft(
        kind=CLOCK,
        report=Report(headline=f"{actor.name} {effect}", outcome=describe_clock_settings(clock), side=PUBLIC),
        action=make_clock_document(clock),
        state_seq=game.state_seq,
        waits=game.all_awaited_sides,
        changes=[clear, insert(CLOCKS).values(row)] if clock.hours else [clear],
    )


def make_clock_document(clock: Clock) -> dict[str, Any]:
    """Return the clock as a document for the journal. Older entries have only `hours`, `quiet` and `at`."""
    texts = {"quiet": clock.quiet, "at": clock.daily_end, "missed": clock.after_missed}
    numbers = {"hours": clock.hours, "days_away": clock.days_away}
    return {**numbers, **{name: str(value or "") for name, value in texts.items()}}


def stored_quiet_hours_or_none(words: str) -> QuietHours | None:
    """Return the stored quiet hours, or None if there are none or their time zone is unknown."""
    try:
        return parse_stored_quiet_hours(words)
    except (UserError, Refused):
        return None


async def load_clock(connection: AsyncConnection, game: str) -> Clock | None:
    """Return the game's stored clock, or None without a clock.

    If a stored fixed hour has an unknown time zone, the returned clock has no fixed hour.
    """
    row = (await connection.execute(select(CLOCKS).where(CLOCKS.c.game == game))).first()
    if row is None:
        return None
    try:
        daily_end = parse_daily_end(row.daily)
    except (UserError, Refused):
        daily_end = None
    after_missed = parse_missed_turns_setting(row.missed)
    return Clock(row.hours, stored_quiet_hours_or_none(row.quiet), daily_end, row.days_away, after_missed)


async def load_deadlines(
    connection: AsyncConnection, game: str, ruleset: Ruleset[Any] | None, turn: int, sides: Iterable[Viewer]
) -> list[Deadline]:
    """Return the deadlines of these sides in `turn`, or an empty list without a clock.

    A side has no deadline while its clock is stopped without a known end.
    """
    clock = await load_clock(connection, game)
    if clock is None:
        return []
    stops = await load_stops(connection, game)
    together = ruleset is not None and ruleset.ends_turn_at_deadline
    deadlines = []
    for side in sorted(sides):
        of_side = stops.stops_of_side(side, clock.days_away)
        by_turn = together and side != UMPIRE
        deadlines.append(await _find_deadline(connection, game, turn, side, clock, of_side, together=by_turn))
    return [deadline for deadline in deadlines if deadline is not None]


async def _find_deadline(
    connection: AsyncConnection,
    game: str,
    turn: int,
    side: Viewer,
    clock: Clock,
    stops: tuple[ClockStop, ...],
    *,
    together: bool,
) -> Deadline | None:
    """Return a side's deadline in `turn`, or None if the side is not awaited or a stop has no end.

    The side's time begins when the game first waits for the side in this turn. With `together`, all sides' time
    begins with the turn. An entry of the kinds CLOCK, EXTENDED or SEAT_CHANGES restarts the time.
    """
    of_game = ENTRIES.c.game == game
    awaited_viewers = func.replace(ENTRIES.c.waits, f"\n{side}\n", "") != ENTRIES.c.waits
    of_other_turn = ENTRIES.c.turn != turn
    not_waiting = or_(of_other_turn, *(() if together else (ENTRIES.c.waits.is_(None), ~awaited_viewers)))
    last = select(func.coalesce(func.max(ENTRIES.c.seq), 0)).where(of_game, not_waiting).scalar_subquery()
    first = select(func.min(ENTRIES.c.seq)).where(of_game, ENTRIES.c.seq > last).scalar_subquery()
    for_side = and_(ENTRIES.c.kind.in_((EXTENDED, *SEAT_CHANGES)), ENTRIES.c.side == side)
    restarts = or_(ENTRIES.c.seq == first, ENTRIES.c.kind == CLOCK, for_side)
    query = select(ENTRIES.c.public, ENTRIES.c.at, ENTRIES.c.kind, ENTRIES.c.action)
    query = query.where(of_game, ENTRIES.c.seq >= first, restarts).order_by(ENTRIES.c.seq.desc()).limit(1)
    row = (await connection.execute(query)).first()
    if row is None:
        return None
    hours = row.action["hours"] if row.kind == EXTENDED else clock.hours
    ends = compute_deadline(row.at, hours, clock.daily_end, stops)
    return None if ends is None else Deadline(side, row.public, row.at, ends, stops)
