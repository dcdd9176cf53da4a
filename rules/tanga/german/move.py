"""A German move: along a way of hexes, within MF, not through the British (TA-H.3)."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex, reach, way
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.tanga.combat.reveal import reveal
from rules.tanga.entering import entered
from rules.tanga.field import board_of, has_room, units_at
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState, TangaUnit, Trail
from rules.tanga.places import hexes_named

from .orders import german, germans, phase_of, require_good, require_phase

MOVING = Cite(rule="TA-H.3", mark=Mark.HOUSE)
STACK = "stack"


class Move(Action):
    """Moves a German unit to a hex, or through several; `with: stack` takes along who stands with it."""

    kind: ClassVar[str] = "move"
    circumstance_names: ClassVar[tuple[str, ...]] = (STACK,)

    unit: str
    to: str


def do(state: TangaState, action: Move, dice: Dice) -> tuple[TangaState, Report]:
    """Moves hex by hex. Raises Refused when the hex is too far, held or full."""
    require_phase(state, Phase.MOVE)
    unit = german(state, action.unit)
    movers = moving(state, unit, stack=STACK in action.circumstances)
    start = unit.at
    assert start is not None
    path = _path(state, movers, start, hexes_named(state, action.to))
    spent = _spent(state, path)
    state, steps, showed = _go(state, movers, path, dice)
    board = board_of(state)
    names = ", ".join(one.name for one in movers)
    trail = Trail(hexes=(start, *path), kind="move", side=GERMAN)
    cost = Step(text=f"{start.label} → {' → '.join(hex_.label for hex_ in path)}, {spent} MF", cite=MOVING)
    report = Report(
        headline=f"{names}: to {board.title(path[-1])}",
        side=GERMAN,
        steps=(cost, *steps),
        units=tuple(one.id for one in movers),
        showed_hidden=showed,
    )
    return state.model_copy(update={"trails": (trail,)}), report


def moving(state: TangaState, unit: TangaUnit, *, stack: bool) -> tuple[TangaUnit, ...]:
    """Who goes: the unit, and with the stack its companions in good order. Raises Refused."""
    require_good(unit, "move")
    if state.formation(unit.formation).collapsed:
        raise Refused(f"{state.formation(unit.formation).name} has collapsed: its units rout.", MOVING)
    if not stack or unit.at is None:
        return (unit,)
    return (unit, *(other for other in units_at(state, unit.at) if other.is_good and other.id != unit.id))


def left(movers: Sequence[TangaUnit]) -> int:
    """MF left to the slowest."""
    return min(unit.mf - unit.moved for unit in movers)


def _cost(state: TangaState, hex_: Hex) -> int | None:
    """MF of entering a hex for Germans; None where they may not: sea, and British combat units."""
    if any(unit.side == BRITISH and unit.is_combat for unit in units_at(state, hex_)):
        return None
    return board_of(state).cost(hex_)


def _path(state: TangaState, movers: Sequence[TangaUnit], start: Hex, through: Sequence[Hex]) -> tuple[Hex, ...]:
    """The cheapest way through the hexes named. Raises Refused when it is barred, too far, or ends in a full hex."""
    board, who = board_of(state), movers[0].name
    path: tuple[Hex, ...] = ()
    for here, there in pairwise((start, *through)):
        found = way(here, there, lambda hex_: _cost(state, hex_), lambda hex_: hex_)
        if found is None:
            raise Refused(f"No way leads {who} to {board.title(there)}: sea or the British bar it.", MOVING)
        path = (*path, *found)
    if not path:
        raise Refused(f"{who} is in {board.title(start)} already.", MOVING)
    if (spent := _spent(state, path)) > left(movers):
        near = ", ".join(sorted(hex_.label for hex_ in reachable(state, movers))) or "no other hex"
        far = f"{board.title(path[-1])} costs {spent} MF, and {left(movers)} are left."
        raise Refused(f"{far} In reach: {near}.", MOVING)
    if not has_room(state, path[-1], movers[0].formation, movers):
        limit = state.options.stack_limit
        raise Refused(
            f"{board.title(path[-1])} has no room: {limit} combat units of one formation to a hex. Choose another.",
            MOVING,
        )
    return path


def _spent(state: TangaState, path: Sequence[Hex]) -> int:
    return sum(_cost(state, hex_) or 0 for hex_ in path)


def _go(
    state: TangaState, movers: Sequence[TangaUnit], path: Sequence[Hex], dice: Dice
) -> tuple[TangaState, tuple[Step, ...], bool]:
    """The units enter one hex after the other; what comes into their sight is turned up (TA-1)."""
    steps: tuple[Step, ...] = ()
    showed = False
    for hex_ in path:
        cost = _cost(state, hex_) or 0
        now = (state.unit(unit.id) for unit in movers)
        state = state.with_unit(
            *(one.model_copy(update={"at": hex_, "moved": one.moved + cost, "stirred": True}) for one in now)
        )
        state, told = entered(state, hex_, GERMAN)
        state, turned, seen = reveal(state, dice)
        steps, showed = (*steps, *told, *turned), showed or seen
    return state, steps, showed


def reachable(state: TangaState, movers: Sequence[TangaUnit]) -> tuple[Hex, ...]:
    """Hexes the units may end a move in, by number."""
    start = movers[0].at
    if start is None or left(movers) <= 0:
        return ()
    found = reach(start, left(movers), lambda hex_: _cost(state, hex_))
    ends = (hex_ for hex_ in found if hex_ != start and has_room(state, hex_, movers[0].formation, movers))
    return tuple(sorted(ends, key=lambda hex_: hex_.label))


def legal(state: TangaState, side: Viewer) -> Iterable[Action]:
    """Every unit that may move, to every hex in its reach."""
    if side not in (GERMAN, UMPIRE) or phase_of(state) is not Phase.MOVE:
        return
    for unit in germans(state):
        if unit.is_good and unit.mf > unit.moved and not state.formation(unit.formation).collapsed:
            for hex_ in reachable(state, (unit,)):
                yield Move(unit=unit.id, to=hex_.label)


DEED: Deed[TangaState] = Deed(Move, do, legal=legal)
