"""Answer questions about a system's actions: whether an action is allowed, its caption, its odds, its arguments."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Generic

from . import parsing
from .action_type import ActionType, Caption
from .ad_hoc import FactsToAsk, find_facts_to_ask
from .model import Viewer
from .refusal import Refused
from .state import Action, S
from .system_parts import SystemParts


class ActionRules(SystemParts[S], Generic[S]):
    """The actions of a system: their permission, captions, odds and arguments."""

    def __init__(self) -> None:
        """Index the action types by kind. Raises ValueError if two types have the same kind."""
        self._types: Mapping[str, ActionType[S, Any, Any]] = {
            action_type.action.kind: action_type for action_type in self.action_types
        }
        if len(self._types) < len(self.action_types):
            raise ValueError(f"{self.id}: two action types of one kind")
        self.actions: Mapping[str, type[Action]] = {
            kind: action_type.action for kind, action_type in self._types.items()
        }

    def side_of(self, state: S, action: Action) -> Viewer:
        """Return the side that takes the action, or the umpire."""
        return self._types[action.kind].side(state, action)

    def allows(self, state: S, action: Action) -> bool:
        """Whether the rules allow the action in this state."""
        return state.over is None and self._types[action.kind].plan_if_allowed(state, action) is not None

    def caption(self, state: S, action: Action) -> Caption:
        """Return the caption of the action's button, with its chances. Raises Refused if the action is not allowed."""
        kind = self._types[action.kind]
        return kind.caption(state, kind.plan(state, action))

    def effect_on_move(self, state: S, action: Action) -> str:
        """Return in words how much of its move the unit uses up, or how far it may go; empty if unknown."""
        return self._describe_plan(state, action, self._types[action.kind].effect_on_move)

    def expected_course(self, state: S, action: Action) -> str:
        """Return the expected course of the action, such as a march day by day. Empty if unknown."""
        return self._describe_plan(state, action, self._types[action.kind].expected_course)

    def _describe_plan(self, state: S, action: Action, describe: Callable[[S, Any], str] | None) -> str:
        with suppress(Refused):
            return describe(state, self._types[action.kind].plan(state, action)) if describe is not None else ""
        return ""

    def label(self, state: S, action: Action) -> str:
        """Return the caption of the action's button as one text. Raises Refused if the action is not allowed."""
        return str(self.caption(state, action))

    @property
    def kinds_with_odds(self) -> tuple[str, ...]:
        """Return the kinds of action whose odds can be asked for: those that throw dice."""
        return tuple(kind for kind, action_type in self._types.items() if action_type.has_odds)

    def legal_actions(
        self, state: S, side: Viewer, kind: str | None = None, unit: str | None = None
    ) -> Iterable[Action]:
        """Yield legal actions of `side`, of one `kind` and unit (by id) or of all; enough to play a whole game."""
        for action_type in self._types_of_kind(state, kind):
            yield from action_type.possible_actions(state, side, unit)

    def unmeasured_actions(
        self, state: S, side: Viewer, kind: str | None = None, unit: str | None = None
    ) -> Iterable[Action]:
        """Yield the actions of `side` that lack only a measurement, such as the range, which people must state."""
        for action_type in self._types_of_kind(state, kind):
            yield from action_type.unmeasured_actions(state, side, unit)

    def _types_of_kind(self, state: S, kind: str | None) -> Iterable[ActionType[S, Any, Any]]:
        """Return the action type of `kind`, or all types if `kind` is None. After the game's end, return none."""
        types = self._types if state.over is None else {}
        return types.values() if kind is None else filter(None, (types.get(kind),))

    def can_list_by_unit(self, kind: str) -> bool:
        """Whether one unit's actions of this kind can be listed without a search of all units' actions."""
        return self._types[kind].can_list_by_unit

    def facts_to_ask(self, state: S, action: Action) -> FactsToAsk | None:
        """Return the facts that people must state before `action`, or None."""
        kind = self._types.get(action.kind)
        return None if kind is None else find_facts_to_ask(kind, state, action, measures=True)

    def parse(self, kind: str, args: Mapping[str, Any]) -> Action:
        """Return the action of `kind` with these arguments, as words or values.

        The argument `with` lists circumstances, separated by commas. Raises Refused for a wrong argument, and for
        unknown or contradictory circumstances.
        """
        if kind not in self.actions:
            raise Refused(f"{self.title} knows no {kind}. It has: {', '.join(sorted(self.actions))}.")
        return parsing.parse_action(self.title, self.actions[kind], args, self.circumstances)

    def read_action(self, kind: str, args: Mapping[str, Any], version: int) -> Action:
        """Return the action stored in an entry of format `version`. Raises Refused, or ValueError for bad data."""
        return self.parse(*self.upgrade_action(kind, args, version))
