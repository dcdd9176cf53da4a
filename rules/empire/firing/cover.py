"""Cover, skirmish order and gone to ground: what a target has, and what of it it may claim (BE-4.3)."""

from dataclasses import dataclass

from rules.core.chart import Row
from rules.core.report import Step
from rules.empire.model import Cover, EmpireUnit, Formation, Nation
from rules.empire.tables import row, value

CLAIMS = "cover-claims"
GONE = "gone to ground"
SKIRMISHING = "in skirmish order"
IN_SANGARS = (Nation.PATHAN, Nation.BOER)


@dataclass(frozen=True)
class Claims:
    """What covers a target, in words ("in soft cover"), and a step for each thing it may not claim."""

    granted: tuple[str, ...]
    denied: tuple[Step, ...]


def has_moved(unit: EmpireUnit) -> bool:
    """Whether it moved this turn, of its own will or not: it is not stationary, and fires moving (BE-4, BE-4.3)."""
    return unit.this_turn.moved > 0 or unit.this_turn.recoiled


def standing(target: EmpireUnit) -> Row:
    """The row of the chart of claims the target is read by (BE-4.3)."""
    if target.formation is Formation.SKIRMISH:
        return row(CLAIMS, f"{SKIRMISHING}, Pathans and Boers" if target.nation in IN_SANGARS else SKIRMISHING)
    if has_moved(target):
        return row(CLAIMS, "moved this turn")
    if target.is_crew:
        return row(CLAIMS, "stationary, guns and machine guns")
    loose = target.formation is Formation.LOOSE
    return row(CLAIMS, "stationary, in loose order" if loose else "stationary, formed or massed")


def claims(target: EmpireUnit) -> Claims:
    """What the target may claim of the cover it has, and of having gone to ground (BE-4.3)."""
    by = standing(target)
    has = (
        *((target.cover.value,) if target.cover is not Cover.NONE else ()),
        *((GONE,) if target.gone_to_ground else ()),
    )
    may = [claim for claim in has if value(CLAIMS, by.label, claim)]
    skirmishing = (SKIRMISHING,) if target.formation is Formation.SKIRMISH else ()
    granted = (*skirmishing, *(claim if claim == GONE else f"in {claim}" for claim in may))
    denied = tuple(
        Step(text=f"{target.name} may not claim {_named(claim)}", cite=by.cite, verdict=_why(by.label, claim))
        for claim in has
        if claim not in may
    )
    return Claims(granted, denied)


def _named(claim: str) -> str:
    return "to have gone to ground" if claim == GONE else claim


def _why(label: str, claim: str) -> str:
    if label == SKIRMISHING and claim == Cover.SANGAR:
        return "of those in skirmish order only Pathans and Boers may"
    if label.startswith(SKIRMISHING):
        return "units in skirmish order may not"
    return "it moved this turn, and only the stationary may"
