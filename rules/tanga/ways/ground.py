"""The ground before a march, by the rules of the card (TA-9.5)."""

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.ways import Approach, way_between
from rules.tanga.field import board_of
from rules.tanga.model import TangaState, TangaUnit
from rules.tanga.progress import March

from .prohibited import friends_to_shun, may_stay, open_to, stays_behind


def approach(state: TangaState, march: March, units: tuple[TangaUnit, ...]) -> Approach:
    """A march of those units: which steps lead nearer its goal, and where it may stay."""
    board = board_of(state)

    def may_step(here: Hex, hex_: Hex) -> bool:
        """A machine gun that may not follow has to be able to stay behind."""
        guns = stays_behind(state, units, hex_)
        return not guns or may_stay(state, guns, here)

    def may_end(hex_: Hex) -> bool:
        guns = stays_behind(state, units, hex_)
        return may_stay(state, [unit for unit in units if unit not in guns], hex_)

    return Approach(
        way=march.way,
        goal=march.goal,
        budget=march.left,
        open=_open(state, march, units),
        cost=lambda hex_: 1 if march.retreats else board.cost(hex_) or 1,
        has_room=lambda hex_: may_stay(state, units, hex_),
        may_step=may_step,
        may_end=may_end,
    )


def _open(state: TangaState, march: March, units: tuple[TangaUnit, ...]) -> frozenset[Hex]:
    """Hexes it may pass; routers keep off friends that stand firm, unless no other path leads to the goal.

    What path there is is settled where the march began: who came through friends does not halt among them.
    """
    every = open_to(state, units)
    if march.retreats and state.formation(units[0].formation).collapsed:
        clear = every - friends_to_shun(state, units)
        if way_between(march.goal, march.way[0], clear) is not None:
            return clear
    return every
