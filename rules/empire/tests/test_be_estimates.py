"""The opponent's quick estimates of fire agree with the plans of the rules, on random tables."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from rules.core.dice import NoDice
from rules.core.play import Play
from rules.core.tabletop.battle import Place
from rules.core.tabletop.values import expected_hits
from rules.empire.estimates import BURST_DICE, condition_after_pending_hits, expected_hits_in_contact, unit_profile
from rules.empire.fighting.effects import add_contact, apply_all_melee_results, apply_shots, kills_to_destroy
from rules.empire.fighting.engagement import melee_sides
from rules.empire.firing.fire import FIRE, Fire
from rules.empire.firing.targeting import ARTILLERY, SMALL_ARMS
from rules.empire.model import GUNS, MACHINE_GUNS, Blows, EmpireState, Rate, Shot
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire
from rules.empire.tables import value

SYSTEM = Empire()
TABLES = 12
"""Number of random tables for each scenario."""


def tables(scenario: str) -> Iterator[EmpireState]:
    """Yield tables with the scenario's units anywhere, by chance shaken, low on ammunition, gone to ground."""
    chance = random.Random(scenario)
    for _ in range(TABLES):
        state = SYSTEM.setup(scenario, {}, NoDice())
        for unit in state.fighters():
            place = Place(x=chance.uniform(2, state.width - 2), y=chance.uniform(2, state.height - 2), facing=0)
            harm = {name: chance.random() < 0.2 for name in ("shaken", "low_ammo", "gone_to_ground")}
            state = state.changed(unit.id, place=place, reserve=None, rate=chance.choice([*Rate]), **harm)
        yield state


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_estimated_hits_of_fire_match_its_plan(scenario: str) -> None:
    compared = 0
    for table in tables(scenario):
        for phase, side in product((Phase.ARTILLERY, Phase.RIFLES), table.sides):
            state = SYSTEM.phases.suppose_phase(table, phase.value, side.id)
            for unit, foe in product(state.fighters(side.id), state.foes(state.fighters(side.id)[0])):
                gun = unit.weapon in MACHINE_GUNS
                plan = FIRE.plan_if_allowed(state, Fire(unit=unit.id, target=foe.id, dice=BURST_DICE if gun else None))
                if plan is None or foe in state.opponents(unit.id):
                    continue
                unit_arms, foe_arms = unit_profile(unit, state.options), unit_profile(foe, state.options)
                near = plan.inches <= value(
                    "fire-ranges", ARTILLERY if unit.weapon in GUNS else SMALL_ARMS, "short, to"
                )
                expected = expected_hits(plan.volley.dice, plan.volley.needed)
                assert unit_arms.hits[near, foe_arms.covered, foe_arms.deep] == pytest.approx(expected), (
                    unit.name,
                    foe.name,
                )
                compared += 1
    assert compared > TABLES, "enough volleys were compared"


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_be_2_estimated_effects_of_pending_hits_match_their_landing(scenario: str) -> None:
    chance = random.Random(scenario)
    for table in tables(scenario):
        targets = chance.sample(table.fighters(), 4)
        shots = tuple(Shot(unit=targets[0].id, target=target.id, hits=chance.randint(0, 5)) for target in targets[:3])
        ours, theirs = (tuple(unit.id for unit in table.fighters(side.id)[:2]) for side in table.sides[:2])
        hits, hits_against = chance.randint(0, 5), chance.randint(0, 5)
        blows = Blows(units=ours, against=theirs, hits=hits, hits_against=hits_against)
        play = Play(table.model_copy(update={"shots": shots, "blows": (blows,)}), NoDice())
        apply_shots(play)
        apply_all_melee_results(play)
        for unit in table.fighters():
            kills, shaken = condition_after_pending_hits(unit, shots, (blows,))
            after = play.state.unit(unit.id)
            assert min(kills, kills_to_destroy(unit, table.options)) == after.kills, unit.name
            assert shaken == after.shaken or after.destroyed, unit.name


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_be_5_estimated_hits_of_melee_match_its_dice(scenario: str) -> None:
    chance, compared = random.Random(scenario), 0
    for table in tables(scenario):
        attacker, defender = (chance.choice(table.fighters(side.id)) for side in table.sides[:2])
        state = add_contact(table, attacker.id, defender.id, flank=chance.random() < 0.5)
        rounds = chance.randint(0, 1)
        contacts = tuple(contact.model_copy(update={"rounds": rounds}) for contact in state.contacts)
        state = state.model_copy(update={"contacts": contacts})
        for unit, foe in ((attacker, defender), (defender, attacker)):
            party, _ = melee_sides(state, unit.id, foe.id)
            expected = float(sum(hits * share for hits, share in party.distribution))
            _, estimated = expected_hits_in_contact(
                unit_profile(unit, state.options), state.units, state.contacts, state.options
            )
            assert estimated == pytest.approx(expected), (unit.name, foe.name)
            compared += 1
    assert compared == 2 * TABLES
