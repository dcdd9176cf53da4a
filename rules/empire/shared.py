"""Checks of units and phases that several actions share, and troops for questions without a game."""

from collections.abc import Iterable, Mapping
from typing import Any

from rules.core import ad_hoc
from rules.core.ad_hoc import OURS
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.unit_lookup import find_unit

from .model import SQUARES, Arm, Bayonets, EmpireState, EmpireUnit
from .options import EmpireOptions, Theatre
from .phases import MOVEMENT, SEQUENCE, Phase, phase_title
from .tables import TROOPS

BY_TURNS = Cite(rule="BE-1", mark=Mark.HOUSE)
"""Citation for the rule that one side moves after the other."""


def find_unit_on_table(state: EmpireState, unit: str | None, noun: str = "unit") -> EmpireUnit:
    """Return the unit with id `unit`. Raises Refused for an unknown id, or if the unit is off the table."""
    match: EmpireUnit = find_unit(state, unit, noun)
    if match.on_table:
        return match
    refuse(SEQUENCE, (match.reserve is not None, f"{match:have} yet to arrive. Choose another {noun}."))
    raise Refused(f"{match:have} left the table. Choose another {noun}.")


def find_fighter(state: EmpireState, unit: str | None, noun: str = "unit") -> EmpireUnit:
    """Return the unit with id `unit`. Raises Refused unless the unit is a fighting unit on the table."""
    match = find_unit_on_table(state, unit, noun)
    if match.is_piece:
        with_units = "commanders, leaders, mules and wagons go with a unit"
        raise Refused(f"{match:do} not fire or fight: {with_units}. Choose another {noun}.")
    return match


def require_may_act(state: EmpireState, unit: EmpireUnit, *phases: Phase) -> None:
    """Raise Refused unless the current phase is one of `phases` and the unit's side may act."""
    require_phase(state, *phases)
    require_active_side(state, unit)


def require_phase(state: EmpireState, *phases: Phase) -> None:
    """Raise Refused unless the current phase is one of `phases`."""
    if state.current_phase not in phases:
        when, order = " or ".join(phase_title(phase) for phase in phases), [*Phase]
        is_over = all(order.index(phase) < order.index(state.current_phase) for phase in phases)
        instead = "It comes again next turn." if is_over else "Finish that first: /turn next ends it."
        raise Refused(f"That belongs to {when}. Now: {phase_title(state.current_phase)}. {instead}", SEQUENCE)


def require_active_side(state: EmpireState, unit: EmpireUnit) -> None:
    """Raise Refused unless the unit's side may act now."""
    if unit.side in state.acting_sides:
        return
    moving = f"{state.side(state.active):The} move now; {unit.name} when they have moved."
    refuse(BY_TURNS, (state.current_phase in MOVEMENT, moving))
    through = "have ended this phase: they said so, or had nothing to do in it. /game undo goes back."
    raise Refused(f"{state.side(unit.side):The} {through}", SEQUENCE)


def change_turn_record(unit: EmpireUnit, **fields: object) -> EmpireUnit:
    """Return the unit with fields of its turn record changed."""
    return unit.model_copy(update={"this_turn": unit.this_turn.model_copy(update=fields)})


def apply_circumstances(
    unit: EmpireUnit, words: Iterable[str], meanings: Mapping[str, Mapping[str, object]]
) -> EmpireUnit:
    """Return the unit with the circumstances `words` applied to its fields and turn record."""
    changes = {field: value for word in words for field, value in meanings.get(word, {}).items()}
    memory = {field: value for field, value in changes.items() if field not in EmpireUnit.model_fields}
    fields = {field: type(getattr(unit, field))(changes[field]) for field in changes if field not in memory}
    return change_turn_record(unit.model_copy(update=fields), **memory)


def apply_troop_words(
    unit: EmpireUnit, words: Iterable[str], meanings: Mapping[str, Mapping[str, object]], rule: Cite
) -> EmpireUnit:
    """Return the unit as a question's `words` describe it. Raises Refused for words that do not fit the unit."""
    for word in words:
        meaning, leave_out = meanings.get(word, {}), f"Leave “{word}” out."
        bayonets = "bayonets" in meaning and unit.bayonets is Bayonets.NONE
        formed = "formation" in meaning and unit.is_crew
        square = meaning.get("formation") in SQUARES and unit.arm is not Arm.FOOT
        refuse(SEQUENCE, (bayonets, f"{unit.name}: there are no bayonets to fix. {leave_out}"))
        refuse(rule, (formed, f"{unit.name}: crews keep to their guns. {leave_out}"))
        refuse(rule, (square, f"{unit.name}: only foot forms square. {leave_out}"))
    return apply_circumstances(unit, words, meanings)


def make_question_state(
    phase: Phase, *units: EmpireUnit, theatre: Theatre = Theatre.ALL_TYPES, **fields: Any
) -> EmpireState:
    """Return a state without places in `phase`, with our side to move. `fields` are further fields of the state."""
    options = EmpireOptions(theatre=theatre)
    return ad_hoc.throwaway_state(EmpireState, *units, first=OURS, phase=phase.value, options=options, **fields)


def make_fighter(words: str, unit_id: str = "unit", side: str = OURS, **fields: Any) -> EmpireUnit:
    """Return a fighting unit of the named troops `words`, with further `fields`. Raises Refused for pieces."""
    troop = TROOPS.find(words)
    unit: EmpireUnit = troop.make_unit(unit_id, troop.name, side, **fields)
    if unit.is_piece:
        raise Refused(f"{unit:do} not fire or fight, but {unit:they go} with a unit. Name troops that fight.")
    return unit
