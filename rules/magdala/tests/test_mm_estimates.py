"""The opponent's quick estimates agree with the plans of the rules, on random tables."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from rules.core.dice import NoDice
from rules.core.tabletop.battle import Place
from rules.core.tabletop.values import expected_hits, inches_between
from rules.magdala.arms import has_own_morale
from rules.magdala.engagement import can_attack
from rules.magdala.estimates import (
    TOUCHING_DISTANCE,
    expected_volley_hits,
    find_firepower,
    half_effect_factor,
    melee_modifier_difference,
    melee_statistics,
)
from rules.magdala.fighting.contact import MeleePair
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.firing.firepower import find_range_band
from rules.magdala.model import MagdalaState, Order, StoredPrompt, Works
from rules.magdala.model import Test as Owes
from rules.magdala.morale.trials import IMAM, make_trial, morale_facts
from rules.magdala.placement import gap
from rules.magdala.ruleset import Magdala

SYSTEM = Magdala()
TABLES = 12
"""Number of random tables for each scenario."""


def tables(scenario: str) -> Iterator[MagdalaState]:
    """Yield tables with the scenario's units anywhere, in skirmish order or prone or behind works by chance."""
    chance = random.Random(scenario)
    for _ in range(TABLES):
        state = SYSTEM.setup(scenario, {}, NoDice())
        for unit in (*state.units_of(state.active), *state.enemies(state.active)):
            place = Place(x=chance.uniform(2, state.width - 2), y=chance.uniform(2, state.height - 2), facing=0)
            order = chance.choice((unit.order, unit.order, Order.SKIRMISH))
            works = chance.choice((Works.NONE, Works.NONE, Works.EARTHWORKS, Works.ZAREBA))
            state = state.changed(unit.id, place=place, order=order, works=works, prone=chance.random() < 0.2)
        yield state


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_estimated_hits_of_a_volley_match_its_plan(scenario: str) -> None:
    compared = 0
    for state in tables(scenario):
        for unit, foe in product(state.units_of(state.active), state.enemies(state.active)):
            plan = FIRE.plan_if_allowed(state, Fire(unit=unit.id, target=foe.id))
            far = gap(unit, foe)
            if plan is None or plan.half or far is None or not has_own_morale(foe):
                continue
            estimated = expected_volley_hits(unit, foe, state.options, state.terrain)
            fires = find_firepower(unit, state.options)
            assert fires is not None
            about, middles = state.options, inches_between(unit, foe) - TOUCHING_DISTANCE
            if not fires.least <= middles <= fires.furthest or find_range_band(unit, middles, about) != find_range_band(
                unit, far, about
            ):
                continue  # the estimate measures between middles, for speed: another range band
            assert estimated == pytest.approx(expected_hits(plan.dice.dice, plan.dice.needed)), (unit.name, foe.name)
            compared += 1
    assert compared > TABLES, "enough volleys were compared"


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_estimated_edge_in_melee_matches_the_round(scenario: str) -> None:
    compared = 0
    for state in tables(scenario):
        for unit, foe in product(state.units_of(state.active), state.enemies(state.active)):
            if can_attack(unit, foe):
                round_ = MeleePair(state, unit, foe, contact=1).make_bout(unit.id)
                estimated = melee_modifier_difference(unit, foe, state.options)
                assert estimated == round_.modifier_difference, (unit.name, foe.name)
                compared += 1
    assert compared > TABLES, "enough pairs were compared"


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_estimated_chance_to_break_matches_the_morale_test(scenario: str) -> None:
    compared = 0
    for state in tables(scenario):
        for unit in filter(has_own_morale, state.units.values()):
            if morale_facts(state, unit).get(IMAM):
                continue  # the estimate ignores a nearby imam
            for losses in range(unit.strength):
                after = state.changed(unit.id, casualties=unit.casualties + losses)
                test = make_trial(after, StoredPrompt(key="", unit=unit.id, test=Owes.MELEE_LOST)).test
                assert melee_statistics(unit).chance_of_failing(losses) == pytest.approx(float(1 - test.chance)), (
                    unit.name,
                    losses,
                )
                compared += 1
    assert compared > TABLES, "enough tests were compared"


def test_a_volley_at_half_effect_has_half_the_dice() -> None:
    state = SYSTEM.setup("suakin-1885", {}, NoDice())
    full, half = (
        FIRE.plan(state, Fire(unit="rifles-hashin", target="berkshires", circumstances=words))
        for words in ((), ("half effect",))
    )
    assert half.dice.dice == int(full.dice.dice * half_effect_factor())
