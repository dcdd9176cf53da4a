"""Read the points of a piece of terrain from words: `C2 NW`, `the north edge at C`, `the east edge`, `Mill Hill`."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rules.core import naming
from rules.core.refusal import Refused
from rules.core.scene import Point

from .battle import Edge, Place
from .landmarks import Landmark, words_for_feature
from .squares import GRID, middle_of_square

HOW = "Write points as “C2”, “C2 NW”, “30,12”, “the north edge at C” or the name of ground on this table."
EDGES = {"top": Edge.NORTH, "bottom": Edge.SOUTH, "left": Edge.WEST, "right": Edge.EAST}
_EDGE = re.compile(
    r"(?:the\s+)?(?P<edge>north|south|east|west|top|bottom|left|right)(?:ern)?\s+edge"
    r"(?:\s+(?:at|of|in|near|by)\s+(?P<at>\S.*))?",
    re.IGNORECASE,
)
_EDGE_OF = re.compile(r"(?P<at>[a-z]\d{0,2})\s+(?P<edge>north|south|east|west)\s+edge", re.IGNORECASE)
_BARE_EDGE = re.compile(r"(?:the\s+)?(?P<edge>north|south|east|west)(?:\s+(?:at|near)\s+(?P<at>\S.*))?", re.IGNORECASE)
_PART = re.compile(
    r"(?:(?:in|on|at|near)\s+)?(?:the\s+)?"
    r"(?P<part>centre|center|middle|(?:(?:north|south)(?:ern)?[ -]?)?(?:east|west)(?:ern)?|(?:north|south)(?:ern)?)"
    r"(?:\s+(?:corner|side|flank|end|part))?(?:\s+of\s+the\s+(?:table|board|field))?",
    re.IGNORECASE,
)
_FILLING = re.compile(r"^\s*(?:running\s+)?(?:from|along|through|at|:)\s+|^\s*running\s+", re.IGNORECASE)
SIDE = 1 / 6
"""Distance of the named sides and corners of a table from its edge, as a share of its width or height."""
_COLUMN, _ROW = re.compile(r"[a-z]", re.IGNORECASE), re.compile(r"\d{1,2}")
_LINE_WORD = re.compile(r"^(?:row|column|square)\s+", re.IGNORECASE)
_PARTS = re.compile(r"\s*(?:;|→|->|\b(?:to|through|via|then|past|over)\b)\s*|\s+[-–—]\s+", re.IGNORECASE)
_SQUARE = re.compile(r"[a-z]\d{1,2}", re.IGNORECASE)
_SQUARES = re.compile(r"(?<=[a-z]\d)\s*-\s*(?=[a-z]\d)|(?<=[a-z]\d)\s*,\s*(?=[a-z]\d)|\s*,\s*(?=the\b)", re.IGNORECASE)


@dataclass(frozen=True)
class TerrainPointReader:
    """Reads points on a table with this size in inches, and with these landmarks."""

    width: float
    height: float
    landmarks: Mapping[str, Landmark]

    def project_onto_edge(self, point: Point, edge: Edge) -> Point:
        """Return the point of the edge nearest to `point`."""
        x, y = point
        ends = {Edge.NORTH: (x, 0.0), Edge.SOUTH: (x, self.height), Edge.WEST: (0.0, y), Edge.EAST: (self.width, y)}
        return ends[edge]

    def read_point(self, words: str) -> Point:
        """Return the point that words name. Raises Refused."""
        text = words.strip(" .")
        if (part := _point_of_table_part(text)) is not None:
            return self.width * part[0], self.height * part[1]
        kinds = {name: words_for_feature(landmark.feature) for name, landmark in self.landmarks.items()}
        matches = (
            naming.find_matches(text, naming.Names({name: name for name in self.landmarks}), kinds) if text else ()
        )
        try:
            return Place.from_words(text).point
        except Refused:
            if len(matches) == 1:
                return self.landmarks[matches[0]].middle
        if matches:
            raise Refused(naming.clarifying_question(f"“{text[:40]}”", matches))
        raise Refused(f"“{text[:40]}” is no point on the table. {HOW}")

    def read_line(self, words: str) -> tuple[Point, ...]:
        """Return the points of a line of terrain in words. Raises Refused if the words name only edges."""
        parts = split_points(words)
        if len(parts) < 2:
            raise Refused(f"A line runs from one point to another: “from the north edge at C to C3 to F4”. {HOW}")
        points = [self._point_or_edge(part) for part in parts]
        known_points = [point for point in points if not isinstance(point, Edge)]
        if not known_points:
            raise Refused(f"Say where on an edge it begins or ends, such as “the north edge at C”. {HOW}")
        return tuple(
            self.project_onto_edge(_nearest_known_point(points, number), point) if isinstance(point, Edge) else point
            for number, point in enumerate(points)
        )

    def read_river_or_road(self, words: str) -> tuple[Point, ...]:
        """Return the points of a river or road. Raises Refused.

        An end given as a square at the table's edge is moved onto the edge.
        """
        points, parts = [*self.read_line(words)], split_points(words)
        for end in (0, -1):
            x, y = points[end]
            is_border = min(x, y) <= GRID or x >= self.width - GRID or y >= self.height - GRID
            if is_border and _SQUARE.fullmatch(parts[end].strip()):
                edge_points = (self.project_onto_edge(points[end], edge) for edge in Edge)
                points[end] = min(edge_points, key=partial(math.dist, points[end]))
        return tuple(points)

    def _point_or_edge(self, words: str) -> Point | Edge:
        """Return the point that the words name, or the edge if they name only an edge. Raises Refused."""
        text = words.strip(" .")
        match = _EDGE.fullmatch(text) or _EDGE_OF.fullmatch(text) or _BARE_EDGE.fullmatch(text)
        if match is None:
            return self.read_point(text)
        name = match["edge"].casefold()
        edge = EDGES[name] if name in EDGES else Edge(name)
        if match["at"] is None:
            return edge
        return self.project_onto_edge(self._point_across_from_edge(match["at"], edge), edge)

    def _point_across_from_edge(self, words: str, edge: Edge) -> Point:
        """Return the middle of a square in the named column (`C`) or row (`3`), or any named point. Raises Refused."""
        words = _LINE_WORD.sub("", words)
        if _COLUMN.fullmatch(words) and edge in (Edge.NORTH, Edge.SOUTH):
            return middle_of_square(f"{words}1")
        if _ROW.fullmatch(words) and edge in (Edge.WEST, Edge.EAST):
            return middle_of_square(f"A{words}")
        return self.read_point(words)


def _point_of_table_part(words: str) -> Point | None:
    """Return the named middle, corner or side of the table, as shares (0 to 1) of its width and height.

    Return None for other words.
    """
    match = _PART.fullmatch(words)
    if match is None:
        return None
    name = match["part"].casefold().replace("western", "west").replace("eastern", "east")
    name = re.sub(r"[^a-z]", "", name.replace("northern", "north").replace("southern", "south"))
    x = SIDE if "west" in name else 1 - SIDE if "east" in name else 0.5
    y = SIDE if "north" in name else 1 - SIDE if "south" in name else 0.5
    return x, y


def split_points(words: str) -> Sequence[str]:
    """Split words such as `from A1 to C2 through C3` or `A1-C2-F3` into the words of each point."""
    text = _FILLING.sub("", words.strip(" ,."))
    return [part.strip(" ,") for piece in _PARTS.split(text) for part in _SQUARES.split(piece) if part.strip(" ,")]


def _nearest_known_point(points: Sequence[Point | Edge], number: int) -> Point:
    """Return the point of the list nearest to the index `number`, skipping edges."""
    nearest_first = sorted(range(len(points)), key=lambda index: abs(index - number))
    return next(point for index in nearest_first if not isinstance(point := points[index], Edge))
