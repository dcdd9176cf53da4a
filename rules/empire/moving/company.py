"""Those who are with a unit go where it goes (BE-M.6)."""

from rules.empire.model import EmpireState, EmpireUnit


def with_pieces(state: EmpireState, unit: EmpireUnit) -> EmpireState:
    """The state with `unit` changed, and the pieces attached to it where it stands."""
    along = (piece.model_copy(update={"place": unit.place}) for piece in state.pieces_with(unit.id))
    return state.with_unit(unit, *along)
