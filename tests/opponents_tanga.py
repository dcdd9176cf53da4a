"""Score of the Germans in a finished game of Tanga, where the card plays the British."""

from rules.tanga import victory
from rules.tanga.model import GERMAN, Condition, TangaState

LOSS_WEIGHTS = {Condition.GOOD: 0.0, Condition.DISRUPTED: 0.5, Condition.ELIMINATED: 1.0}


def score_game(state: TangaState) -> float:
    """Return the score of a finished game: victory first, then objective hexes the British lack, then losses."""
    won = state.over is not None and state.over.winner == GERMAN
    shares = (len(victory.held_hexes(state, kind)) / needed for kind, needed in state.objectives.items() if needed)
    losses = 0.0
    for unit in state.units.values():
        losses += LOSS_WEIGHTS[unit.condition] * unit.is_combat * (-1 if unit.side == GERMAN else 1)
    return 1000 * won - 100 * min(1.0, min(shares, default=0.0)) + losses / max(1, len(state.units))
