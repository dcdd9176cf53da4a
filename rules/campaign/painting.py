"""Painting of the map by the umpire before the first day's end: terrain, roads, rivers and crossings (CA-2.2)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Any

from pydantic import Field

from rules.core import naming
from rules.core.hexboard.hex_scene import HexLine
from rules.core.hexboard.hexes import Hex, hexes_between
from rules.core.hexboard.map_file import parse_hexes_of_line
from rules.core.hexboard.painting import PaintKind, StrokeTarget
from rules.core.refusal import Refused, refuse
from rules.core.report import Report
from rules.core.scene import Feature
from rules.core.state import Action
from rules.core.typed_text import simplify_signs
from rules.core.umpire import umpire_step

from .ground import Board, board_of
from .maps import CampaignMap, Crossing, CrossingKind, River, find_exceeded_limits, read_hexsides
from .model import CampaignState

ROAD, NO_ROAD, RIVER, NO_RIVER = "road", "no road", "river", "no river"
LINES = (
    PaintKind(word=ROAD, stroke=StrokeTarget.WAY),
    PaintKind(word=NO_ROAD, stroke=StrokeTarget.HEXES),
    PaintKind(word=RIVER, stroke=StrokeTarget.SIDES),
    PaintKind(word=CrossingKind.FORD.value, stroke=StrokeTarget.SIDES),
    PaintKind(word=CrossingKind.BRIDGE.value, stroke=StrokeTarget.SIDES),
    PaintKind(word=NO_RIVER, stroke=StrokeTarget.SIDES),
)
LONGEST, LONGEST_NAME, MOST_NAMED = 9000, 40, 8
Hexside = tuple[Hex, Hex]


class Paint(Action):
    """Paint terrain, a road or a river on hexes or hexsides of the map."""

    umpire_only = True
    is_unit_action = False

    what: str = Field(max_length=80)
    at: str = Field(max_length=LONGEST)
    name: str = Field(default="", max_length=LONGEST_NAME)


def paint_kinds(state: CampaignState) -> Sequence[PaintKind]:
    """Return the kinds of paint that the umpire may use; none after the first day's end."""
    if state.turn > 1 or state.over is not None or state.is_withheld:
        return ()
    terrain_kinds = (
        PaintKind(word=terrain.name, stroke=StrokeTarget.HEXES, letter=terrain.letter, ground=terrain.ground)
        for terrain in board_of(state).spec.terrains
    )
    return (*terrain_kinds, *LINES)


def paint_map(state: CampaignState, action: Paint) -> tuple[CampaignState, Report]:
    """Return the state with the painted map, and the report.

    Raises Refused for unknown paint or hexes, for a map with faults, and for a point that would lie off the land.
    """
    kinds = {kind.word: kind for kind in paint_kinds(state)}
    refuse(None, (not kinds, "The first day has ended: the map stays as it is."))
    letters = {kind.letter: word for word, kind in kinds.items() if kind.letter}
    unknown = f"There is no paint called {{}}. Choose one of: {', '.join(kinds)}."
    word = letters.get(action.what) or naming.resolve_name(action.what, {word: word for word in kinds}, unknown)
    board = board_of(state)
    change, description = _plan_change(board, kinds[word], action)
    before = {field: getattr(board.spec, field) for field in CampaignMap.model_fields}
    spec = CampaignMap.model_validate({**before, **change})
    refuse(None, (spec == board.spec, "The map is like that already."))
    for place, why in find_exceeded_limits(spec):
        raise Refused(f"{place}: {why}.")
    for _, why in spec.faults():
        raise Refused(f"{why[:1].upper()}{why[1:]}.")
    for point in state.points.values():
        refuse(None, (point.at not in spec.land, f"{point.name} lies in {point.at}: its hex must stay land."))
    headline = f"The umpire paints {description}."
    report = Report(headline=headline, steps=(umpire_step(headline, in_headline=True),))
    return state.model_copy(update={"own_map": spec}), report


def _plan_change(board: Board, kind: PaintKind, action: Paint) -> tuple[Mapping[str, Any], str]:
    """Return the changed fields of the map, and the change in words. Raises Refused or NoPlace for wrong hexes."""
    name = f" {action.name}" if action.name else ""
    if kind.stroke is StrokeTarget.SIDES:
        sides = _read_hexsides(board, action.at)
        sides_text = _shorten_list(f"{first}/{second}" for first, second in sides)
        return _HEXSIDE_CHANGES[kind.word](board.spec, sides, action.name), f"{kind.word}{name}: {sides_text}"
    hexes = _read_hexes(board, action.at)
    if kind.word == ROAD:
        way = _connect_hexes(hexes)
        refuse(None, (len(way) < 2, "A road needs at least two hexes."))
        road = HexLine(feature=Feature.ROAD, hexes=way, name=action.name)
        return {"roads": (*board.spec.roads, road)}, f"a road{name}: {way[0]} to {way[-1]}, {len(way)} hexes"
    if kind.word == NO_ROAD:
        return _remove_roads(board.spec, frozenset(hexes)), f"{NO_ROAD}: {_shorten_list(map(str, hexes))}"
    terrain = next(terrain for terrain in board.spec.terrains if terrain.name == kind.word)
    painted = {**board.spec.hexes, **dict.fromkeys(hexes, terrain.id)}
    closed = frozenset(hexes) if terrain.cost is None else frozenset[Hex]()
    return {"hexes": painted, **_remove_roads(board.spec, closed)}, f"{kind.word}: {_shorten_list(map(str, hexes))}"


def _read_hexes(board: Board, text: str) -> tuple[Hex, ...]:
    """Return the hexes of a text with commas: numbers, blocks such as `1406-1509`, or names.

    Raises Refused for a hex off the map, and NoPlace for an unknown name.
    """
    hexes: tuple[Hex, ...] = ()
    for piece in filter(str.strip, simplify_signs(text).replace(";", ",").split(",")):
        try:
            hexes += parse_hexes_of_line(piece)
        except ValueError:
            hexes += board.parse_hexes(piece)
    outside = next((hex_ for hex_ in hexes if hex_ not in board.terrain), None)
    refuse(None, (not hexes, "Name the hexes."), (outside is not None, f"{outside} is off the map."))
    return tuple(dict.fromkeys(hexes)) if len(hexes) > 1 else hexes


def _read_hexsides(board: Board, text: str) -> tuple[Hexside, ...]:
    """Return the hexsides of a text such as `1406/1407 1407/1507`. Raises Refused for other words."""
    try:
        sides = read_hexsides(simplify_signs(text).replace(",", " ").replace(";", " "))
    except ValueError as error:
        raise Refused(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
    for why in board.spec.hexside_faults(sides):
        raise Refused(f"{why}.")
    refuse(None, (not sides, "Name the hexsides, each by its two hexes, such as 1406/1407."))
    return tuple({frozenset(side): side for side in sides}.values())


def _connect_hexes(hexes: Sequence[Hex]) -> tuple[Hex, ...]:
    """Return the hexes as a connected line, with the hexes of a straight line in each gap."""
    way = list(hexes[:1])
    for start, end in pairwise(hexes):
        way += [crossing[0] for crossing in hexes_between(start, end)]
        way.append(end)
    return tuple(way)


def _remove_roads(spec: CampaignMap, hexes: frozenset[Hex]) -> Mapping[str, Any]:
    """Return the map's roads and railways without `hexes`; a road cut in the middle becomes two."""
    return {field: tuple(_cut_lines(getattr(spec, field), hexes)) for field in ("roads", "railways")} if hexes else {}


def _cut_lines(lines: Iterable[HexLine], hexes: frozenset[Hex]) -> Iterator[HexLine]:
    """Yield the parts of each line that remain after `hexes` are removed; the longest keeps the line's name."""
    for line in lines:
        runs = groupby(line.hexes, key=hexes.__contains__)
        pieces = [piece for is_cut, run in runs if not is_cut and len(piece := tuple(run)) > 1]
        longest = max(pieces, key=len, default=())
        for piece in pieces:
            yield line.model_copy(update={"hexes": piece, "name": line.name if piece == longest else ""})


def _add_river(spec: CampaignMap, sides: Sequence[Hexside], name: str) -> Mapping[str, Any]:
    new = tuple(side for side in sides if frozenset(side) not in spec.river_sides)
    return {"rivers": (*spec.rivers, River(name=name, sides=new))} if new else {}


def _remove_rivers(spec: CampaignMap, sides: Sequence[Hexside], _name: str) -> Mapping[str, Any]:
    """Return the map's rivers and crossings without those on the hexsides `sides`."""
    dry = {frozenset(side) for side in sides}
    rivers = [(river, tuple(side for side in river.sides if frozenset(side) not in dry)) for river in spec.rivers]
    return {
        "rivers": tuple(river.model_copy(update={"sides": sides_left}) for river, sides_left in rivers if sides_left),
        "crossings": tuple(crossing for crossing in spec.crossings if frozenset(crossing.side) not in dry),
    }


def _add_crossings(kind: CrossingKind, spec: CampaignMap, sides: Sequence[Hexside], name: str) -> Mapping[str, Any]:
    new_sides = {frozenset(side) for side in sides}
    others = (crossing for crossing in spec.crossings if frozenset(crossing.side) not in new_sides)
    return {"crossings": (*others, *(Crossing(kind=kind, side=side, name=name) for side in sides))}


_HEXSIDE_CHANGES: Mapping[str, Callable[[CampaignMap, Sequence[Hexside], str], Mapping[str, Any]]] = {
    RIVER: _add_river,
    NO_RIVER: _remove_rivers,
    **{kind.value: partial(_add_crossings, kind) for kind in CrossingKind},
}


def _shorten_list(places: Iterable[str]) -> str:
    """Return the first hexes or hexsides in words, and how many more there are: `1406, 1407 and 12 more`."""
    return naming.join_names([*places], MOST_NAMED)
