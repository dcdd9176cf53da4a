"""Load and drop snapshots, the stored states of a journal. A dropped state is computed from an older snapshot."""

import asyncio
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import override

from bot.errors import UserError
from bot.store.tables import ENTRIES
from rules.core.dice import Dice, Throw, shown_number
from rules.core.model import Viewer
from rules.core.ruleset import Refused, Ruleset
from rules.core.sealed_dice import SealedThrow
from rules.core.state import State

from .codec import pack_state, read_state
from .drafts import READ_COLUMNS
from .entries import SEALED_THROWS

KEPT_ACTIONS = 100
"""Number of recent snapshots to keep, in addition to all snapshots of turn ends."""
ENTRIES_BETWEEN_DROPS = 50
"""Number of entries between two removals of old snapshots."""


class RecordedDice(Dice):
    """Dice that repeat the throws stored with an entry."""

    def __init__(self, throws: Sequence[SealedThrow]) -> None:
        self._unused = [*reversed(throws)]

    @override
    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Return the next recorded throw. Raises LookupError unless `count` dice with `sides` sides were thrown."""
        sealed = self._unused.pop() if self._unused else None
        if sealed is None or (len(sealed.throw.dice), sealed.throw.sides) != (count, sides):
            raise LookupError(f"the journal has no {count}D{sides} here")
        return sealed.throw

    @property
    def is_exhausted(self) -> bool:
        """Whether every recorded throw has been used."""
        return not self._unused


async def load_packed_state(connection: AsyncConnection, game: str, seq: int) -> bytes | None:
    """Return the compressed snapshot of entry `seq`, or None if it was dropped."""
    query = select(ENTRIES.c.state).where(ENTRIES.c.game == game, ENTRIES.c.seq == seq)
    packed: bytes | None = (await connection.execute(query)).scalar()
    return packed


async def find_snapshot(connection: AsyncConnection, game: str, seq: int, ruleset: Ruleset[Any]) -> State | None:
    """Return the parsed snapshot of entry `seq`, or None if it was dropped."""
    packed = await load_packed_state(connection, game, seq)
    return None if packed is None else await asyncio.to_thread(read_state, ruleset, packed)


async def load_state(connection: AsyncConnection, game: str, seq: int, ruleset: Ruleset[Any]) -> tuple[State, bytes]:
    """Return the state after entry `seq`, parsed and compressed.

    If the snapshot was dropped, actions are replayed from an older snapshot. Raises UserError if the rules have changed
    and the replay would differ, or if the journal has a gap.
    """
    later: list[Row[Any]] = []
    packed = await load_packed_state(connection, game, seq)
    while packed is None:
        query = select(*READ_COLUMNS).where(ENTRIES.c.game == game, ENTRIES.c.seq == seq)
        row = (await connection.execute(query)).first()
        if row is None or row.base == seq:
            raise UserError("The journal of this game has a gap, so its state there cannot be found.")
        later.append(row)
        seq = row.base
        packed = await load_packed_state(connection, game, seq)
    state = await asyncio.to_thread(_replay_actions, ruleset, packed, later[::-1])
    if later:
        await _require_equal_snapshot(connection, game, later[0].seq, state, ruleset)
        packed = await asyncio.to_thread(pack_state, ruleset, state)
    return state, packed


def _replay_actions(ruleset: Ruleset[Any], packed: bytes, later: Sequence[Row[Any]]) -> State:
    state = read_state(ruleset, packed)
    for row in later:
        state = replay_action(ruleset, state, row)
    return state


async def _require_equal_snapshot(
    connection: AsyncConnection, game: str, seq: int, state: State, ruleset: Ruleset[Any]
) -> None:
    """Raise UserError unless a replay from entry `seq` leads to the same state as the next snapshot.

    `state` is the state after entry `seq`.
    """
    while (row := await _find_next_action(connection, game, seq)) is not None:
        state, seq = await asyncio.to_thread(replay_action, ruleset, state, row), row.seq
        snapshot = await find_snapshot(connection, game, seq, ruleset)
        if snapshot is not None and snapshot != state:
            raise _make_changed_rules_error(row)
        if snapshot is not None:
            return


async def _find_next_action(connection: AsyncConnection, game: str, seq: int) -> Row[Any] | None:
    """Return the newest action done in the state of entry `seq`, or None.

    An undone action is returned only if every action in this state was undone.
    """
    conditions = ENTRIES.c.game == game, ENTRIES.c.base == seq, ENTRIES.c.seq > seq, ENTRIES.c.acts
    query = select(*READ_COLUMNS).where(*conditions).order_by(ENTRIES.c.undone, ENTRIES.c.seq.desc())
    return (await connection.execute(query.limit(1))).first()


def drop_old_snapshots(connection: Connection, game: str) -> None:
    """Drop old snapshots. Keep the last KEPT_ACTIONS, the turn ends, and the present state."""
    with_state = ENTRIES.c.game == game, ENTRIES.c.state.is_not(None)
    newest = select(ENTRIES.c.seq).where(*with_state).order_by(ENTRIES.c.seq.desc())
    oldest = newest.offset(KEPT_ACTIONS).limit(1).scalar_subquery()
    present = select(ENTRIES.c.state_seq).where(ENTRIES.c.game == game).order_by(ENTRIES.c.seq.desc()).limit(1)
    acting = ENTRIES.c.acts, ~ENTRIES.c.turn_end
    old = (*with_state, *acting, ENTRIES.c.seq <= oldest, ENTRIES.c.seq != present.scalar_subquery())
    connection.execute(update(ENTRIES).where(*old).values(state=None))


def replay_action(ruleset: Ruleset[Any], state: State, row: Row[Any]) -> State:
    """Replay the entry's action with its recorded dice, and return the new state.

    Raises UserError if the rules now refuse the action or throw other dice.
    """
    recorded = RecordedDice(SEALED_THROWS.validate_python(row.dice))
    after: State
    try:
        action = ruleset.read_action(row.kind, row.action, row.rules_version)
        after, _ = ruleset.act(state, action, recorded)
    except (Refused, LookupError, ValueError):
        raise _make_changed_rules_error(row) from None
    if not recorded.is_exhausted:
        raise _make_changed_rules_error(row)
    return after


def _make_changed_rules_error(row: Row[Any]) -> UserError:
    number = shown_number(row.number, row.among)
    return UserError(
        f"The rules have changed since action {number}, and the table at that time is no longer stored. "
        "Go back to the end of a turn instead: those are all stored."
    )
