"""The opponent's quick estimate of fire agrees with the rules' own plan, for random pairs of units."""

import random
from fractions import Fraction

import pytest

from rules.charge.estimates import estimate_fire_losses, make_table_without_units
from rules.charge.figures import PLACEMENT
from rules.charge.fire import FIRING, Fire
from rules.charge.model import Arm
from rules.charge.options import ChargeOptions
from rules.charge.volley import Volley, count_infantry_dice, halving_modifiers, score_to_hit
from rules.core.ruleset import Refused

from .field import blue, field, gun, horse, red

PAIRS = 400
OPTIONS = ChargeOptions()


def test_estimated_casualties_of_a_volley_match_its_plan() -> None:
    chance, compared = random.Random("pairs"), 0
    for _ in range(PAIRS):
        away = chance.uniform(1, 10)
        unit = red("Unit", (30, 30), **chance.choice(({"figures": chance.randint(4, 20)}, gun())))
        foe = blue("Foe", (30, 30 - away), **chance.choice(({"figures": chance.randint(1, 20)}, gun(), horse())))
        state = field(unit, foe)
        try:
            plan = FIRING.plan(state, Fire(unit=unit.id, target=foe.id))
        except Refused:
            continue
        gap = PLACEMENT.gap_within(unit, foe, away + 1)
        is_equal = gap is not None and halving_modifiers(unit, foe, gap, "") == halving_modifiers(
            unit, foe, plan.range, ""
        )
        if unit.arm is Arm.GUN:
            is_equal = is_equal and score_to_hit(gap) == plan.volley.to_hit
        else:
            is_equal = is_equal and count_infantry_dice(unit.figures) == (plan.volley.whole, plan.volley.has_odd_group)
        if is_equal:
            expected = min(float(plan.volley.expected_casualties), foe.figures)
            assert estimate_fire_losses(unit, foe, make_table_without_units((), OPTIONS)) == pytest.approx(expected), (
                unit,
                foe,
            )
            compared += 1
    assert compared > PAIRS / 8, "enough volleys were compared"


@pytest.mark.parametrize(
    "volley", [Volley(2, True, Fraction(1, 2)), Volley(1, False, Fraction(1), 5), Volley(0, True, Fraction(1))]
)
def test_ch_3_1_mean_of_a_volley_follows_from_its_chances(volley: Volley) -> None:
    assert volley.expected_casualties == sum(worth * chance for worth, chance in volley.distribution)
