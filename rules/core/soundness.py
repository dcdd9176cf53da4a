"""Whether a state from outside can be played on: what every system's state must fulfil."""

from .refused import Refused
from .state import State

MOST_TURNS = 9999


def is_of_one_piece(state: State) -> None:
    """Sides, turn, verdict and units of any state. Raises Refused with the place of what is wrong."""
    sides = {side.id for side in state.sides}
    if len(sides) < len(state.sides) or state.active not in sides:
        raise Refused(f"sides: each comes once, and “{state.active[:40]}” (active) is one of them.")
    must(1 <= state.turn <= MOST_TURNS, "turn", f"it is from 1 to {MOST_TURNS}")
    if state.over is not None and state.over.winner is not None:
        must(state.over.winner in sides, "over.winner", f"there is no side “{state.over.winner[:40]}”")
    for key, unit in state.units.items():
        rightly = unit.id == key and unit.side in sides
        must(rightly, f"units.{key[:40]}", "it has another id, or is of a side that there is not")


def must(true: bool, where: str, otherwise: str) -> None:
    """Raises Refused with the place, unless it is true."""
    if not true:
        raise Refused(f"{where}: {otherwise}.")
