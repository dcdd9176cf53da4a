"""Changes of formation, mounting and limbering: who may, and what it makes of a unit (BE-M.2)."""

from collections.abc import Callable, Mapping
from typing import Any

from rules.core.ruleset import Refused
from rules.empire.model import Arm, EmpireUnit, Formation
from rules.empire.placement import GIVEN_UP
from rules.empire.tables import value

from .allowance import CHANGING

MOUNT, DISMOUNT = "mount", "dismount"
LIMBER, UNLIMBER = "limber", "unlimber"
SQUARES = (Formation.SQUARE.value, Formation.COMPANY_SQUARE.value)
FORMATIONS = tuple(formation.value for formation in Formation)
MOUNTING = (MOUNT, DISMOUNT)
LIMBERING = (LIMBER, UNLIMBER)
WORDS = (*FORMATIONS, *MOUNTING, *LIMBERING)
"""Changes that cost a part of the move."""
WHERE_IT_HALTS = (DISMOUNT, UNLIMBER, *SQUARES)
BEFORE = tuple(word for word in WORDS if word not in WHERE_IT_HALTS)
COLUMNS = {Arm.FOOT: "foot", Arm.MOUNTED: "mounted"}
CREWS = "guns and machine guns"

Update = Mapping[str, Any]


def change(unit: EmpireUnit, word: str) -> EmpireUnit:
    """The unit after one change. Raises Refused where it cannot be made, or would change nothing."""
    if unit.is_piece:
        raise Refused(f"{unit.name} has no formation to change: {unit.arm.value} simply move.", CHANGING)
    update = CHANGES[word](unit) if word in CHANGES else _formed(unit, Formation(word))
    return unit.model_copy(update=update)


def takes(unit: EmpireUnit, formation: Formation) -> bool:
    """Whether troops of the unit's arm take that formation, and the unit's own list, if it has one, names it."""
    own = tuple(name.strip() for name in unit.formations.split(",") if name.strip())
    by_arm = bool(value("formations", formation.value, COLUMNS.get(unit.arm, CREWS)))
    return by_arm and (not own or formation.value in own)


def _formed(unit: EmpireUnit, formation: Formation) -> Update:
    if unit.formation is formation:
        raise Refused(f"{unit.name} is in {formation.value} already.", CHANGING)
    if not takes(unit, formation):
        may = ", ".join(other.value for other in Formation if takes(unit, other))
        raise Refused(f"{unit.name} does not take {formation.value}. It takes: {may}.", CHANGING)
    upright = {"gone_to_ground": False} if not may_lie(unit.arm, formation) else {}
    return {"formation": formation, **upright}


def may_lie(arm: Arm, formation: Formation) -> bool:
    """Whether troops so drawn up can go to ground (BE-M.4)."""
    upright = (*(Formation(square) for square in SQUARES), Formation.COLUMN, Formation.DEEP)
    return arm is not Arm.MOUNTED and formation not in upright


def _mount(unit: EmpireUnit) -> Update:
    if not unit.has_horses or unit.arm is not Arm.FOOT:
        why = "is mounted already" if unit.arm is Arm.MOUNTED else "has no horses to mount"
        raise Refused(f"{unit.name} {why}.", CHANGING)
    if unit.in_square:
        raise Refused(f"{unit.name} is in square. Change its formation first, as “loose order”.", CHANGING)
    return {"arm": Arm.MOUNTED, **GIVEN_UP}


def _dismount(unit: EmpireUnit) -> Update:
    if not unit.has_horses or unit.arm is not Arm.MOUNTED:
        why = "is on foot" if unit.arm is not Arm.MOUNTED else "does not fight on foot"
        raise Refused(f"{unit.name} {why}.", CHANGING)
    return {"arm": Arm.FOOT}


def _limber(unit: EmpireUnit) -> Update:
    _is_a_crew(unit)
    if unit.limbered:
        raise Refused(f"{unit.name} is limbered already.", CHANGING)
    return {"limbered": True, **GIVEN_UP}


def _unlimber(unit: EmpireUnit) -> Update:
    _is_a_crew(unit)
    if not unit.limbered:
        raise Refused(f"{unit.name} is unlimbered already.", CHANGING)
    return {"limbered": False}


def _is_a_crew(unit: EmpireUnit) -> None:
    if not unit.is_crew:
        raise Refused(f"{unit.name} has no limber: that is for guns and machine guns.", CHANGING)


CHANGES: Mapping[str, Callable[[EmpireUnit], Update]] = {
    MOUNT: _mount,
    DISMOUNT: _dismount,
    LIMBER: _limber,
    UNLIMBER: _unlimber,
}
