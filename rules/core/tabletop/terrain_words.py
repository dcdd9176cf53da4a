"""The kinds of terrain in players' words, with the usual size of a piece: data of `terrain_words.toml`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pydantic import Field

from rules.core.data_files import read_data_file
from rules.core.model import Model
from rules.core.scene import Feature

ARTICLES = re.compile(r"^(?:an?|the|one|some)(?:\s+|$)", re.IGNORECASE)


class TerrainKind(Model):
    """A kind of terrain, the `words` for it, and a piece's usual `size` (`10 x 8`) or `width` in inches.

    A `line` runs through points, and a `crossing` lies across a river. Other kinds are areas, `round` or
    rectangular. Unnamed pieces of a `named` kind are called after it: `Village`.
    """

    feature: Feature
    words: Sequence[str]
    size: str = ""
    width: float = 1.0
    line: bool = False
    round: bool = False
    crossing: bool = False
    named: bool = False


class _TerrainKindList(Model):
    kind: Sequence[TerrainKind] = Field(min_length=1)


@dataclass(frozen=True)
class NamedKind:
    """A kind of terrain found in a line, with the piece's name, or `""`, and the words after the kind."""

    kind: TerrainKind
    name: str
    rest: str


@cache
def terrain_kinds() -> Sequence[TerrainKind]:
    """Return all kinds of terrain that may be typed."""
    return read_data_file(_TerrainKindList, "rules.core", "terrain_words.toml").kind


def find_kind(text: str) -> NamedKind | None:
    """Return the kind of terrain that a line names first, or None.

    `Gallows Hill C3` is a hill named Gallows Hill. Of two kinds that begin with the same word, the longer is meant.
    """
    match = _kind_pattern().search(text)
    if match is None:
        return None
    kind, before = _kinds_by_word()[match[0].casefold()], ARTICLES.sub("", text[: match.start()].strip())
    rest = text[match.end() :].strip()
    name = f"{before} {match[0]}" if before else match[0] if kind.named else ""
    return NamedKind(kind, name, rest)


@cache
def _kinds_by_word() -> dict[str, TerrainKind]:
    return {word: kind for kind in terrain_kinds() for word in kind.words}


@cache
def _kind_pattern() -> re.Pattern[str]:
    words = sorted(_kinds_by_word(), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])", re.IGNORECASE)
