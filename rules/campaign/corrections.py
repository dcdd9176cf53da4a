"""Umpire corrections in a campaign."""

from rules.core.refusal import Refused, refuse
from rules.core.umpire import AddUnit, UmpireTools

from .ground import board_of
from .model import CampaignState, Column, Pace, Troops

USUAL, MOST_ADDED = 24, 200
"""Usual and maximum number of figures of a column that the umpire adds."""


def add_unit(state: CampaignState, action: AddUnit, unit_id: str) -> CampaignState:
    """Return the state with a new column of one unit off the map. Raises Refused on wrong numbers or places."""
    inches = "This map has hexes, not inches: add the column without x and y, then /umpire set its place."
    refuse(None, (action.x is not None, inches))
    paces = {pace.value: pace for pace in Pace}
    if action.troop not in paces:
        raise Refused(f"A column is {', '.join(paces)}. Say which.")
    figures = USUAL if action.figures is None else action.figures
    refuse(None, (not 1 <= figures <= MOST_ADDED, f"A column has 1 to {MOST_ADDED} figures. Give another number."))
    unit = Troops(name=action.name, troop=action.troop, pace=paces[action.troop], start=figures, figures=figures)
    return state.with_unit(Column(id=unit_id, name=action.name, side=action.side, troops=(unit,)))


def settle(before: CampaignState, after: CampaignState, unit_id: str) -> CampaignState:
    """Return the corrected state; a column that was moved has no way any more. Raises Refused off the land."""
    old, new = before.unit(unit_id), after.unit(unit_id)
    off = new.at is not None and new.at not in board_of(after).land
    refuse(None, (off, f"Nobody can stand in {new.at}. Give another hex."))
    if new.at == old.at:
        return after
    return after.changed(unit_id, orders=new.orders.model_copy(update={"way": ()}), way_back=(), days_dug=0)


def _line(state: CampaignState, unit_id: str) -> str:
    column = state.unit(unit_id)
    where = board_of(state).title(column.at) if column.at is not None else "off the map"
    return f"{column.name}: {column.figures} figures, {where}."


UMPIRE_TOOLS: UmpireTools[CampaignState] = UmpireTools(
    add_unit=add_unit,
    remove_unit=lambda state, unit_id: state.without(unit_id),
    settle=settle,
    line=_line,
    set_down=lambda state, _unit, words: board_of(state).hexes_named(words)[-1],
    place_field="at",
    place_in_words=lambda state, hex_: board_of(state).title(hex_),
)
