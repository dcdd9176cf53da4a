"""Phase 5: disorder goes from all units, low ammunition from those resupplied (BE-1, BE-2.1)."""

from rules.core.model import Cite, Mark
from rules.core.play import Play
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


def off(play: Play[EmpireState]) -> None:
    """Takes the markers off, and says from whom."""
    state, by_supply = play.state, play.state.options.low_ammo_by_supply
    orderly = [unit for unit in state.fighters() if unit.disordered]
    low = [unit for unit in state.fighters() if unit.low_ammo]
    refilled = [unit for unit in low if not by_supply or supplied(state, unit)]
    left = [unit for unit in low if unit not in refilled]
    for unit in orderly:
        play.change(unit.id, disordered=False)
    for unit in refilled:
        play.change(unit.id, low_ammo=False)
    no_longer = "Resupplied" if by_supply else "No longer low on ammunition"
    for units, text, cite in (
        (orderly, "No longer disordered", DISORDER),
        (refilled, no_longer, RESUPPLY if by_supply else AS_PRINTED),
        (left, "Still low on ammunition, with no mules or wagon", RESUPPLY),
    ):
        if units:
            play.say(Step(text=f"{text}: {in_a_row(unit.name for unit in units)}", cite=cite))
