"""What a returning player reads: the entries since the player's last action, and the games that wait for the player."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Row, func, literal_column, or_, select

from bot.games.history import find_last_wait_for_sides, load_past_state, load_state_after, public_action_conditions
from bot.journal.audience import read_viewers
from bot.journal.drafts import READ_COLUMNS
from bot.journal.game import Actor, Entry, Game, Played
from bot.journal.seats import is_seat_active
from bot.store.queries import fetch_row, fetch_rows
from bot.store.tables import CLOCKS, ENTRIES, GAMES, SEATS
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.state import State

from .clock import load_deadlines
from .service import Service

MOST_RECAP_ENTRIES = 200
"""Maximum number of entries in a recap, the newest."""

MOST_MAP_ACTIONS = 60
"""Maximum number of actions drawn on a turn's map, the newest."""

BY_HAND = ENTRIES.c.interaction != literal_column("0")
"""SQL condition for entries that an interaction made. Automatic actions have no interaction."""


@dataclass(frozen=True)
class Recap:
    """The entries since a user's last action, oldest first, redacted for the user.

    `at`, the time of this action, is None if the user never acted. `before` is the state after it, if this can be
    loaded.
    """

    at: datetime | None
    entries: Sequence[Entry]
    before: State | None
    more: bool
    """Whether older entries were left out."""


class RecentActions(NamedTuple):
    """A state, and the public actions after it (kind and unit ids), oldest first."""

    before: State
    acts: Sequence[tuple[str, Sequence[str]]]


SEAT = (SEATS.c.user, SEATS.c.side, SEATS.c.level, SEATS.c.until)


@dataclass(frozen=True)
class WaitingGame:
    """A running game that waits for a user to act for `side`, or as UMPIRE.

    `until` is the deadline. `absent` names the absent sides that the user should play, if the user's own side is
    not awaited.
    """

    game: str
    name: str
    guild: int | None
    channel: int
    turn: int
    side: Viewer
    until: datetime | None = None
    absent: tuple[str, ...] = ()


class CatchUp(Service):
    """Service for recaps of a game, and for lists of games waiting for a user."""

    async def load_recap(self, game: Game, actor: Actor) -> Recap:
        """Return the entries since the actor's last action in the game, redacted for the actor."""
        mine = (
            select(ENTRIES.c.seq, ENTRIES.c.at, ENTRIES.c.state_seq)
            .where(ENTRIES.c.game == game.id, ENTRIES.c.actor == actor.id, BY_HAND)
            .order_by(ENTRIES.c.seq.desc())
            .limit(1)
        )
        last = await fetch_row(self._ledger.store, mine)
        seq = 0 if last is None else last.seq
        viewer = game.viewer(actor.id) if game.state_is_readable else PUBLIC
        recent_entries = await self._ledger.load_entries(game, min(max(game.seq - seq, 1), MOST_RECAP_ENTRIES), viewer)
        entries = [entry for entry in recent_entries if entry.seq > seq]
        before = await load_past_state(self._ledger, game, 1 if last is None else last.state_seq) if entries else None
        return Recap(None if last is None else last.at, entries, before, more=len(entries) == MOST_RECAP_ENTRIES)

    async def load_recent_actions(self, sides: Collection[Viewer], *played: Played) -> RecentActions:
        """Return the newest public actions since the game last waited for one of `sides`, up to `played`."""
        game, seq = played[-1].game, played[-1].entry.seq
        acting = [kind for kind, action in game.ruleset.actions.items() if action.is_unit_action]
        last = await find_last_wait_for_sides(self._ledger, game.id, played[0].entry.seq, sides)
        query = (
            select(*READ_COLUMNS)
            .where(*public_action_conditions(game.id, last, seq, acting))
            .order_by(ENTRIES.c.seq.desc())
            .limit(MOST_MAP_ACTIONS)
        )
        rows = await fetch_rows(self._ledger.store, query)
        entries = await self._ledger.parse_rows(game, rows[::-1])
        before = await load_state_after(self._ledger, game, last or 1)
        return RecentActions(before or played[0].before, [(entry.kind, entry.report.units) for entry in entries])

    async def load_state_after(self, game: Game, seq: int) -> State | None:
        """Return the state after entry `seq`, or None if it cannot be loaded."""
        return await load_state_after(self._ledger, game, seq)

    async def find_games_waiting_for(self, user: int) -> Sequence[WaitingGame]:
        """Return all running games that wait for the user, in any channel, longest waiting first."""
        of_game = select(func.max(ENTRIES.c.seq)).where(ENTRIES.c.game == GAMES.c.id)
        newest = of_game.correlate(GAMES).scalar_subquery()
        games_of_user = select(SEATS.c.game).where(SEATS.c.user == user)
        query = (
            select(GAMES, ENTRIES.c.turn, ENTRIES.c.waits, *SEAT, CLOCKS.c.hours)
            .join(ENTRIES, (ENTRIES.c.game == GAMES.c.id) & (ENTRIES.c.seq == newest))
            .outerjoin(SEATS, SEATS.c.game == GAMES.c.id)
            .outerjoin(CLOCKS, CLOCKS.c.game == GAMES.c.id)
            .where(GAMES.c.ended.is_(None), or_(GAMES.c.umpire == user, GAMES.c.id.in_(games_of_user)))
            .order_by(ENTRIES.c.at, GAMES.c.id)
        )
        rows = await fetch_rows(self._ledger.store, query)
        waiting_games = []
        for _, rows_of_game in groupby(rows, lambda row: row.id):
            seats = list(rows_of_game)
            waits = read_viewers(seats[0].waits)
            if waits is None:
                waits = (await self._ledger.game_by_id(seats[0].id, even_unreadable=True)).awaited_viewers
            sides, row = awaited_sides_of_user(user, seats, waits), seats[0]
            absent = {} if sides else await self._find_absent_sides(user, row, waits)
            if not (sides or absent):
                continue
            until = None if row.hours is None else await self._earliest_deadline(row, sides or absent)
            own = next((seat.side for seat in seats if seat.user == user and seat.side in sides), UMPIRE)
            side, names = next(iter(absent), own), tuple(absent.values())
            waiting_games.append(WaitingGame(row.id, row.name, row.guild, row.channel, row.turn, side, until, names))
        return waiting_games

    async def _find_absent_sides(self, user: int, row: Row[Any], waits: Collection[Viewer]) -> Mapping[Viewer, str]:
        """Return the names, by side id, of absent sides in `waits` that the user's side represents."""
        ruleset = self._ledger.rulesets.get(row.ruleset)
        if ruleset is None or not ruleset.ends_turn_at_deadline or not waits:
            return {}
        game = await self._ledger.game_by_id(row.id, even_unreadable=True)
        if not game.state_is_readable:
            return {}
        own = game.viewer(user)
        absent = game.state.sides_represented_by(own) if own not in (PUBLIC, UMPIRE) else frozenset()
        return {side: game.the_side(side) for side in sorted(absent & {*waits} - {own, *game.bot_seats})}

    async def _earliest_deadline(self, row: Row[Any], sides: Iterable[Viewer]) -> datetime | None:
        """Return the earliest deadline of the sides. Return None if the game has no clock."""
        async with self._ledger.store.query_connection() as connection:
            ruleset = self._ledger.rulesets.get(row.ruleset)
            deadlines = await load_deadlines(connection, row.id, ruleset, row.turn, sides)
        return min((deadline.ends for deadline in deadlines), default=None)


def awaited_sides_of_user(user: int, seats: Sequence[Row[Any]], waits: Iterable[Viewer]) -> list[Viewer]:
    """Return the sides in `waits` for which the user must act, without the bot's sides.

    An umpire whose own side is not awaited acts for UMPIRE and for sides without a player. `seats` are the rows of
    one game, joined with its seats.
    """
    by_bot = {row.side for row in seats if row.level is not None and is_seat_active(row.until, row.turn)}
    by_people = [side for side in waits if side not in by_bot]
    own = [side for side in by_people if side in {row.side for row in seats if row.user == user}]
    if own or seats[0].umpire != user:
        return own
    with_player = {row.side for row in seats if row.level is None}
    return [side for side in by_people if side == UMPIRE or side not in with_player]
