"""Exact chances of a volley: jams, rockets astray, and what becomes of the target."""

from collections.abc import Iterable
from fractions import Fraction

from rules.core.dice import NoDice
from rules.core.odds import Outcome
from rules.core.play import Play
from rules.core.report import Step
from rules.core.throws import Spread, Volley, chance_of
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Test
from rules.magdala.morale.casualties import How, inflict
from rules.magdala.stored_prompts import prompts_of
from rules.magdala.tables import SIDES, matter

from .mishaps import JAM, can_jam


def outcomes(state: MagdalaState, target: MagdalaUnit, unit: MagdalaUnit, spread: Spread) -> tuple[Outcome, ...]:
    """What becomes of the target, by the very rules that decide it, in order of hits."""
    return _gathered((consequence(state, target, unit, number), chance) for number, chance in spread)


def consequence(state: MagdalaState, target: MagdalaUnit, unit: MagdalaUnit, number: int) -> str:
    """What so many hits make of the target, in words; without a game there is none that they could change."""
    if not number:
        return "no hit"
    if not state.scenario:
        return "hit"
    play = Play(state, NoDice())
    inflict(play, target.id, number, unit.id, How.FIRE)
    struck = play.state.unit(target.id)
    tests = (len(prompts_of(each, target.id, Test.UNDER_FIRE)) for each in (state, play.state))
    if not struck.on_table:
        return "hit and destroyed"
    if struck.morale is Morale.RETREATING and target.morale is not Morale.RETREATING:
        return "hit, retreats at half strength"
    if struck.morale is Morale.PINNED and target.morale is not Morale.PINNED:
        return "hit, halted and pinned"
    return "hit, owes a morale test" if next(tests) < next(tests) else "hit, no test"


def rocket_outcomes(state: MagdalaState, target: MagdalaUnit, unit: MagdalaUnit, dice: int) -> tuple[Outcome, ...]:
    """As `outcomes`; where the 1s outnumber the 6s the hits fall on friends (MM-3.8)."""

    def parts() -> Iterable[tuple[str, Fraction]]:
        for hit, chance in Volley(dice, SIDES, SIDES).spread:
            ones = Volley(dice - hit, SIDES - 1, SIDES - 1)
            strays = chance_of(ones.spread, hit + 1)
            yield consequence(state, target, unit, hit), chance * (1 - strays)
            yield ("astray, on friends" if hit else "no hit"), chance * strays

    return _gathered(parts())


def jam_step(unit: MagdalaUnit, dice: int) -> tuple[Step, ...]:
    """The chance that the gun jams (MM-3.7), for guns that can; as many 1s as 6s fall."""
    if not can_jam(unit):
        return ()
    least = matter("a pre-Maxim machine gun jams on 1s, at least")
    chance = chance_of(Volley(dice, SIDES, SIDES).spread, least)
    return (Step(text=f"{least} or more 1s jam it", cite=JAM, chance=chance, hope="to jam"),)


def _gathered(parts: Iterable[tuple[str, Fraction]]) -> tuple[Outcome, ...]:
    chances: dict[str, Fraction] = {}
    for label, chance in parts:
        chances[label] = chances.get(label, Fraction(0)) + chance
    good = {"no hit": False, "astray, on friends": False}
    return tuple(
        Outcome(label=label, chance=chance, good=good.get(label, True)) for label, chance in chances.items() if chance
    )
