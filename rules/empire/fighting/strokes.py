"""The dice of melee: what hits, and the exact chances of the hits of both sides (BE-5)."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb

from rules.core.dice import Dice
from rules.core.model import Cite
from rules.core.report import Step
from rules.empire.tables import value

from .engagement import Fighter, Party

SIDES = 6
MELEE = Cite(rule="BE-5")


def hits_with(face: int, edge: int) -> bool:
    """Whether a die hits with so much added to it; a natural 1 never does, a natural 6 always (BE-5)."""
    if face in (value("melee-rolls", "always misses"), value("melee-rolls", "always hits")):
        return face == value("melee-rolls", "always hits")
    return face + edge >= value("melee-rolls", "hits from")


def faces_that_hit(edge: int) -> int:
    """How many of the six faces hit."""
    return sum(hits_with(face, edge) for face in range(1, SIDES + 1))


def thrown(party: Party, dice: Dice) -> tuple[int, tuple[Step, ...]]:
    """The hits of one side, thrown unit by unit."""
    steps, hits = list(counting(party)), 0
    for fighter in party.fighters:
        throw = dice.throw(fighter.dice, SIDES, f"{fighter.unit.name}, melee", side=fighter.unit.side)
        found = sum(hits_with(face, fighter.edge) for face in throw.dice)
        steps.append(stroke(fighter).model_copy(update={"throws": (throw,), "verdict": counted_hits(found)}))
        hits += found
    return hits, tuple(steps)


def counting(party: Party) -> tuple[Step, ...]:
    """How many dice the side throws, where it is more than its primary's own."""
    if not party.counting:
        return ()
    total = Fraction(sum(fighter.dice for fighter in party.fighters))
    return (
        Step(
            text=f"Dice of {party.primary.name}",
            cite=MELEE,
            start=Fraction(party.dice),
            modifiers=party.counting,
            score=total,
        ),
    )


def stroke(fighter: Fighter) -> Step:
    """What a unit's dice need, before they are thrown."""
    least = SIDES + 1 - faces_that_hit(fighter.edge)
    needed = f"hitting on {least}-{SIDES}" if least < SIDES else f"hitting on {SIDES}"
    return Step(text=f"{fighter.unit.name} in melee", cite=MELEE, modifiers=fighter.adds, needed=needed)


def counted_hits(hits: int) -> str:
    """`1 hit`, `2 hits`."""
    return f"{hits} hit{'' if hits == 1 else 's'}"


def margins(ours: Party, theirs: Party) -> Mapping[int, Fraction]:
    """The exact chance of each difference of hits, from the least to the greatest."""
    ways, against = _ways(ours), _ways(theirs)
    throws = sum(ways.values()) * sum(against.values())
    found: dict[int, int] = {}
    for hits, weight in ways.items():
        for suffered, other in against.items():
            found[hits - suffered] = found.get(hits - suffered, 0) + weight * other
    return {margin: Fraction(weight, throws) for margin, weight in sorted(found.items()) if weight}


def _ways(party: Party) -> dict[int, int]:
    """In how many ways the dice of a side fall for each number of hits."""
    ways = {0: 1}
    for fighter in party.fighters:
        good, count = faces_that_hit(fighter.edge), fighter.dice
        own = [comb(count, hits) * good**hits * (SIDES - good) ** (count - hits) for hits in range(count + 1)]
        summed: dict[int, int] = {}
        for before, weight in ways.items():
            for hits, more in enumerate(own):
                summed[before + hits] = summed.get(before + hits, 0) + weight * more
        ways = summed
    return ways
