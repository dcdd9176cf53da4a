"""What every order of the German player's must fulfil: a German unit of his, in good order, in the right phase."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from typing_extensions import override

from rules.core.action_type import ActionType
from rules.core.model import Cite, Mark, Viewer
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.tanga.field import board_of
from rules.tanga.model import GERMAN, Phase, TangaState, TangaUnit
from rules.tanga.options import Resolution

A = TypeVar("A", bound=Action)
P = TypeVar("P")

TURN = Cite(rule="TA-H.0", mark=Mark.HOUSE)
BOX = Cite(rule="TA-H", mark=Mark.HOUSE)
PHASES = (Phase.MOVE, Phase.FIRE, Phase.MELEE, Phase.RALLY)
"""The German part of a turn, in order."""
ORDERS = {Phase.MOVE: "move", Phase.FIRE: "fire", Phase.MELEE: "attack", Phase.RALLY: "improve positions and rally"}
"""What the player does in each."""


class GermanType(ActionType[TangaState, A, P], Generic[A, P]):
    """A kind of action that the Germans' player does: all but the umpire's word."""

    @override
    def side(self, state: TangaState, action: A) -> Viewer:
        """The Germans, whomever it is about."""
        return GERMAN


def phase_of(state: TangaState) -> Phase:
    """The phase that is on."""
    return Phase(state.phase)


def german(state: TangaState, unit_id: str | None) -> TangaUnit:
    """The German unit of that id, on the map. Raises Refused."""
    unit = state.units.get(unit_id or "")
    if unit is None:
        raise Refused(f"There is no unit “{(unit_id or '')[:40]}”. /unit list shows them all.")
    if unit.side != GERMAN:
        raise Refused(f"{unit.name} is British: the card decides for it. See /british turn.", TURN)
    if not unit.on_map:
        raise Refused(f"{unit.name} is not on the map.", TURN)
    return unit


def require_phase(state: TangaState, phase: Phase) -> None:
    """Raises Refused, saying how to come to the phase, unless it is on."""
    now = phase_of(state)
    if now is phase:
        require_answered(state)
        return
    if now is Phase.BRITISH:
        raise Refused("The British are acting. Play on with /british turn; then it is your turn.", TURN)
    if PHASES.index(now) < PHASES.index(phase):
        raise Refused(f"Now you {ORDERS[now]}. Go on to the {phase.value} phase with /turn next.", TURN)
    raise Refused(f"The {phase.value} phase is over this turn; now you {ORDERS[now]}.", TURN)


def require_answered(state: TangaState) -> None:
    """Raises Refused while the player's own table is asked for a result and has not told it."""
    if (question := state.british.asked) is not None:
        raise Refused(f"First the answer to this: {question.text}", question.cite)


def require_good(unit: TangaUnit, act: str) -> None:
    """Raises Refused unless the unit is in good order."""
    if not unit.is_good:
        raise Refused(f"{unit.name} is disrupted and cannot {act}: it retreats until it rallies.", TURN)


def require_foe(state: TangaState, unit: TangaUnit, target_id: str | None) -> TangaUnit:
    """The British unit on the map of that id. Raises Refused."""
    target = state.units.get(target_id or "")
    if target is None or not target.on_map:
        raise Refused("Name a British unit on the map as the target. Completion shows them.", TURN)
    if target.side == unit.side:
        raise Refused(f"{target.name} is on your own side. Name a British unit.", TURN)
    return target


def germans(state: TangaState) -> Iterable[TangaUnit]:
    """German units on the map."""
    return (unit for unit in state.units.values() if unit.side == GERMAN and unit.on_map)


def place(state: TangaState, unit: TangaUnit) -> str:
    """The hex of a unit on the map, with its name if it has one."""
    assert unit.at is not None
    return board_of(state).title(unit.at)


def allowed(check: Callable[[], object]) -> bool:
    """Whether a check passes that raises Refused where it does not."""
    try:
        check()
    except Refused:
        return False
    return True


def require_house(state: TangaState) -> None:
    """Raises Refused where the tables of the player's own box decide: their chances are not known here."""
    if state.options.resolution is Resolution.OWN:
        raise Refused("Your own box's tables decide that, and their odds are not known here.", BOX)
