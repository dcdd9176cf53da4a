"""Who may move in this phase: by conduct, out of contact, in its side's part of it (BE-1, BE-6.2, BE-M.3)."""

from rules.core.model import Cite, Mark
from rules.core.refused import Refused, refuse
from rules.core.wording import in_a_row
from rules.empire.conduct.testing import prompt_of, test_of
from rules.empire.fighting.contacts import in_contact
from rules.empire.model import EmpireState, EmpireUnit, Health
from rules.empire.orders import in_phase
from rules.empire.phases import Phase
from rules.empire.placement import CONTACT

MOVING = Cite(rule="BE-6.2")
HOUSE = Cite(rule="BE-6.2", mark=Mark.HOUSE)
OUT = Cite(rule="BE-7")
PIECES = Cite(rule="BE-M.6", mark=Mark.HOUSE)


def ready(state: EmpireState, unit: EmpireUnit) -> None:
    """Whether the unit may move, or change its formation, now. Raises Refused."""
    if unit.is_piece:
        in_phase(state, unit, Phase.COMMANDERS)
        refuse(OUT, (unit.health is Health.OUT, f"{unit.name} is out for a turn, and stays where it is."))
        return
    in_phase(state, unit, Phase.UNITS, Phase.EXPLOITATION)
    mine, again = unit.this_turn, state.now is Phase.EXPLOITATION
    not_foremost = again and not mine.opponent_gave_way
    tests = (unit.shaken or not unit.is_crew) and not (mine.exploited if again else mine.tested)
    held = in_contact(state, unit) and not (tests and unit.shaken)
    foes = in_a_row(foe.name for foe in state.opponents(unit.id))
    refuse(HOUSE, (again and unit.is_crew, f"{unit.name} makes no exploitation move: only foot and mounted do."))
    refuse(MOVING, (not_foremost, f"{unit.name} has no exploitation move: no opponent of it gave way this turn."))
    refuse(CONTACT, (held, f"{unit.name} is in contact with {foes}: it holds until one side gives way."))
    if tests:
        first = "is shaken: it has to rally" if unit.shaken else "throws its conduct"
        why = f"{unit.name} {first} before it moves: /{test_of(unit).action.kind}, then move it."
        raise Refused(why, MOVING, (prompt_of(state, unit),))
    refuse(MOVING, (unit.shaken, f"{unit.name} remains shaken: it does not move before it rallies."))
