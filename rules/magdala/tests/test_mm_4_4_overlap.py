"""Overlaps where several enemies and friends stand in line (MM-4.4)."""

import pytest

from rules.core.report import Report
from rules.core.tabletop.battle import Place
from rules.core.tabletop.table import extent_along_bearing
from rules.magdala.engagement import start_melee
from rules.magdala.fighting.contact import MeleePair, count_figures_in_melee, count_overlapped_flanks
from rules.magdala.fighting.melee import MELEE, Melee
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale
from rules.magdala.placement import base, base_size

from .field import BLUE, dice, field, text_of, unit

CENTRE = 36.0


def attacker(name: str, figures: int, x: float) -> MagdalaUnit:
    """Return an attacker whose front touches the defender's, `x` inches from the defender's middle."""
    regulars = unit("egyptian-regulars", name, figures=figures)
    depths = base_size(regulars)[1] / 2 + base_size(defender(20))[1] / 2
    return regulars.model_copy(update={"place": Place(x=CENTRE + x, y=24 - depths, facing=180)})


def defender(figures: int, name: str = "d", x: float = 0.0, **fields: object) -> MagdalaUnit:
    return unit("sudanese-regulars", name, BLUE, figures=figures, at=(CENTRE + x, 24, 0), **fields)


def front(figures: int) -> float:
    return base_size(unit("egyptian-regulars", figures=figures))[0]


def field_with_attack(attackers: tuple[MagdalaUnit, ...], *defenders: MagdalaUnit) -> MagdalaState:
    state = field(*attackers, *defenders)
    for unit_ in attackers:
        state = start_melee(state, unit_.id, "d")
    return state


def extra_combats(state: MagdalaState, by: str) -> tuple[str, int]:
    fought = MeleePair(state, state.unit(by), state.unit("d")).make_bout(by)
    return fought.overlapped, fought.extra


def test_mm_4_4_two_smaller_attackers_together_outnumber_a_unit() -> None:
    two = (attacker("a1", 15, -front(15) / 2), attacker("a2", 15, front(15) / 2))
    state = field_with_attack(two, defender(20))
    assert extra_combats(state, "a1")[0] == "d"


def test_mm_4_4_each_of_two_attackers_overlaps_the_flank_it_reaches_beyond() -> None:
    two = (attacker("a1", 15, -front(15) / 2), attacker("a2", 15, front(15) / 2))
    state = field_with_attack(two, defender(20))
    assert [extra_combats(state, "a1"), extra_combats(state, "a2")] == [("d", 2), ("d", 2)]


@pytest.mark.parametrize(("apart", "expected"), [(0.0, [("", 0), ("", 0)]), (1.0, [("a1", 2), ("a2", 2)])])
def test_mm_4_4_two_attackers_fewer_than_the_defender_cover_each_other(
    apart: float, expected: list[tuple[str, int]]
) -> None:
    two = (attacker("a1", 9, -front(9) / 2 - apart), attacker("a2", 9, front(9) / 2 + apart))
    assert [extra_combats(field_with_attack(two, defender(20)), unit_id) for unit_id in ("a1", "a2")] == expected


def test_mm_4_4_supporting_friends_are_counted() -> None:
    state = field_with_attack((attacker("a1", 30, 0),), defender(20))
    assert extra_combats(state, "a1")[0] == "d"
    helped = start_melee(state.with_unit(unit("sudanese-regulars", "e", BLUE, figures=20)), "e", "a1")
    assert extra_combats(helped, "a1")[0] != "d"


@pytest.mark.parametrize(
    ("gap", "fields", "flanks"),
    [
        (0.0, {}, 1),
        (0.3, {}, 1),
        (1.5, {}, 2),
        (0.0, {"morale": Morale.ROUTED}, 2),
        (0.0, {"morale": Morale.RETREATING}, 2),
    ],
)
def test_mm_4_4_a_formed_friend_beside_it_covers_a_flank(gap: float, fields: dict[str, object], flanks: int) -> None:
    beside = defender(20, "f", front(20) + gap, **fields)
    state = field_with_attack((attacker("a1", 40, 0),), defender(20), beside)
    assert extra_combats(state, "a1") == ("d", 2 * flanks)


@pytest.mark.parametrize(("behind", "flanks"), [(1.5, 1), (4.0, 2)])
def test_mm_4_4_friend_further_back_covers_no_flank(behind: float, flanks: int) -> None:
    rear = unit("sudanese-regulars", "f", BLUE, figures=20, at=(CENTRE + front(20), 24 + behind, 0))
    assert extra_combats(field_with_attack((attacker("a1", 40, 0),), defender(20), rear), "a1") == ("d", 2 * flanks)


def test_mm_4_4_melee_includes_all_units_linked_by_contact() -> None:
    helpers = (unit("zulus", "e", BLUE, figures=30), unit("zulus", "f", figures=60))
    state = field_with_attack((attacker("a1", 30, 0),), defender(20), *helpers)
    state = start_melee(state, "e", "a1")
    assert count_figures_in_melee(state, state.unit("a1"), state.unit("d")) == (30, 50)
    assert count_figures_in_melee(start_melee(state, "f", "e"), state.unit("a1"), state.unit("d")) == (90, 50)


def test_mm_4_4_a_friend_covers_no_more_than_he_stands_on() -> None:
    small = defender(3, "f", front(20) / 2 + front(3) / 2)
    state = field_with_attack((attacker("a1", 80, 0),), defender(20), small)
    assert extra_combats(state, "a1") == ("d", 4)


def test_mm_4_4_the_extra_combats_fall_in_the_round() -> None:
    two = (attacker("a1", 15, -front(15) / 2), attacker("a2", 15, front(15) / 2))
    state = field_with_attack(two, defender(20))
    report: Report = MELEE.execute(state, Melee(unit="a1", contact=3), dice(3, 3, 1, 1, 6, 6))[1]
    assert "D are overlapped||1 1|MM-4.4" in text_of(report)
    assert "A1||*6* *6*|MM-4.4" in text_of(report)
    assert "2 extra combats||D lose 2 (1:6, 1:6)" in text_of(report)


@pytest.mark.parametrize(("x", "by", "flanks"), [(-0.1, 0.0, 0), (0.1, 0.0, 1), (1.1, 1.0, 1), (0.9, 1.0, 0)])
def test_mm_4_4_an_enemy_reaches_as_far_beyond_a_flank_as_the_option_says(x: float, by: float, flanks: int) -> None:
    reach = (front(20) - front(18)) / 2  # inches by which the wider base extends on either side
    wide, narrow = attacker("a1", 18, x + reach), defender(20)
    state = field_with_attack((wide,), narrow)
    state = state.model_copy(update={"options": state.options.model_copy(update={"overlap_by": by})})
    assert count_overlapped_flanks(state, narrow, wide) == flanks


def test_mm_4_4_enemy_beyond_by_exactly_the_option_overlaps() -> None:
    wide, narrow = attacker("a1", 30, 0), defender(20)
    (_, wide_edge), (_, narrow_edge) = (
        extent_along_bearing(wide_base := base(wide), 90),
        extent_along_bearing(base(narrow), 90),
    )
    assert wide_base is not None
    state = field_with_attack((wide,), narrow)
    state = state.model_copy(
        update={"options": state.options.model_copy(update={"overlap_by": wide_edge - narrow_edge})}
    )
    assert count_overlapped_flanks(state, narrow, wide) == 2
