"""Fix bayonets: in phase 2, those units that the player names, or all of a side (BE-1, house)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.report import Prompt, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import in_a_row
from rules.empire.model import Bayonets, EmpireState, EmpireUnit
from rules.empire.orders import find_fighter, in_phase
from rules.empire.phases import Phase, title

FIXING = Cite(rule="BE-1", mark=Mark.HOUSE)
UNFIX = "unfix"


class FixBayonets(Action):
    """Fixes the bayonets of `unit`, or of every unit of `side` that has them; with `unfix`, takes them off."""

    kind: ClassVar[str] = "bayonets"
    circumstance_names: ClassVar[tuple[str, ...]] = (UNFIX,)

    side: str | None = None


@dataclass(frozen=True)
class BayonetsPlan:
    """The units, whether they are all of their side that can, and what becomes of their bayonets."""

    units: tuple[str, ...]
    side: str
    all_of_side: bool
    bayonets: Bayonets


class BayonetsType(ActionType[EmpireState, FixBayonets, BayonetsPlan]):
    """Bayonets stay as they are until they are fixed or taken off (BE-1, house)."""

    action = FixBayonets

    def side(self, state: EmpireState, action: FixBayonets) -> Viewer:
        """The unit's side, or the one named."""
        return super().side(state, action) if action.unit is not None else action.side or state.active

    def candidates(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[FixBayonets]:
        """For each unit that can, and for all of a side."""
        if state.now is not Phase.BAYONETS:
            return
        for side in state.acting:
            if viewer in (side, UMPIRE):
                yield from (FixBayonets(unit=each.id) for each in able(state, side) if unit in (None, each.id))
                if unit is None:
                    yield FixBayonets(side=side)

    def plan(self, state: EmpireState, action: FixBayonets, *, supposing: bool = False) -> BayonetsPlan:  # noqa: ARG002
        """The units meant. Raises Refused out of phase, or where there is nothing to fix."""
        was, then = Bayonets.UNFIXED, Bayonets.FIXED
        if UNFIX in action.circumstances:
            was, then = then, was
        units = _meant(state, action, was)
        return BayonetsPlan(tuple(unit.id for unit in units), units[0].side, action.unit is None, then)

    def label(self, state: EmpireState, plan: BayonetsPlan) -> str:
        """`Fix all: British`, `Unfix: 24th`."""
        verb = "Fix" if plan.bayonets is Bayonets.FIXED else "Unfix"
        if plan.all_of_side:
            return f"{verb} all: {state.side(plan.side).name}"
        return f"{verb}: {in_a_row(state.unit(each).name for each in plan.units)}"

    def resolve(self, play: Play[EmpireState], plan: BayonetsPlan) -> None:
        """Sets the flag of the units."""
        for each in plan.units:
            play.change(each, bayonets=plan.bayonets)
        one = len(plan.units) == 1
        fix = "fixes" if one else "fix"
        verb = fix if plan.bayonets is Bayonets.FIXED else "take off"
        names = in_a_row(play.state.unit(each).name for each in plan.units)
        play.say(Step(text=f"Bayonets are {plan.bayonets.value} from now on", cite=FIXING))
        play.tell(headline=f"Bayonets: {names} {verb} them.", side=plan.side, units=plan.units)


def able(state: EmpireState, side: str, now: Bayonets = Bayonets.UNFIXED) -> tuple[EmpireUnit, ...]:
    """Units of a side whose bayonets are so; none where all count as fixed."""
    return tuple(unit for unit in state.fighters(side) if state.options.fixing_bayonets and unit.bayonets is now)


def _meant(state: EmpireState, action: FixBayonets, was: Bayonets) -> tuple[EmpireUnit, ...]:
    if not state.options.fixing_bayonets:
        raise Refused("In this game bayonets always count as fixed (option “fixing bayonets”).", FIXING)
    if action.unit is not None:
        unit = find_fighter(state, action.unit)
        in_phase(state, unit, Phase.BAYONETS)
        if unit.bayonets is not was:
            raise Refused(f"The bayonets of {unit.name}: {unit.bayonets.value}. There is nothing to change.", FIXING)
        return (unit,)
    if action.side not in {side.id for side in state.sides}:
        raise Refused("Name the unit that is to fix bayonets.", FIXING)
    if state.now is not Phase.BAYONETS:
        raise Refused(f"Bayonets are fixed in {title(Phase.BAYONETS)}. Now: {title(state.now)}.", FIXING)
    units = able(state, action.side, was)
    if not units:
        raise Refused("No unit of that side has bayonets to change.", FIXING)
    in_phase(state, units[0], Phase.BAYONETS)
    return units


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """The open choice of each side that has bayonets to fix."""
    if state.now is not Phase.BAYONETS:
        return
    for side in state.acting:
        plan = FIX.planned(state, FixBayonets(side=side))
        if plan is not None:
            key = f"bayonets:{side}:{state.turn}"
            offer = FIX.offer(state, FixBayonets(side=side), key, FIX.label(state, plan))
            text = f"{in_a_row(state.unit(each).name for each in plan.units)} may fix bayonets"
            yield Prompt(key=key, unit="", side=side, text=text, cite=FIXING, offers=(offer,), required=False)


FIX = BayonetsType()
