"""Casualties (CH-3): figures that fall, gun crews, and the count of the army's losses (CH-5)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.charge.losses import take_every_nth
from rules.charge.model import ChargeState, ChargeUnit, Hits
from rules.charge.volley import round_to_men, score_to_hit

from .field import act, blue, field, fire_over, gun, horse, red, text_of


def field_with_hits(
    unit: ChargeUnit, casualties: str, *, by_gun: bool = False, reached: int | None = None
) -> ChargeState:
    """Return a table on which fire has inflicted `casualties` on the unit's first `reached` figures, or on all."""
    men = tuple(range(1, (reached or unit.figures) + 1))
    hits = (Hits(by="gunners" if by_gun else "line", casualties=Fraction(casualties), reached=men),)
    bystanders = (
        red("Line", (10, 44), figures=35),
        red("Gunners", (30, 44), **gun()),
        blue("Others", (60, 4), figures=40),
    )
    return field(*bystanders, unit.model_copy(update={"hits": hits}))


@pytest.mark.parametrize(
    ("casualties", "men"), [("0", 0), ("49/100", 0), ("1/2", 1), ("11/8", 1), ("3/2", 2), ("11/2", 6)]
)
def test_ch_3_1_under_a_half_drops_and_a_half_or_more_counts_as_one(casualties: str, men: int) -> None:
    assert round_to_men(Fraction(casualties)) == men


def test_ch_3_1_casualties_under_a_half_cost_no_figure() -> None:
    after, report = fire_over(field_with_hits(blue("Foot", (30, 12)), "3/8"))
    assert after.unit("foot").figures == 16
    assert "under a half" in text_of(report)


@pytest.mark.parametrize(
    ("nth", "fallen", "numbers"),
    [(1, 3, (1, 2, 3)), (3, 4, (3, 6, 9, 12)), (5, 3, (5, 10, 15)), (6, 3, (6, 12, 2)), (4, 6, (4, 8, 12, 16, 5, 10))],
)
def test_ch_3_3_a_die_takes_every_nth_man_and_goes_on_from_the_right(nth, fallen, numbers) -> None:
    """After the left-hand man, the count continues from the right over the men still standing."""
    assert take_every_nth(tuple(range(1, 17)), nth, fallen) == numbers


@given(st.integers(1, 40), st.integers(1, 6), st.data())
def test_ch_3_3_different_men_in_range_fall(size: int, nth: int, data) -> None:
    fallen = data.draw(st.integers(1, size))
    numbers = take_every_nth(tuple(range(1, size + 1)), nth, fallen)
    assert len(set(numbers)) == fallen
    assert set(numbers) <= set(range(1, size + 1))


def test_ch_3_3_report_has_the_numbers_of_the_fallen() -> None:
    after, report = fire_over(field_with_hits(blue("Foot", (30, 12)), "4"), [3])
    assert after.unit("foot").figures == 12
    assert "No 3, 6, 9 and 12 of 16" in text_of(report)


def test_ch_3_3_the_obvious_men_fall_without_a_die() -> None:
    """Only four men are in range, and four must fall."""
    after, report = fire_over(field_with_hits(blue("Foot", (30, 12)), "4", reached=4))
    assert after.unit("foot").figures == 12
    assert "No 1, 2, 3 and 4 of 16" in text_of(report)


def test_ch_3_3_no_more_fall_than_are_in_range() -> None:
    after, _ = fire_over(field_with_hits(blue("Foot", (30, 12)), "9", reached=4))
    assert after.unit("foot").figures == 12


def test_ch_3_4_a_six_destroys_the_gun_and_no_man_with_it() -> None:
    after, report = fire_over(field_with_hits(blue("Gun", (30, 12), **gun(5)), "2", by_gun=True), [6])
    assert after.unit("gun").gun_destroyed
    assert after.unit("gun").figures == 5
    assert "no man with it" in text_of(report)


def test_ch_3_4_a_six_that_cannot_destroy_is_thrown_again() -> None:
    after, report = fire_over(field_with_hits(blue("Gun", (30, 12), **gun(5)), "2"), [6, 6, 2])
    assert not after.unit("gun").gun_destroyed
    assert after.unit("gun").figures == 3
    assert "thrown again" in text_of(report)
    assert "No 2 and 4 of 5" in text_of(report)


def test_ch_3_4_a_gun_that_missed_destroys_none() -> None:
    """The gun missed, so the throw of six belongs to the infantry's fire."""
    state = field_with_hits(blue("Gun", (30, 12), **gun(5)), "2")
    missed = Hits(by="gunners", casualties=Fraction(0), reached=(1, 2, 3, 4, 5))
    state = state.with_unit(state.unit("gun").model_copy(update={"hits": (*state.unit("gun").hits, missed)}))
    after, _ = fire_over(state, [6, 2])
    assert not after.unit("gun").gun_destroyed


def test_ch_3_casualties_of_a_removed_unit_are_dropped() -> None:
    state, _ = act(field_with_hits(blue("Foot", (30, 12)), "4"), "set", unit="foot", field="figures", value="0")
    after, report = fire_over(state)
    assert not after.unit("foot").hits
    assert "Foot" not in text_of(report)


def test_ch_3_4_no_die_is_thrown_without_casualties() -> None:
    after, _ = fire_over(field_with_hits(blue("Gun", (30, 12), **gun(5)), "1/4", by_gun=True))
    assert not after.unit("gun").gun_destroyed
    assert after.unit("gun").figures == 5


def test_ch_3_4_a_gun_that_is_destroyed_cannot_be_destroyed_again() -> None:
    after, _ = fire_over(field_with_hits(blue("Gun", (30, 12), **gun(5), gun_destroyed=True), "1", by_gun=True), [6])
    assert after.unit("gun").figures == 4


def test_ch_3_gaps_close_and_a_unit_that_has_lost_all_is_gone() -> None:
    after, report = fire_over(field_with_hits(blue("Horse", (30, 12), **horse(2)), "2"))
    assert not after.unit("horse").on_table
    assert "none left" in text_of(report)


def test_ch_5_report_of_every_loss_has_the_count() -> None:
    _, report = fire_over(field_with_hits(blue("Foot", (30, 12)), "1"), [1])
    assert "The Blues have lost 1 of 56 soldiers (beaten at 29)" in text_of(report)


def test_ch_5_more_than_half_is_beaten_at_once() -> None:
    after, report = fire_over(field_with_hits(blue("Foot", (30, 12), figures=60), "51"), [1])
    assert after.over is not None
    assert after.over.winner == "reds"
    assert "lost 51 of 100 soldiers" in after.over.why
    assert report.headline == "The game ends."


def test_ch_3_2_fire_at_gunners_costs_half() -> None:
    state = field(red("Line"), blue("Gun", **gun(5)))
    after, _ = act(state, "fire", [5, 3], unit="line", target="gun", range=3)
    assert after.unit("gun").hits[0].casualties == 4


@pytest.mark.parametrize(("inches", "score"), [(18.1, 4), (24, 4), (24.1, 5), (30, 5), (30.1, 6), (36, 6)])
def test_ch_2_3_chance_of_a_gun_falls_with_range(inches: float, score: int) -> None:
    assert score_to_hit(inches) == score
