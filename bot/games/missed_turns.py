"""Record turns that were not played in time, count them by player, and apply the umpire's consequences."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from sqlalchemy import select

from bot.errors import OVER, Stale
from bot.journal.drafts import Draft, NewEntry, game_after, make_next_entry
from bot.journal.game import Actor, Game, Played, Seat
from bot.journal.ledger import Ledger
from bot.store.tables import ENTRIES
from rules.core.automaton.levels import Level
from rules.core.model import UMPIRE, Viewer
from rules.core.phases import PASS
from rules.core.report import Report

from .act import NO_INTERACTION
from .action_batch import ActionBatch
from .after_missed import AfterMissed, MissedRemedy
from .clock import Clocks
from .opponents import bot_row, seat_bot
from .overdue import NO_LONGER
from .stops import GameStops, load_stops
from .turn_time import Clock, Deadline

MISSED = "game missed"
"""Kind of entries about a turn that was not played in time."""
CLOCK_ACTOR = Actor(-1, "The clock")
"""The actor of entries that the clock writes."""

TIME_IS_UP = "Time is up. "
"""Prefix of the headline when the clock began a turn."""
BOT_PLAYS = "The bot still plays this turn."
BOT_TIME = timedelta(minutes=30)
"""Time after the deadline for which a turn that ends at the deadline waits for the bot."""


@dataclass(frozen=True)
class _Known:
    """Facts for recording a missed turn: whether it is already recorded, and whether the side is still late."""

    clock: Clock | None
    stops: GameStops
    counts: Mapping[int, int]
    is_recorded: bool
    is_late: bool


@dataclass(frozen=True)
class _Late:
    """Facts for ending a turn: the deadlines of the awaited sides, those recorded as missed, and the bot's time."""

    known: _Known
    deadlines: Sequence[Deadline]
    recorded: Sequence[Deadline]
    bot_may_play: bool
    """Whether the bot still has time to play the turn."""


class MissedTurns:
    """Service for missed turns."""

    def __init__(self, ledger: Ledger, clocks: Clocks) -> None:
        self._ledger = ledger
        self._clocks = clocks

    async def record(self, game: Game, late: Deadline) -> Played | None:
        """Record the missed turn of a side's players, with its consequences. Return None if already recorded.

        Raises Stale if the side is no longer late.
        """
        read = partial(self._load_known, late=late)
        work = partial(self._draft, late=late)
        try:
            return (await self._ledger.read_and_change(game.channel, CLOCK_ACTOR, read, work, game_id=game.id))[0]
        except _RecordedError:
            return None

    async def end_turn(self, game: Game) -> Sequence[Played]:
        """End the turn of a game in which no awaited side has time left: record missed turns, then pass for all.

        The turn goes on while the bot still plays it, as a stand-in or for a side of its own. Raises Stale if some side
        has time, or if there is nothing to do now.
        """
        return await self._ledger.read_and_change(
            game.channel, CLOCK_ACTOR, self._load_late, self._end_turn, game_id=game.id
        )

    async def _load_late(self, game: Game) -> "_Late":
        missed, clock, now = await self._load_missed(game), await self._clocks.clock(game), self._clocks.now()
        deadlines = await self._clocks.deadlines(game)
        async with self._ledger.store.ask() as connection:
            stops = await load_stops(connection, game.id)
        ends = [one.ends for one in deadlines]
        is_over = {one.side for one in deadlines} == game.waits_for and all(end <= now for end in ends)
        bot_may_play = bool(ends) and now < max(ends) + BOT_TIME
        counts = Counter(user for one in missed for user in _users_of(one))
        recorded = [one for one in deadlines if any(_is_of(action, one) for action in missed)]
        return _Late(
            _Known(clock, stops, counts, is_recorded=False, is_late=is_over), deadlines, recorded, bot_may_play
        )

    def _end_turn(self, game: Game, late: "_Late") -> Sequence[NewEntry]:
        """Make the entries of missed turns and of the turn's end. Raises Stale if there is nothing to do."""
        if game.ended is not None:
            raise Stale(OVER)
        if not late.known.is_late or not game.waits_for or UMPIRE in game.waits_for:
            raise Stale(NO_LONGER)
        missing = game.ruleset.sides_missing_turn(game.state)
        new = [one for one in late.deadlines if one.side in missing and one not in late.recorded]
        entries: list[NewEntry] = []
        after = game
        for one in new:
            entries.append(make_next_entry(after, CLOCK_ACTOR, self._draft(game, late.known, one), 0))
            after = game_after(after, entries[-1])
        stands_in = any(one.entry.action["then"] == MissedRemedy.BOT for one in entries)
        if stands_in or (game.bot_goes_on and late.bot_may_play):
            if not entries:
                raise Stale(BOT_PLAYS)
            return entries
        batch = ActionBatch(self._ledger, after, CLOCK_ACTOR, NO_INTERACTION)
        return [*entries, batch.do(game.ruleset.parse(PASS, {}), check_right=False, words=TIME_IS_UP)]

    async def counts(self, game: Game) -> Mapping[int, int]:
        """Return how many turns each user has missed, by user id."""
        counts = Counter[int]()
        for action in await self._load_missed(game):
            counts.update(_users_of(action))
        return counts

    async def find_recorded(self, game: Game, late: Deadline) -> tuple[int, MissedRemedy | None]:
        """Return the number of the entry that records this deadline as missed, and what followed."""
        query = select(ENTRIES.c.public, ENTRIES.c.action).where(ENTRIES.c.game == game.id, ENTRIES.c.kind == MISSED)
        async with self._ledger.store.ask() as connection:
            rows = (await connection.execute(query)).all()
        row = next(row for row in rows if _is_of(row.action, late))
        return row.public, row.action["then"] and MissedRemedy(row.action["then"])

    async def _load_missed(self, game: Game) -> Sequence[Mapping[str, Any]]:
        query = select(ENTRIES.c.action).where(ENTRIES.c.game == game.id, ENTRIES.c.kind == MISSED)
        async with self._ledger.store.ask() as connection:
            return list(await connection.scalars(query))

    async def _load_known(self, game: Game, late: Deadline) -> _Known:
        missed, clock = await self._load_missed(game), await self._clocks.clock(game)
        async with self._ledger.store.ask() as connection:
            stops = await load_stops(connection, game.id)
        counts = Counter(user for one in missed for user in _users_of(one))
        still = [one for one in await self._clocks.deadlines(game) if (one.side, one.since) == (late.side, late.since)]
        is_late = any(one.ends <= self._clocks.now() for one in still)
        return _Known(clock, stops, counts, any(_is_of(one, late) for one in missed), is_late)

    def _draft(self, game: Game, known: _Known, late: Deadline) -> Draft:
        """Draft the entry. Raises Stale if the game has ended or goes on."""
        if game.ended is not None:
            raise Stale(OVER)
        if known.is_recorded:
            raise _RecordedError
        if not known.is_late or known.clock is None:
            raise Stale(NO_LONGER)
        seats = _late_seats(game, late, known)
        counts = Counter(known.counts) + Counter(seat.user for seat in seats)
        then = _find_remedy(game, late.side, known.clock.after_missed, [counts[seat.user] for seat in seats])
        headline = f"Time was up for {game.the_side(late.side)}"
        told = ", ".join(f"{seat.name} {counts[seat.user]}" for seat in seats)
        report = Report(headline=headline, outcome=f"Turns not played in time: {told}." if told else "", side=late.side)
        action = {
            "side": late.side,
            "since": late.since,
            "users": [seat.user for seat in seats],
            "then": then and then.value,
        }
        also = None
        if then is MissedRemedy.BOT:
            also = partial(seat_bot, bot_row(game, late.side, Level.HARD, until=game.state.turn))
        return Draft(MISSED, report, action=action, side=late.side, also=also)


class _RecordedError(Exception):
    """The missed turn is recorded already."""


def _is_of(action: Mapping[str, Any], late: Deadline) -> bool:
    return (action.get("side"), action.get("since")) == (late.side, late.since)


def _users_of(action: Mapping[str, Any]) -> Sequence[int]:
    """Return the users who missed the turn; none of a malformed entry, which a file may have brought."""
    users = action.get("users")
    return [one for one in users if isinstance(one, int)] if isinstance(users, list) else []


def _late_seats(game: Game, late: Deadline, known: _Known) -> list[Seat]:
    """Return the seats of the side's players whom the game still awaited at the deadline."""
    most_days = known.clock.days_away if known.clock is not None else 0

    def is_away(user: int) -> bool:
        absences = known.stops.absences(user, most_days)
        return any(one.begins <= late.ends and (one.ends is None or late.ends < one.ends) for one in absences)

    return [seat for seat in game.players(late.side) if not seat.is_bot and not is_away(seat.user)]


def _find_remedy(game: Game, side: Viewer, after: AfterMissed | None, counts: Sequence[int]) -> MissedRemedy | None:
    """Return what follows now, or None: nothing is set, too few turns were missed, or the bot cannot play."""
    if after is None or max(counts, default=0) < after.count:
        return None
    can_play = bool(game.ruleset.values) and game.state.keeps_positions and side in game.state.acting_sides
    return None if after.then is MissedRemedy.BOT and not can_play else after.then
