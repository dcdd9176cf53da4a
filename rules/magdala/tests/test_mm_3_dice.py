"""Dice of a volley (MM-3.2 to MM-3.5), beginning with the worked examples of the rule page."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.report import Modifier
from rules.magdala.firing.fire import FIRE, Fire, FirePlan
from rules.magdala.firing.firepower import (
    chart_factor,
    count_volley_dice,
    dice_chart_row,
    firing_factors,
    round_dice,
    rounds_half_dice_up,
)
from rules.magdala.model import MagdalaUnit, Morale, Order, Weapon, Works
from rules.magdala.options import MagdalaOptions
from rules.magdala.scenarios import TROOPS

from .field import BLUE, field, unit

OPTIONS = MagdalaOptions()
HALF = "half effect"
SHOOTERS = [name for name in TROOPS.all if unit(name).weapon is not Weapon.MELEE]
ROWS = (HALF, "target in skirmish order", "target in cover or rough going", "target pinned or prone")
HALVINGS = tuple(chart_factor(row) for row in ROWS)


def plan_fire(shooter: MagdalaUnit, target: MagdalaUnit, range_: float, *words: str):
    return FIRE.plan(field(shooter, target), Fire(unit="a", target="b", range=range_, circumstances=words))


def exact_dice(shot: FirePlan) -> Fraction:
    """Return a shot's dice before rounding."""
    return next(step.score for step in shot.steps if step.score is not None)


def exact_volley(
    shooter: MagdalaUnit, halvings: tuple[Modifier, ...] = (), options: MagdalaOptions = OPTIONS
) -> Fraction:
    """Return a volley's dice before rounding."""
    return count_volley_dice(shooter, halvings, options)[1][0].score


def test_mm_example_1_24_british_standing_at_10_inches_throw_8_dice_hitting_on_5() -> None:
    shot = plan_fire(unit("british-breechloaders"), unit("mahdist-spears", "b", BLUE), 10)
    assert (shot.dice.dice, shot.dice.needed, shot.half) == (8, 5, False)


def test_mm_example_2_20_british_half_effect_on_skirmishers_in_cover_throw_1_die() -> None:
    target = unit("mahdist-skirmishers", "b", BLUE, works=Works.COVER)
    shot = plan_fire(unit("british-magazine", figures=20), target, 15, HALF)
    assert exact_dice(shot) == Fraction(5, 4)
    assert (shot.dice.dice, shot.dice.needed) == (1, 6)


@pytest.mark.parametrize("range_", [20, 28])
def test_mm_example_3_16_boers_on_a_pinned_target_throw_6_dice_out_to_30_inches(range_: int) -> None:
    target = unit("british-breechloaders", "b", BLUE, morale=Morale.PINNED)
    shot = plan_fire(unit("kommando", figures=16), target, range_)
    assert (shot.dice.dice, shot.dice.needed) == (6, 6)


def test_mm_example_4_30_natives_throw_5_dice_and_2_at_a_target_in_cover() -> None:
    warband = unit("native-warband", figures=30)
    target = unit("british-breechloaders", "b", BLUE)
    in_the_open, covered = plan_fire(warband, target, 8), plan_fire(warband, target, 8, "target in cover")
    assert (in_the_open.dice.dice, in_the_open.dice.needed) == (5, 5)
    assert exact_dice(covered) == Fraction(5, 2)
    assert covered.dice.dice == 2


@pytest.mark.parametrize(
    ("troops_id", "figures", "exact"),
    [
        ("kommando", 16, 16 * Fraction(3, 4)),
        ("british-skirmishers", 24, 24 * Fraction(3, 4)),
        ("british-breechloaders", 24, 8),
        ("british-magazine", 24, 12),
        ("egyptian-regulars", 20, 5),
        ("indian-regulars", 20, 5),
        ("native-warband", 36, 6),
        ("jezailchis", 12, 3),
        ("field-gun", 4, 8),
        ("naval-gun", 4, 8),
        ("mountain-gun", 3, 6),
        ("pom-pom", 3, 6),
        ("maxim", 3, 6),
        ("gatling", 3, 6),
        ("rockets", 3, 6),
    ],
)
def test_mm_3_2_dice_by_firer(troops_id: str, figures: int, exact: Fraction) -> None:
    assert exact_volley(unit(troops_id, figures=figures)) == exact


def test_mm_3_2_only_european_regulars_become_sharpshooters_by_skirmishing() -> None:
    british = unit("british-breechloaders", order=Order.SKIRMISH)
    egyptian = unit("egyptian-regulars", order=Order.SKIRMISH)
    assert dice_chart_row(british).label == "European sharpshooters"
    assert dice_chart_row(egyptian).label == "volleying regulars"


def test_mm_3_2_casualties_do_not_fire() -> None:
    assert count_volley_dice(unit("british-breechloaders", casualties=6), (), OPTIONS)[0] == 6


def test_mm_3_3_magazines_add_half_except_for_guns() -> None:
    assert exact_volley(unit("british-magazine")) == 12
    gun = unit("maxim", magazine=True)
    assert exact_volley(gun) == 6
    assert exact_volley(gun, (), MagdalaOptions(magazine_artillery=True)) == 9


@pytest.mark.parametrize("flags", list(product((False, True), repeat=4)))
def test_mm_3_4_each_circumstance_halves_once_and_all_together(flags: tuple[bool, ...]) -> None:
    halvings = tuple(halving for halving, on in zip(HALVINGS, flags, strict=True) if on)
    assert exact_volley(unit("british-breechloaders", figures=48), halvings) == Fraction(16, 2 ** sum(flags))


def test_mm_3_4_boers_skirmishing_prone_in_rough_going_take_an_eighth() -> None:
    target = unit("kommando", "b", BLUE, mounted=False, prone=True, works=Works.ROUGH)
    assert exact_dice(plan_fire(unit("british-breechloaders", figures=24), target, 10)) == 1


def test_mm_3_4_pinned_and_prone_halve_only_once_together() -> None:
    target = unit("british-breechloaders", "b", BLUE, prone=True, morale=Morale.PINNED)
    assert exact_dice(plan_fire(unit("native-warband", figures=36), target, 8)) == 3


@pytest.mark.parametrize(
    ("troops_id", "up"),
    [
        ("british-breechloaders", True),
        ("european-regulars", True),
        ("foreign-legion", True),
        ("british-cavalry", True),
        ("field-gun", True),
        ("kommando", True),
        ("boer-gun", True),
        ("jezailchis", True),
        ("egyptian-regulars", False),
        ("indian-regulars", False),
        ("indian-scouts", False),
        ("native-warband", False),
        ("krupp-gun", False),
        ("mahdist-gun", False),
    ],
)
def test_mm_3_5_rounding_of_halves_by_troops(troops_id: str, up: bool) -> None:
    halved = count_volley_dice(unit(troops_id), (), OPTIONS)
    assert rounds_half_dice_up(unit(troops_id)) is up
    assert halved[0] == round_dice(halved[1][0].score, up)


@pytest.mark.parametrize(
    ("exact", "up", "dropped"),
    [
        (Fraction(5, 2), 3, 2),
        (Fraction(7, 3), 2, 2),
        (Fraction(8, 3), 3, 2),
        (Fraction(1, 2), 1, 0),
        (Fraction(3), 3, 3),
    ],
)
def test_mm_3_5_rounded_once_at_the_end(exact: Fraction, up: int, dropped: int) -> None:
    assert (round_dice(exact, True), round_dice(exact, False)) == (up, dropped)


def test_mm_3_5_the_rounding_is_a_step_of_its_own() -> None:
    steps = count_volley_dice(unit("british-breechloaders", figures=20), (), OPTIONS)[1]
    assert "6⅔ makes 7 dice" in steps[-1].text
    first_steps = count_volley_dice(unit("british-breechloaders", figures=4), (), OPTIONS)[1]
    assert [step.text.partition(":")[0] for step in first_steps] == ["1 die from 4 figures", "1⅓ makes 1 die"]
    assert str(steps[-1].cite) == "MM-3.5, ruling"


def test_mm_3_6_poor_shots_throw_three_quarters_before_rounding() -> None:
    assert exact_volley(unit("mahdist-rifles", figures=24)) == 3
    assert exact_volley(unit("mahdist-rifles", figures=20)) == Fraction(5, 2)


SITUATIONS = st.lists(st.sampled_from(HALVINGS), unique_by=lambda halving: halving.reason).map(tuple)


@given(st.sampled_from(SHOOTERS), st.integers(1, 60), SITUATIONS)
def test_halvings_never_raise_the_dice(troops_id: str, figures: int, situation: tuple[Modifier, ...]) -> None:
    shooter = unit(troops_id, figures=figures)
    assert count_volley_dice(shooter, situation, OPTIONS)[0] <= count_volley_dice(shooter, (), OPTIONS)[0]


@given(st.sampled_from(SHOOTERS), st.integers(1, 60), SITUATIONS)
def test_the_order_of_factors_never_matters(troops_id: str, figures: int, situation: tuple[Modifier, ...]) -> None:
    shooter = unit(troops_id, figures=figures)
    values = [modifier.value for modifier in (*firing_factors(shooter, OPTIONS), *situation)]
    results = set()
    for order in permutations(values):
        exact = Fraction(figures)
        for value in order:
            exact *= value
        results.add(exact)
    assert results == {exact_volley(shooter, situation)}


@pytest.mark.parametrize("dice", [1, 2, 5, 8, 12])
@pytest.mark.parametrize("face", [5, 6])
def test_odds_of_hits_equal_icepool(dice: int, face: int) -> None:
    expected = dice @ (icepool.d6 >= face)
    shot = plan_fire(unit("maxim"), unit("mahdist-spears", "b", BLUE), 10)
    shot = replace(shot, dice=replace(shot.dice, dice=dice, needed=face))
    assert dict(shot.dice.distribution) == {hits: expected.probability(hits) for hits in range(dice + 1)}
