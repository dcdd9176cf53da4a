"""Names of places on the table: `C2 NW facing south` is the north-west part of square C2, with the front to the south.

Squares of 12 inches are lettered from the west and numbered from the north. A point on a line belongs to the square to
the west or north.
"""

import math
import re
from string import ascii_uppercase

from rules.core.scene import Point
from rules.core.wording import decimal_text, inches

GRID = 12.0
"""Side of a grid square in inches."""
PART = GRID / 3
"""Side in inches of a part of a square. A square has nine parts, the smallest areas with a name."""
DIRECTIONS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
"""Directions in which the bot describes places and facings."""
COMPASS_LETTERS = ("n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw")
"""All directions that users may type, in letters and clockwise from north."""
PARTS = (("NW", "N", "NE"), ("W", "", "E"), ("SW", "S", "SE"))
"""Names of a square's nine parts, in rows from the north; the middle part has no name."""
FULL_CIRCLE = 360.0
EXACT = 0.05
"""Tolerance in degrees for an exact direction."""


def abbreviate_direction(word: str) -> str:
    """Return the letters of a direction: `nw` for `NW`, `north-west` and `Northwest`."""
    letters = re.sub(r"[^a-z]", "", word.casefold())
    for name in ("north", "south", "east", "west"):
        letters = letters.replace(name, name[0])
    return letters


def parse_heading(word: str) -> float:
    """Return the degrees clockwise from north of `90`, `ne` or `north-east`. Raises ValueError for other words."""
    if re.fullmatch(r"[+-]?\d+(\.\d+)?", word):
        return float(word) % FULL_CIRCLE
    return COMPASS_LETTERS.index(abbreviate_direction(word)) * FULL_CIRCLE / len(COMPASS_LETTERS)


def direction_name(degrees: float) -> str:
    """Return the nearest of the eight DIRECTIONS, such as `south-west`; `SSW` for exactly 202.5 degrees."""
    step = FULL_CIRCLE / len(COMPASS_LETTERS)
    point = round(degrees % FULL_CIRCLE / step) % len(COMPASS_LETTERS)
    between = point % 2 and abs(math.remainder(degrees - point * step, FULL_CIRCLE)) <= EXACT
    if between:
        return COMPASS_LETTERS[point].upper()
    return DIRECTIONS[round(degrees % FULL_CIRCLE / step / 2) % len(DIRECTIONS)]


def square_name(point: Point) -> str:
    """Return the name of the square at a point, such as `C2`. Outside the grid, return the point in inches: `-3,12`."""
    column, row = (max(math.ceil(along / GRID) - 1, 0) for along in point)
    if min(point) < 0 or column >= len(ascii_uppercase):
        return ",".join(map(decimal_text, point))
    return f"{ascii_uppercase[column]}{row + 1}"


def square_names(width: float, height: float) -> tuple[str, ...]:
    """Return the names of a table's squares, row by row from the north."""
    across, down = (math.ceil(size / GRID) for size in (width, height))
    return tuple(f"{letter}{row}" for row in range(1, down + 1) for letter in ascii_uppercase[:across])


def squares_around(point: Point, width: float, height: float) -> tuple[str, ...]:
    """Return the names of the point's square and its neighbours on the table, nearest first."""
    steps = (-GRID, 0.0, GRID)
    beside = ((point[0] + across, point[1] + down) for down in steps for across in steps)
    names = {square_name((x, y)) for x, y in beside if 0 < x <= width and 0 < y <= height}
    return tuple(sorted(sorted(names), key=lambda name: math.dist(middle_of_square(name), point)))


def next_spot_towards(point: Point, goal: Point, run: float) -> str | None:
    """Return the name of the spot within `run` inches of `point` that is nearest to `goal`.

    Spots are the middles of parts of squares. Return None if no spot is nearer to `goal` than `point` is.
    """
    step = int(run // PART) + 1
    ways = [PART * number for number in range(-step, step + 1)]
    x, y = middle_of_square(*spot_name(point).split()) if "," not in spot_name(point) else point
    spots = [(x + across, y + down) for across in ways for down in ways]
    nearest = min(
        (spot for spot in spots if math.dist(point, spot) <= run), key=lambda spot: math.dist(spot, goal), default=point
    )
    return spot_name(nearest) if math.dist(nearest, goal) < math.dist(point, goal) else None


def size_in_words(width: float, height: float) -> str:
    """Return a table's size in words: `72" by 48", squares A1 to F4`."""
    return f"{inches(width)} by {inches(height)}, squares A1 to {square_name((width, height))}"


def spot_name(point: Point) -> str:
    """Return the name of the spot at a point: `C2 NW`, or `C2` for the middle. Outside the grid, return the inches."""
    name = square_name(point)
    if "," in name:
        return name
    corner = north_west_corner(name)
    across, down = (min(int((along - start) / PART), 2) for along, start in zip(point, corner, strict=True))
    return f"{name} {PARTS[down][across]}".rstrip()


def north_west_corner(name: str) -> Point:
    """Return the north-west corner of the square with this name, in inches."""
    return ((ord(name[0].upper()) - ord("A")) * GRID, (int(name[1:]) - 1) * GRID)


def middle_of_square(name: str, part: str = "") -> Point:
    """Return the middle of a square, or of its `part` such as `NW`, in inches. Raises ValueError for another part."""
    x, y = north_west_corner(name)
    letters = abbreviate_direction(part).upper()
    down = next((row for row, names in enumerate(PARTS) if letters in names), None)
    if down is None:
        raise ValueError(f"a square has no {part}")
    return (x + (PARTS[down].index(letters) + 0.5) * PART, y + (down + 0.5) * PART)
