"""Cover, skirmish order and gone to ground: what a target has, and what of it it may claim (BE-4.3)."""

from rules.core.chart import Row
from rules.core.report import Step
from rules.empire.model import Cover, EmpireUnit, Formation, Nation
from rules.empire.tables import row, value

from .targeting import has_moved

CLAIMS = "cover-claims"
GONE = "gone to ground"
SKIRMISHING = "in skirmish order"
IN_SANGARS = (Nation.PATHAN, Nation.BOER)


def claims(target: EmpireUnit) -> tuple[tuple[str, ...], tuple[Step, ...]]:
    """What covers the target, in words ("in soft cover"), and a step for each thing it has and may not claim."""
    by = _standing(target)
    has = [target.cover.value] if target.cover is not Cover.NONE else []
    has += [GONE] if target.gone_to_ground else []
    granted = [SKIRMISHING] if target.formation is Formation.SKIRMISH else []
    denied = []
    for claim in has:
        if value(CLAIMS, by.label, claim):
            granted.append(claim if claim == GONE else f"in {claim}")
        else:
            text = f"{target.name} may not claim {'to have gone to ground' if claim == GONE else claim}"
            denied.append(Step(text=text, cite=by.cite, verdict=_why(by.label, claim)))
    return tuple(granted), tuple(denied)


def _standing(target: EmpireUnit) -> Row:
    """The row of the chart of claims the target is read by (BE-4.3)."""
    if target.formation is Formation.SKIRMISH:
        return row(CLAIMS, f"{SKIRMISHING}, Pathans and Boers" if target.nation in IN_SANGARS else SKIRMISHING)
    if has_moved(target):
        return row(CLAIMS, "moved this turn")
    if target.is_crew:
        return row(CLAIMS, "stationary, guns and machine guns")
    loose = target.formation is Formation.LOOSE
    return row(CLAIMS, "stationary, in loose order" if loose else "stationary, formed or massed")


def _why(label: str, claim: str) -> str:
    if label == SKIRMISHING and claim == Cover.SANGAR:
        return "of those in skirmish order only Pathans and Boers may"
    if label.startswith(SKIRMISHING):
        return "units in skirmish order may not"
    return "it moved this turn, and only the stationary may"
