"""Fix bayonets: in phase 2, those units that the player names, or all of a side (BE-1, house)."""

from collections.abc import Iterable
from typing import ClassVar

from rules.core.action_type import SimpleType
from rules.core.model import Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.report import Prompt
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import in_a_row
from rules.empire.model import Bayonets, EmpireState, EmpireUnit
from rules.empire.orders import find_fighter, in_phase, is_phase, its_side_acts
from rules.empire.phases import Phase

FIXING = Cite(rule="BE-1", mark=Mark.HOUSE)
UNFIX = "unfix"


class FixBayonets(Action):
    """Fixes the bayonets of `unit`, or of every unit of `side` that has them; with `unfix`, takes them off."""

    kind: ClassVar[str] = "bayonets"
    circumstance_names: ClassVar[tuple[str, ...]] = (UNFIX,)

    side: str | None = None


class BayonetsType(SimpleType[EmpireState, FixBayonets]):
    """Bayonets stay as they are until they are fixed or taken off (BE-1, house)."""

    action = FixBayonets

    def side(self, state: EmpireState, action: FixBayonets) -> Viewer:
        """The unit's side, or the one named."""
        return super().side(state, action) if action.unit is not None else action.side or state.active

    def thinkable(self, state: EmpireState) -> Iterable[FixBayonets]:
        """For each unit that can, and for all of a side."""
        for side in state.acting if state.now is Phase.BAYONETS else ():
            yield from (FixBayonets(unit=each.id) for each in able(state, side))
            yield FixBayonets(side=side)

    def check(self, state: EmpireState, action: FixBayonets) -> None:
        """Raises Refused out of phase, or where there is nothing to fix."""
        _meant(state, action)

    def label(self, state: EmpireState, plan: FixBayonets) -> str:
        """`Fix all: British`, `Unfix: 24th`."""
        verb = "Unfix" if UNFIX in plan.circumstances else "Fix"
        return (
            f"{verb}: {state.unit(plan.unit).name}" if plan.unit else f"{verb} all: {state.side(plan.side or '').name}"
        )

    def resolve(self, play: Play[EmpireState], plan: FixBayonets) -> None:
        """Sets the flag of the units."""
        units, unfix = _meant(play.state, plan), UNFIX in plan.circumstances
        then = Bayonets.UNFIXED if unfix else Bayonets.FIXED
        for each in units:
            play.change(each.id, bayonets=then)
        play.note(f"Bayonets are {then.value} from now on", FIXING)
        verb = "take off" if unfix else "fixes" if len(units) == 1 else "fix"
        headline = f"Bayonets: {_names(units)} {verb} them."
        play.tell(headline=headline, side=units[0].side, units=tuple(each.id for each in units))


def able(state: EmpireState, side: str, now: Bayonets = Bayonets.UNFIXED) -> tuple[EmpireUnit, ...]:
    """Units of a side whose bayonets are so; none where all count as fixed."""
    return tuple(unit for unit in state.fighters(side) if state.options.fixing_bayonets and unit.bayonets is now)


def _meant(state: EmpireState, action: FixBayonets) -> tuple[EmpireUnit, ...]:
    """The units whose bayonets it changes. Raises Refused."""
    was = Bayonets.FIXED if UNFIX in action.circumstances else Bayonets.UNFIXED
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
    is_phase(state, Phase.BAYONETS)
    units = able(state, action.side or "", was)
    if not units:
        raise Refused("No unit of that side has bayonets to change.", FIXING)
    its_side_acts(state, units[0])
    return units


def _names(units: Iterable[EmpireUnit]) -> str:
    return in_a_row(unit.name for unit in units)


FIX = BayonetsType()


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """The open choice of each side that has bayonets to fix."""
    for side in state.acting if state.now is Phase.BAYONETS else ():
        units, key = able(state, side), f"bayonets:{side}:{state.turn}"
        if units:
            fix = FixBayonets(side=side)
            yield FIX.prompt(state, [fix], key, f"{_names(units)} may fix bayonets", FIXING, required=False)
