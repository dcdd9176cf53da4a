"""2D6 against a combat factor: what the factor is made of, its chances, and the throw (TA-H.5, TA-H.7)."""

from dataclasses import dataclass
from fractions import Fraction

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, Outcome
from rules.core.play import Play
from rules.core.report import Modifier, Step
from rules.core.throws import sums
from rules.tanga.field import board_of
from rules.tanga.model import TangaState

DICE, SIDES = 2, 6
HITS = Cite(rule="TA-H.5", mark=Mark.HOUSE)
COVER = Cite(rule="TA-H.2", mark=Mark.HOUSE)
HIT_WORDS = ("no hit", "hit", "2 hits")
"""By number of hits."""


@dataclass(frozen=True)
class Factor:
    """A combat factor with all that went into it; `total` may fall below 0, and then hits nothing."""

    text: str
    start: int
    modifiers: tuple[Modifier, ...]
    cite: Cite

    @property
    def total(self) -> int:
        """What 2D6 are compared with."""
        return self.start + int(sum(part.value for part in self.modifiers))

    @property
    def step(self) -> Step:
        """The sum, part by part."""
        return Step(
            text=self.text,
            cite=self.cite,
            start=Fraction(self.start),
            modifiers=self.modifiers,
            score=Fraction(self.total),
        )


def cover(state: TangaState, hex_: Hex) -> tuple[Modifier, ...]:
    """What the terrain of a hex and an improved position in it take off, each by itself; none of nothing (TA-H.2)."""
    terrain = board_of(state).terrain[hex_]
    bonus = state.options.improved_protection if hex_ in state.improved else 0
    parts = ((terrain.protection, terrain.name, terrain.cite), (bonus, "improved position", COVER))
    return tuple(Modifier(value=Fraction(-worth), reason=name, cite=cite) for worth, name, cite in parts if worth)


def hits_of(state: TangaState, total: int, factor: int) -> int:
    """Hits of a total of 2D6: one at or under the factor, two where it is that low besides (TA-H.5)."""
    if total > factor:
        return 0
    return 2 if total <= state.options.double_hit else 1


def at_most(limit: int) -> Fraction:
    """The chance of 2D6 at or under a number."""
    return sum((chance for total, chance in sums(DICE, SIDES) if total <= limit), Fraction(0))


def chances(state: TangaState, factor: int) -> tuple[Fraction, Fraction, Fraction]:
    """The chances of no hit, one and two."""
    found = [Fraction(0), Fraction(0), Fraction(0)]
    for total, chance in sums(DICE, SIDES):
        found[hits_of(state, total, factor)] += chance
    return found[0], found[1], found[2]


def strike(play: Play[TangaState], factor: Factor, who: str, called: str, side: str) -> int:
    """A side throws 2D6 at a factor; returns the hits.

    Says what the factor is made of, and the throw as `2D6 [3][4] = 7 against TCF 8: hit (72.2% to hit)`.
    """
    throw = play.throw(DICE, SIDES, who, side=side)
    hits = hits_of(play.state, throw.total, factor.total)
    thrown = Step(
        text=who,
        cite=factor.cite,
        throws=(throw,),
        start=Fraction(throw.total),
        score=Fraction(throw.total),
        needed=f"against {called} {factor.total}",
        chance=at_most(factor.total),
        hope="to hit",
        verdict=HIT_WORDS[hits],
    )
    play.say(factor.step, thrown)
    return hits


def hit_odds(state: TangaState, question: str, factor: Factor) -> Odds:
    """The whole spread of hits against a factor."""
    spread = tuple(enumerate(chances(state, factor.total)))
    return Odds(
        question=question,
        steps=(factor.step,),
        outcomes=tuple(Outcome(label=HIT_WORDS[hits], chance=chance, good=hits > 0) for hits, chance in spread),
        spread=spread,
        spread_of="hits",
        pass_from=1,
    )
