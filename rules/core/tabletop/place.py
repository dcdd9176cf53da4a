"""Parse the words for a destination: `C3 NW facing south`, `30,12 facing 90`, `forward 6`, `towards …`, `face ne`."""

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

from . import squares

MAX_LENGTH = 120
"""Maximum number of characters of a destination."""
RELATIVE_BEARINGS = {"forward": 0.0, "right": 90.0, "back": 180.0, "left": 270.0}
"""Degrees clockwise from a unit's facing, for each word of direction."""
SPOT_FORMS = "or in inches as “30,12 facing 90”. A square has the parts N, NE, E, SE, S, SW, W and NW."
ADVICE = (
    "Say it as “C2”, “C2 NW facing south”, “forward 6”, “back 3”, “towards Black Watch 6”, “face north-east”, "
    + SPOT_FORMS
)
SPOT_ADVICE = f"Say it as “C2”, “C2 NW facing south”, {SPOT_FORMS}"
"""Advice on writing places, without destinations that depend on a unit."""


class Spot(Model):
    """A point on the table; `in_square` marks the middle of a named square or of its part."""

    at: Point
    facing: float | None = None
    in_square: bool = False


class Course(Model):
    """A move of `inches` in a direction: `turn` degrees clockwise from the unit's facing.

    The unit keeps its facing unless `facing` is given.
    """

    turn: float
    inches: float
    facing: float | None = None


class Towards(Model):
    """A move towards another unit (by id), until they touch, or for `inches` if given."""

    unit: str
    inches: float | None = None


class TowardsMarker(Model):
    """A move towards a marker (by id), until their bases touch, or for `inches` if given."""

    marker: str
    inches: float | None = None


class Turn(Model):
    """A turn on the spot to a new facing, in degrees clockwise from north."""

    facing: float


class Horses(Model):
    """A move back to the place where the unit left its horses."""


Destination = Spot | Course | Towards | TowardsMarker | Turn | Horses


class _Reader(Transformer[Token, Destination]):
    """Turns a parsed text into a destination; each method handles the grammar's rule of its name."""

    @v_args(inline=True)
    def heading(self, word: Token) -> float:
        return squares.parse_heading(str(word))

    def facing(self, parts: list[float]) -> float:
        return parts[-1]

    @v_args(inline=True)
    def point(self, x: Token, y: Token, facing: float | None = None) -> Spot:
        return Spot(at=(float(x), float(y)), facing=facing)

    def part(self, words: list[Token]) -> str:
        return next((str(word) for word in words if word.type == "COMPASS"), "")

    def square(self, parts: list[Any]) -> Spot:
        name, *rest = parts
        part = next((one for one in rest if isinstance(one, str)), "")
        facing = next((one for one in rest if isinstance(one, float)), None)
        return Spot(at=squares.middle_of(name, part), facing=facing, in_square=True)

    def exactly(self, parts: list[Spot]) -> Spot:
        return parts[-1]

    def step(self, parts: list[Token | float]) -> Course:
        facing = parts[-1] if isinstance(parts[-1], float) else None
        return Course(turn=RELATIVE_BEARINGS[str(parts[0]).casefold()], inches=float(parts[1]), facing=facing)

    @v_args(inline=True)
    def towards(self, _: Token, name: Token) -> Towards:
        return Towards(unit=str(name).strip())

    @v_args(inline=True)
    def turn(self, _: Token, facing: float) -> Turn:
        return Turn(facing=facing)

    def horses(self, _: list[Token]) -> Horses:
        return Horses()


@cache
def _grammar() -> Lark:
    """Return the parser of the grammar file, loaded once."""
    return Lark((files("rules.core") / "data" / "place.lark").read_text(encoding="utf-8"), parser="lalr")


@lru_cache(maxsize=1 << 12)
def _parse_by_grammar(text: str) -> Destination | None:
    """Parse a destination by the grammar, with a cache. Return None if the text names none."""
    try:
        destination: Destination = _Reader().transform(_grammar().parse(text))
    except (UnexpectedInput, VisitError):
        return None
    return destination


def parse(text: str, units: Mapping[str, str]) -> Destination:
    """Return the destination that `text` names; `units` are the names, by id, that may follow `towards`.

    Raises NoPlace with advice or the nearest names, and Refused for a distance that is not above zero.
    """
    destination = _parse(text, ADVICE)
    if isinstance(destination, Course) and destination.inches <= 0:
        raise Refused(f"“{text}” is no way to go: say how many inches, more than 0.")
    return _parse_towards(destination.unit, units) if isinstance(destination, Towards) else destination


def parse_spot(text: str) -> Spot:
    """Return the place that `text` names. Raises NoPlace, and Refused for a destination that depends on a unit."""
    destination = _parse(text, SPOT_ADVICE)
    if not isinstance(destination, Spot):
        raise Refused(f"“{text}” says no place by itself. {SPOT_ADVICE}")
    return destination


def _parse(text: str, advice: str) -> Destination:
    """Return the destination that the grammar finds in the text. Raises NoPlace with the `advice`."""
    if len(text) > MAX_LENGTH:
        raise NoPlace(f"That is too long for a place. {advice}")
    destination = _parse_by_grammar(text.strip())
    if destination is None:
        raise NoPlace(f"“{text}” is no place on the table. {advice}")
    return destination


def _parse_towards(words: str, units: Mapping[str, str]) -> Towards:
    """Return the move towards the unit in `words`, with the inches behind its name, if any. Raises NoPlace.

    Names may end in numbers, so the whole text is tried as a name first.
    """
    match = re.fullmatch(r"(.+?)\s+(\d+(?:\.\d+)?)\s*(?:\"|″|in|inches)?", words)
    has_inches = match is not None and not naming.meant(words, units)
    try:
        unit = naming.one(match[1] if match and has_inches else words, units, "No unit here is called {}.")
    except Refused as refused:
        raise NoPlace(refused.why) from None
    return Towards(unit=unit, inches=float(match[2]) if match and has_inches else None)


def has_facing(words: str) -> bool:
    """Whether the words for a point include a facing. Raises Refused if they name no place."""
    destination = parse(words, {})
    return isinstance(destination, Spot) and destination.facing is not None
