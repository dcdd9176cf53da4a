"""How well the Germans came off at Tanga, where the British are played by the card: for games that are compared."""

from rules.tanga.field import VICTORY
from rules.tanga.model import GERMAN, Condition, TangaState

LOST = {Condition.GOOD: 0.0, Condition.DISRUPTED: 0.5, Condition.ELIMINATED: 1.0}


def margin(state: TangaState) -> float:
    """Of a game that is over: who has won first, then what the British lack of the hexes, then the losses of both."""
    won = state.over is not None and state.over.winner == GERMAN
    held = (len(VICTORY.hexes_held(state, kind)) / needed for kind, needed in state.objectives.items() if needed)
    losses = 0.0
    for unit in state.units.values():
        losses += LOST[unit.condition] * unit.is_combat * (-1 if unit.side == GERMAN else 1)
    return 1000 * won - 100 * min(1.0, min(held, default=0.0)) + losses / max(1, len(state.units))
