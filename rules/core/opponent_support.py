"""What the bot needs from a rule system to play a side. A system overrides the methods that it can improve."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic

from .dice import Dice
from .model import Viewer
from .state import Action, S

if TYPE_CHECKING:
    from .ruleset import Ruleset


class OpponentSupport(Generic[S]):
    """Support for the bot as a player: candidate actions and possible enemy attacks, found by the rules alone."""

    imagine: Callable[[S, Dice], S] | None = None
    """Return a side's view with plausible assumptions, for example about hidden facts; None if a system makes none."""

    def __init__(self, system: "Ruleset[S]") -> None:
        self._system: Ruleset[Any] = system

    def candidates(self, state: S, side: Viewer, kind: str, unit: str) -> Iterable[Action]:
        """Yield candidate actions of a kind for a unit (by id), most useful first."""
        return self._system.legal_actions(state, side, kind, unit)

    def attacks(self, state: S, side: Viewer, target: str) -> Iterable[tuple[S, Action]]:
        """Yield attacks of `side` on the unit `target` (by id), each with a state in which `side` is active."""
        phases = self._system.phases
        for phase in phases.player_phases or ("",) if phases is not None else ("",):
            side_state = state.model_copy(update={"active": side})
            supposed_state = phases.suppose_phase(state, phase, side) if phases is not None else side_state
            for action_type in self._system.action_types:
                if "target" in action_type.action.model_fields:
                    yield from (
                        (supposed_state, action)
                        for action in action_type.candidates(supposed_state, side)
                        if getattr(action, "target", "") == target
                        and action_type.plan_if_allowed(supposed_state, action) is not None
                    )
