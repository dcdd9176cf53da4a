"""A German move: along a way of hexes, within MF, not through the British (TA-H.3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from typing_extensions import override

from rules.core.hexboard.hexes import Hex, reach, way
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.tanga.combat.reveal import reveal
from rules.tanga.entering import entered
from rules.tanga.field import board_of, has_room, units_at
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState, TangaUnit, Trail
from rules.tanga.places import hexes_named

from .orders import GermanType, german, germans, phase_of, require_good, require_phase

MOVING = Cite(rule="TA-H.3", mark=Mark.HOUSE)
STACK = "stack"


class Move(Action):
    """Moves a German unit to a hex, or through several; `with: stack` takes along who stands with it."""

    kind: ClassVar[str] = "move"
    circumstance_names: ClassVar[tuple[str, ...]] = (STACK,)

    unit: str
    to: str


@dataclass(frozen=True)
class MovePlan:
    """Ids of those who go, whence, every hex they enter, and the MF it takes."""

    units: tuple[str, ...]
    start: Hex
    path: tuple[Hex, ...]
    spent: int


class MoveType(GermanType[Move, MovePlan]):
    """A move hex by hex."""

    action = Move

    @override
    def candidates(self, state: TangaState, viewer: Viewer, unit: str | None = None) -> Iterable[Move]:
        """Every unit that may move, to every hex in its reach."""
        if viewer not in (GERMAN, UMPIRE) or phase_of(state) is not Phase.MOVE:
            return
        for one in germans(state):
            able = one.is_good and one.mf > one.moved and unit in (None, one.id)
            if able and not state.formation(one.formation).collapsed:
                yield from (Move(unit=one.id, to=hex_.label) for hex_ in reachable(state, (one,)))

    @override
    def possible(self, state: TangaState, viewer: Viewer) -> Iterable[Move]:
        """The same: what is in reach may be done."""
        return self.candidates(state, viewer)

    @override
    def plan(self, state: TangaState, action: Move, *, supposing: bool = False) -> MovePlan:
        """The way. Raises Refused when the hex is too far, held or full."""
        require_phase(state, Phase.MOVE)
        unit = german(state, action.unit)
        movers = moving(state, unit, stack=STACK in action.circumstances)
        assert unit.at is not None
        path = _path(state, movers, unit.at, hexes_named(state, action.to))
        return MovePlan(tuple(one.id for one in movers), unit.at, path, _spent(state, path))

    @override
    def label(self, state: TangaState, plan: MovePlan) -> str:
        """`1st Platoon 17. FK: to 2712`."""
        names = ", ".join(state.unit(unit).name for unit in plan.units)
        return f"{names}: to {board_of(state).title(plan.path[-1])}"

    @override
    def resolve(self, play: Play[TangaState], plan: MovePlan) -> None:
        """They enter one hex after the other; what comes into their sight is turned up (TA-1)."""
        way = " → ".join(hex_.label for hex_ in plan.path)
        play.tell(headline=self.label(play.state, plan), units=plan.units)
        play.say(Step(text=f"{plan.start.label} → {way}, {plan.spent} MF", cite=MOVING))
        showed = False
        for hex_ in plan.path:
            cost = _cost(play.state, hex_) or 0
            for unit in map(play.state.unit, plan.units):
                play.change(unit.id, at=hex_, moved=unit.moved + cost, stirred=True)
            entered(play, hex_, GERMAN)
            showed = reveal(play) or showed
        play.set(trails=(Trail(hexes=(plan.start, *plan.path), kind="move", side=GERMAN),))
        play.tell(showed_hidden=showed)


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


def reachable(state: TangaState, movers: Sequence[TangaUnit]) -> tuple[Hex, ...]:
    """Hexes the units may end a move in, by number."""
    start = movers[0].at
    if start is None or left(movers) <= 0:
        return ()
    found = reach(start, left(movers), lambda hex_: _cost(state, hex_))
    ends = (hex_ for hex_ in found if hex_ != start and has_room(state, hex_, movers[0].formation, movers))
    return tuple(sorted(ends, key=lambda hex_: hex_.label))


MOVE = MoveType()
