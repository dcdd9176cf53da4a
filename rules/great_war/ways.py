"""The hexes that a unit's move can reach, and the rules that bar other hexes (GW-1.2, GW-2, GW-3.2, GW-7)."""

from collections.abc import Iterator, Mapping

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused
from rules.core.wording import count_of

from .ground import WIRE, board_of, can_enter_hex, can_enter_terrain, must_stop_in
from .model import Arm, GreatWarState, GreatWarUnit
from .tables import chart_number

MOVING = Cite(rule="GW-1.2", mark=Mark.FOUND)
TANKS_MOVE = Cite(rule="GW-2", mark=Mark.FOUND)
GUNS_MOVE = Cite(rule="GW-1.2", mark=Mark.HOUSE)
WATER = Cite(rule="GW-3.2", mark=Mark.FOUND)

Reason = tuple[str, Cite]
"""The reason that bars or stops a unit, and its rule."""


def paths_in_reach(state: GreatWarState, unit: GreatWarUnit) -> Mapping[Hex, tuple[Hex, ...]]:
    """Return every hex in reach of a unit's move, each with a shortest path to it.

    A path ends in a hex whose ground stops the unit (GW-1.2, GW-7).
    """
    paths: dict[Hex, tuple[Hex, ...]] = {unit_hex(unit): ()}
    edge = [unit_hex(unit)]
    for _ in range(chart_number(unit.arm, "hexes")):
        next_edge = []
        for hex_ in edge:
            if hex_ != unit_hex(unit) and must_stop_in(state, unit.arm, hex_):
                continue
            for neighbour in hex_.neighbours():
                if neighbour not in paths and can_enter_hex(state, unit.arm, neighbour):
                    paths[neighbour] = (*paths[hex_], neighbour)
                    next_edge.append(neighbour)
        edge = next_edge
    return {end: path for end, path in paths.items() if path}


def find_path(state: GreatWarState, unit: GreatWarUnit, hexes: tuple[Hex, ...]) -> tuple[Hex, ...]:
    """Return the path of a move to one hex or through several. Raises Refused, with the rule that bars the move."""
    reach = paths_in_reach(state, unit)
    near = f"In reach: {', '.join(hex_.label for hex_ in sorted(reach)) or 'no other hex'}."
    if not hexes:
        raise Refused(f"Say where to. {near}", MOVING)
    if len(hexes) == 1 and hexes[0] in reach:
        return reach[hexes[0]]
    why, cite = _why_path_refused(state, unit, hexes) if len(hexes) > 1 else _why_out_of_reach(state, unit, hexes[0])
    if not why:
        return hexes
    raise Refused(f"{why}. {near}", cite)


def _why_path_refused(state: GreatWarState, unit: GreatWarUnit, hexes: tuple[Hex, ...]) -> Reason:
    """Return why a path of several hexes is refused, and the rule; empty text if the path is allowed."""
    last, title = unit_hex(unit), board_of(state).title
    for place, hex_ in enumerate(hexes):
        if (barred := _why_barred(state, unit, hex_)) is not None:
            return barred
        if last.distance(hex_) != 1:
            return f"{title(hex_)} is not next to {title(last)}", MOVING
        if place and (stopped := _why_stopped(state, unit, last)) is not None:
            return stopped
        last = hex_
    if len(hexes) > _longest_move(unit):
        return _too_far_reason(unit, f"That is {count_of(len(hexes), 'hex', 'hexes')}")
    return "", MOVING


def _why_out_of_reach(state: GreatWarState, unit: GreatWarUnit, goal: Hex) -> Reason:
    """Return why the unit cannot reach the hex `goal`, and the rule."""
    title = board_of(state).title
    if goal == unit.at:
        return f"{unit:are} already in {title(goal)}", MOVING
    if (barred := _why_barred(state, unit, goal)) is not None:
        return barred
    if unit_hex(unit).distance(goal) > _longest_move(unit):
        return _too_far_reason(unit, f"{title(goal)} is out of reach of {unit.name}")
    between = [*_find_obstacles(state, unit, goal)] or [_too_far_reason(unit, "the way round is long")]
    words = "; ".join(dict.fromkeys(f"{why} ({cite.rule})" for why, cite in between))
    return f"Every way to {title(goal)} is barred: {words}", between[0][1]


def _find_obstacles(state: GreatWarState, unit: GreatWarUnit, goal: Hex) -> Iterator[Reason]:
    """Yield the reasons why hexes between the unit and `goal` bar or stop the unit."""
    start, most = unit_hex(unit), _longest_move(unit)
    for hex_ in sorted(board_of(state).terrain):
        if hex_ not in (start, goal) and start.distance(hex_) + hex_.distance(goal) <= most:
            why = _why_barred(state, unit, hex_) or _why_stopped(state, unit, hex_)
            if why is not None:
                yield why


def _longest_move(unit: GreatWarUnit) -> int:
    """Return the maximum number of hexes that the unit moves."""
    return chart_number(unit.arm, "hexes")


def _too_far_reason(unit: GreatWarUnit, text: str) -> Reason:
    """Return `text` completed by the unit's longest move, and the rule of this limit."""
    cite = TANKS_MOVE if unit.is_tank else GUNS_MOVE if unit.arm is Arm.FIELD_ARTILLERY else MOVING
    return f"{text}: {count_of(_longest_move(unit), 'hex', 'hexes')} at most", cite


def _why_barred(state: GreatWarState, unit: GreatWarUnit, hex_: Hex) -> Reason | None:
    """Return the reason that keeps a unit out of a hex: water, or another unit (GW-1.2, GW-3.2, GW-7)."""
    board = board_of(state)
    terrain, title = board.terrain[hex_], board.title(hex_)
    if not can_enter_terrain(terrain, unit.arm):
        if unit.is_tank or unit.arm is Arm.FIELD_ARTILLERY:
            return f"{title} is a {terrain.name}, which tanks and field artillery never enter", WATER
        return f"{title} is a {terrain.name}, which soldiers cross at a ford only", terrain.cite
    if occupants := state.stacks.by_hex.get(hex_):
        return f"{occupants[0]:stand} in {title}, and units never share or pass a hex", MOVING
    return None


def _why_stopped(state: GreatWarState, unit: GreatWarUnit, hex_: Hex) -> Reason | None:
    """Return the reason that ends a unit's move in a hex: its terrain, or wire for soldiers (GW-7)."""
    board = board_of(state)
    terrain, title = board.terrain[hex_], board.title(hex_)
    if terrain.stops:
        return f"{title} stops {unit.name}: it is a {terrain.name}", terrain.cite
    if must_stop_in(state, unit.arm, hex_):
        return f"{title} stops {unit.name}: wire lies in it", WIRE
    return None
