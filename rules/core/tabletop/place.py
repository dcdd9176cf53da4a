"""The words for a place on the table: `C3 NW facing south`, `30,12 facing 90`, `forward 6`, `towards …`, `face ne`."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from rules.core import naming
from rules.core.model import Model
from rules.core.refusal import NoPlace, Refused
from rules.core.scene import Point
from rules.core.typed_text import NUMBER, fold, number_of

from . import squares

LONGEST = 120
"""Characters of the longest text that is read at all."""
WAYS = {"forward": 0.0, "right": 90.0, "back": 180.0, "left": 270.0}
IN_ITSELF = "or in inches as “30,12 facing 90”. A square has the parts N, NE, E, SE, S, SW, W and NW."
HOW = (
    "Say it as “C2”, “C2 NW facing south”, “forward 6”, “back 3”, “towards Black Watch 6”, “face north-east”, "
    + IN_ITSELF
)
ALONE = f"Say it as “C2”, “C2 NW facing south”, {IN_ITSELF}"
"""Advice on writing places, without relative moves."""


class Spot(Model):
    """A point of the table; `in_square` marks points derived from a named square."""

    at: Point
    facing: float | None = None
    in_square: bool = False


class Course(Model):
    """So many inches on a bearing relative to the unit's facing, which it keeps."""

    turn: float
    inches: float
    facing: float | None = None


class Towards(Model):
    """Towards another unit (its id), into contact unless `inches` ends it earlier."""

    unit: str
    inches: float | None = None


class TowardsMarker(Model):
    """Towards a marker (its id), until the bases touch unless `inches` ends it earlier."""

    marker: str
    inches: float | None = None


class Turn(Model):
    """A new facing on the spot."""

    facing: float


class Horses(Model):
    """Return to the unit's horses."""


Destination = Spot | Course | Towards | TowardsMarker | Turn | Horses


class _Reader(Transformer[Token, Destination]):
    @v_args(inline=True)
    def heading(self, word: Token) -> float:
        return squares.heading(str(word))

    def facing(self, parts: list[float]) -> float:
        return parts[-1]

    @v_args(inline=True)
    def point(self, x: Token, y: Token, facing: float | None = None) -> Spot:
        return Spot(at=(_number(x), _number(y)), facing=facing)

    def part(self, words: list[Token]) -> str:
        return next((str(word) for word in words if word.type == "COMPASS"), "")

    def square(self, parts: list[Any]) -> Spot:
        name, *said = parts
        part = next((one for one in said if isinstance(one, str)), "")
        facing = next((one for one in said if isinstance(one, float)), None)
        return Spot(at=squares.middle_of(name, part), facing=facing, in_square=True)

    def exactly(self, parts: list[Spot]) -> Spot:
        return parts[-1]

    def step(self, parts: list[Token | float]) -> Course:
        facing = parts[-1] if isinstance(parts[-1], float) else None
        return Course(turn=WAYS[str(parts[0]).casefold()], inches=_number(parts[1]), facing=facing)

    @v_args(inline=True)
    def towards(self, _: Token, name: Token) -> Towards:
        return Towards(unit=str(name).strip())

    @v_args(inline=True)
    def turn(self, _: Token, facing: float) -> Turn:
        return Turn(facing=facing)

    def horses(self, _: list[Token]) -> Horses:
        return Horses()


def _number(word: object) -> float:
    """Return the number of a token: `-4.25`, `4½`."""
    try:
        return float(str(word))
    except ValueError:
        return float(number_of(str(word).lstrip("+-"))) * (-1 if str(word).startswith("-") else 1)


@cache
def _grammar() -> Lark:
    return Lark((files("rules.core") / "data" / "place.lark").read_text(encoding="utf-8"), parser="lalr")


@lru_cache(maxsize=1 << 12)
def _read(text: str) -> Destination | None:
    """Parse a destination, cached; None for unrecognized text."""
    try:
        found: Destination = _Reader().transform(_grammar().parse(text))
    except (UnexpectedInput, VisitError):
        return None
    return found


def parse(text: str, units: Mapping[str, str]) -> Destination:
    """Return the destination that `text` names; `units` are the names (by id) that `towards` may mean.

    Raises NoPlace with the ways to say it, or the nearest names; Refused on a step of no inches, or of fewer.
    """
    read = _parse(text, HOW)
    if isinstance(read, Course) and read.inches <= 0:
        raise Refused(f"“{text}” is no way to go: say how many inches, more than 0.")
    return _names_in(read.unit, units) if isinstance(read, Towards) else read


def alone(text: str) -> Spot:
    """Return the place that `text` names by itself. Raises NoPlace, or Refused if it depends on where a unit stands."""
    read = _parse(text, ALONE)
    if not isinstance(read, Spot):
        raise Refused(f"“{text}” says no place by itself. {ALONE}")
    return read


def _parse(text: str, how: str) -> Destination:
    """Return what the grammar makes of a text. Raises NoPlace with `how` to say it."""
    if len(text) > LONGEST:
        raise NoPlace(f"That is too long for a place. {how}")
    read = _read(fold(text).strip())
    if read is None:
        raise NoPlace(f"“{text}” is no place on the table. {how}")
    return read


def _names_in(words: str, units: Mapping[str, str]) -> Towards:
    """Names may end in numbers, so the whole is tried as a name before its last number is taken for inches."""
    cut = re.fullmatch(rf"(.+?)\s+({NUMBER})\s*(?:\"|''|in|inch|inches)?", words)
    inches = cut is not None and not naming.meant(words, units)
    try:
        unit = naming.one(cut[1] if cut and inches else words, units, "No unit here is called {}.")
    except Refused as refused:
        raise NoPlace(refused.why) from None
    return Towards(unit=unit, inches=_number(cut[2]) if cut and inches else None)


def says_facing(words: str) -> bool:
    """Whether words that name a point say which way to face there. Raises Refused where they name no place."""
    found = parse(words, {})
    return isinstance(found, Spot) and found.facing is not None
