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
from rules.core.number_words import with_digits
from rules.core.refusal import NoPlace, Refused, UnclearGoal
from rules.core.scene import Point
from rules.core.typed_text import NUMBER, read_number, simplify_signs

from . import squares

MAX_LENGTH = 120
"""Maximum number of characters of a destination."""
RELATIVE_BEARINGS = {"forward": 0.0, "right": 90.0, "back": 180.0, "left": 270.0}
"""Degrees clockwise from a unit's facing, for each word of direction."""
DIRECTION_BY_PART = {"right": "right", "left": "left", "rear": "back", "back": "back"}
"""Direction for each part of a word that players write, such as `rear`. All other words mean forward."""
QUARTER_TURN = 90.0
"""Degrees of a turn to the left or right without a number."""
_TOWARDS_INCHES = re.compile(rf"(?P<name>.+?)\s+(?:by\s+)?(?P<inches>{NUMBER})\s*(?:\"|''|in\.?|inch|inches)?")
_OF = r"(?:corner|part|side)\s+of"
_PART = r"(?P<part>[nsew][a-z]*(?:[ -]?(?:east|west))?)"
_SQUARE = r"(?P<square>[a-z])[ -]?(?P<row>\d{1,2})"
SPOKEN = [
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (rf"^(?:(?:to|at|in|on)\s+)?(?:the\s+)?square\s+{_SQUARE}\b", r"\g<square>\g<row>"),
        (rf"^{_SQUARE}\b", r"\g<square>\g<row>"),
        (rf"^(?:in\s+|to\s+|at\s+)?(?:the\s+)?(?:middle|centre|center)\s+of\s+{_SQUARE}$", r"\g<square>\g<row> middle"),
        (
            rf"^(?:in\s+|to\s+|at\s+)?(?:the\s+)?{_PART}\s+{_OF}\s+{_SQUARE}$",
            r"\g<square>\g<row> \g<part>",
        ),
        (r"\bturn\s+to\s+face\b", "face"),
        (r"\bturn\s+(?:by\s+)?(\d+)\s*(?:°|degrees?)?\s+(?:to\s+the\s+)?(left|right)$", r"turn \2 \1"),
        (r"\b(turn|face)\s+(?:to\s+the\s+)?(left|right)\s+(?:by\s+)?(\d+)\s*(?:°|degrees?)?$", r"\1 \2 \3"),
        (r"^\(\s*(\d[\d.]*\s*,\s*\d[\d.]*)\s*\)$", r"\1"),
    )
]
"""Patterns of spoken destinations, such as `the middle of C 3`, and the written form of each."""
SPOT_FORMS = "or in inches as “30,12 facing 90”. A square has the parts N, NE, E, SE, S, SW, W and NW."
ADVICE = (
    "Say it as “C2”, “C2 NW facing south”, “forward 6”, “back 3”, “towards Black Watch 6”, “face north-east”, "
    + SPOT_FORMS
)
SPOT_ADVICE = f"Say it as “C2”, “C2 NW facing south”, {SPOT_FORMS}"
"""Advice on writing places. It omits destinations that depend on a unit."""


class Spot(Model):
    """A point on the table; `in_square` marks the middle of a named square or of its part."""

    at: Point
    facing: float | None = None
    in_square: bool = False


class MoveByDistance(Model):
    """A move of `inches` towards a compass `heading`, or at `turn` degrees clockwise from the unit's facing.

    The unit keeps its facing unless `facing` is given.
    """

    turn: float = 0.0
    inches: float
    facing: float | None = None
    heading: float | None = None

    @property
    def direction(self) -> str:
        """Return the direction of the move in words: `forward`, `north-east`."""
        if self.heading is not None:
            return squares.direction_name(self.heading)
        return next(word for word, degrees in RELATIVE_BEARINGS.items() if degrees == self.turn)

    def bearing(self, facing: float) -> float:
        """Return the bearing of the move, in degrees from north, for a unit of this facing."""
        return (facing + self.turn) % squares.FULL_CIRCLE if self.heading is None else self.heading


class TowardsUnit(Model):
    """A move towards another unit (by id), until the two units touch, or for `inches` if given."""

    unit: str
    inches: float | None = None


class TowardsMarker(Model):
    """A move towards a marker (by id), until the unit touches the marker, or for `inches` if given."""

    marker: str
    inches: float | None = None


class TowardsLandmark(Model):
    """A move towards the point `at` of named ground, until the unit stands there, or for `inches` if given."""

    name: str
    at: Point
    inches: float | None = None


class TurnOnSpot(Model):
    """A turn on the spot to a `facing` in degrees clockwise from north, or from the present facing if `relative`."""

    facing: float
    relative: bool = False


class BackToHorses(Model):
    """A move back to the place where the unit left its horses."""


Destination = Spot | MoveByDistance | TowardsUnit | TowardsMarker | TowardsLandmark | TurnOnSpot | BackToHorses


class _DestinationTransformer(Transformer[Token, Destination]):
    """Transforms a parsed text into a destination. Each method handles the grammar rule of the same name."""

    @v_args(inline=True)
    def heading(self, word: Token) -> float:
        return squares.parse_heading(str(word))

    def facing(self, parts: list[float]) -> float:
        return parts[-1]

    @v_args(inline=True)
    def point_spot(self, x: Token, y: Token, facing: float | None = None) -> Spot:
        return Spot(at=(_read_token_number(x), _read_token_number(y)), facing=facing)

    def square_part(self, words: list[Token]) -> str:
        return next((str(word) for word in words if word.type == "COMPASS"), "")

    def square_spot(self, parts: list[Any]) -> Spot:
        name, *rest = parts
        part = next((part for part in rest if isinstance(part, str)), "")
        facing = next((part for part in rest if isinstance(part, float)), None)
        return Spot(at=squares.middle_of_square(name, part), facing=facing, in_square=True)

    def spot_with_exact_point(self, parts: list[Spot]) -> Spot:
        return parts[-1]

    def move_by_distance(self, parts: list[Token | float]) -> MoveByDistance:
        facing = parts[-1] if isinstance(parts[-1], float) else None
        words = _text_by_token_type(parts)
        inches = _read_token_number(words.get("NUMBER") or words["WITH_COMMA"])
        if "COMPASS" in words:
            return MoveByDistance(heading=squares.parse_heading(words["COMPASS"]), inches=inches, facing=facing)
        way = words.get("WAY", "")
        direction = next((name for part, name in DIRECTION_BY_PART.items() if part in way), "forward")
        return MoveByDistance(turn=RELATIVE_BEARINGS[direction], inches=inches, facing=facing)

    def towards_unit(self, parts: list[Token]) -> TowardsUnit:
        words = {part.type: str(part) for part in parts}
        inches = f" {words['NUMBER']}" if "NUMBER" in words else ""
        return TowardsUnit(unit=f"{words['NAME'].strip()}{inches}")

    def turn_on_spot(self, parts: list[Token | float]) -> TurnOnSpot:
        if isinstance(parts[-1], float):
            return TurnOnSpot(facing=parts[-1])
        words = _text_by_token_type(parts)
        if "ABOUT" in words:
            return TurnOnSpot(facing=2 * QUARTER_TURN, relative=True)
        degrees = float(words.get("NUMBER", QUARTER_TURN))
        return TurnOnSpot(facing=-degrees if "left" in words["SIDEWAYS"] else degrees, relative=True)

    def back_to_horses(self, _: list[Token]) -> BackToHorses:
        return BackToHorses()


def _text_by_token_type(parts: list[Token | float]) -> Mapping[str, str]:
    """Return the text of each token, in lower case, by the token's type."""
    return {part.type: str(part).casefold() for part in parts if isinstance(part, Token)}


def _read_token_number(word: object) -> float:
    """Return the number of a token: `-4.25`, `4½`."""
    try:
        return float(str(word))
    except ValueError:
        return float(read_number(str(word).lstrip("+-"))) * (-1 if str(word).startswith("-") else 1)


@cache
def _load_grammar() -> Lark:
    """Return the cached parser of the grammar file."""
    return Lark((files("rules.core") / "data" / "place.lark").read_text(encoding="utf-8"), parser="lalr")


@lru_cache(maxsize=1 << 12)
def _parse_by_grammar(text: str) -> Destination | None:
    """Parse a destination by the grammar, with a cache. Return None if the text names none."""
    try:
        destination: Destination = _DestinationTransformer().transform(_load_grammar().parse(text))
    except (UnexpectedInput, VisitError):
        return None
    return destination


def parse_destination(text: str, units: Mapping[str, str]) -> Destination:
    """Return the destination that `text` names.

    `units` are the unit names, by id, that may follow `towards`. Raises NoPlace with advice or the nearest names,
    and Refused for a distance of 0 inches or less.
    """
    destination = _parse_written_or_spoken(text, ADVICE)
    if isinstance(destination, MoveByDistance) and destination.inches <= 0:
        raise Refused(f"“{text}” is no way to go: say how many inches, more than 0.")
    return _parse_move_towards_unit(destination.unit, units) if isinstance(destination, TowardsUnit) else destination


def make_turn_absolute(destination: Destination, facing: float) -> Destination:
    """Convert a relative turn to an absolute one, for a unit of this facing. Return other destinations unchanged."""
    if isinstance(destination, TurnOnSpot) and destination.relative:
        return TurnOnSpot(facing=(facing + destination.facing) % squares.FULL_CIRCLE)
    return destination


def parse_spot(text: str) -> Spot:
    """Return the place that `text` names. Raises NoPlace, and Refused for a destination that depends on a unit."""
    destination = _parse_written_or_spoken(text, SPOT_ADVICE)
    if not isinstance(destination, Spot):
        raise Refused(f"“{text}” says no place by itself. {SPOT_ADVICE}")
    return destination


def _parse_written_or_spoken(text: str, advice: str) -> Destination:
    """Return the destination that a written or spoken text names. Raises NoPlace with the `advice`."""
    if len(text) > MAX_LENGTH:
        raise NoPlace(f"That is too long for a place. {advice}")
    words = simplify_signs(text).strip()
    destination = _parse_by_grammar(words) or _parse_by_grammar(with_digits(words))
    if destination is None:
        written = with_digits(words)
        for pattern, form in SPOKEN:
            written = pattern.sub(form, written)
        destination = _parse_by_grammar(written)
    if destination is None:
        raise NoPlace(f"“{text}” is no place on the table. {advice}")
    return destination


def _parse_move_towards_unit(words: str, units: Mapping[str, str]) -> TowardsUnit:
    """Return the move towards the unit that `words` name, with any inches after the name. Raises NoPlace.

    Names may end in numbers, so the whole text is tried as a name first.
    """
    if naming.find_matches(words, units):
        name, inches = words, None
    else:
        match = _TOWARDS_INCHES.fullmatch(words) or _TOWARDS_INCHES.fullmatch(with_digits(words))
        name, inches = (match["name"], _read_token_number(match["inches"])) if match else (words, None)
    try:
        unit = naming.resolve_name(name, units, "No unit here is called {}.")
    except Refused as refused:
        raise UnclearGoal(refused.why) from None
    return TowardsUnit(unit=unit, inches=inches)
