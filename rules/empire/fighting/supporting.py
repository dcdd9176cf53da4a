"""Support: a unit that touches no enemy adds its dice to a friend's melee (BE-5)."""

from collections.abc import Iterable
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Report, Step
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


def support(state: EmpireState, action: SupportMelee, dice: Dice) -> tuple[EmpireState, Report]:  # noqa: ARG001
    """Declares it. Raises Refused."""
    unit = find_fighter(state, action.unit)
    in_phase(state, unit, Phase.MELEE)
    friend = find_fighter(state, action.target, "friend")
    why_not = hindrance(state, unit, friend)
    if why_not is not None:
        raise why_not
    number = dice_of(unit, "support")
    step = Step(
        text=f"{unit.name} supports {friend.name}",
        cite=MELEE,
        verdict=f"{number} more {'die' if number == 1 else 'dice'}",
    )
    report = Report(
        headline=f"{unit.name}: support for {friend.name} in melee.",
        side=unit.side,
        steps=(step,),
        outcome="It shares the loss of a defeat.",
        units=(unit.id, friend.id),
    )
    given = Support(unit=unit.id, friend=friend.id)
    return state.model_copy(update={"supports": (*state.supports, given)}), report


def hindrance(state: EmpireState, unit: EmpireUnit, friend: EmpireUnit) -> Refused | None:
    """Why the unit cannot support that friend now (BE-5, ruling: near by, touching no enemy, one melee a turn)."""
    if unit.side != friend.side or unit.id == friend.id:
        return Refused(f"{unit.name} supports a friend: name another unit of its own side as target.", RULING)
    if in_contact(state, unit):
        return Refused(f"{unit.name} is in contact itself: it fights there. Choose another unit.", RULING)
    if not in_contact(state, friend):
        return Refused(f"{friend.name} is in contact with no enemy. Choose a friend in melee.", RULING)
    given = next((each for each in state.supports if each.unit == unit.id), None)
    if given is not None:
        return Refused(f"{unit.name} already supports {state.unit(given.friend).name}, and one melee a turn.", RULING)
    if friend.this_turn.fought or unit.this_turn.fought:
        fought = friend if friend.this_turn.fought else unit
        return Refused(f"{fought.name} has fought this turn. Support is declared before the dice are thrown.", RULING)
    if unit.shaken and not state.options.shaken_may_support:
        return Refused(f"{unit.name} is shaken and supports nobody. Choose another unit.", SHAKEN)
    between, most = gap(unit, friend), state.options.support_within
    if between is not None and between > most + CONTACT:
        return Refused(
            f"{unit.name} is {inches(between)} from {friend.name}; support is within {inches(most)}.", RULING
        )
    return None


def open_supports(state: EmpireState) -> Iterable[Support]:
    """Every support that may be declared now."""
    if state.now is not Phase.MELEE:
        return
    for friend in state.fighters():
        if friend.side in state.acting and in_contact(state, friend):
            for unit in state.fighters(friend.side):
                if hindrance(state, unit, friend) is None:
                    yield Support(unit=unit.id, friend=friend.id)


def legal(state: EmpireState, side: Viewer) -> Iterable[Action]:
    """Supports that a side may declare."""
    for each in open_supports(state):
        if side in (state.unit(each.unit).side, UMPIRE):
            yield SupportMelee(unit=each.unit, target=each.friend)


DEED: Deed[EmpireState] = Deed(SupportMelee, support, legal=legal)
