"""The stages of a battle on a table: set-up, turns and, after the last turn, the umpire's decision."""

from collections.abc import Iterable
from typing import Any, ClassVar

from typing_extensions import override

from rules.core.ad_hoc import FactsToAsk, find_facts_to_ask
from rules.core.model import UMPIRE, Viewer
from rules.core.refusal import Refused
from rules.core.report import Prompt
from rules.core.ruleset import Ruleset
from rules.core.state import Action

from . import ground_decision, hidden_units
from .battle import S, TableState
from .marker_types import MARKER_COMMANDS
from .set_up import BEGIN_PROMPT, NOT_YET, NOT_YET_UNPLACED, SET_UP_COMMANDS, SET_UP_KINDS
from .unit_under_marker import can_act
from .victory import VictoryRules


class StagedRuleset(Ruleset[S]):
    """A system whose battles may begin with a set-up, and end with the umpire's decision if positions are unknown."""

    victory: ClassVar[VictoryRules[Any]]

    @override
    def kind_meant_now(self, state: S, kind: str, unit: str | None = None) -> str:
        """Return the kind of action that a command means at present.

        During the set-up, `/move` deploys a unit, and `/turn next` begins the battle. A command that names a
        marker means an action of markers.
        """
        if unit in state.markers:
            return MARKER_COMMANDS.get(kind, kind)
        return kind if state.setting_up is None else SET_UP_COMMANDS.get(kind, kind)

    def awaits_umpire(self, state: S) -> bool:
        """Whether the last turn is over and the umpire must decide who holds the ground."""
        return state.over is None and state.setting_up is None and self.victory.awaits_umpire(state)

    def is_under_way(self, state: S) -> bool:
        """Whether play is under way: after the set-up, before the umpire's decision."""
        return state.setting_up is None and not self.awaits_umpire(state)

    @override
    def open_prompts(self, state: S) -> tuple[Prompt, ...]:
        """Return the open prompts. During the set-up and after the last turn, only the umpire is asked."""
        if state.setting_up is not None:
            return (BEGIN_PROMPT,)
        return (
            (ground_decision.make_ground_prompt(state),) if self.awaits_umpire(state) else super().open_prompts(state)
        )

    @override
    def awaited_viewers(self, state: S) -> frozenset[Viewer]:
        """Return the sides that the game waits for; during the set-up and after the last turn, the umpire."""
        return super().awaited_viewers(state) if self.is_under_way(state) else frozenset({UMPIRE})

    @override
    def next_forced_action(self, state: S) -> Action | None:
        """Return the next forced action; None during the set-up and after the last turn."""
        return super().next_forced_action(state) if self.is_under_way(state) else None

    @override
    def legal_actions(
        self, state: S, side: Viewer, kind: str | None = None, unit: str | None = None
    ) -> Iterable[Action]:
        """Yield the legal actions while play is under way, without actions that a hidden unit cannot do."""
        actions = super().legal_actions(state, side, kind, unit) if self.is_under_way(state) else ()
        return (action for action in actions if can_act(state, action))

    @override
    def unmeasured_actions(
        self, state: S, side: Viewer, kind: str | None = None, unit: str | None = None
    ) -> Iterable[Action]:
        """Yield the actions that need distances measured by people. Yield none if all places are known."""
        measured = state.keeps_positions and state.are_all_placed
        actions = (
            super().unmeasured_actions(state, side, kind, unit) if self.is_under_way(state) and not measured else ()
        )
        return (action for action in actions if can_act(state, action))

    @override
    def facts_to_ask(self, state: S, action: Action) -> FactsToAsk | None:
        """Return the questions that people must answer before the action; None without questions.

        Without positions, the questions include measurements on the real table.
        """
        acting_state = self.show_actor(state, action)
        return find_facts_to_ask(self._types[action.kind], acting_state, action, measures=state.keeps_positions)

    def show_actor(self, state: S, action: Action) -> S:
        """Return the state in which the acting unit is visible, even if the unit is hidden or an arrival."""
        if action.unit and action.unit in state.arrivals:
            return state.with_unit(state.arrivals[action.unit].unit)
        return hidden_units.show_units(state, (action.unit,)) if action.unit and action.unit in state.hidden else state


def require_set_up_action(state: TableState[Any], action: Action) -> None:
    """Raise Refused during the set-up, except for actions of the set-up or of the umpire alone."""
    if state.setting_up is not None and not (action.umpire_only or action.kind in SET_UP_KINDS):
        raise Refused(NOT_YET if state.keeps_positions else NOT_YET_UNPLACED)
