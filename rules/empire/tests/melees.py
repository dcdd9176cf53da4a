"""Melees after a charge."""

from rules.core.model import Cite, Mark
from rules.empire.fighting.melee import Melee
from rules.empire.model import Bayonets, Contact, EmpireState, EmpireUnit, Formation, Support
from rules.empire.phases import Phase

from .field import BLUE, RED, contact_of, dice, field, unit
from .field import act as fight

WORKS = "defending field works, an obstacle"
"""Modifier of works; a ruling counts works as an obstacle."""
SCRIPT = (1,) * 60


def melee(
    attacker: EmpireUnit,
    defender: EmpireUnit,
    *units: EmpireUnit,
    contact: Contact | None = None,
    joined: tuple[Contact, ...] = (),
    behind: tuple[Support, ...] = (),
    **fields: object,
) -> EmpireState:
    """Return a melee in which `attacker` charged `defender`, or with the given contact."""
    contacts = (contact or contact_of(attacker.id, defender.id), *joined)
    return field(attacker, defender, *units, phase=Phase.MELEE, contacts=contacts, supports=behind, **fields)


def melee_modifiers(state: EmpireState, of: str = "A", **order: object) -> dict[str, int]:
    """Return a unit's modifiers per die, by reason."""
    _, report = fight(state, Melee(**{"unit": "a", "target": "b", **order}), dice(*SCRIPT))
    step = next(step for step in report.steps if step.text == f"{of} in melee")
    ruled = {modifier.reason for modifier in step.modifiers if modifier.cite == Cite(rule="BE-5", mark=Mark.RULING)}
    assert ruled == {modifier.reason for modifier in step.modifiers if modifier.reason == WORKS}
    assert all(modifier.cite == Cite(rule="BE-5") for modifier in step.modifiers if modifier.reason not in ruled)
    return {modifier.reason: int(modifier.value) for modifier in step.modifiers}


def regulars(unit_id: str = "a", side: str = RED, **fields: object) -> EmpireUnit:
    return unit("british-regulars", unit_id, side, **{"bayonets": Bayonets.FIXED, **fields})


def rifles(unit_id: str = "b", side: str = BLUE, **fields: object) -> EmpireUnit:
    """Return enemies without any effect on modifiers: foot in loose order."""
    return unit("boers-on-foot", unit_id, side, **{"formation": Formation.LOOSE, **fields})
