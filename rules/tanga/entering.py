"""What entering a hex does, whichever side does it: to entry markers, and to leaders alone (TA-9.A, TA-H.3)."""

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.wording import in_a_row

from .field import board_of, foe, units_at
from .model import BRITISH, Condition, TangaState, TangaUnit

ENTRY = Cite(rule="TA-9.A")
CAUGHT = Cite(rule="TA-H.3", mark=Mark.HOUSE)


def gone_into(state: TangaState, unit: TangaUnit, hex_: Hex, mf: int = 0) -> TangaUnit:
    """The unit as it stands in a hex that it has just come into, `mf` spent on it."""
    return unit.model_copy(
        update={
            "at": hex_,
            "moved": unit.moved + mf,
            "stirred": True,
            "inland": unit.inland or hex_ not in board_of(state).landing,
            "turned_up": False,
        }
    )


def entered(state: TangaState, hex_: Hex, side: str) -> tuple[TangaState, tuple[Step, ...]]:
    """A unit of `side` is in the hex: entry markers change hands; enemies that are no combat units are lost."""
    state, caught = _caught(state, hex_, side)
    state, marked = _marked(state, hex_, side)
    return state, (*caught, *marked)


def _caught(state: TangaState, hex_: Hex, side: str) -> tuple[TangaState, tuple[Step, ...]]:
    enemies = [unit for unit in units_at(state, hex_) if unit.side == foe(side)]
    if not enemies or any(unit.is_combat for unit in enemies):
        return state, ()
    lost = {"condition": Condition.ELIMINATED, "at": None, "ro": None, "retreating": False}
    state = state.with_unit(*(unit.model_copy(update=lost) for unit in enemies))
    names = in_a_row(unit.name for unit in enemies)
    return state, (Step(text=f"{names} alone in {board_of(state).title(hex_)}", cite=CAUGHT, verdict="eliminated"),)


def _marked(state: TangaState, hex_: Hex, side: str) -> tuple[TangaState, tuple[Step, ...]]:
    taken = side == BRITISH
    changed = [one for one in state.formations.values() if one.entry == hex_ and one.entered is not taken]
    if not changed:
        return state, ()
    state = state.with_formation(*(one.model_copy(update={"entered": taken}) for one in changed))
    verdict = "its stacks choose objectives now" if taken else "no objectives until the British enter it again"
    where = board_of(state).title(hex_)
    who = "British" if taken else "Germans"
    steps = (Step(text=f"{who} enter {where}, entry hex of {one.name}", cite=ENTRY, verdict=verdict) for one in changed)
    return state, tuple(steps)
