"""What entering a hex does, whichever side does it: to entry markers, and to leaders alone (TA-9.A, TA-H.3)."""

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.core.wording import in_a_row

from .field import board_of, foe, units_at
from .model import BRITISH, GONE, TangaState, TangaUnit

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


def entered(play: Play[TangaState], hex_: Hex, side: str) -> None:
    """A unit of `side` is in the hex: entry markers change hands; enemies that are no combat units are lost."""
    _catch(play, hex_, side)
    taken = side == BRITISH
    changed = [one for one in play.state.formations.values() if one.entry == hex_ and one.entered is not taken]
    verdict = "its stacks choose objectives now" if taken else "no objectives until the British enter it again"
    where = board_of(play.state).title(hex_)
    who = "British" if taken else "Germans"
    for one in changed:
        play.state = play.state.with_formation(one.model_copy(update={"entered": taken}))
        play.say(Step(text=f"{who} enter {where}, entry hex of {one.name}", cite=ENTRY, verdict=verdict))


def _catch(play: Play[TangaState], hex_: Hex, side: str) -> None:
    enemies = [unit for unit in units_at(play.state, hex_) if unit.side == foe(side)]
    if not enemies or any(unit.is_combat for unit in enemies):
        return
    play.state = play.state.with_unit(*(unit.model_copy(update=GONE) for unit in enemies))
    text = f"{in_a_row(unit.name for unit in enemies)} alone in {board_of(play.state).title(hex_)}"
    play.say(Step(text=text, cite=CAUGHT, verdict="eliminated"))
