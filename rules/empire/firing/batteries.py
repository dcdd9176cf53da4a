"""How many guns of a unit throw dice: each of its stands is a gun (BE-3, BE-4)."""

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.empire.model import GUNS, MACHINE_GUNS, EmpireState, EmpireUnit

from .ranges import rule_of


def guns_firing(state: EmpireState, unit: EmpireUnit) -> int:
    """Guns that throw dice of their own (options dice_of_each_gun, dice_of_each_machine_gun); of riflemen 1."""
    each = {
        **dict.fromkeys(GUNS, state.options.dice_of_each_gun),
        **dict.fromkeys(MACHINE_GUNS, state.options.dice_of_each_machine_gun),
    }
    return unit.stands if each.get(unit.weapon, False) else 1


def guns_step(unit: EmpireUnit, guns: int, each: int) -> tuple[Step, ...]:
    """`2 guns, 4 dice each: 8 dice`; nothing of a single gun."""
    if guns == 1:
        return ()
    what = "guns" if unit.weapon in GUNS else "machine guns"
    cite = Cite(rule=rule_of(unit), mark=Mark.RULING)
    return (Step(text=f"{guns} {what}, {each} dice each", cite=cite, verdict=f"{guns * each} dice"),)
