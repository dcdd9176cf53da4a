"""The next hex of a stack on its way (TA-9.5): by the shortest way in hexes, of equal steps by the Move chart."""

from collections.abc import Iterable, Sequence

from rules.core.automaton.decisions import settled_by
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.ways import Approach
from rules.tanga.charts import Measure, Measures, priority, weigh
from rules.tanga.decisions import Decision, Question, RowOut
from rules.tanga.field import board_of, foe, protection, reaches
from rules.tanga.model import TangaState, TangaUnit
from rules.tanga.progress import March

from .ground import approach
from .prohibited import MOVING

CHART = "move"


def next_hex(state: TangaState, march: March) -> Decision:
    """The hex a march enters next; `chosen` is None where it halts, and `why` says for what (TA-9.5)."""
    units = tuple(state.units[unit] for unit in march.units)
    ground = approach(state, march, units)
    fit = ground.steps(lambda hex_: not can_be_fired_at(state, hex_, units[0].side))
    if not fit:
        return _decision(march, (), (), None, f"halts in {ground.here.label}: {_halted(state, march, ground)}")
    chosen, rows = preferred(state, units, fit)
    why = f"{chosen.label} towards {board_of(state).title(march.goal)}: {settled_by(rows)}"
    return _decision(march, fit, rows, chosen, why)


def preferred(state: TangaState, units: Sequence[TangaUnit], hexes: Iterable[Hex]) -> tuple[Hex, tuple[RowOut, ...]]:
    """The hex the Move chart leaves, with the rows it took (TA-9.5). Raises ValueError where there is none."""
    board, side = board_of(state), units[0].side
    measures: Measures = {
        Measure.UNDER_FIRE: lambda hex_: can_be_fired_at(state, hex_, side),
        Measure.PROTECTION: lambda hex_: protection(state, hex_),
        Measure.COST: board.cost,
        Measure.NUMBER: lambda hex_: hex_,
    }
    chosen, rows = weigh(priority(CHART), hexes, measures)
    if chosen is None:
        raise ValueError("the Move chart needs a hex to choose")
    return chosen, rows


def can_be_fired_at(state: TangaState, hex_: Hex, side: str) -> bool:
    """Whether an enemy of `side` in good order that has not fired has a hex in range and sight.

    What his standing order is, nobody on the other side knows (TA-9.5, TA-H.6).
    """
    board = board_of(state)
    near = (place for place, far in reaches(state, foe(side)) if place.distance(hex_) <= far)
    return any(board.sees(place, hex_) for place in near)


def _halted(state: TangaState, march: March, ground: Approach) -> str:
    """Why a march goes no further."""
    goal = board_of(state).title(march.goal)
    if ground.here == march.goal:
        return "it is there"
    if not ground.ahead:
        return f"no legitimate path leads nearer {goal}"
    if len(ground.affordable) < len(ground.ahead):
        left = f"{march.left} {'hexes' if march.retreats else 'MF'}"
        return f"of {left} left there are too few for the next step towards {goal}"
    return f"ahead is no room to stay, nor a way through out of fire, towards {goal}"


def _decision(
    march: March, candidates: tuple[Hex, ...], rows: tuple[RowOut, ...], chosen: Hex | None, why: str
) -> Decision:
    return Decision(
        question=Question.STEP,
        chart=CHART,
        units=march.units,
        candidates=candidates,
        rows=rows,
        chosen=chosen,
        why=why,
        cite=MOVING,
    )
