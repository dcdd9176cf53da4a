"""Typed terrain, one piece per line: `Mill Hill: hill C3, 12 x 8`, `river from the north edge at C to F4`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import shapely
from shapely import LineString

from rules.core.refusal import Refused
from rules.core.scene import Feature, Point, TerrainPiece
from rules.core.typed_text import NUMBER, clean_name, numbered_lines, read_number, simplify_signs
from rules.core.wording import inches

from .battle import TableState
from .doubts import Doubt
from .landmarks import index_landmarks
from .terrain import LONGEST, Shape, TerrainAdd, check_piece, make_piece
from .terrain_points import TerrainPointReader, split_points
from .terrain_words import TerrainKind, find_kind

LONGEST_LIST = 4000
"""Maximum number of characters of a typed list."""
MOST_LINES = 40
BEYOND_BANK = 1.0
"""Inches that a bridge reaches beyond each bank."""
EXAMPLE = "hill C3 12 x 8\nwood D1\nriver from the north edge at B to the south edge\nroad from A2 to F2\nvillage E3"
"""Example of typed terrain, shown in the empty form."""
_NAME_BEFORE = re.compile(r"(?P<name>[^:]{1,60}):\s*(?P<rest>\S.*)")
_NAME_BEHIND = re.compile(r"(?P<rest>.+?)[\s,]+(?:called|named)\s+(?P<name>\S.*)|(?P<before>.+?)\s*:\s*(?P<after>\S.*)")
_NAME_OF = re.compile(
    r"(?P<kind>[^:,]+?)\s+of\s+(?P<name>[A-Z][\w'-]*(?:\s+[A-Z][\w'-]*)*),?\s+(?:in|at|near|on|around)\s+(?P<rest>\S.*)"
)
"""Matches a kind of ground with a name after it: `Village of Tamai in E1`."""
_BRACKETED = re.compile(r"[(\[]\s*(?P<name>[A-Z][\w']{2,}(?:[ '-][\w']+)*)\s*[)\]]")
"""A name in brackets: `Koppie at B2 (Nqutu Hill)`."""
_QUOTED = re.compile(r"[\"'](?P<name>[^\"']{1,60})[\"']$")
_LENGTH = rf"{NUMBER}\s*(?:'(?!')|\"|''|inch(?:es)?|ins?\b|feet|foot|ft|cm)?"
_SIZE = re.compile(rf"(?<![\w,.]){_LENGTH}\s*[x×]\s*{_LENGTH}(?![\w.])(?!,\d)", re.IGNORECASE)
_ACROSS = re.compile(rf"(?<![\w,.])(?P<size>{_LENGTH})\s*(?:across|in diameter|diameter|square)\b", re.IGNORECASE)
_WIDE = re.compile(rf"(?<![\w,.])(?P<width>{NUMBER})\s*(?:\"|''|inch(?:es)?|ins?\b)?\s*(?:wide|broad)\b", re.IGNORECASE)
_TURNED = re.compile(rf"\bturned\s+(?P<degrees>-?{NUMBER})\s*(?:°|degrees?)?", re.IGNORECASE)
_SHAPE = re.compile(r"\b(?P<shape>round|oval|ellipse|circle|circular|rectangle|rectangular|square)\b", re.IGNORECASE)
FROM = re.compile(r"(?:running\s+)?from\b", re.IGNORECASE)
"""Matches the beginning of a line through points, for every kind of ground."""
_BETWEEN = re.compile(r"\bto\b", re.IGNORECASE)
"""Matches the word between the two ends of a line: `ridge, B2 to C2`."""
USUAL_STRIP = 3.0
"""Usual width in inches of an area, such as rough ground, that is typed as a line."""
RUN_TO_EDGE = frozenset({Feature.RIVER, Feature.ROAD, Feature.RAILWAY})
"""Kinds of terrain that run on to the edge of the table."""
ROUND = frozenset({"round", "oval", "ellipse", "circle", "circular"})


@dataclass(frozen=True)
class TypedTerrain:
    """A typed list of terrain: the pieces of the readable lines, and the doubtful lines."""

    pieces: Sequence[TerrainPiece]
    doubts: Sequence[Doubt]


def read_terrain(state: TableState[Any], text: str) -> TypedTerrain:
    """Read a list of terrain, one piece per line. A line may refer to the ground of earlier lines.

    Raises Refused for no lines or too many.
    """
    lines = [(number, piece) for number, line in numbered_lines(text) for piece in _split_pieces(line)]
    if not lines or len(lines) > MOST_LINES:
        raise Refused(f"Write from 1 to {MOST_LINES} pieces of terrain, a piece a line, as:\n{EXAMPLE}")
    pieces, doubts = list[TerrainPiece](), list[Doubt]()
    for number, line in lines:
        try:
            pieces.append(_read_line(state, [*state.terrain, *pieces], line))
        except Refused as refused:
            doubts.append(Doubt(number, line, refused.why))
    return TypedTerrain(pieces, doubts)


def _split_pieces(line: str) -> Sequence[str]:
    """Split a line into pieces at semicolons, but not at semicolons between the points of an outline."""
    pieces = list[str]()
    for part in line.split(";"):
        if pieces and find_kind(part) is None:
            pieces[-1] = f"{pieces[-1]};{part}"
        else:
            pieces.append(part)
    return [piece.strip() for piece in pieces if piece.strip()]


def _read_line(state: TableState[Any], terrain: Sequence[TerrainPiece], line: str) -> TerrainPiece:
    """Return the piece that a line describes. `terrain` is the terrain already on the table. Raises Refused."""
    words, name = _split_name(_convert_brackets(simplify_signs(line)))
    if re.match(r"\d+\s*(?:x\s*)?[a-z]{3}", words, re.IGNORECASE):
        raise Refused("Write each piece on a line of its own, with its place.")
    named_kind = find_kind(words)
    if named_kind is None:
        raise Refused(
            "What kind of ground is it? A hill, wood, rough, marsh, river, road, village, farm, bridge, wall."
        )
    ground = TerrainPointReader(state.width, state.height, index_landmarks(terrain, state.objectives))
    name = clean_name(name or named_kind.name)
    if len(name) > LONGEST:
        raise Refused(f"“{name[:LONGEST]}…” is too long for a name: {LONGEST} characters at most.")
    name = name[:1].upper() + name[1:]
    if named_kind.kind.crossing:
        return check_piece(state, _read_crossing(ground, terrain, named_kind.rest, named_kind.kind, name or "Bridge"))
    between = len(split_points(named_kind.rest)) == 2 and _BETWEEN.search(named_kind.rest)
    if (
        between
        or _WIDE.search(named_kind.rest)
        or FROM.match(named_kind.rest)
        or (named_kind.kind.line and not _SIZE.search(named_kind.rest))
    ):
        return check_piece(state, _read_linear_piece(ground, named_kind.rest, named_kind.kind, name))
    return check_piece(state, _read_area_piece(ground, named_kind.rest, named_kind.kind, name))


def _convert_brackets(line: str) -> str:
    """Remove brackets from a line, and write a bracketed name with `called`: `hill B2 called Mill Hill`."""
    match = _BRACKETED.search(line)
    if match is not None and ":" not in line and not (_SHAPE.search(match["name"]) or find_kind(line) is None):
        line = f"{line[: match.start()]} {line[match.end() :]}".strip(" .,") + f" called {match['name']}"
    return re.sub(r"\s{2,}|\s+(?=,)", " ", re.sub(r"[()\[\]]", " ", line)).strip(" .,")


def _split_name(line: str) -> tuple[str, str]:
    """Return a line without the piece's name, and the name; `""` without a name."""
    match = _NAME_OF.fullmatch(line)
    if match and (kind := find_kind(match["kind"])) is not None and not kind.rest:
        return f"{match['kind']} {match['rest']}", match["name"]
    if quoted := _QUOTED.search(line):
        return line[: quoted.start()].strip(), quoted["name"]
    before = _NAME_BEFORE.fullmatch(line)
    if before is not None and find_kind(before["rest"]) is not None:
        return before["rest"], before["name"]
    behind = _NAME_BEHIND.fullmatch(line)
    if behind is None:
        return line, ""
    if behind["rest"]:
        return behind["rest"], behind["name"]
    kind = find_kind(behind["before"])
    if kind is None or not kind.rest:  # `river: from A2 to F2`
        return f"{behind['before']} {behind['after']}", ""
    return behind["before"], behind["after"]


def _read_area_piece(ground: TerrainPointReader, rest: str, kind: TerrainKind, name: str) -> TerrainPiece:
    """Return an area around one point, or an area with an outline of three points or more. Raises Refused."""
    rest, size = _split_off_size(rest)
    rest, turned = _split_off_match(_TURNED, rest, "degrees")
    rest, shape = _split_off_match(_SHAPE, rest, "shape")
    parts = split_points(rest)
    points = [ground.read_point(part) for part in parts]
    if not points or len(points) == 2:
        raise Refused("Where is it? Give its middle, such as “C3”, or three points or more, such as “C2; D2; D4”.")
    if len(points) > 2:
        if size:
            raise Refused("An outline through points has no size. Give one point and a size, or the points alone.")
        return TerrainPiece(feature=kind.feature, points=tuple(points), name=name)
    is_round = shape.casefold() in ROUND if shape else kind.round
    x, y = points[0]
    action = TerrainAdd(
        feature=kind.feature.value,
        shape=(Shape.ELLIPSE if is_round else Shape.RECTANGLE).value,
        at=f"{x:g},{y:g}",
        size=size or kind.size,
        turned=float(turned or 0),
        name=name,
    )
    return make_piece(action)


def _read_linear_piece(ground: TerrainPointReader, rest: str, kind: TerrainKind, name: str) -> TerrainPiece:
    """Return a river, road or wall through its points. Raises Refused."""
    rest, width = _split_off_match(_WIDE, rest, "width")
    path = ground.read_river_or_road(rest) if kind.feature in RUN_TO_EDGE else ground.read_line(rest)
    points = tuple((round(x, 2), round(y, 2)) for x, y in path)
    across = float(read_number(width)) if width else kind.width if kind.line else USUAL_STRIP
    if not 0.1 <= across <= ground.width:
        raise Refused(f"It cannot be {inches(across)} wide.")
    return TerrainPiece(feature=kind.feature, points=points, closed=False, width=across, name=name)


def _read_crossing(
    ground: TerrainPointReader, terrain: Sequence[TerrainPiece], rest: str, kind: TerrainKind, name: str
) -> TerrainPiece:
    """Return a bridge across a river, at a given point or at the crossing of a road. Raises Refused."""
    rest, width = _split_off_match(_WIDE, rest, "width")
    rivers = [piece for piece in terrain if piece.feature is Feature.RIVER and len(piece.points) > 1]
    if not rivers:
        raise Refused("There is no river to cross. Write the river first.")
    at = _point_of_crossing(ground, terrain, rivers, rest)
    river = min(rivers, key=lambda piece: LineString(piece.points).distance(shapely.Point(at)))
    line = LineString(river.points)
    along = line.project(shapely.Point(at))
    middle, before, after = (line.interpolate(max(along + step, 0.0)) for step in (0.0, -0.5, 0.5))
    (dx, dy), half = (after.x - before.x, after.y - before.y), river.width / 2 + BEYOND_BANK
    long = max((dx * dx + dy * dy) ** 0.5, 1e-6)
    across = (-dy / long * half, dx / long * half)
    ends = tuple((round(middle.x + s * across[0], 2), round(middle.y + s * across[1], 2)) for s in (1, -1))
    wide = float(read_number(width)) if width else kind.width
    return TerrainPiece(feature=kind.feature, points=ends, closed=False, width=wide, name=name)


def _point_of_crossing(
    ground: TerrainPointReader, terrain: Sequence[TerrainPiece], rivers: Sequence[TerrainPiece], words: str
) -> Point:
    """Return the point that the words name or, without a point, the only crossing of a road and a river.

    Raises Refused if there are several crossings or none.
    """
    place_words = re.sub(r"^(?:at|on|over|across|where|of|for)\s+", "", words.strip(" ,."), flags=re.IGNORECASE)
    name = re.sub(r"^the\s+", "", place_words, flags=re.IGNORECASE).casefold()
    roads = [piece for piece in terrain if piece.feature in (Feature.ROAD, Feature.RAILWAY) and len(piece.points) > 1]
    if name and not re.search(r"\b(?:cross|crosses|crossing|road|river|stream|track|railway)\b", name):
        by_name = [piece for piece in (*roads, *rivers) if piece.name.casefold() == name]
        if not by_name:
            return ground.read_point(place_words)
        roads = [piece for piece in by_name if piece in roads] or roads
    points = [
        (point.x, point.y)
        for road in roads
        for river in rivers
        for point in shapely.get_parts(LineString(road.points).intersection(LineString(river.points)))
        if point.geom_type == "Point" and not point.is_empty
    ]
    if len(points) != 1:
        reason = "No road crosses a river here." if not points else "Roads cross rivers at several places here."
        raise Refused(f"{reason} Say where the bridge is, such as “bridge C4”.")
    return points[0]


def _split_off_match(pattern: re.Pattern[str], text: str, group: str) -> tuple[str, str]:
    """Return the text without the match of `pattern`, and the match's `group`; `""` if nothing matches."""
    match = pattern.search(text)
    return (text, "") if match is None else (f"{text[: match.start()]} {text[match.end() :]}".strip(" ,"), match[group])


def _split_off_size(text: str) -> tuple[str, str]:
    """Return the text without its size, and the size in the form `12 x 8`; `""` without a size."""
    if size := _SIZE.search(text):
        return f"{text[: size.start()]} {text[size.end() :]}".strip(" ,"), size[0]
    rest, across = _split_off_match(_ACROSS, text, "size")
    return rest, f"{across} x {across}" if across else ""
