"""Who is ordered, and whether it may act in this phase: what every action type asks first."""

from collections.abc import Iterable, Mapping

from rules.core.known import known
from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused

from .model import EmpireState, EmpireUnit
from .phases import MOVEMENT, SEQUENCE, Phase, title

BY_TURNS = Cite(rule="BE-1", mark=Mark.HOUSE)
"""In movement one side acts after the other."""


def find(state: EmpireState, unit: str | None, what: str = "unit") -> EmpireUnit:
    """The unit of that id, on the table. Raises Refused with the nearest names."""
    found = known(state, unit, what)
    if found.reserve is not None:
        raise Refused(f"{found.name} has yet to arrive. Choose another {what}.", SEQUENCE)
    if not found.on_table:
        raise Refused(f"{found.name} has left the table. Choose another {what}.")
    return found


def find_fighter(state: EmpireState, unit: str | None, what: str = "unit") -> EmpireUnit:
    """The same, of those that fire and fight. Raises Refused."""
    found = find(state, unit, what)
    if found.is_piece:
        raise Refused(
            f"{found.name} neither fires nor fights: {found.arm.value} go with a unit. Choose another {what}."
        )
    return found


def in_phase(state: EmpireState, unit: EmpireUnit, *phases: Phase) -> None:
    """Whether it is one of these phases and the unit's side may still act in it. Raises Refused."""
    is_phase(state, *phases)
    its_side_acts(state, unit)


def is_phase(state: EmpireState, *phases: Phase) -> None:
    """Whether it is one of these phases. Raises Refused."""
    if state.now not in phases:
        when = " or ".join(title(phase) for phase in phases)
        raise Refused(f"That belongs to {when}. Now: {title(state.now)}. /turn next goes on.", SEQUENCE)


def its_side_acts(state: EmpireState, unit: EmpireUnit) -> None:
    """Whether the unit's side may act now; one with nothing to do in a phase is taken to be through. Raises Refused."""
    if unit.side in state.acting:
        return
    if state.now in MOVEMENT:
        raise Refused(f"The {state.side(state.active).name} move now; {unit.name} when they have moved.", BY_TURNS)
    raise Refused(
        f"The {state.side(unit.side).name} are through with this phase: they said so, or had nothing to do in it. "
        "/game undo goes back.",
        SEQUENCE,
    )


def remembering(unit: EmpireUnit, **memory: object) -> EmpireUnit:
    """The unit with these things remembered of its turn."""
    return unit.model_copy(update={"this_turn": unit.this_turn.model_copy(update=memory)})


def as_said(unit: EmpireUnit, words: Iterable[str], meanings: Mapping[str, Mapping[str, object]]) -> EmpireUnit:
    """The unit as the words say it is: by word, fields of it or of what is remembered of its turn."""
    said = {field: value for word in words for field, value in meanings.get(word, {}).items()}
    memory = {field: value for field, value in said.items() if field not in EmpireUnit.model_fields}
    fields = {field: type(getattr(unit, field))(said[field]) for field in said if field not in memory}
    return remembering(unit.model_copy(update=fields), **memory)
