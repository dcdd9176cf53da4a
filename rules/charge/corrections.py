"""Corrections by the umpire: units added, removed or changed in Charge!"""

from rules.core.refusal import refuse
from rules.core.umpire import AddUnit, UmpireTools

from .contact import drop_one_sided_fights, remove_from_fight
from .figures import PLACEMENT, WAYS
from .model import Arm, ChargeState
from .scenarios import TROOPS


def add_unit(state: ChargeState, action: AddUnit, unit_id: str) -> ChargeState:
    """Return the state with the new unit of `action`. Raises Refused for wrong troops, numbers, or occupied ground."""
    unit = TROOPS.make_added_unit(action, unit_id)
    WAYS.require_clearance(state, unit)
    return state.with_unit(unit)


def remove_unit(state: ChargeState, unit_id: str) -> ChargeState:
    """Return the state without the unit, without its part in a fight, and without its pending hits on others."""
    without_unit = remove_from_fight(state, unit_id).without_unit(unit_id)
    units = {
        unit.id: unit.model_copy(update={"hits": tuple(hits for hits in unit.hits if hits.by != unit_id)})
        for unit in without_unit.units.values()
    }
    return without_unit.model_copy(update={"units": units})


def settle_correction(before: ChargeState, after: ChargeState, unit_id: str) -> ChargeState:
    """Return `after`, with the fights and hits of the corrected unit adjusted.

    Raises Refused if the unit's numbers contradict each other, or if there is no room for the unit.
    """
    old, new = before.unit(unit_id), after.unit(unit_id)
    too_many = f"{new:have} {new.figures} figures, and cannot have begun with {new.at_start}."
    gun = f"{new:have} no gun to lose."
    refuse(None, (new.figures > new.at_start, too_many), (new.gun_destroyed and new.arm is not Arm.GUN, gun))
    if new.on_table and (PLACEMENT.base(new), new.side) != (PLACEMENT.base(old), old.side):
        WAYS.require_clearance(after, new)
        if new.side != old.side or not any(PLACEMENT.are_touching(new, foe) for foe in after.enemies_in_contact(new)):
            after = remove_from_fight(after, unit_id)
    return drop_one_sided_fights(after if new.on_table else after.with_unit(new.model_copy(update={"hits": ()})))


UMPIRE_TOOLS: UmpireTools[ChargeState] = UmpireTools(
    add_unit=add_unit, remove_unit=remove_unit, settle=settle_correction, set_down=WAYS.set_down
)
