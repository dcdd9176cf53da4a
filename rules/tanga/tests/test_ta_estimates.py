"""The opponent's estimates of fire and melee agree with the factors of the rules, on random stacks."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from rules.core.hexboard.stacks import units_at
from rules.core.play import AverageDice
from rules.registry import rulesets
from rules.tanga.combat import melee
from rules.tanga.combat.fire import plan_fire
from rules.tanga.combat.strike import HITS, Factor
from rules.tanga.estimates import Estimates, Stack, estimates_of, hit_chance
from rules.tanga.field import board_of, can_fire_at
from rules.tanga.model import BRITISH, GERMAN, Condition, TangaState

SYSTEM = rulesets()["tanga"]
TABLES = 12
"""Number of random tables for each scenario."""


def tables(scenario: str) -> Iterator[TangaState]:
    """Yield tables with formations in a few hexes near each other, some units disrupted, some hexes improved."""
    draw = random.Random(scenario)
    for _ in range(TABLES):
        state = SYSTEM.setup(scenario, {}, AverageDice())
        land = sorted(board_of(state).land)
        middle = draw.choice(land)
        near = [at for at in land if at.distance(middle) <= 3]
        draw.shuffle(near)
        homes = dict(zip(sorted(state.formations), near, strict=False))
        for unit in state.units.values():
            condition = draw.choice((Condition.GOOD, Condition.GOOD, Condition.GOOD, Condition.DISRUPTED))
            at = homes.get(unit.formation)
            state = state.changed(unit.id, at=at, condition=Condition.GOOD if unit.is_leader else condition)
        yield state.model_copy(update={"improved": frozenset(near[:2])})


def pairs(outlook_: Estimates) -> Iterator[tuple[str, Stack, Stack]]:
    """Yield each stack in good order with each stack of the enemy, and the side of the first."""
    for side, ours, theirs in (
        (GERMAN, outlook_.german, outlook_.british),
        (BRITISH, outlook_.british, outlook_.german),
    ):
        yield from ((side, stack, enemy) for stack, enemy in product(ours.values(), theirs.values()) if stack.units)


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_ta_h_7_estimated_melee_factor_is_exact(scenario: str) -> None:
    compared = 0
    for state in tables(scenario):
        for side, stack, enemy in pairs(estimates_of(state)):
            assert stack.melee - enemy.protection == melee.melee_factor(state, stack.hex, side, enemy.hex).total, (
                stack,
                enemy,
            )
            compared += 1
    assert compared > TABLES, "enough pairs were compared"


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_ta_h_5_estimated_fire_factor_of_a_volley_is_exact(scenario: str) -> None:
    compared = 0
    for state in tables(scenario):
        for _, stack, enemy in pairs(estimates_of(state)):
            if not can_fire_at(state, stack.hex, enemy.hex):
                continue
            volley = plan_fire(state, units_at(state, stack.hex), enemy.hex)
            if len(volley.units) == stack.units:  # the estimate assumes that every unit of the stack is in range
                assert stack.fire - enemy.protection == volley.factor.total, (stack, enemy)
                compared += 1
    assert compared > TABLES, "enough volleys were compared"


@pytest.mark.parametrize("total", range(-3, 15))
def test_ta_h_5_chance_of_a_hit_follows_from_the_factor(total: int) -> None:
    assert hit_chance(total) == float(Factor("", total, HITS).chance)
