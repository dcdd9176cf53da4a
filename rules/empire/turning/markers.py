"""Phase 5: disorder goes from all units, low ammunition from those resupplied (BE-1, BE-2.1)."""

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.wording import in_a_row
from rules.empire.model import SUPPLY, EmpireState, EmpireUnit, Health
from rules.empire.placement import within

DISORDER = Cite(rule="BE-2.1")
RESUPPLY = Cite(rule="BE-1", mark=Mark.RULING)
AS_PRINTED = Cite(rule="BE-1")
"""Phase 5 takes low ammunition off without a word of supply."""


def supplied(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether mules or a wagon are with the unit, or in contact with it (option supply_within)."""
    bearers = [each for each in state.of_side(unit.side) if each.arm in SUPPLY and each.health is Health.WELL]
    return any(each.attached_to == unit.id for each in bearers) or bool(
        within(unit, bearers, state.options.supply_within)
    )


def off(state: EmpireState) -> tuple[EmpireState, tuple[Step, ...]]:
    """Takes the markers off, and says from whom."""
    orderly = [unit for unit in state.fighters() if unit.disordered]
    low = [unit for unit in state.fighters() if unit.low_ammo]
    refilled = [unit for unit in low if not state.options.low_ammo_by_supply or supplied(state, unit)]
    state = state.with_unit(*(unit.model_copy(update={"disordered": False}) for unit in orderly))
    state = state.with_unit(*(state.unit(unit.id).model_copy(update={"low_ammo": False}) for unit in refilled))
    steps = []
    if orderly:
        steps.append(Step(text=f"No longer disordered: {in_a_row(unit.name for unit in orderly)}", cite=DISORDER))
    if refilled:
        by_supply = state.options.low_ammo_by_supply
        text = f"{'Resupplied' if by_supply else 'No longer low on ammunition'}: {in_a_row(u.name for u in refilled)}"
        steps.append(Step(text=text, cite=RESUPPLY if by_supply else AS_PRINTED))
    left = [unit for unit in low if unit not in refilled]
    if left:
        text = f"Still low on ammunition, with no mules or wagon: {in_a_row(unit.name for unit in left)}"
        steps.append(Step(text=text, cite=RESUPPLY))
    return state, tuple(steps)
