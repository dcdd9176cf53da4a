"""The opponent of Charge!: estimates of charges, fear of losses, and a cavalry charge on a gun."""

import pytest

from rules.charge.estimates import estimate_charge_gain, estimate_melee_gain
from rules.charge.values import VALUES
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker

from .field import SYSTEM, act, blue, field, gun, horse, red


@pytest.mark.parametrize(("foot", "hopeful"), [(4, True), (16, False)])
def test_cavalry_values_charges_on_few_men_and_not_on_a_company(foot: int, hopeful: bool) -> None:
    assert (
        estimate_charge_gain(red("Horse", (20, 28), **horse()), blue("Foot", (20, 20), figures=foot)) > 0
    ) is hopeful


def test_a_hard_opponent_rides_down_a_gun_from_behind() -> None:
    state = field(red("Horse", (20, 11), facing=180, **horse()), blue("Guns", (20, 20), **gun()), phase="moves")
    thought = DecisionMaker(SYSTEM, "reds", Level.HARD, "seed").decide(state)
    assert thought is not None
    assert (thought.action.kind, getattr(thought.action, "to", "")) == ("move", "towards guns")
    after, _ = act(state, "move", unit="horse", to="towards guns")
    assert estimate_melee_gain(after, "reds") > estimate_melee_gain(after, "blues")


def test_enemys_replies_are_fire_and_then_possible_charges() -> None:
    foes = (blue("Foot", (20, 20)), blue("Riders", (26, 20), **horse()), blue("Far", (60, 20)))
    attacks = [*SYSTEM.opponent.attacks(field(red("Few", (20, 25), figures=4), *foes, phase="moves"), "blues", "few")]
    assert [(action.kind, action.unit) for _, action in attacks] == [
        ("fire", "foot"),
        ("move", "riders"),
        ("move", "foot"),
    ]
    assert all(SYSTEM.allows(state, action) for state, action in attacks)


def test_men_who_are_still_to_fall_count_as_lost() -> None:
    state = field(red("Foot", (20, 24)), blue("Line", (20, 20)))
    fired, _ = act(state, "fire", (4, 4), unit="foot", target="line")
    soldiers = VALUES[0].amount
    assert soldiers(fired, "blues") < soldiers(state, "blues") == soldiers(fired, "reds")
