"""Battle dice: the effects of a throw on a unit, and their exact chances (GW-1.3 to GW-1.6)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from math import comb
from operator import add
from types import MappingProxyType
from typing import NamedTuple

from rules.core.scene import DieFace
from rules.core.wording import count_of

from .tables import SIDES, die_faces

PLURALS = {DieFace.HQ: "HQs", DieFace.DEADLY: "Deadly Dice"}


class FaceMeaning(Enum):
    """What a face of a battle die does to the target."""

    NOTHING = "nothing"
    SOLDIER = "soldier"
    """A hit, unless terrain lets the target ignore it."""
    HIT = "hit"
    FLAG = "flag"


class FaceCounts(NamedTuple):
    """Numbers of dice in one throw: soldiers that hit, other hits, and flags."""

    soldiers: int
    hits: int
    flags: int


@dataclass(frozen=True)
class Volley:
    """Battle dice thrown at one unit, and which of their faces count.

    The first `soldiers_ignored` soldiers and `must_ignore` flags do not count. The unit's owner may ignore up to
    `may_ignore` more flags. Each hit needs a D6 score of at least `confirmed`, unless that is None.
    """

    dice: int
    at_tank: bool
    deadly: bool
    soldiers_ignored: int = 0
    must_ignore: int = 0
    may_ignore: int = 0
    confirmed: int | None = None
    retreats: bool = True
    """Whether flags move the unit; they never move a stuck tank (GW-1.4)."""

    def meaning_of(self, face: DieFace) -> FaceMeaning:
        """Return the meaning of a face for the target (GW-1.4, GW-1.6)."""
        if face is DieFace.SOLDIER:
            return FaceMeaning.NOTHING if self.at_tank else FaceMeaning.SOLDIER
        if face is DieFace.BURST or (face is DieFace.DEADLY and self.deadly):
            return FaceMeaning.HIT
        return FaceMeaning.FLAG if face is DieFace.FLAG else FaceMeaning.NOTHING

    def count_faces(self, dice: Iterable[DieFace]) -> FaceCounts:
        """Return the numbers of soldiers, other hits and flags among the faces shown."""
        counts = Counter(map(self.meaning_of, dice))
        return FaceCounts(counts[FaceMeaning.SOLDIER], counts[FaceMeaning.HIT], counts[FaceMeaning.FLAG])

    def unconfirmed_hits(self, counts: FaceCounts) -> int:
        """Return the number of hits before their confirmation."""
        return max(counts.soldiers - self.soldiers_ignored, 0) + counts.hits

    def flags_to_answer(self, counts: FaceCounts) -> int:
        """Return the number of flags that the unit's owner has to answer."""
        return max(counts.flags - self.must_ignore, 0) if self.retreats else 0

    @property
    def chance_to_confirm(self) -> Fraction:
        """Return the chance that a hit is confirmed."""
        return Fraction(1) if self.confirmed is None else Fraction(SIDES + 1 - self.confirmed, SIDES)

    @property
    def distribution(self) -> Mapping[tuple[int, int], Fraction]:
        """Return the chance of each pair (confirmed hits, flags to be answered)."""
        return _volley_distribution(self)

    @property
    def chance_to_hit(self) -> Fraction:
        """Return the chance of at least one confirmed hit."""
        return sum((chance for (hits, _), chance in self.distribution.items() if hits), Fraction(0))

    @property
    def expected_hits(self) -> Fraction:
        """Return the expected number of confirmed hits."""
        return sum((hits * chance for (hits, _), chance in self.distribution.items()), Fraction(0))


@lru_cache(maxsize=1 << 12)
def _volley_distribution(volley: Volley) -> Mapping[tuple[int, int], Fraction]:
    distribution: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    sure = volley.chance_to_confirm
    for counts, chance in _chances_of_face_counts(volley.dice, tuple(map(volley.meaning_of, die_faces()))).items():
        hits_thrown, flags = volley.unconfirmed_hits(counts), volley.flags_to_answer(counts)
        for hits in range(hits_thrown + 1):
            share = comb(hits_thrown, hits) * sure**hits * (1 - sure) ** (hits_thrown - hits)
            if share:
                distribution[hits, flags] += chance * share
    return MappingProxyType(distribution)


@lru_cache(maxsize=256)
def _chances_of_face_counts(dice: int, meanings: Sequence[FaceMeaning]) -> Mapping[FaceCounts, Fraction]:
    """Return the chance of each result, counted in soldiers, hits and flags. `meanings` are those of a die's faces."""
    ways: Counter[FaceCounts] = Counter({FaceCounts(0, 0, 0): 1})
    by_meaning = {
        FaceMeaning.SOLDIER: FaceCounts(1, 0, 0),
        FaceMeaning.HIT: FaceCounts(0, 1, 0),
        FaceMeaning.FLAG: FaceCounts(0, 0, 1),
    }
    for _ in range(dice):
        next_ways: Counter[FaceCounts] = Counter()
        for counts, number in ways.items():
            for meaning in meanings:
                added = by_meaning.get(meaning, FaceCounts(0, 0, 0))
                next_ways[FaceCounts(*map(add, counts, added))] += number
        ways = next_ways
    return {counts: Fraction(number, len(meanings) ** dice) for counts, number in ways.items()}


def faces_shown(dice: Iterable[int]) -> tuple[DieFace, ...]:
    """Return the face of a battle die for each of these throws of a D6."""
    return tuple(die_faces()[die - 1] for die in dice)


def chance_of_face(face: DieFace) -> Fraction:
    """Return the chance that one die shows a face."""
    return Fraction(die_faces().count(face), SIDES)


def faces_in_words(dice: Iterable[DieFace]) -> str:
    """Return the faces in words, in the order of the die: `2 soldiers, a flag, an HQ`."""
    tally = Counter(dice)
    return ", ".join(count_of(tally[face], str(face), PLURALS.get(face, f"{face}s")) for face in DieFace if tally[face])
