"""Record missed turns, count them by player, and apply the umpire's remedies."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import select

from bot.errors import OVER, Stale
from bot.journal.drafts import ChangeNotNeeded, Draft, NewEntry, apply_entry, make_next_entry
from bot.journal.game import Actor, Game, Played
from bot.journal.seats import Seat
from bot.store.queries import fetch_rows, fetch_values
from bot.store.tables import ENTRIES
from rules.core.automaton.levels import Level
from rules.core.model import UMPIRE, Viewer
from rules.core.phases import PASS
from rules.core.report import Report

from .act import NO_INTERACTION
from .action_batch import ActionBatch
from .clock import ClockReadingService
from .missed_turns_setting import MissedTurnsRemedy, MissedTurnsSetting
from .overdue import NO_LONGER
from .seat_rows import store_bot_seat
from .stops import GameStops
from .turn_time import Clock, Deadline

MISSED = "game missed"
"""Kind of entries that record a missed turn."""
CLOCK_ACTOR = Actor(-1, "The clock")
"""The actor of entries that the clock writes."""

TIME_IS_UP = "Time is up. "
"""Text before the headline of an action by which the clock ended a turn."""
BOT_PLAYS = "The bot still plays this turn."
BOT_TIME = timedelta(minutes=30)
"""Time that the bot has for its moves after a deadline for all sides. Then the turn ends without them."""


@dataclass(frozen=True)
class _ClockFacts:
    """Facts about a game's clock, loaded to record missed turns.

    `missed` are the stored actions of missed turns recorded before.
    """

    clock: Clock | None
    stops: GameStops
    missed: Sequence[Mapping[str, Any]]
    deadlines: Sequence[Deadline]
    now: datetime

    def is_recorded(self, late: Deadline) -> bool:
        """Whether the turn missed at this deadline is already recorded."""
        return any(_is_record_of_deadline(action, late) for action in self.missed)

    def is_late(self, late: Deadline) -> bool:
        """Whether the deadline's side is still late."""
        key = late.side, late.since
        same_deadlines = (deadline for deadline in self.deadlines if (deadline.side, deadline.since) == key)
        return any(deadline.ends <= self.now for deadline in same_deadlines)


class MissedTurns(ClockReadingService):
    """Service for missed turns."""

    async def record_missed_turn(self, game: Game, late: Deadline) -> Played | None:
        """Record a missed turn of the side's players, and apply the umpire's remedy.

        Return None if the missed turn is already recorded. Raises Stale if the side is no longer late.
        """
        read, work = self._load_clock_facts, partial(_draft_missed_turn, late=late)
        try:
            return (await self._ledger.read_and_change(game.channel, CLOCK_ACTOR, read, work, game_id=game.id))[0]
        except ChangeNotNeeded:
            return None

    async def end_overdue_turn(self, game: Game) -> Sequence[Played]:
        """Record the missed turns of all awaited sides, and end the turn unless the bot still plays it.

        Raises Stale if an awaited side has time left, or there is nothing to record or end.
        """
        read, work = self._load_clock_facts, self._draft_turn_end
        return await self._ledger.read_and_change(game.channel, CLOCK_ACTOR, read, work, game_id=game.id)

    async def _load_clock_facts(self, game: Game) -> _ClockFacts:
        missed, clock = await self._load_missed_turns(game), await self._clocks.load_clock(game)
        stops, deadlines = await self._clocks.load_stops(game), await self._clocks.load_deadlines(game)
        return _ClockFacts(clock, stops, missed, deadlines, self._clocks.now())

    def _draft_turn_end(self, game: Game, facts: _ClockFacts) -> Sequence[NewEntry]:
        """Return the entries of the missed turns, and of the turn's end unless the bot still plays.

        Raises Stale if a side has time left, or there are no such entries.
        """
        if game.ended is not None:
            raise Stale(OVER)
        ends = [deadline.ends for deadline in facts.deadlines]
        sides = {deadline.side for deadline in facts.deadlines}
        is_over = sides == game.awaited_viewers and all(end <= facts.now for end in ends)
        if not is_over or not game.awaited_viewers or UMPIRE in game.awaited_viewers:
            raise Stale(NO_LONGER)
        missing_sides = game.ruleset.sides_missing_turn(game.state)
        entries: list[NewEntry] = []
        after = game
        for deadline in facts.deadlines:
            if deadline.side in missing_sides and not facts.is_recorded(deadline):
                entries.append(make_next_entry(after, CLOCK_ACTOR, _draft_missed_turn(game, facts, deadline), 0))
                after = apply_entry(after, entries[-1])
        stands_in = any(new_entry.entry.action["then"] == MissedTurnsRemedy.BOT for new_entry in entries)
        if stands_in or (game.will_bot_act and facts.now < max(ends) + BOT_TIME):
            if not entries:
                raise Stale(BOT_PLAYS)
            return entries
        batch = ActionBatch(self._ledger, after, CLOCK_ACTOR, NO_INTERACTION)
        return [*entries, batch.perform(game.ruleset.parse(PASS, {}), check_right=False, words=TIME_IS_UP)]

    async def load_missed_counts(self, game: Game) -> Mapping[int, int]:
        """Return how many turns each user has missed, by user id."""
        return count_missed_turns(await self._load_missed_turns(game))

    async def find_missed_turn_record(self, game: Game, late: Deadline) -> tuple[int, MissedTurnsRemedy | None]:
        """Return the number of the entry that records this missed turn, and the remedy applied."""
        query = select(ENTRIES.c.public, ENTRIES.c.action).where(ENTRIES.c.game == game.id, ENTRIES.c.kind == MISSED)
        rows = await fetch_rows(self._ledger.store, query)
        row = next(row for row in rows if _is_record_of_deadline(row.action, late))
        return row.public, row.action["then"] and MissedTurnsRemedy(row.action["then"])

    async def _load_missed_turns(self, game: Game) -> Sequence[Mapping[str, Any]]:
        query = select(ENTRIES.c.action).where(ENTRIES.c.game == game.id, ENTRIES.c.kind == MISSED)
        return await fetch_values(self._ledger.store, query)


def _draft_missed_turn(game: Game, facts: _ClockFacts, late: Deadline) -> Draft:
    """Draft the entry of a missed turn.

    Raises ChangeNotNeeded if the missed turn is already recorded, Stale if the side is not late.
    """
    if game.ended is not None:
        raise Stale(OVER)
    if facts.is_recorded(late):
        raise ChangeNotNeeded
    if not facts.is_late(late) or facts.clock is None:
        raise Stale(NO_LONGER)
    seats = _seats_present_at_deadline(game, late, facts)
    counts = count_missed_turns(facts.missed) + Counter(seat.user for seat in seats)
    remedy = _find_remedy(game, late.side, facts.clock.after_missed, [counts[seat.user] for seat in seats])
    headline = f"Time was up for {game.the_side(late.side)}"
    tallies = ", ".join(f"{seat.name} {counts[seat.user]}" for seat in seats)
    outcome = f"Turns not played in time: {tallies}." if tallies else ""
    report = Report(headline=headline, outcome=outcome, side=late.side)
    users, then = [seat.user for seat in seats], remedy and remedy.value
    action = {"side": late.side, "since": late.since, "users": users, "then": then}
    bot_plays = remedy is MissedTurnsRemedy.BOT
    changes = [store_bot_seat(game, late.side, Level.HARD, until=game.state.turn)] if bot_plays else []
    return Draft(MISSED, report, action=action, side=late.side, changes=changes)


def _is_record_of_deadline(action: Mapping[str, Any], late: Deadline) -> bool:
    return (action.get("side"), action.get("since")) == (late.side, late.since)


def count_missed_turns(missed: Iterable[Mapping[str, Any]]) -> Counter[int]:
    """Return how many turns each user has missed.

    `missed` are the stored actions of the entries about missed turns. A malformed action in an imported file is
    ignored.
    """
    lists = (users for action in missed if isinstance(users := action.get("users"), list))
    return Counter(user for users in lists for user in users if isinstance(user, int))


def _seats_present_at_deadline(game: Game, late: Deadline, facts: _ClockFacts) -> list[Seat]:
    """Return the seats of the side's human players who were not absent at the deadline."""
    most_days = facts.clock.days_away if facts.clock is not None else 0

    def is_away(user: int) -> bool:
        return any(absence.covers(late.ends) for absence in facts.stops.absences_of_user(user, most_days))

    return [seat for seat in game.players(late.side) if not seat.is_bot and not is_away(seat.user)]


def _find_remedy(
    game: Game, side: Viewer, after: MissedTurnsSetting | None, counts: Sequence[int]
) -> MissedTurnsRemedy | None:
    """Return the remedy that applies after this missed turn, or None.

    None applies before enough turns are missed, or if the bot should play and cannot.
    """
    if after is None or max(counts, default=0) < after.count:
        return None
    can_play = bool(game.ruleset.values) and game.state.keeps_positions and side in game.state.acting_sides
    return None if after.then is MissedTurnsRemedy.BOT and not can_play else after.then
