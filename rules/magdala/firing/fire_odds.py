"""Exact chances of a volley: hits, jams, rockets astray, and what becomes of the target."""

from collections.abc import Iterable
from fractions import Fraction
from math import comb

from rules.core.odds import Outcome
from rules.core.report import Step
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Test
from rules.magdala.morale.casualties import How, inflict
from rules.magdala.stored_prompts import prompts_of
from rules.magdala.tables import SIDES, matter

from .mishaps import JAM, can_jam
from .ranges import Band

Spread = tuple[tuple[int, Fraction], ...]


def miss(band: Band) -> Fraction:
    """The chance that one die misses."""
    return Fraction(band.hits_from - 1, SIDES)


def binomial(dice: int, chance: Fraction) -> Spread:
    """The chance of each number of successes."""
    return tuple((n, comb(dice, n) * chance**n * (1 - chance) ** (dice - n)) for n in range(dice + 1))


def hits(dice: int, band: Band) -> Spread:
    """The chance of each number of hits."""
    return binomial(dice, 1 - miss(band))


def outcomes(state: MagdalaState, target: MagdalaUnit, unit: MagdalaUnit, spread: Spread) -> tuple[Outcome, ...]:
    """What becomes of the target, by the very rules that decide it, in order of hits."""
    return _gathered((consequence(state, target, unit, number), chance) for number, chance in spread)


def consequence(state: MagdalaState, target: MagdalaUnit, unit: MagdalaUnit, number: int) -> str:
    """What so many hits make of the target, in words; without a game there is none that they could change."""
    if not number:
        return "no hit"
    if not state.scenario:
        return "hit"
    after, _ = inflict(state, target.id, number, unit.id, How.FIRE)
    struck = after.unit(target.id)
    tested = len(prompts_of(after, target.id, Test.UNDER_FIRE)) > len(prompts_of(state, target.id, Test.UNDER_FIRE))
    if not struck.on_table:
        return "hit and destroyed"
    if struck.morale is Morale.RETREATING and target.morale is not Morale.RETREATING:
        return "hit, retreats at half strength"
    if struck.morale is Morale.PINNED and target.morale is not Morale.PINNED:
        return "hit, halted and pinned"
    return "hit, owes a morale test" if tested else "hit, no test"


def rocket_outcomes(state: MagdalaState, target: MagdalaUnit, unit: MagdalaUnit, dice: int) -> tuple[Outcome, ...]:
    """As `outcomes`; where the 1s outnumber the 6s the hits fall on friends (MM-3.8)."""
    sixes = binomial(dice, Fraction(1, SIDES))

    def parts() -> Iterable[tuple[str, Fraction]]:
        for hit, chance in sixes:
            ones = binomial(dice - hit, Fraction(1, SIDES - 1))
            strays = sum((share for number, share in ones if number > hit), Fraction(0))
            yield consequence(state, target, unit, hit), chance * (1 - strays)
            yield ("astray, on friends" if hit else "no hit"), chance * strays

    return _gathered(parts())


def jam_step(unit: MagdalaUnit, dice: int) -> tuple[Step, ...]:
    """The chance that the gun jams (MM-3.7), for guns that can."""
    if not can_jam(unit):
        return ()
    least = matter("a pre-Maxim machine gun jams on 1s, at least")
    chance = sum((share for ones, share in binomial(dice, Fraction(1, SIDES)) if ones >= least), Fraction(0))
    return (Step(text=f"{least} or more 1s jam it", cite=JAM, chance=chance, hope="to jam"),)


def _gathered(parts: Iterable[tuple[str, Fraction]]) -> tuple[Outcome, ...]:
    chances: dict[str, Fraction] = {}
    for label, chance in parts:
        chances[label] = chances.get(label, Fraction(0)) + chance
    good = {"no hit": False, "astray, on friends": False}
    return tuple(
        Outcome(label=label, chance=chance, good=good.get(label, True)) for label, chance in chances.items() if chance
    )
