"""Moves from hex to hex: ground that stops them, wire that tanks crush, and bog rolls (GW-1.2, GW-3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from rules.core.action_type import ActionType, Caption, Chance
from rules.core.hexboard.hex_scene import Track
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, combine_outcomes
from rules.core.refusal import refuse
from rules.core.report import Step
from rules.core.scene import DieFace
from rules.core.state import Action

from .battle_dice import chance_of_face, faces_in_words, faces_shown
from .ground import WIRE, board_of
from .model import Bogged, GreatWarPlay, GreatWarState, GreatWarUnit
from .orders import RECOVERY, has_to_recover
from .shared import (
    ANOTHER,
    FRAME,
    MOVES,
    distance_to_enemy,
    find_unit_on_map,
    require_flags_answered,
    require_ordered,
    require_phase,
)
from .tables import SIDES, chart_number
from .ways import find_path, paths_in_reach

BOGGING = Cite(rule="GW-3.3", mark=Mark.HOUSE)
STUCK = Cite(rule="GW-3.3", mark=Mark.FOUND)


class Move(Action):
    """Move a unit to a hex, or through several hexes by their numbers."""

    unit: str
    to: str = ""


@dataclass(frozen=True)
class MovePlan:
    """A settled move: the unit, its start, the hexes it enters, and the number of bog rolls."""

    unit: str
    start: Hex
    path: tuple[Hex, ...]
    bog_rolls: int

    @property
    def chance_to_bog(self) -> Fraction:
        """Return the chance of bogging on the way."""
        return 1 - (1 - chance_of_face(DieFace.FLAG)) ** self.bog_rolls


class MoveType(ActionType[GreatWarState, Move, MovePlan]):
    """The move of a unit (GW-1.2, GW-3)."""

    action = Move

    def suggest_actions(self, state: GreatWarState) -> Iterable[Move]:
        """Yield every ordered unit's moves to every hex in its reach, hexes nearest to the enemy first."""
        for unit in state.units_of(state.active) if state.phase == MOVES else ():
            if unit.this_turn.is_ordered:
                ends = [(distance_to_enemy(state, unit.side, hex_), hex_) for hex_ in paths_in_reach(state, unit)]
                yield from (Move(unit=unit.id, to=end.label) for _, end in sorted(ends))

    def plan(self, state: GreatWarState, action: Move) -> MovePlan:
        """Return the settled move. Raises Refused with the rule."""
        unit, board = find_unit_on_map(state, action.unit), board_of(state)
        require_flags_answered(state)
        require_phase(state, unit, MOVES)
        require_ordered(state, unit)
        refuse(FRAME, (unit.this_turn.moved, f"{unit:have} moved this turn. {ANOTHER}."))
        stays = f"{unit:are} bogged, and may not move. {ANOTHER}."
        recover = f"{unit:are} bogged: throw {unit:their} recovery dice first."
        refuse(RECOVERY, (has_to_recover(unit), recover))
        refuse(STUCK, (unit.is_stuck, stays))
        entered = find_path(state, unit, board.parse_hexes(action.to) if action.to else ())
        free = chart_number(unit.arm, "hexes without a bog roll")
        return MovePlan(unit.id, unit_hex(unit), entered, max(len(entered) - free, 0) if unit.is_tank else 0)

    def caption(self, state: GreatWarState, plan: MovePlan) -> Caption:
        """Return a caption such as `Deborah: to 0506, 16.7% to bog`."""
        bog = Chance(plan.chance_to_bog, "to bog") if plan.bog_rolls else None
        text = f"{state.unit(plan.unit).name}: to {board_of(state).title(plan.path[-1])}"
        return Caption(text, bog, ", ", danger=bog is not None)

    def odds(self, state: GreatWarState, plan: MovePlan) -> Odds:
        """Return the chance to bog. Raises Refused if the move throws no dice."""
        unit = state.unit(plan.unit)
        refuse(BOGGING, (not plan.bog_rolls, f"{unit:throw} no bog roll on that way: it cannot fail."))
        bog = plan.chance_to_bog
        chances = ((False, 1 - bog), (True, bog))
        both = combine_outcomes(chances, lambda bogged: ("bogged" if bogged else "gets there", not bogged))
        step = Step(text=f"{unit.name}: bog roll", cite=BOGGING, needed="bogged on a flag", chance=1 - bog)
        return Odds(question=f"Does {unit.name} get to {plan.path[-1]}?", steps=(step,), outcomes=both)

    def resolve(self, play: GreatWarPlay, plan: MovePlan) -> None:
        """Move the unit hex by hex; a tank that bogs stays in that hex."""
        unit, entered = play.state.unit(plan.unit), list[Hex]()
        for hex_ in plan.path:
            entered.append(hex_)
            enter_hex(play, unit.id, hex_)
            play.remember(unit.id, moved=len(entered))
            if plan.bog_rolls and len(entered) > len(plan.path) - plan.bog_rolls and roll_to_bog(play, unit.id):
                break
        title = board_of(play.state).title(entered[-1])
        stuck = " and bogs" if play.state.unit(unit.id).is_stuck else ""
        play.set(tracks=(Track(hexes=(plan.start, *entered), side=unit.side),))
        play.tell(headline=f"{unit:move} to {title}{stuck}.", units=(unit.id,))


def enter_hex(play: GreatWarPlay, unit_id: str, hex_: Hex) -> None:
    """Move a unit into a hex; a tank crushes the wire there (GW-3.1)."""
    unit = play.state.unit(unit_id)
    play.change(unit_id, at=hex_)
    play.remember(unit_id, entered=hex_)
    crush_wire(play, unit, hex_)
    if hex_ in play.state.wire:
        play.note_calculation(f"Wire in {hex_} stops {unit.name}", WIRE)


def crush_wire(play: GreatWarPlay, unit: GreatWarUnit, hex_: Hex) -> None:
    """Remove the wire in a hex that a tank enters, by its own move or in retreat (GW-3.1)."""
    if unit.is_tank and hex_ in play.state.wire:
        play.set(wire=play.state.wire - {hex_})
        play.note(f"{unit.name} crushes the wire in {board_of(play.state).title(hex_)}", Cite(rule="GW-3.1"))


def roll_to_bog(play: GreatWarPlay, unit_id: str) -> bool:
    """Throw a bog roll for a tank in the hex it has entered, and return whether it is stuck (GW-3.3)."""
    unit, chance = play.state.unit(unit_id), chance_of_face(DieFace.FLAG)
    throw = play.throw(1, SIDES, f"{unit.name}: bog roll", side=unit.side)
    faces = faces_shown(throw.dice)
    stuck = DieFace.FLAG in faces
    play.say(
        Step(
            text=f"{unit.name}: bog roll",
            subject=unit.name,
            kind="bog roll",
            cite=BOGGING,
            throws=(throw,),
            needed=f"{faces_in_words(faces)} (a flag bogs)",
            chance=1 - chance,
            hope="to get through",
            verdict="bogged" if stuck else "goes on",
        )
    )
    play.set(faces=(*play.state.faces, *faces))
    if stuck:
        play.change(unit_id, bogged=Bogged.BOGGED)
    return stuck


MOVE = MoveType()
