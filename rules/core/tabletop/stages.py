"""When a battle on a table is played: after its set-up, until its last turn is over; what people are asked in it."""

from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

from typing_extensions import override

from rules.core.asking import Asked, asked_of
from rules.core.model import UMPIRE, Viewer
from rules.core.refused import Refused
from rules.core.report import Prompt
from rules.core.ruleset import Ruleset
from rules.core.state import Action

from . import ground_decision, hiding
from .battle import TableState
from .lying_under import is_free
from .marker_types import MEANT as MEANT_OF_MARKERS
from .setting_up import BEGINS, MEANT, NOT_YET, NOT_YET_UNPLACED, SET_UP_KINDS
from .victory import Reckoning

S = TypeVar("S", bound=TableState[Any])

NO_OPPONENT = (
    "No positions are kept in this game, and the bot plays by what it sees on the table: it has no distances to think "
    "with. Begin a game with positions to play against it."
)


class StagedRuleset(Ruleset[S]):
    """A system whose battles have a set-up and, without positions, an end that the umpire decides."""

    reckoning: ClassVar[Reckoning[Any]]

    @override
    def meant(self, state: S, kind: str, unit: str | None = None) -> str:
        """Before the battle begins `/move` puts a unit anywhere, and `/turn next` begins; so of markers."""
        if unit in state.markers:
            return MEANT_OF_MARKERS.get(kind, kind)
        return kind if state.setting_up is None else MEANT.get(kind, kind)

    def awaits_umpire(self, state: S) -> bool:
        """Whether the last turn is over and the umpire is asked who holds the ground."""
        return state.over is None and state.setting_up is None and self.reckoning.awaits_umpire(state)

    def is_played(self, state: S) -> bool:
        """Whether the battle has begun, and its last turn is not over."""
        return state.setting_up is None and not self.awaits_umpire(state)

    @override
    def open_prompts(self, state: S) -> tuple[Prompt, ...]:
        """Before the battle begins nothing but that; after its last turn the umpire's question of the ground."""
        if state.setting_up is not None:
            return (BEGINS,)
        return (ground_decision.question(state),) if self.awaits_umpire(state) else super().open_prompts(state)

    @override
    def waits_for(self, state: S) -> frozenset[Viewer]:
        """Before the battle begins, and where the ground is to be decided, for the umpire."""
        return super().waits_for(state) if self.is_played(state) else frozenset({UMPIRE})

    @override
    def at_once(self, state: S) -> Action | None:
        """Before the battle begins nothing follows, nor after its last turn."""
        return super().at_once(state) if self.is_played(state) else None

    @override
    def legal(self, state: S, side: Viewer, kind: str | None = None, unit: str | None = None) -> Iterable[Action]:
        """Before the battle begins there is nothing to choose of; nor of what is not free to those who lie hidden."""
        found = super().legal(state, side, kind, unit) if self.is_played(state) else ()
        return (action for action in found if is_free(state, action))

    @override
    def lacking(self, state: S, side: Viewer, kind: str | None = None, unit: str | None = None) -> Iterable[Action]:
        """As for `legal`, nothing before the battle begins; nor where the table knows all that could be measured."""
        measured = state.keeps_positions and state.all_placed
        found = super().lacking(state, side, kind, unit) if self.is_played(state) and not measured else ()
        return (action for action in found if is_free(state, action))

    @override
    def asks(self, state: S, action: Action) -> Asked | None:
        """Without positions also what circumstances only people can tell."""
        there = self.with_actor(state, action)
        return asked_of(self._types[action.kind], there, action, measures=state.keeps_positions)

    @override
    def knows_all(self, state: S, action: Action) -> bool:
        """Without positions where nobody is asked anything."""
        return super().knows_all(state, action) if state.keeps_positions else self.asks(state, action) is None

    @override
    def keeps_positions(self, state: S) -> bool:
        """As was chosen when the game began."""
        return state.keeps_positions

    @override
    def no_opponent(self, state: S) -> str:
        """The bot thinks in places."""
        return "" if state.keeps_positions else NO_OPPONENT

    def with_actor(self, state: S, action: Action) -> S:
        """The state with the action's own unit among those that are shown."""
        return hiding.shown(state, (action.unit,)) if action.unit and action.unit in state.hidden else state


def require_time(state: TableState[Any], action: Action) -> None:
    """Raises Refused where the battle has not begun, but for what is done before."""
    if state.setting_up is not None and not (action.umpire_only or action.kind in SET_UP_KINDS):
        raise Refused(NOT_YET if state.keeps_positions else NOT_YET_UNPLACED)
