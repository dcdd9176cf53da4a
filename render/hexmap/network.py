"""Link adjacent hexes of equal ground by lines, for trenches and waterways."""

from collections import Counter as Tally
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations

import shapely

from rules.core.hexboard.hex_scene import HexGround
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point

from .land_shapes import KeyedBoard
from .plane import hex_centre

END, OFF = 0.34, 0.62
"""Distance in hexes by which a line passes the centre of its last hex: within the map, and at the map's edge."""
ALONE = 0.4
"""Half the length, in hexes, of the line in a hex without neighbours to link."""
Step = tuple[Hex, Hex]


@lru_cache(maxsize=32)
def link_hexes(keyed: KeyedBoard, kinds: frozenset[HexGround]) -> tuple[tuple[Point, ...], ...]:
    """Return the lines that link adjacent hexes of `kinds`.

    Three mutually adjacent hexes get two links instead of a triangle. A hex without links gets a short line, in the
    commonest direction of all links.
    """
    board = {cell.hex for cell in keyed.board.cells}
    hexes = {cell.hex for cell in keyed.board.cells if cell.ground in kinds}
    steps = _remove_triangles({(at, to) for at in hexes for to in at.neighbours() if to in hexes and at < to})
    ends = [at for step in steps for at in step]
    lines = [(hex_centre(at), hex_centre(to)) for at, to in sorted(steps)]
    most = Tally((to.q - at.q, to.r - at.r) for at, to in sorted(steps)).most_common(1)
    east, south = hex_centre(Hex(*most[0][0])) if most else (1.0, 0.0)
    for at in sorted(hexes):
        x, y = hex_centre(at)
        if at not in ends:
            lines += [((x, y), (x + way * east, y + way * south)) for way in (-ALONE, ALONE)]
        elif ends.count(at) == 1:
            before = next(start if end == at else end for start, end in steps if at in (start, end))
            lines.append(((x, y), _end_point(at, before, board)))
    return tuple(merge_lines(lines))


def merge_lines(lines: Sequence[Sequence[Point]]) -> list[tuple[Point, ...]]:
    """Return the lines, joined at points where the ends of exactly two lines meet."""
    merged = shapely.line_merge(shapely.MultiLineString(lines))
    return [tuple((x, y) for x, y in line.coords) for line in shapely.get_parts(merged) if not line.is_empty]


def _remove_triangles(steps: set[Step]) -> set[Step]:
    """Return the links; each triangle loses the link whose ends have the most links."""
    links = set(steps)
    for first, second in combinations(sorted(steps), 2):
        third = first[1], second[1]
        ring = {first, second, third}
        if first[0] == second[0] and ring <= links:
            links.remove(max(sorted(ring), key=lambda step: sum(at in step for link in links for at in link)))
    return links


def _end_point(at: Hex, before: Hex, board: Collection[Hex]) -> Point:
    """Return the end of a line beyond its last hex `at`, off the map if possible."""
    straight = Hex(2 * at.q - before.q, 2 * at.r - before.r)
    ahead = [straight, *(neighbour for neighbour in at.neighbours() if neighbour.distance(before) > 1)]
    to = next((neighbour for neighbour in ahead if neighbour not in board), None)
    (x, y), (tx, ty), reach = hex_centre(at), hex_centre(to or straight), OFF if to else END
    return x + (tx - x) * reach, y + (ty - y) * reach
