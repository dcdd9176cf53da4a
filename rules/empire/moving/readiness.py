"""Who may move in this phase: by conduct, out of contact, in its side's part of it (BE-1, BE-6.2, BE-M.3)."""

from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused
from rules.core.wording import in_a_row
from rules.empire.conduct.testing import prompt_of, test_of
from rules.empire.fighting.contacts import in_contact
from rules.empire.model import EmpireState, EmpireUnit, Health
from rules.empire.orders import in_phase
from rules.empire.phases import Phase
from rules.empire.placement import CONTACT

MOVING = Cite(rule="BE-6.2")
HOUSE = Cite(rule="BE-6.2", mark=Mark.HOUSE)
PIECES = Cite(rule="BE-M.6", mark=Mark.HOUSE)


def ready(state: EmpireState, unit: EmpireUnit) -> None:
    """Whether the unit may move, or change its formation, now. Raises Refused."""
    if unit.is_piece:
        _piece_is_ready(state, unit)
        return
    in_phase(state, unit, Phase.UNITS, Phase.EXPLOITATION)
    if state.now is Phase.EXPLOITATION and unit.is_crew:
        raise Refused(f"{unit.name} makes no exploitation move: only foot and mounted do.", HOUSE)
    if state.now is Phase.EXPLOITATION and not unit.this_turn.opponent_gave_way:
        raise Refused(f"{unit.name} has no exploitation move: no opponent of it gave way this turn.", MOVING)
    tests = _has_to_test(state, unit)
    if in_contact(state, unit) and not (tests and unit.shaken):
        foes = in_a_row(foe.name for foe in state.opponents(unit.id))
        raise Refused(f"{unit.name} is in contact with {foes}: it holds until one side gives way.", CONTACT)
    if tests:
        raise _tests_first(state, unit)
    if unit.shaken:
        raise Refused(f"{unit.name} remains shaken: it does not move before it rallies.", MOVING)


def _piece_is_ready(state: EmpireState, piece: EmpireUnit) -> None:
    in_phase(state, piece, Phase.COMMANDERS)
    if piece.health is Health.OUT:
        raise Refused(f"{piece.name} is out for a turn, and stays where it is.", Cite(rule="BE-7"))


def _has_to_test(state: EmpireState, unit: EmpireUnit) -> bool:
    """Foot and horse throw before they move, in 4a once more; guns and machine guns only shaken (BE-6.2)."""
    if unit.is_crew and not unit.shaken:
        return False
    thrown = unit.this_turn.exploited if state.now is Phase.EXPLOITATION else unit.this_turn.tested
    return not thrown


def _tests_first(state: EmpireState, unit: EmpireUnit) -> Refused:
    """The refusal of a move before its conduct is thrown, with the button that throws it."""
    kind = test_of(unit).action.kind
    first = "is shaken: it has to rally" if unit.shaken else "throws its conduct"
    return Refused(f"{unit.name} {first} before it moves: /{kind}, then move it.", MOVING, (prompt_of(state, unit),))
