"""German moves from hex to hex within MF, never through British combat units (TA-H.3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from typing_extensions import override

from rules.core.action_type import Caption
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_barred_by, unit_hex, units_at
from rules.core.hexboard.ways import Journey
from rules.core.model import Cite, Mark, Viewer
from rules.core.play import Play
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.tanga.charts import TERRAIN
from rules.tanga.combat.entering import apply_entry_effects
from rules.tanga.combat.reveal import reveal_seen_markers
from rules.tanga.field import board_of, has_space_for
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState, TangaUnit, Trail

from .orders import GermanActionType, current_phase, find_german_in_good_order, require_phase

MOVING = Cite(rule="TA-H.3", mark=Mark.HOUSE)
MAP = Cite(rule="TA-H.1", mark=Mark.HOUSE)
STACK = "stack"


class Move(Action):
    """Move of a German unit to a hex, by way of other hexes if named. `with: stack` moves the whole stack."""

    circumstance_names = (STACK,)

    unit: str
    to: str


@dataclass(frozen=True)
class MovePlan:
    """Ids of the moving units, their starting hex, and every hex entered."""

    units: tuple[str, ...]
    start: Hex
    path: tuple[Hex, ...]


class MoveType(GermanActionType[Move, MovePlan]):
    """Action type of a move, hex by hex."""

    action = Move

    @override
    def suggest_for_unit(self, state: TangaState, unit: str) -> Iterable[Move]:
        """Yield moves of the unit to every reachable hex, if it is German and mobile."""
        german: TangaUnit = state.unit(unit)
        may_move = german.side == GERMAN and german.on_map and german.is_in_good_order
        if may_move and current_phase(state) is Phase.MOVE and not state.formation(german.formation).collapsed:
            yield from (Move(unit=unit, to=hex_.label) for hex_ in reachable_hexes(state, (german,)))

    @override
    def possible_actions(self, state: TangaState, viewer: Viewer, unit: str | None = None) -> Iterable[Move]:
        """Yield the candidates unchecked, because every hex in reach is a legal move."""
        return self.candidates(state, viewer, unit)

    @override
    def plan(self, state: TangaState, action: Move) -> MovePlan:
        """Return the path. Raises Refused for a hex out of reach, held or full."""
        require_phase(state, Phase.MOVE)
        unit = find_german_in_good_order(state, action.unit, "move")
        if (formation := state.formation(unit.formation)).collapsed:
            raise Refused(f"{formation.name} has collapsed: its units rout.", Cite(rule="TA-H.9", mark=Mark.HOUSE))
        stack = units_at(state, unit_hex(unit)) if STACK in action.circumstances else ()
        movers = (unit, *(other for other in stack if other.is_in_good_order and other.id != unit.id))
        path = _plan_journey(state, movers).path_through(board_of(state).parse_hexes(action.to))
        return MovePlan(tuple(mover.id for mover in movers), unit_hex(unit), path)

    @override
    def caption(self, state: TangaState, plan: MovePlan) -> Caption:
        """Return the button's label, as in `1st Platoon 17. FK: to 2712`."""
        return Caption(f"{_mover_names(state, plan)}: to {board_of(state).title(plan.path[-1])}")

    @override
    def resolve(self, play: Play[TangaState], plan: MovePlan) -> None:
        """Move the units hex by hex, revealing markers that come into sight (TA-1)."""
        board, state = board_of(play.state), play.state
        moves = "moves" if len(plan.units) == 1 else "move"
        play.tell(headline=f"{_mover_names(state, plan)} {moves} to {board.title(plan.path[-1])}", units=plan.units)
        costs = [board.cost(hex_) or 0 for hex_ in plan.path]
        way = " → ".join(hex_.label for hex_ in plan.path)
        play.note(f"{plan.start.label} → {way}, {sum(costs)} MF", MOVING)
        for hex_, cost in zip(plan.path, costs, strict=True):
            for unit in plan.units:
                play.change(unit, at=hex_, moved=play.state.unit(unit).moved + cost, acted=True)
            apply_entry_effects(play, hex_, GERMAN)
            reveal_seen_markers(play)
        play.set(trails=(Trail(hexes=(plan.start, *plan.path), kind="move", side=GERMAN),))


def _mover_names(state: TangaState, plan: MovePlan) -> str:
    """Return the names of the moving units."""
    return ", ".join(state.unit(unit).name for unit in plan.units)


def _plan_journey(state: TangaState, movers: Sequence[TangaUnit]) -> Journey:
    """Return what limits a German move: MF of the slowest unit, space, sea, and British combat units."""
    board, enemies, first = board_of(state), hexes_barred_by(state, BRITISH), movers[0]

    def why_barred(hex_: Hex) -> tuple[str, Cite]:
        if hex_ in enemies:
            return "British combat units hold it", MOVING
        terrain = board.terrain.get(hex_)
        return (f"it is {terrain.name}", TERRAIN) if terrain is not None else ("the map ends there", MAP)

    return Journey(
        who=first,
        start=unit_hex(first),
        left=min(unit.mf - unit.moved for unit in movers),
        cost=lambda hex_: None if hex_ in enemies else board.cost(hex_),
        has_space=lambda hex_: has_space_for(state, hex_, first.formation, movers),
        full=f"{state.options.stack_limit} combat units of one formation to a hex",
        title=board.title,
        cite=MOVING,
        bars=why_barred,
    )


def reachable_hexes(state: TangaState, movers: Sequence[TangaUnit]) -> tuple[Hex, ...]:
    """Return the hexes where the units may end a move, sorted by number."""
    return _plan_journey(state, movers).possible_end_hexes


MOVE = MoveType()
