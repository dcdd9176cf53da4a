"""Exact chances of fire: hits, and what they do to the target when the phase ends (BE-2, BE-3, BE-4)."""

from collections.abc import Iterable
from fractions import Fraction
from math import comb

from rules.core.odds import Outcome
from rules.empire.fighting.landing import land_fire
from rules.empire.model import EmpireState, EmpireUnit, Shot

from .aiming import Aimed
from .machine_guns import jam_chance
from .volley import SIDES

Spread = tuple[tuple[int, Fraction], ...]
NO_EFFECT = "no effect"


def hit_chance(needed: int) -> Fraction:
    """The chance that one die hits."""
    return Fraction(SIDES + 1 - needed, SIDES)


def hits(state: EmpireState, aimed: Aimed) -> Spread:
    """The chance of each number of hits; those of a jammed burst count or not (option jammed_hits_count)."""
    volley, chance = aimed.volley, hit_chance(aimed.volley.needed)
    lost = Fraction(0)
    if not state.options.jammed_hits_count:
        lost = jam_chance(state, aimed.unit, volley.chosen_each, volley.left_each)
    shares = [
        comb(volley.dice, n) * chance**n * (1 - chance) ** (volley.dice - n) * (1 - lost)
        for n in range(volley.dice + 1)
    ]
    return tuple((n, share + (lost if n == 0 else 0)) for n, share in enumerate(shares) if share or n == 0)


def at_all(spread: Spread) -> Fraction:
    """The chance of any hit."""
    return sum((chance for number, chance in spread if number), Fraction(0))


def outcomes(state: EmpireState, aimed: Aimed, spread: Spread) -> tuple[Outcome, ...]:
    """What becomes of the target, by the very rules that decide it, with the hits already thrown at it this phase."""
    without = consequence(state, aimed, 0)
    gathered: dict[str, Fraction] = {}
    for number, chance in spread:
        label = consequence(state, aimed, number)
        gathered[label] = gathered.get(label, Fraction(0)) + chance
    return tuple(
        Outcome(label=label, chance=chance, good=label != without) for label, chance in gathered.items() if chance
    )


def consequence(state: EmpireState, aimed: Aimed, number: int) -> str:
    """What so many hits more do to the target, in words."""
    shot = Shot(unit=aimed.unit.id, target=aimed.target.id, hits=number)
    mine = (each for each in state.shots if each.target == aimed.target.id)
    after, _ = land_fire(state.model_copy(update={"shots": (*mine, shot)}))
    return _difference(state.unit(aimed.target.id), after.unit(aimed.target.id))


def _difference(before: EmpireUnit, after: EmpireUnit) -> str:
    if after.destroyed:
        return "destroyed"
    return " and ".join(_marks(before, after)) or NO_EFFECT


def _marks(before: EmpireUnit, after: EmpireUnit) -> Iterable[str]:
    if after.disordered and not before.disordered:
        yield "disordered"
    if after.shaken and not before.shaken:
        yield "shaken"
    kills = after.kills - before.kills
    if kills:
        yield f"{kills} kill{'' if kills == 1 else 's'}"
