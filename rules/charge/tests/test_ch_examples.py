"""The worked examples of the printed rules."""

import pytest

from rules.charge.model import Hits
from rules.core.tabletop.table import shift_point

from .field import SYSTEM, act, blue, field, fire_over, gun, horse, in_rear_of, red, refusal, text_of


def test_example_1_16_infantry_at_3_inches_throw_two_dice_in_full() -> None:
    state = field(red("Line"), blue("Target"))
    after, report = act(state, "fire", [5, 3], unit="line", target="target", range=3)
    assert after.unit("target").hits[0].casualties == 8
    assert "2 dice" in text_of(report)


def test_example_1_at_3_1_inches_each_is_halved() -> None:
    after, _ = act(field(red("Line"), blue("Target")), "fire", [5, 3], unit="line", target="target", range=3.1)
    assert after.unit("target").hits[0].casualties == 4


def test_example_1_at_6_1_inches_it_is_refused() -> None:
    why = refusal(field(red("Line"), blue("Target")), "fire", unit="line", target="target", range=6.1)
    assert 'Target are 6.1" away' in why
    assert "CH-2.5" in why


@pytest.mark.parametrize(
    ("target", "men"),
    [(blue("Foot"), 6), (blue("Horse", **horse()), 3), (blue("Horse", **horse(), behind_cover=True), 1)],
    ids=["infantry in the open", "cavalry", "cavalry behind cover"],
)
def test_example_2_20_infantry_at_5_inches(target, men: int) -> None:
    """Play the turn's fire to its end, when the men fall. Cavalry and cover each halve the casualties."""
    target = target.model_copy(update={"figures": 99, "at_start": 99})
    state = field(red("Line", figures=20), target)
    fired, _ = act(state, "fire", [5, 3, 6], unit="line", target=target.id, range=5)
    after, report = fire_over(fired, [1])
    assert after.unit(target.id).figures_lost == men, text_of(report)


@pytest.mark.parametrize(
    ("target", "men"),
    [({}, 6), (horse(40), 3), ({**horse(40), "behind_cover": True}, 1)],
    ids=["infantry in the open", "cavalry", "cavalry behind cover"],
)
def test_example_2_holds_with_places(target, men: int) -> None:
    """The same example with places: 20 infantry in two ranks, their front 5 inches from a long line's front."""
    fired, report = act(in_rear_of(5, 20, **target), "fire", [5, 3, 6], unit="line", target="foot")
    assert "20 of 20 figures can fire" in text_of(report)
    after, report = fire_over(fired, [1])
    assert after.unit("foot").figures_lost == men, text_of(report)


@pytest.mark.parametrize(("away", "casualties"), [(3, 8), (3.1, 4)])
def test_example_1_holds_with_places(away: float, casualties: int) -> None:
    after, _ = act(in_rear_of(away, 16), "fire", [5, 3], unit="line", target="foot")
    assert after.unit("foot").hits[0].casualties == casualties


@pytest.mark.parametrize(("inches", "casualties"), [(9, 5), (9.1, 2.5)])
def test_example_3_a_gun_at_9_inches_and_beyond(inches: float, casualties: float) -> None:
    state = field(red("Gun", **gun()), blue("Target"))
    assert not act(state, "fire", [1], unit="gun", target="target", range=inches)[0].unit("target").hits[0].casualties
    after, _ = act(state, "fire", [2, 5], unit="gun", target="target", range=inches)
    assert after.unit("target").hits[0].casualties == casualties


@pytest.mark.parametrize(("infantryman", "lives"), [(5, True), (4, False)])
def test_example_4_a_cavalryman_throws_3_against_an_infantryman(infantryman: int, lives: bool) -> None:
    state, melee = SYSTEM.ad_hoc.set_up(
        "melee", {"troop": "hussars", "figures": 1, "against": "company", "against_figures": 1}
    )
    after, _ = act(state, "melee", [3, infantryman], **melee.model_dump(exclude_defaults=True))
    assert after.unit("target").on_table is lives
    assert after.unit("unit").on_table


def test_example_5_a_target_at_46_degrees_is_refused_with_the_angle() -> None:
    muzzle = (20, 18.5)
    state = field(red("Gun", (20, 20), **gun()), blue("Man", shift_point(muzzle, 46, 12), figures=1, facing=46))
    why = refusal(state, "fire", unit="gun", target="man")
    assert "46° to the right" in why
    state = field(red("Gun", (20, 20), **gun()), blue("Man", shift_point(muzzle, 44, 12), figures=1, facing=44))
    assert SYSTEM.allows(state, SYSTEM.parse("fire", {"unit": "gun", "target": "man"}))


@pytest.mark.parametrize(("clear", "refused"), [(0.9, True), (1.1, False)])
def test_example_5_a_friend_0_9_inches_from_the_line_is_refused_and_named(clear: float, refused: bool) -> None:
    friend = red("Friends", (20 + clear + 0.375, 12), figures=1)
    state = field(red("Gun", (20, 20), **gun()), friend, blue("Man", (20, 6), figures=1))
    if refused:
        assert 'Friends, 0.9" from the line' in refusal(state, "fire", unit="gun", target="man")
    else:
        assert SYSTEM.allows(state, SYSTEM.parse("fire", {"unit": "gun", "target": "man"}))


@pytest.mark.parametrize(("casualties", "beaten"), [(20, False), (21, True)])
def test_example_6_an_army_of_41_fights_on_at_20_lost_and_is_beaten_at_21(casualties: int, beaten: bool) -> None:
    reached = tuple(range(1, 42))
    hits = (Hits(by="line", casualties=casualties, reached=reached),)
    state = field(red("Line"), blue("Army", figures=41, hits=hits))
    after, report = fire_over(state, [1])
    assert (after.over is not None) is beaten
    assert f"The Blues have lost {casualties} of 41 soldiers" in text_of(report)
    if after.over:
        assert after.over.winner == "reds"
