"""Load a game's stored states, photographs and pictures for the replay, the report and the export."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select

from bot.errors import DatabaseUnavailable, UserError
from bot.jobs.photograph import Illustration, MapPhotograph, find_photograph_under_map
from bot.jobs.replay import ReplayShot
from bot.journal.audience import read_viewers
from bot.journal.game import Game
from bot.journal.ledger import Ledger
from bot.reports.turn_maps import TurnStart
from bot.store.queries import fetch_rows, fetch_value
from bot.store.tables import ENTRIES, PHOTOGRAPHS, PICTURES
from rules.core.model import Viewer
from rules.core.state import State

LOOK_BACK = 200
"""Maximum number of entries searched for the last one that waited for a side."""


class StoredState(NamedTuple):
    """A compressed state, with its turn and the number of the entry that stored it."""

    seq: int
    turn: int
    state: bytes


async def load_states(ledger: Ledger, game: Game) -> Sequence[StoredState]:
    """Return all stored states of entries that were not undone, oldest first."""
    not_undone = ENTRIES.c.game == game.id, ~ENTRIES.c.undone, ENTRIES.c.state.is_not(None)
    query = select(ENTRIES.c.seq, ENTRIES.c.turn, ENTRIES.c.state).where(*not_undone).order_by(ENTRIES.c.seq)
    return [StoredState(*row) for row in await fetch_rows(ledger.store, query)]


async def load_turn_starts(ledger: Ledger, game: Game) -> Sequence[TurnStart]:
    """Return the first state of each turn, oldest first. Undone entries do not count."""
    not_undone = ENTRIES.c.game == game.id, ~ENTRIES.c.undone
    first = select(func.min(ENTRIES.c.seq)).where(*not_undone, ENTRIES.c.turn_end).group_by(ENTRIES.c.turn)
    query = select(ENTRIES.c.turn, ENTRIES.c.seq, ENTRIES.c.state).where(*not_undone, ENTRIES.c.seq.in_(first))
    return [TurnStart(*row) for row in await fetch_rows(ledger.store, query.order_by(ENTRIES.c.seq))]


def first_states_of_turns(states: Sequence[StoredState]) -> Sequence[StoredState]:
    """Return the first state of each turn, and the newest state."""
    first = [state for place, state in enumerate(states) if not place or states[place - 1].turn != state.turn]
    return first if first[-1:] == [*states[-1:]] else [*first, *states[-1:]]


def states_of_last_turns(states: Sequence[StoredState], turns: int | None) -> Sequence[StoredState]:
    """Return the states of the last `turns` turns, and the state before them. If `turns` is None, return all states."""
    if turns is None or not states:
        return states
    first = next(place for place, state in enumerate(states) if state.turn > states[-1].turn - turns)
    return states[max(first - 1, 0) :]


async def load_photographs(ledger: Ledger, game: Game) -> Sequence[MapPhotograph]:
    """Return all photographs laid under the table, and their removals, oldest first."""
    of_entry = (ENTRIES.c.game == PHOTOGRAPHS.c.game) & (ENTRIES.c.seq == PHOTOGRAPHS.c.seq)
    query = select(PHOTOGRAPHS.c.seq, ENTRIES.c.turn, PHOTOGRAPHS.c.jpeg).join(ENTRIES, of_entry)
    rows = await fetch_rows(ledger.store, query.where(PHOTOGRAPHS.c.game == game.id).order_by(PHOTOGRAPHS.c.seq))
    return [MapPhotograph(*row) for row in rows]


async def load_illustrations(ledger: Ledger, game: Game) -> Sequence[Illustration]:
    """Return the pictures of all entries, oldest first."""
    query = select(PICTURES.c.seq, PICTURES.c.jpeg).where(PICTURES.c.game == game.id).order_by(PICTURES.c.seq)
    return [Illustration(*row) for row in await fetch_rows(ledger.store, query)]


def make_replay_frames(states: Sequence[StoredState], photographs: Sequence[MapPhotograph]) -> list[ReplayShot]:
    """Return a replay frame for each state, with the photograph under the map at that time."""
    return [
        ReplayShot(stored.state, find_photograph_under_map(photographs, stored.turn, stored.seq)) for stored in states
    ]


def public_action_conditions(
    game: str, after: int, until: int, kinds: Collection[str]
) -> Sequence[ColumnElement[bool]]:
    """Return the SQL conditions for a game's public actions of `kinds` that were not undone.

    The actions have entry numbers above `after` and at most `until`.
    """
    stand = ENTRIES.c.acts, ~ENTRIES.c.undone, ENTRIES.c.audience.is_(None), ENTRIES.c.kind.in_(kinds)
    return ENTRIES.c.game == game, ENTRIES.c.seq > after, ENTRIES.c.seq <= until, *stand


async def find_last_wait_for_sides(ledger: Ledger, game: str, seq: int, sides: Collection[Viewer]) -> int:
    """Return the number of the last entry before `seq` after which one of `sides` was awaited.

    Return 0 if there is none among the last LOOK_BACK entries.
    """
    waits = select(ENTRIES.c.seq, ENTRIES.c.waits).where(ENTRIES.c.game == game, ENTRIES.c.seq < seq)
    rows = await fetch_rows(ledger.store, waits.order_by(ENTRIES.c.seq.desc()).limit(LOOK_BACK))
    return next((row.seq for row in rows if (read_viewers(row.waits) or frozenset()) & {*sides}), 0)


async def load_state_after(ledger: Ledger, game: Game, seq: int) -> State | None:
    """Return the state after entry `seq`, or None if it is missing or unreadable."""
    query = select(ENTRIES.c.state_seq).where(ENTRIES.c.game == game.id, ENTRIES.c.seq == seq)
    state_seq = await fetch_value(ledger.store, query)
    return None if state_seq is None else await load_past_state(ledger, game, state_seq)


async def load_past_state(ledger: Ledger, game: Game, state_seq: int) -> State | None:
    """Return the state stored with entry `state_seq`, or None if it cannot be read."""
    if not game.state_is_readable:
        return None
    try:
        return (await ledger.load_state(game, state_seq))[0]
    except DatabaseUnavailable:
        raise
    except (ValueError, UserError):
        return None
