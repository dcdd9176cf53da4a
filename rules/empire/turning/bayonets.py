"""Fixing bayonets in phase 2, by unit or by side (BE-1, house)."""

from collections.abc import Iterable

from rules.core.action_type import Caption, SimpleType
from rules.core.model import Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.refusal import refuse
from rules.core.report import Prompt
from rules.core.state import Action
from rules.core.wording import join_with_and
from rules.empire.model import Bayonets, EmpireState, EmpireUnit
from rules.empire.phases import Phase
from rules.empire.prompt_occasions import BAYONETS
from rules.empire.shared import find_fighter, require_active_side, require_phase

FIXING = Cite(rule="BE-1", mark=Mark.HOUSE)
UNFIX = "unfix"


class FixBayonets(Action):
    """Fixing of bayonets by `unit`, or by all units of `side`. The circumstance `unfix` takes bayonets off."""

    kind = "bayonets"
    circumstance_names = (UNFIX,)

    side: str | None = None


class BayonetsType(SimpleType[EmpireState, FixBayonets]):
    """Action type of fixing bayonets, or taking them off, for this and later turns (BE-1, house)."""

    action = FixBayonets

    def side(self, state: EmpireState, action: FixBayonets) -> Viewer:
        """Return the unit's side, or the named side."""
        return super().side(state, action) if action.unit is not None else action.side or state.active

    def suggest_actions(self, state: EmpireState) -> Iterable[FixBayonets]:
        """Yield the actions of fixing bayonets, for each unit that can and for each acting side."""
        for fix in _bayonet_actions(state):
            yield from (FixBayonets(unit=unit.id) for unit in _units_changing_bayonets(state, fix))
            yield fix

    def check(self, state: EmpireState, action: FixBayonets) -> None:
        """Raise Refused outside phase 2, or if no bayonets would change."""
        always = not state.options.fixing_bayonets
        is_named = action.unit is not None or action.side in {side.id for side in state.sides}
        refuse(
            FIXING,
            (always, "In this game bayonets always count as fixed (option “fixing bayonets”)."),
            (not is_named, "Name the unit that is to fix bayonets."),
        )
        none = "No unit of that side has bayonets to change."
        if action.unit is not None:
            unit = find_fighter(state, action.unit)
            none = f"The bayonets of {unit.name}: {unit.bayonets.value}. There is nothing to change."
        require_phase(state, Phase.BAYONETS)
        units = _units_changing_bayonets(state, action)
        refuse(FIXING, (not units, none))
        require_active_side(state, units[0])

    def caption(self, state: EmpireState, plan: FixBayonets) -> Caption:
        """Return the button text `Fix all: British`."""
        return Caption(f"Fix all: {state.side(self.side(state, plan)).name}")

    def resolve(self, play: Play[EmpireState], plan: FixBayonets) -> None:
        """Fix the units' bayonets, or take them off."""
        units, unfix = _units_changing_bayonets(play.state, plan), UNFIX in plan.circumstances
        bayonets = Bayonets.UNFIXED if unfix else Bayonets.FIXED
        for unit in units:
            play.change(unit.id, bayonets=bayonets)
        play.note_calculation(f"Bayonets are {bayonets.value} from now on", FIXING)
        names, verb = join_with_and(unit.name for unit in units), "take off" if unfix else "fix"
        play.tell(headline=f"{names} {verb} their bayonets.", units=tuple(unit.id for unit in units))


def _bayonet_actions(state: EmpireState) -> Iterable[FixBayonets]:
    """Yield an action for each acting side in phase 2: all its units fix bayonets."""
    return (FixBayonets(side=side) for side in state.acting_sides if state.current_phase is Phase.BAYONETS)


def _units_changing_bayonets(state: EmpireState, action: FixBayonets) -> tuple[EmpireUnit, ...]:
    """Return the units whose bayonets the action changes; none if bayonets always count as fixed."""
    old = Bayonets.FIXED if UNFIX in action.circumstances else Bayonets.UNFIXED
    units = (unit for unit in state.fighters() if state.options.fixing_bayonets and unit.bayonets is old)
    return tuple(
        unit for unit in units if (unit.side == action.side if action.unit is None else unit.id == action.unit)
    )


FIX = BayonetsType()


def fix_bayonets_of_hidden_units(play: Play[EmpireState]) -> None:
    """Fix the bayonets of hidden units as phase 2 ends (BE-1, house).

    Their side is not prompted, because a phase that waits for hidden units would betray them.
    """
    if not play.state.options.fixing_bayonets:
        return
    unfixed = {unit.id: unit for unit in play.state.hidden.values() if unit.bayonets is Bayonets.UNFIXED}
    fixed = {unit_id: unit.model_copy(update={"bayonets": Bayonets.FIXED}) for unit_id, unit in unfixed.items()}
    if fixed:
        play.set(hidden={**play.state.hidden, **fixed})


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """Yield an optional prompt for each side that has bayonets to fix."""
    for fix in _bayonet_actions(state):
        units, key = _units_changing_bayonets(state, fix), f"bayonets:{fix.side}:{state.turn}"
        if units:
            text = f"{join_with_and(unit.name for unit in units)} may fix bayonets"
            yield FIX.prompt(state, [fix], key, text, FIXING, required=False, occasion=BAYONETS)
