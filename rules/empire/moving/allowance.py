"""How many inches a unit may move, and what changes take from them (BE-6.2, BE-M.2)."""

from rules.core.model import Cite, Mark, Model
from rules.core.report import Step
from rules.core.wording import inches
from rules.empire.conduct.charts import gun_move
from rules.empire.model import COMMANDERS, EmpireState, EmpireUnit, Formation

from .readiness import MOVING, PIECES

CHANGING = Cite(rule="BE-M.2", mark=Mark.HOUSE)
WITHOUT_PENALTY = Cite(rule="BE-6")
FORMED = (Formation.CLOSE, Formation.MASSED, Formation.DEEP, Formation.COLUMN)
"""Formations that cannot turn as they like (BE-M.2)."""


class Allowance(Model):
    """Inches a unit may move in all, why, and by which rule."""

    inches: float
    why: str
    cite: Cite


def allowance(state: EmpireState, unit: EmpireUnit) -> Allowance:
    """What the unit may move in all this turn, as it stands: by its conduct, its limber, or as a piece of its own."""
    if unit.is_piece:
        rides = state.options.commander_move if unit.arm in COMMANDERS else state.options.supply_move
        return Allowance(inches=rides, why=unit.arm.value, cite=PIECES)
    if unit.is_crew:
        limbered = "limbered" if unit.limbered else "unlimbered"
        return Allowance(inches=gun_move(unit), why=f"{unit.weapon.value}, {limbered}", cite=MOVING)
    return Allowance(inches=unit.this_turn.allowed or 0.0, why=unit.this_turn.result or "conduct", cite=MOVING)


def left(state: EmpireState, unit: EmpireUnit) -> float:
    """Inches left of it."""
    return max(allowance(state, unit).inches - unit.this_turn.spent, 0.0)


def allowed_step(state: EmpireState, unit: EmpireUnit) -> Step:
    """The inches a unit may move, as a line of a report."""
    may, spent = allowance(state, unit), unit.this_turn.spent
    verdict = f"up to {inches(may.inches)}" + (f", {inches(spent)} of them spent before" if spent else "")
    return Step(text=f"{may.why[0].upper()}{may.why[1:]}", cite=may.cite, verdict=verdict)


def costs_to_turn(unit: EmpireUnit) -> bool:
    """Whether a change of facing costs the unit anything: formed foot and horse (BE-M.2)."""
    return not unit.is_piece and not unit.is_crew and unit.formation in FORMED


def change_cost(state: EmpireState, unit: EmpireUnit) -> float:
    """Inches that a change costs (option change_costs)."""
    return float(state.options.change_costs) * allowance(state, unit).inches


def limbered_anew(state: EmpireState, before: EmpireUnit, after: EmpireUnit, spent: float) -> float:
    """Inches spent, in the measure of its new move: limbered or unlimbered it has left the part it had (BE-M.2)."""
    was, now = allowance(state, before).inches, allowance(state, after).inches
    return spent * now / was if was and now != was else spent
