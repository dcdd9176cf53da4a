"""Fire asked for without a game: any troops at a target of which only the circumstances are known (BE-3, BE-4)."""

from collections.abc import Mapping
from typing import Any

from rules.core.asking import only, whole
from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.empire.asked import OURS, THEIRS, fighter, throwaway
from rules.empire.model import GUNS, MACHINE_GUNS, Arm, Conduct, EmpireState, EmpireUnit, Formation
from rules.empire.phases import Phase

from .machine_guns import choices
from .words import IN_CONTACT

UNIT, TARGET = "unit", "target"
MOST_STANDS = 30
NEEDS = ("troop", "figures", "range", "dice")


def ask(given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Mapping[str, Any]]:
    """The table and the arguments of the shot asked for. Raises Refused on what is missing, unknown or absurd."""
    only("fire", given, NEEDS)
    if "troop" not in given:
        raise Refused("Say which troops: fire needs “troop”, as “British regulars”.")
    if "range" not in given and IN_CONTACT not in words:
        raise Refused("Say how far: fire needs “range” in inches, as range:10.")
    unit = _firer(given)
    dice = whole(given, "dice", 1, MOST_STANDS) if "dice" in given else None
    if unit.weapon in MACHINE_GUNS and dice is None:
        numbers = f"{choices()[0]} to {choices()[-1]}"
        raise Refused(f"Say with how many dice: {unit.name} needs “dice”, {numbers}.", Cite(rule="BE-4"))
    target = EmpireUnit(
        id=TARGET,
        name="the target (foot)",
        side=THEIRS,
        arm=Arm.FOOT,
        conduct=Conduct.ASSAULT,
        formation=Formation.MASSED,
    )
    state = throwaway(Phase.ARTILLERY if unit.weapon in GUNS else Phase.RIFLES, unit, target)
    return state, {"unit": UNIT, "target": TARGET, "range": given.get("range"), "dice": dice, "with": words}


def _firer(given: Mapping[str, Any]) -> EmpireUnit:
    """So many stands or guns of the troops named, or their usual number."""
    unit = fighter(str(given["troop"]), UNIT, OURS)
    if "figures" not in given:
        return unit
    return unit.model_copy(update={"stands": whole(given, "figures", 1, MOST_STANDS)})
