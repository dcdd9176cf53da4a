"""Who is ordered, and whether it can obey at all: what every order to move, fire or build asks first."""

from rules.core.known import known
from rules.core.model import Cite, Mark
from rules.core.refused import refuse

from .model import MagdalaState, MagdalaUnit, Morale
from .stored_prompts import SETTLE_FIRST, first_prompt, still_owes

TURNS = Cite(rule="MM-1", mark=Mark.RULING)
"""Order of play is by alternate turns."""
FLYING = {
    Morale.ROUTED: Cite(rule="MM-5.8"),
    Morale.RETREATING: Cite(rule="MM-5.9"),
    Morale.PURSUING: Cite(rule="MM-4.6"),
}


def find(state: MagdalaState, unit: str | None, what: str = "unit") -> MagdalaUnit:
    """The unit of that id, on the table. Raises Refused with the nearest names."""
    found = known(state, unit, what)
    refuse(None, (not found.on_table, f"{found.name} has left the table. Choose another {what}."))
    return found


def own_turn(state: MagdalaState, unit: MagdalaUnit) -> None:
    """Alternate turns: each side acts in its own. Raises Refused."""
    whose = state.side(state.active).name
    why = f"It is the turn of the {whose}; {unit.name} acts when it has passed."
    refuse(TURNS, (unit.side != state.active, why))


def free_in_own_turn(state: MagdalaState, unit: MagdalaUnit) -> None:
    """Whether a unit may be ordered to do anything at all: its turn, under command, in no melee. Raises Refused."""
    own_turn(state, unit)
    under_command(state, unit)
    not_in_melee(unit)


def under_command(state: MagdalaState, unit: MagdalaUnit) -> None:
    """Whether the unit obeys, and has not spent its whole turn. Raises Refused."""
    obeys(state, unit)
    spent = f"{unit.name} has spent its whole turn. It can act again in its next."
    refuse(TURNS, (unit.this_turn.whole_turn_spent, spent))


def obeys(state: MagdalaState, unit: MagdalaUnit) -> None:
    """Routed, retreating and pursuing units do what they must; who owes a test settles it first. Raises Refused."""
    rule = FLYING.get(unit.morale)
    refuse(rule, (rule, f"{unit.name} is {unit.morale}: it obeys no orders until that is over."))
    owed = first_prompt(state, unit.id, *SETTLE_FIRST)
    if owed is not None:
        raise still_owes(state, owed, Cite(rule="MM-5"))


def not_in_melee(unit: MagdalaUnit) -> None:
    """Who is in melee fights, and does nothing else. Raises Refused."""
    why = f"{unit.name} is in melee: it fights on until one side gives way."
    refuse(Cite(rule="MM-4.5", mark=Mark.RULING), (unit.melee_with, why))


def counted(state: MagdalaState) -> MagdalaState:
    """The state after one more action."""
    return state.model_copy(update={"events": state.events + 1})
