"""States as the journal keeps them: the newest in memory, old ones dropped, and worked out again when asked for."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from rules.core.dice import Throw
from rules.core.model import Viewer
from rules.core.ruleset import Refused, Ruleset
from rules.core.sealed import SealedThrow
from rules.core.state import State

from .errors import UserError
from .journal import THROWN
from .store.tables import EntryRow

IN_MEMORY = 128
"""States held; each is good for ever, for an entry's state never changes."""
KEPT_ACTIONS = 100
"""How many of the last snapshots are kept beside those of turn ends."""


class Recorded:
    """Dice that fall as the journal says they fell."""

    def __init__(self, throws: Sequence[SealedThrow]) -> None:
        self._throws = iter(throws)

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:  # noqa: ARG002
        """The next recorded throw. Raises LookupError when the rules now ask for another."""
        recorded = next(self._throws, None)
        if recorded is None or (len(recorded.throw.dice), recorded.throw.sides) != (count, sides):
            raise LookupError(f"the journal has no {count}D{sides} here")
        return recorded.throw

    @property
    def all_fell(self) -> bool:
        """Whether the rules asked for every recorded throw."""
        return next(self._throws, None) is None


class Snapshots:
    """The states of all games' entries."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[str, int], State] = OrderedDict()

    def remember(self, game: str, seq: int, state: State) -> None:
        """Holds the state of an entry in memory."""
        self._held[game, seq] = state
        self._held.move_to_end((game, seq))
        if len(self._held) > IN_MEMORY:
            self._held.popitem(last=False)

    async def find(self, session: AsyncSession, game: str, seq: int, ruleset: Ruleset[Any]) -> State | None:
        """The state kept of that entry; None if it has none or it was dropped."""
        if (game, seq) in self._held:
            self._held.move_to_end((game, seq))
            return self._held[game, seq]
        text = await session.scalar(select(EntryRow.state).where(EntryRow.game == game, EntryRow.seq == seq))
        if text is None:
            return None
        state: State = ruleset.read_state(text)
        self.remember(game, seq, state)
        return state

    async def load(self, session: AsyncSession, game: str, seq: int, ruleset: Ruleset[Any]) -> State:
        """The state after that entry, from its snapshot or played again from an earlier one.

        Raises UserError when the rules have changed since, so that playing it again comes out otherwise.
        """
        later: list[EntryRow] = []
        state = await self.find(session, game, seq, ruleset)
        while state is None:
            row = await session.get(EntryRow, (game, seq))
            if row is None or row.base == seq:
                raise UserError("The journal of this game has a gap, so its state there cannot be found.")
            later.append(row)
            seq = row.base
            state = await self.find(session, game, seq, ruleset)
        again = []
        for row in reversed(later):
            state = play_again(ruleset, state, row)
            again.append((row.seq, state))
        if again:
            await self._require_agreement(session, game, *again[-1], ruleset)
        for seq, played in again:
            self.remember(game, seq, played)
        return state

    async def _require_agreement(
        self, session: AsyncSession, game: str, seq: int, state: State, ruleset: Ruleset[Any]
    ) -> None:
        """Plays on from a state played again to the next one kept. Raises UserError when that is another."""
        while (row := await self._next(session, game, seq)) is not None:
            state, seq = play_again(ruleset, state, row), row.seq
            kept = await self.find(session, game, seq, ruleset)
            if kept is not None and kept != state:
                raise _otherwise(row)
            if kept is not None:
                return

    async def _next(self, session: AsyncSession, game: str, seq: int) -> EntryRow | None:
        """An action taken from that entry's state: rather one that stands, and the newest."""
        then = EntryRow.game == game, EntryRow.base == seq, EntryRow.seq > seq, EntryRow.acts
        return await session.scalar(select(EntryRow).where(*then).order_by(EntryRow.undone, EntryRow.seq.desc()))

    async def drop_old(self, session: AsyncSession, game: str, keep: int) -> None:
        """Drops snapshots older than the last 100, but those of turn ends and of `keep`."""
        with_state = EntryRow.game == game, EntryRow.state.is_not(None)
        newest = select(EntryRow.seq).where(*with_state).order_by(EntryRow.seq.desc())
        oldest = newest.offset(KEPT_ACTIONS).limit(1).scalar_subquery()
        old = (*with_state, EntryRow.seq <= oldest, EntryRow.seq != keep, ~EntryRow.turn_end)
        drop = update(EntryRow).where(*old).values(state=None)
        await session.execute(drop, execution_options={"synchronize_session": False})


def play_again(ruleset: Ruleset[Any], state: State, row: EntryRow) -> State:
    """The state after the entry, by its action and its dice. Raises UserError when the rules ask for other dice."""
    recorded = Recorded(THROWN.validate_python(row.dice))
    after: State
    try:
        action = ruleset.read_action(row.kind, row.action, row.rules_version)
        after, _ = ruleset.act(state, action, recorded)
    except (Refused, LookupError, ValueError):
        raise _otherwise(row) from None
    if not recorded.all_fell:
        raise _otherwise(row)
    return after


def _otherwise(row: EntryRow) -> UserError:
    return UserError(
        f"The rules have changed since action {row.seq}, and the table as it stood then is no longer kept. "
        "Go back to the end of a turn instead: those are all kept."
    )
