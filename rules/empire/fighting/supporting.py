"""Support: a unit that touches no enemy adds its dice to a friend's melee (BE-5)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.tabletop.table import CONTACT
from rules.core.wording import inches
from rules.empire.model import EmpireState, EmpireUnit, Support
from rules.empire.orders import find_fighter, in_phase
from rules.empire.phases import Phase
from rules.empire.placement import gap

from .contacts import in_contact
from .engagement import dice_of
from .strokes import MELEE

RULING = Cite(rule="BE-5", mark=Mark.RULING)
SHAKEN = Cite(rule="BE-5", mark=Mark.HOUSE)


class SupportMelee(Action):
    """`unit` supports its friend `target`, which is in contact, in the melee of this turn."""

    kind: ClassVar[str] = "support"

    target: str | None = None


@dataclass(frozen=True)
class SupportPlan:
    """The unit, its friend, and the dice that it adds."""

    unit: str
    friend: str
    dice: int


class SupportType(ActionType[EmpireState, SupportMelee, SupportPlan]):
    """Declared before the dice of the melee are thrown (BE-5)."""

    action = SupportMelee

    def candidates(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[SupportMelee]:
        """Every unit of the side with every friend who is in contact."""
        if state.now is not Phase.MELEE:
            return
        for friend in state.fighters():
            if viewer in (friend.side, UMPIRE) and in_contact(state, friend):
                for each in state.fighters(friend.side):
                    if unit in (None, each.id):
                        yield SupportMelee(unit=each.id, target=friend.id)

    def plan(self, state: EmpireState, action: SupportMelee, *, supposing: bool = False) -> SupportPlan:  # noqa: ARG002
        """The two, and the dice. Raises Refused."""
        unit = find_fighter(state, action.unit)
        in_phase(state, unit, Phase.MELEE)
        friend = find_fighter(state, action.target, "friend")
        _may_support(state, unit, friend)
        return SupportPlan(unit.id, friend.id, dice_of(unit, "support"))

    def label(self, state: EmpireState, plan: SupportPlan) -> str:
        """`Support: uVe with Zulu impi`."""
        return f"Support: {state.unit(plan.friend).name} with {state.unit(plan.unit).name}"

    def resolve(self, play: Play[EmpireState], plan: SupportPlan) -> None:
        """Declares it."""
        unit, friend = play.state.unit(plan.unit), play.state.unit(plan.friend)
        play.set(supports=(*play.state.supports, Support(unit=unit.id, friend=friend.id)))
        more = f"{plan.dice} more {'die' if plan.dice == 1 else 'dice'}"
        play.say(Step(text=f"{unit.name} supports {friend.name}", cite=MELEE, verdict=more))
        play.tell(
            headline=f"{unit.name}: support for {friend.name} in melee.",
            side=unit.side,
            outcome="It shares the loss of a defeat.",
            units=(unit.id, friend.id),
        )


def _may_support(state: EmpireState, unit: EmpireUnit, friend: EmpireUnit) -> None:
    """Near by, touching no enemy, one melee a turn. Raises Refused (BE-5, ruling)."""
    if unit.side != friend.side or unit.id == friend.id:
        raise Refused(f"{unit.name} supports a friend: name another unit of its own side as target.", RULING)
    if in_contact(state, unit):
        raise Refused(f"{unit.name} is in contact itself: it fights there. Choose another unit.", RULING)
    if not in_contact(state, friend):
        raise Refused(f"{friend.name} is in contact with no enemy. Choose a friend in melee.", RULING)
    given = next((each for each in state.supports if each.unit == unit.id), None)
    if given is not None:
        raise Refused(f"{unit.name} already supports {state.unit(given.friend).name}, and one melee a turn.", RULING)
    if friend.this_turn.fought or unit.this_turn.fought:
        fought = friend if friend.this_turn.fought else unit
        raise Refused(f"{fought.name} has fought this turn. Support is declared before the dice are thrown.", RULING)
    if unit.shaken and not state.options.shaken_may_support:
        raise Refused(f"{unit.name} is shaken and supports nobody. Choose another unit.", SHAKEN)
    between, most = gap(unit, friend), state.options.support_within
    if between is not None and between > most + CONTACT:
        raise Refused(f"{unit.name} is {inches(between)} from {friend.name}; support is within {inches(most)}.", RULING)


SUPPORT = SupportType()
