"""Ranges of fire: how far it is, which band that is, and what lies beyond reach (BE-4.1)."""

from dataclasses import dataclass

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.tabletop.table import CLOSE
from rules.core.wording import inches
from rules.empire.model import GUNS, EmpireUnit
from rules.empire.placement import fire_range
from rules.empire.tables import row, value

RANGES = "fire-ranges"
SHORT, EFFECTIVE = "short", "effective"
EDGE = Cite(rule="BE-4.1", mark=Mark.RULING)
DOUBTFUL = 0.5
"""Inches between a range given and the range measured that are worth a warning."""


@dataclass(frozen=True)
class Distance:
    """How far it is to the target, in inches, how that is known, and a warning."""

    inches: float
    measured: bool
    warning: str = ""


def rule_of(unit: EmpireUnit) -> str:
    """The number of the rules it fires by."""
    return "BE-3" if unit.weapon in GUNS else "BE-4"


def distance(unit: EmpireUnit, target: EmpireUnit, given: float | None, *, contact: bool, said: bool) -> Distance:
    """Inches from the firer's front to the target: none in contact, else measured, else as given.

    `said` is contact that is only said. Raises Refused where it is not known.
    """
    if contact:
        return Distance(0.0, measured=False)
    measured = fire_range(unit, target)
    if measured is not None:
        doubt = given is not None and abs(given - measured) > DOUBTFUL
        warning = f"The range given, {inches(given or 0)}, is not the measured one, which counts." if doubt else ""
        return Distance(measured, measured=True, warning=warning)
    if given is None and not said:
        raise Refused(
            f"How far is {target.name} from {unit.name}? Give the range in inches: they have no places to measure.",
            Cite(rule=rule_of(unit)),
        )
    return Distance(given or 0.0, measured=False)


def band(unit: EmpireUnit, range_: float) -> str:
    """The band of range, `short` or `effective`: exactly on the edge is the nearer (BE-4.1). Raises Refused beyond."""
    weapons = row(RANGES, "artillery" if unit.weapon in GUNS else "rifles and machine guns")
    reach = value(RANGES, weapons.label, f"{EFFECTIVE}, to")
    if range_ > reach + CLOSE:
        carry = "carries" if unit.weapon in GUNS else "carry"
        raise Refused(
            f"{unit.name} cannot reach {inches(range_)}: {weapons.label} {carry} {inches(reach)}. "
            "Choose a nearer target.",
            Cite(rule="BE-4.1"),
        )
    return SHORT if range_ <= value(RANGES, weapons.label, f"{SHORT}, to") + CLOSE else EFFECTIVE


def range_step(unit: EmpireUnit, target: EmpireUnit, far: Distance, band_: str) -> Step:
    """The range and its band; on the very edge by ruling."""
    weapons = "artillery" if unit.weapon in GUNS else "rifles and machine guns"
    edge = any(abs(far.inches - value(RANGES, weapons, f"{each}, to")) <= CLOSE for each in (SHORT, EFFECTIVE))
    how = " from the centre of its front to the nearest point of the target" if far.measured else ""
    cite = EDGE if edge else Cite(rule=rule_of(unit))
    return Step(text=f"{unit.name} to {target.name}: {inches(far.inches)}{how}", cite=cite, verdict=f"{band_} range")
