"""Places of the table in words: `C2 NW facing south` is the north-west ninth of the square C2, the front to the south.

Squares of 12 inches are lettered from the west and numbered from the north, as the picture's grid shows them; what lies
on a line belongs to the square west or north of it.
"""

import math
import re
from string import ascii_uppercase

from rules.core.scene import Point
from rules.core.wording import inches, tenths

GRID = 12.0
"""Inches of a grid square's side."""
PART = GRID / 3
"""Inches of the side of a ninth of a square, the finest place that is said."""
EIGHT = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
"""The directions that are said."""
SIXTEEN = ("n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw")
"""The directions that are understood, in letters."""
PARTS = (("NW", "N", "NE"), ("W", "", "E"), ("SW", "S", "SE"))
"""Names for ninths of a square, in rows from the north; the middle has no name."""
FULL = 360.0
EXACT = 0.05
"""Tolerance in degrees for an exact direction."""


def letters_of(word: str) -> str:
    """`nw` of `NW`, `north-west` and `Northwest`."""
    letters = re.sub(r"[^a-z]", "", word.casefold())
    for name in ("north", "south", "east", "west"):
        letters = letters.replace(name, name[0])
    return letters


def heading(word: str) -> float:
    """Degrees of `90`, `ne` or `north-east`. Raises ValueError."""
    if re.fullmatch(r"[+-]?\d+(\.\d+)?", word):
        return float(word) % FULL
    return SIXTEEN.index(letters_of(word)) * FULL / len(SIXTEEN)


def direction(degrees: float) -> str:
    """Return the nearest of eight directions such as `south-west`, or an exact sixteenth such as `SSW`."""
    step = FULL / len(SIXTEEN)
    point = round(degrees % FULL / step) % len(SIXTEEN)
    between = point % 2 and abs(math.remainder(degrees - point * step, FULL)) <= EXACT
    return SIXTEEN[point].upper() if between else EIGHT[round(degrees % FULL / step / 2) % len(EIGHT)]


def square(point: Point) -> str:
    """Return the square that a point lies in: `C2`. Outside of all squares it is said in inches: `-3,12`."""
    column, row = (max(math.ceil(along / GRID) - 1, 0) for along in point)
    if min(point) < 0 or column >= len(ascii_uppercase):
        return ",".join(map(tenths, point))
    return f"{ascii_uppercase[column]}{row + 1}"


def every(width: float, height: float) -> tuple[str, ...]:
    """Return the squares of a table, row by row from the north."""
    across, down = (math.ceil(size / GRID) for size in (width, height))
    return tuple(f"{letter}{row}" for row in range(1, down + 1) for letter in ascii_uppercase[:across])


def around(point: Point, width: float, height: float) -> tuple[str, ...]:
    """Return the point's square and its neighbours on the table, nearest first."""
    steps = (-GRID, 0.0, GRID)
    beside = ((point[0] + across, point[1] + down) for down in steps for across in steps)
    names = {square((x, y)) for x, y in beside if 0 < x <= width and 0 < y <= height}
    return tuple(sorted(sorted(names), key=lambda name: math.dist(middle_of(name), point)))


def nearer(point: Point, goal: Point, run: float) -> str | None:
    """Return the ninth of a square within `run` inches that is nearest to the goal; None if none is nearer.

    A place that a unit may be told to go to on its way there.
    """
    step = int(run // PART) + 1
    ways = [PART * number for number in range(-step, step + 1)]
    x, y = middle_of(*spot(point).split()) if "," not in spot(point) else point
    there = [(x + across, y + down) for across in ways for down in ways]
    found = min(
        (each for each in there if math.dist(point, each) <= run), key=lambda each: math.dist(each, goal), default=point
    )
    return spot(found) if math.dist(found, goal) < math.dist(point, goal) else None


def sized(width: float, height: float) -> str:
    """Return a table of so many inches, in words: `72" by 48", squares A1 to F4`."""
    return f"{inches(width)} by {inches(height)}, squares A1 to {square((width, height))}"


def spot(point: Point) -> str:
    """Return the square and the part of it: `C2`, `C2 NW`."""
    name = square(point)
    if "," in name:
        return name
    corner = corner_of(name)
    across, down = (min(int((along - start) / PART), 2) for along, start in zip(point, corner, strict=True))
    return f"{name} {PARTS[down][across]}".rstrip()


def corner_of(name: str) -> Point:
    """Return the north-west corner of a square by its name."""
    return ((ord(name[0].upper()) - ord("A")) * GRID, (int(name[1:]) - 1) * GRID)


def middle_of(name: str, part: str = "") -> Point:
    """Return the middle of a square or named ninth. Raises ValueError for an unknown name."""
    x, y = corner_of(name)
    wanted = letters_of(part).upper()
    down = next((row for row, names in enumerate(PARTS) if wanted in names), None)
    if down is None:
        raise ValueError(f"a square has no {part}")
    return (x + (PARTS[down].index(wanted) + 0.5) * PART, y + (down + 0.5) * PART)
