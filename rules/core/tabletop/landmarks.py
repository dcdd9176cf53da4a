"""Named ground as a destination: `towards the wells`, `Mimosa scrub 6`. Players can type every name on the map."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import shapely

from rules.core import naming
from rules.core.memo import cache_by_identity
from rules.core.number_words import with_digits
from rules.core.refusal import Refused
from rules.core.scene import Feature, Goal, Point, TerrainPiece
from rules.core.typed_text import NUMBER, normalize_text, read_number, simplify_signs

from .battle import CACHE_SIZE, Objective, TableState
from .place import TowardsLandmark
from .squares import square_name
from .table import piece_shape
from .terrain_words import terrain_kinds

_WORDS = re.compile(r"(?:(?:to|towards?|at|into|onto|on)\s+)?(?P<name>.+?)", re.IGNORECASE)
_INCHES = re.compile(rf"\s+(?P<inches>{NUMBER})\s*(?:\"|''|in|inch|inches)?$")


class Landmark(NamedTuple):
    """Named ground: an objective's middle, the middle of a piece of terrain, or a road, river or wall as a line."""

    middle: Point
    line: TerrainPiece | None = None
    feature: Feature | None = None

    def nearest_point(self, start: Point | None) -> Point:
        """Return the point of the landmark's line nearest to `start`, or the middle if it has no line."""
        if self.line is None or start is None:
            return self.middle
        nearest = shapely.shortest_line(shapely.Point(start), shapely.LineString(self.line.points))
        x, y = nearest.coords[-1]
        return x, y


def find_landmark(
    state: TableState[Any], words: str, start: Point | None, *, exactly: bool = False
) -> TowardsLandmark | None:
    """Return a move towards the landmark that words name, or None if they name no landmark.

    A number after the name is the distance in inches. `exactly` accepts only whole names. Raises Refused if several
    landmarks fit.
    """
    landmark_by_name, text = landmarks_by_name(state), simplify_signs(words).strip()
    if not landmark_by_name or not text:
        return None
    names = naming.Names({name: name for name in landmark_by_name})
    kinds = {name: words_for_feature(landmark.feature) for name, landmark in landmark_by_name.items()}
    for reading, inches in _split_name_and_inches(text):
        form, name_words = normalize_text(reading), naming.words_of(reading)
        matches = names.exact_keys(form, name_words) if exactly else naming.find_matches(reading, names, kinds)
        if len(matches) > 1:
            raise Refused(naming.clarifying_question(f"“{reading}”", [names[name] for name in matches]))
        if matches:
            return TowardsLandmark(name=matches[0], at=landmark_by_name[matches[0]].nearest_point(start), inches=inches)
    return None


def landmarks_by_name(state: TableState[Any]) -> Mapping[str, Landmark]:
    """Return the table's landmarks by name, with caching; see `index_landmarks`."""
    return _landmarks(state.terrain, state.objectives)


def landmark_names(state: TableState[Any]) -> tuple[str, ...]:
    """Return the names of landmarks to offer to players. Names that differ only in `the` are offered once."""
    by_words = {
        tuple(word for word in naming.words_of(name) if word != "the"): name for name in landmarks_by_name(state)
    }
    return tuple(by_words.values())


def _split_name_and_inches(text: str) -> list[tuple[str, float | None]]:
    """Return the text as a name. If it ends in a number, return it also as a name and inches."""
    match = _WORDS.fullmatch(text)
    whole_name = words = text if match is None else match["name"]
    distance = _INCHES.search(words) or _INCHES.search(words := with_digits(words))
    shorter = [(words[: distance.start()], float(read_number(distance["inches"])))] if distance else []
    return [(whole_name, None), *shorter]


def index_landmarks(terrain: Iterable[TerrainPiece], objectives: Iterable[Objective | Goal]) -> Mapping[str, Landmark]:
    """Return the landmarks by name. A name that several landmarks share is followed by the square."""
    named_ground = [(goal.name, Landmark(goal.at)) for goal in objectives if goal.name]
    named_ground += [(piece.name, _make_landmark(piece)) for piece in terrain if piece.name]
    count_by_name = Counter(name.casefold() for name, _ in named_ground)
    return {
        name if count_by_name[name.casefold()] == 1 else f"{name} ({square_name(landmark.middle)})": landmark
        for name, landmark in named_ground
    }


def _make_landmark(piece: TerrainPiece) -> Landmark:
    middle = piece_shape(piece).centroid
    return Landmark((middle.x, middle.y), None if piece.closed else piece, piece.feature)


def words_for_feature(feature: Feature | None) -> Sequence[str]:
    """Return the words for a kind of ground, such as `wood` and `forest`."""
    return tuple(word for kind in terrain_kinds() if kind.feature is feature for word in kind.words)


_landmarks = cache_by_identity(index_landmarks, CACHE_SIZE)
