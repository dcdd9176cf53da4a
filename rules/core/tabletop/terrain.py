"""The umpire's actions that add, move, turn and remove pieces of terrain."""

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import chain, count
from typing import Any

from pydantic import Field
from shapely import MultiPoint, Polygon, affinity

from rules.core import naming
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.scene import Feature, Point, TerrainPiece
from rules.core.state import Action
from rules.core.typed_text import clean_name, has_only_visible_signs, simplify_signs
from rules.core.umpire import UmpireActionType, umpire_step
from rules.core.wording import inches

from .battle import Place, S
from .own_table import read_lengths
from .squares import spot_name
from .validation import MOST_POINTS, MOST_POINTS_IN_ALL, MOST_TERRAIN, count_points

LEAST, MOST = 0.1, 240.0
"""Minimum and maximum width and depth of a piece, in inches."""
SMOOTH = 24
"""Number of points of an ellipse."""
USUAL_WIDTH = 1.0
"""Default width of a line in inches."""
SEPARATOR = ";"
DECIMALS = 2
FEWEST_POINTS = 3
"""Minimum number of points of an outline."""
LONGEST = 40
"""Maximum number of characters of a piece's name."""
HOW_POINTS = "Write its points with “;” between them, such as “C2 NW; 30,12; D3”."


class Shape(StrEnum):
    """The shape of a new piece."""

    ELLIPSE = "ellipse"
    RECTANGLE = "rectangle"
    POLYGON = "polygon"
    LINE = "line"


class TerrainAdd(Action):
    """Put a piece of terrain on the table: around one point, or with an outline or line through several points."""

    umpire_only = True

    feature: str
    shape: str
    at: str = Field(max_length=500)
    size: str | None = None
    width: float | None = Field(default=None, ge=LEAST, le=MOST, allow_inf_nan=False)
    turned: float = Field(default=0.0, ge=-360, le=360, allow_inf_nan=False)
    name: str = ""


class TerrainMove(Action):
    """Move a piece of terrain (by name), so that its middle lies at a place."""

    umpire_only = True

    piece: str
    to: str


class TerrainTurn(Action):
    """Turn a piece of terrain (by name) about its middle, by `degrees` clockwise."""

    umpire_only = True

    piece: str
    degrees: float = Field(ge=-360, le=360, allow_inf_nan=False)


class TerrainRemove(Action):
    """Take a piece of terrain (by name) off the table."""

    umpire_only = True

    piece: str


def piece_index_by_name(terrain: Sequence[TerrainPiece]) -> Mapping[str, int]:
    """Return the index of each piece by its name. Repeated names are numbered from 2: `Wood`, `Wood 2`."""
    index_by_name: dict[str, int] = {}
    for at, piece in enumerate(terrain):
        name = piece.name or piece.feature.value.capitalize()
        numbered = chain((name,), (f"{name} {number}" for number in count(2)))
        index_by_name[next(candidate for candidate in numbered if candidate not in index_by_name)] = at
    return index_by_name


def mean_point(points: Sequence[Point]) -> Point:
    """Return the mean of the points, about which a piece of terrain is turned."""
    xs, ys = zip(*points, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def describe_piece(piece: TerrainPiece) -> str:
    """Return the piece in words that `read_terrain` accepts: `hill, 12" x 8", C3`, `road from A2 to F4, 1" wide`."""
    if piece.closed:
        xs, ys = zip(*piece.points, strict=True)
        size = f'{max(xs) - min(xs):.3g}" x {max(ys) - min(ys):.3g}"'
        return f"{piece.feature.value}, {size}, {spot_name(mean_point(piece.points))}"
    points = " to ".join(map(spot_name, piece.points))
    return f'{piece.feature.value} from {points}, {piece.width:g}" wide'


def make_piece(action: TerrainAdd) -> TerrainPiece:
    """Return the piece that the action describes. Raises Refused, naming the wrong field."""
    feature = Feature(
        naming.resolve_name(action.feature, {kind.value: kind.value for kind in Feature}, "There is no terrain {}.")
    )
    shape = Shape(
        naming.resolve_name(action.shape, {kind.value: kind.value for kind in Shape}, "There is no shape {}.")
    )
    name = clean_name(action.name)
    if len(name) > LONGEST or not has_only_visible_signs(name):
        raise Refused(f"A piece's name has {LONGEST} characters at most, on one line.")
    has_own_points = shape in (Shape.POLYGON, Shape.LINE)
    if has_own_points and action.size is not None:
        raise Refused(f"A {shape} has no size: it goes through the points given in “at”. {HOW_POINTS}")
    if action.width is not None and shape is not Shape.LINE:
        raise Refused(f"A {shape} has no width: that is how broad a line is. Leave “width” out.")
    if has_own_points:
        parts = simplify_signs(action.at).split(SEPARATOR)
        points = tuple(Place.from_words(part.strip()).point for part in parts if part.strip())
        if len(set(points)) < len(points) or not 1 < len(points) <= MOST_POINTS:
            raise Refused(f"It takes from 2 to {MOST_POINTS} different points. {HOW_POINTS}")
    else:
        points = _points_of_shape(shape, action)
    width = USUAL_WIDTH if action.width is None else action.width
    piece = TerrainPiece(feature=feature, points=points, closed=shape is not Shape.LINE, width=width, name=name)
    return _rotate_piece(piece, action.turned)


def _points_of_shape(shape: Shape, action: TerrainAdd) -> tuple[Point, ...]:
    """Return the points of an ellipse or rectangle around the action's place. Raises Refused."""
    if action.size is None:
        raise Refused(f"Say how large the {shape} is in “size”, such as “12 x 8”.")
    across, down = read_lengths(action.size)
    if not all(LEAST <= length <= MOST for length in (across, down)):
        raise Refused(f"Size: a piece has {inches(LEAST)} to {inches(MOST)} each way.")
    x, y = Place.from_words(action.at).point
    if shape is Shape.RECTANGLE:
        return tuple((x + across / 2 * i, y + down / 2 * j) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    turns = (2 * math.pi * step / SMOOTH for step in range(SMOOTH))
    return tuple((x + across / 2 * math.sin(turn), y - down / 2 * math.cos(turn)) for turn in turns)


def _rotate_piece(piece: TerrainPiece, degrees: float) -> TerrainPiece:
    """Return the piece turned about its middle, by `degrees` clockwise."""
    turned = affinity.rotate(MultiPoint(piece.points), degrees, origin=mean_point(piece.points))
    points = tuple((round(point.x, DECIMALS), round(point.y, DECIMALS)) for point in turned.geoms)
    return piece.model_copy(update={"points": points})


def check_piece(state: S, piece: TerrainPiece) -> TerrainPiece:
    """Return the piece unchanged. Raises Refused if it crosses itself, has no area, or reaches off the table."""
    if piece.closed:
        outline = Polygon(piece.points) if len(piece.points) >= FEWEST_POINTS else Polygon()
        if not outline.is_valid or outline.area <= 0:
            raise Refused(f"That outline crosses itself or holds no ground. {HOW_POINTS}")
    if not all(0 <= x <= state.width and 0 <= y <= state.height for x, y in piece.points):
        raise Refused("That reaches off the table. Choose another place, or make it smaller.")
    return piece


def _find_piece_index(state: S, words: str) -> int:
    names = piece_index_by_name(state.terrain)
    if not names:
        raise Refused("There is no terrain on this table. /terrain add puts a piece on.")
    return names[naming.resolve_name(words, {name: name for name in names}, "No piece of terrain here is called {}.")]


def replace_terrain(state: S, terrain: Sequence[TerrainPiece], headline: str) -> tuple[S, Report]:
    """Return the state with `terrain` as its only terrain, and the report. Raises Refused for too many points."""
    if (points := count_points(terrain)) > max(MOST_POINTS_IN_ALL, count_points(state.terrain)):
        raise Refused(f"The terrain would have {points:,} points in all, and the limit is {MOST_POINTS_IN_ALL:,}.")
    step = umpire_step(headline, in_headline=True)
    return state.model_copy(update={"terrain": tuple(terrain)}), Report(headline=f"{headline}.", steps=(step,))


def _add_piece(state: S, action: TerrainAdd) -> tuple[S, Report]:
    if len(state.terrain) >= MOST_TERRAIN:
        raise Refused(f"A table has {MOST_TERRAIN} pieces of terrain at most. Remove one first.")
    terrain = (*state.terrain, check_piece(state, make_piece(action)))
    name = [*piece_index_by_name(terrain)][len(state.terrain)]
    return replace_terrain(state, terrain, f"The umpire puts terrain on the table: {name}")


def _replace_piece(state: S, at: int, piece: TerrainPiece, verb: str) -> tuple[S, Report]:
    """Return the state with the piece at index `at` replaced, and the report: `The umpire {verb} {name}`."""
    name = [*piece_index_by_name(state.terrain)][at]
    terrain = [*state.terrain]
    terrain[at] = check_piece(state, piece)
    return replace_terrain(state, terrain, f"The umpire {verb} {name}")


def _move_piece(state: S, action: TerrainMove) -> tuple[S, Report]:
    at = _find_piece_index(state, action.piece)
    piece = state.terrain[at]
    (x, y), (to_x, to_y) = mean_point(piece.points), Place.from_words(action.to).point
    points = tuple((round(px + to_x - x, DECIMALS), round(py + to_y - y, DECIMALS)) for px, py in piece.points)
    return _replace_piece(state, at, piece.model_copy(update={"points": points}), "moves")


def _turn_piece(state: S, action: TerrainTurn) -> tuple[S, Report]:
    at = _find_piece_index(state, action.piece)
    return _replace_piece(state, at, _rotate_piece(state.terrain[at], action.degrees), "turns")


def _remove_piece(state: S, action: TerrainRemove) -> tuple[S, Report]:
    at = _find_piece_index(state, action.piece)
    name = [*piece_index_by_name(state.terrain)][at]
    others = [*state.terrain[:at], *state.terrain[at + 1 :]]
    return replace_terrain(state, others, f"The umpire takes {name} off the table")


TERRAIN_TYPES: tuple[UmpireActionType[Any], ...] = (
    UmpireActionType(TerrainAdd, _add_piece),
    UmpireActionType(TerrainMove, _move_piece),
    UmpireActionType(TerrainTurn, _turn_piece),
    UmpireActionType(TerrainRemove, _remove_piece),
)
"""The types of the umpire's actions with terrain."""
