"""Machine guns that jam, and rockets that go astray (MM-3.7, MM-3.8)."""

from dataclasses import replace
from fractions import Fraction

import icepool
import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.firing.mishaps import CLEAR, STRAY, ClearJam, StrayRockets
from rules.magdala.model import MagdalaState
from rules.magdala.turn import prompts as standing_prompts

from .field import BLUE, RED, dice, field, unit
from .firing_field import BRITISH, TARGET, fire_volley

# MM-3.7

GATLING = unit("gatling")


@pytest.mark.parametrize(("faces", "jammed"), [([1, 1, 5, 5, 5, 5], True), ([1, 2, 2, 2, 2, 2], False)])
def test_mm_3_7_a_pre_maxim_gun_jams_on_two_1s_and_its_hits_count(faces: list[int], jammed: bool) -> None:
    after, _ = fire_volley(GATLING, faces=faces)
    assert after.unit("a").jammed is jammed
    assert after.unit("b").casualties == faces.count(5)


def test_mm_3_7_a_maxim_never_jams() -> None:
    after, _ = fire_volley(unit("maxim"), faces=[1] * 6)
    assert not after.unit("a").jammed


def test_mm_3_7_jammed_gun_cannot_fire_or_be_cleared_that_turn() -> None:
    after, _ = fire_volley(GATLING, faces=[1] * 6)
    with pytest.raises(Refused, match="is jammed"):
        FIRE.execute(after, Fire(unit="a", target="b", range=10), NoDice())
    with pytest.raises(Refused, match="can be cleared in its next"):
        CLEAR.execute(after, ClearJam(unit="a"), NoDice())


@pytest.mark.parametrize(("face", "jammed"), [(3, True), (4, False)])
def test_mm_3_7_cleared_next_turn_on_4_to_6_one_attempt_a_turn(face: int, jammed: bool) -> None:
    state = field(GATLING.model_copy(update={"jammed": True}), TARGET)
    assert list(CLEAR.possible_actions(state, RED)) == [ClearJam(unit="a")]
    after, report = CLEAR.execute(state, ClearJam(unit="a"), dice(face))
    assert after.unit("a").jammed is jammed
    assert report.steps[0].chance == Fraction(1, 2)
    assert not list(CLEAR.possible_actions(after, RED))
    with pytest.raises(Refused, match="one attempt a turn" if jammed else "not jammed"):
        CLEAR.execute(after, ClearJam(unit="a"), NoDice())


def test_mm_3_7_odds_of_clearing_and_of_jamming() -> None:
    jammed = field(GATLING.model_copy(update={"jammed": True}), TARGET)
    assert [outcome.chance for outcome in CLEAR.odds_of(jammed, ClearJam(unit="a")).outcomes] == [Fraction(1, 2)] * 2
    steps = FIRE.odds_of(field(GATLING, TARGET), Fire(unit="a", target="b", range=10)).steps
    ones = 6 @ (icepool.d6 == 1)
    assert steps[-1].chance == ones.probability(">=", 2)


# MM-3.8

ROCKETS = unit("rockets")
FRIEND = unit(BRITISH, "f", figures=24)


def fire_rockets(*others, faces) -> MagdalaState:
    after, _ = FIRE.execute(field(ROCKETS, TARGET, *others), Fire(unit="a", target="b", range=20), dice(*faces))
    return after


def test_mm_3_8_more_6s_than_1s_hit_the_target() -> None:
    assert fire_rockets(FRIEND, faces=[6, 6, 1, 2, 2, 2]).unit("b").casualties == 2


def test_mm_3_8_as_many_1s_as_6s_hit_the_target() -> None:
    assert fire_rockets(FRIEND, faces=[6, 1, 2, 2, 2, 2]).unit("b").casualties == 1


def test_mm_3_8_more_1s_than_6s_fall_on_the_only_friends() -> None:
    after = fire_rockets(FRIEND, faces=[6, 1, 1, 2, 2, 2])
    assert (after.unit("b").casualties, after.unit("f").casualties) == (0, 1)


def test_mm_3_8_the_headline_of_a_volley_astray_gives_the_target_no_hit() -> None:
    _, report = FIRE.execute(
        field(ROCKETS, TARGET, FRIEND), Fire(unit="a", target="b", range=20), dice(6, 1, 1, 2, 2, 2)
    )
    assert report.headline == "A fires at B: 1 hit, astray."


def test_mm_3_8_rockets_astray_hit_the_nearest_placed_friends() -> None:
    target = unit("mahdist-spears", "b", BLUE, at=(30, 10))
    near, far = unit(BRITISH, "n", at=(30, 20)), unit(BRITISH, "f", at=(30, 40))
    state = field(unit("rockets", at=(30, 35)), target, far, near)
    after, _ = FIRE.execute(state, Fire(unit="a", target="b"), dice(6, 1, 1, 2, 2, 2))
    assert (after.unit("n").casualties, after.unit("f").casualties) == (1, 0)


def test_mm_3_8_side_without_places_chooses_the_hit_friends() -> None:
    friend = unit(BRITISH, "g")
    after = fire_rockets(FRIEND, friend, faces=[6, 1, 1, 2, 2, 2])
    (prompts,) = standing_prompts(after)
    assert prompts.required
    assert [offer.label for offer in prompts.offers] == ["Rockets fall on F: 1 hit", "Rockets fall on G: 1 hit"]
    assert list(STRAY.possible_actions(after, RED)) == [
        StrayRockets(unit="a", target="f"),
        StrayRockets(unit="a", target="g"),
    ]
    with pytest.raises(Refused, match="no friendly unit"):
        STRAY.execute(after, StrayRockets(unit="a", target="b"), NoDice())
    settled, _ = STRAY.execute(after, StrayRockets(unit="a", target="g"), NoDice())
    assert settled.unit("g").casualties == 1
    assert not settled.prompts
    with pytest.raises(Refused, match="gone astray"):
        STRAY.execute(settled, StrayRockets(unit="a", target="g"), NoDice())


def test_mm_3_8_no_6s_or_no_friends_hurt_nobody() -> None:
    assert fire_rockets(FRIEND, faces=[1, 1, 2, 2, 2, 2]).unit("f").casualties == 0
    assert fire_rockets(faces=[6, 1, 1, 2, 2, 2]).unit("b").casualties == 0


@pytest.mark.parametrize("dice_thrown", [1, 2, 6])
def test_mm_3_8_odds_of_rockets_going_astray_equal_icepool(dice_thrown: int) -> None:
    die = icepool.d6.map(lambda face: 100 * (face == 6) + (face == 1))
    both = dice_thrown @ die
    astray = ((quantity, divmod(count, 100)) for count, quantity in both.items())
    strays = sum(Fraction(quantity, both.denominator()) for quantity, (six, one) in astray if one > six > 0)
    state, fire = field(ROCKETS, TARGET, FRIEND), Fire(unit="a", target="b", range=20)
    plan = FIRE.plan(state, fire)
    fewer = replace(plan, dice=replace(plan.dice, dice=dice_thrown))
    chances = {outcome.label: outcome.chance for outcome in FIRE.odds(state, fewer).outcomes}
    assert chances.get("astray, on friends", 0) == strays
    assert sum(chances.values()) == 1
