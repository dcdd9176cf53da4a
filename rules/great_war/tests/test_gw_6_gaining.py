"""Gaining ground and the bonus combat (GW-6)."""

import pytest

from .field import (
    BRITISH,
    BURST,
    FLAG,
    GERMANS,
    HQ,
    OPEN,
    SOLDIER,
    SYSTEM,
    act,
    button_labels,
    field,
    ground_with,
    hex_at,
    is_allowed,
    label_at,
    refusal,
    text_of,
)

DEAD, MISSED = (SOLDIER, HQ, HQ, HQ), (HQ, HQ, HQ, HQ)


def destroy_neighbour(
    *extra_lines: str, tank: str = "male", bog: int = HQ, flags: str = "", ground: str = OPEN, wire: str = ""
):
    """Return the state after a tank killed the last figure in the next hex, 0303, and threw `bog` there."""
    lines = (
        f"british {tank} 0203 ordered {flags}",
        "germans infantry 0303 figures:1",
        "germans gun 0806",
        *extra_lines,
    )
    state = field(ground, *lines, wire=wire)
    return act(state, "melee", (*DEAD, bog), unit=tank, target="infantry")[0]


def test_gw_6_1_tank_advances_after_destroying_its_target() -> None:
    after = destroy_neighbour()
    assert label_at(after, "male") == "0303"


def test_gw_6_1_tank_advances_after_its_target_retreats() -> None:
    state = field(OPEN, "british male 0203 ordered", "germans infantry 0303")
    after, _ = act(state, "melee", (FLAG, HQ, HQ, HQ), unit="male", target="infantry")
    assert label_at(after, "male") == "0203"
    after, _ = act(after, "retreat", (HQ,), unit="infantry", to="0404")
    assert (label_at(after, "infantry"), label_at(after, "male")) == ("0404", "0303")
    assert after.unit("male").this_turn.bonus


def test_gw_6_1_target_that_holds_keeps_its_hex() -> None:
    state = field(ground_with("b", "0303"), "british male 0203 ordered", "germans infantry 0303")
    after, _ = act(state, "melee", (FLAG, HQ, HQ, HQ), unit="male", target="infantry")
    after, _ = act(after, "retreat", unit="infantry", to="0303", ignores=1)
    assert label_at(after, "male") == "0203"


def test_gw_6_1_target_destroyed_without_a_way_back_leaves_its_hex() -> None:
    state = field(OPEN, "british male 0703 ordered", "germans infantry 0803 figures:1", "germans gun 0006")
    after, _ = act(state, "melee", (FLAG, HQ, HQ, HQ), unit="male", target="infantry")
    after, _ = act(after, "retreat", (HQ,), unit="infantry", to="0803")
    assert (label_at(after, "infantry"), label_at(after, "male")) == ("gone", "0803")


def test_gw_6_1_target_that_only_loses_figures_keeps_its_hex() -> None:
    state = field(OPEN, "british male 0703 ordered", "germans infantry 0803")
    after, _ = act(state, "melee", (FLAG, HQ, HQ, HQ), unit="male", target="infantry")
    after, _ = act(after, "retreat", unit="infantry", to="0803")
    assert (after.unit("infantry").figures, label_at(after, "male")) == (3, "0703")


@pytest.mark.parametrize("letter", ["f", "b"])
def test_gw_6_1_tank_in_terrain_that_ends_its_move_gains_no_ground(letter: str) -> None:
    state = field(ground_with(letter, "0203"), "british male 0203 ordered entered", "germans infantry 0303 figures:1")
    if letter == "f":
        after, report = act(state, "melee", (SOLDIER, HQ, HQ), unit="male", target="infantry")
        assert label_at(after, "male") == "0203"
        assert "no ground: forest ended its move" in text_of(report)
    else:
        assert not is_allowed(state, "melee", unit="male", target="infantry")
    stood = field(ground_with(letter, "0203"), "british male 0203 ordered", "germans infantry 0303 figures:1")
    assert label_at(act(stood, "melee", (*DEAD, HQ), unit="male", target="infantry")[0], "male") == "0303"


@pytest.mark.parametrize("flag", ["by_first_strike", "bogged recovery:failed"])
def test_gw_6_1_first_strike_or_bogged_tank_gains_no_ground(flag: str) -> None:
    state = field(OPEN, f"british male 0203 ordered {flag}", "germans infantry 0303 figures:1", "germans gun 0006")
    dice = DEAD if "first" in flag else DEAD[:3]
    assert label_at(act(state, "melee", dice, unit="male", target="infantry")[0], "male") == "0203"


def test_gw_6_1_only_tanks_gain_ground() -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans infantry 0303 figures:1", "germans gun 0006")
    assert label_at(act(state, "melee", DEAD[:3], unit="infantry", target="infantry-2")[0], "infantry") == "0203"


def test_gw_6_1_fire_gains_no_ground() -> None:
    state = field(OPEN, "british male 0203 ordered", "germans infantry 0403 figures:1", "germans gun 0006")
    assert label_at(act(state, "fire", DEAD[:3], unit="male", target="infantry")[0], "male") == "0203"


def test_gw_6_1_wire_in_the_ground_gained_is_crushed() -> None:
    assert not destroy_neighbour(wire="0303").wire


def test_gw_6_2_gained_hex_needs_a_bog_roll_and_bogged_tank_gets_no_bonus() -> None:
    after = destroy_neighbour("germans mg 0403", bog=FLAG)
    assert after.unit("male").is_stuck
    assert not button_labels(after, "bonus")
    assert "battled this turn" in refusal(after, "melee", unit="male", target="mg")


def test_gw_6_2_odds_include_the_chance_to_bog() -> None:
    state = field(OPEN, "british male 0203 ordered", "germans infantry 0303 figures:1")
    odds = SYSTEM.odds(state, SYSTEM.parse("melee", {"unit": "male", "target": "infantry"}))
    gains = sum(outcome.chance for outcome in odds.outcomes if outcome.good)
    (bog,) = (step.chance for step in odds.steps if "bog" in step.text)
    assert bog == gains / 6


@pytest.mark.parametrize(
    ("tank", "near", "kinds"),
    [("male", True, {"melee"}), ("male", False, set())]
    + [(tank, near, {"melee"} if near else {"fire"}) for tank in ("female", "a7v") for near in (True, False)],
)
def test_gw_6_3_bonus_of_each_tank(tank: str, near: bool, kinds: set[str]) -> None:
    after = destroy_neighbour("germans mg 0403" if near else "germans mg 0503", "germans mortar 0504", tank=tank)
    legal = [action for action in SYSTEM.legal_actions(after, BRITISH) if action.kind in ("fire", "melee")]
    assert {action.kind for action in legal} == kinds
    assert len(button_labels(after, "bonus")) == len(legal)
    if near:
        assert {action.target for action in legal} == {"mg"}


def test_gw_6_3_a_bonus_that_succeeds_gains_ground_again_and_there_is_no_third() -> None:
    after = destroy_neighbour("germans mg 0403 figures:1", "germans mortar 0503")
    after, _ = act(after, "melee", (*DEAD, HQ), unit="male", target="mg")
    assert label_at(after, "male") == "0403"
    assert not button_labels(after, "bonus")
    assert "battled this turn" in refusal(after, "melee", unit="male", target="mortar")


def test_gw_6_3_the_second_ground_gained_is_rolled_for_too() -> None:
    after = destroy_neighbour("germans mg 0403 figures:1", "germans mortar 0503")
    after, _ = act(after, "melee", (*DEAD, FLAG), unit="male", target="mg")
    assert after.unit("male").is_stuck


def test_gw_6_3_a_ranged_bonus_gains_nothing() -> None:
    after = destroy_neighbour("germans mg 0503 figures:1", tank="female")
    after, _ = act(after, "fire", DEAD[:3], unit="female", target="mg")
    assert (label_at(after, "mg"), label_at(after, "female")) == ("gone", "0303")


def test_gw_6_3_bonus_is_optional_and_other_units_may_battle() -> None:
    after = destroy_neighbour("germans mg 0403", "british mg 0402 ordered")
    assert len(button_labels(after, "bonus")) == 1
    assert [label for label in button_labels(after, "battles") if label.startswith("Mg ")]
    later, _ = act(after, "melee", (HQ,) * 3, unit="mg-2", target="mg")
    assert not button_labels(later, "bonus")
    assert "battled this turn" in refusal(later, "melee", unit="male", target="mg")
    assert act(after, "turn_next")[0].active == GERMANS


def test_gw_6_3_bonus_without_a_target_leaves_the_buttons_of_other_units() -> None:
    after = destroy_neighbour("british mg 0002 ordered", "germans mortar 0102")
    assert not button_labels(after, "bonus")
    assert [label for label in button_labels(after, "battles") if label.startswith("Mg attack Mortar")]


def test_gw_6_3_an_enemys_ambush_takes_no_bonus_away() -> None:
    after = destroy_neighbour("germans mg 0403", "germans mortar 0304")
    after_melee, _ = act(after, "melee", (HQ,) * 2, unit="mortar", target="male", **{"with": "surprise ambush"})
    assert after_melee.unit("male").this_turn.bonus


def test_gw_6_4_tank_does_not_advance_into_a_waterway() -> None:
    state = field(
        ground_with("=", "0303"), "british male 0203 ordered", "germans infantry 0303 figures:1", "germans gun 0006"
    )
    after, report = act(state, "melee", DEAD, unit="male", target="infantry")
    assert label_at(after, "male") == "0203"
    assert not after.unit("male").this_turn.bonus
    assert "not gain 0303: ford" in text_of(report)
    odds = SYSTEM.odds(state, SYSTEM.parse("melee", {"unit": "male", "target": "infantry"}))
    assert not [step for step in odds.steps if "bog" in step.text]


def test_gw_6_4_advance_onto_a_building_gives_no_bonus() -> None:
    ground = ground_with("b", "0303")
    lines = ("british male 0203 ordered", "germans infantry 0303 figures:1", "germans mg 0403")
    after, _ = act(field(ground, *lines), "melee", (BURST, HQ, HQ, HQ, HQ), unit="male", target="infantry")
    assert label_at(after, "male") == "0303"
    assert not button_labels(after, "bonus")
    assert not is_allowed(after, "melee", unit="male", target="mg")


def test_gw_6_4_a_forest_gained_costs_a_die_and_no_more_is_gained() -> None:
    ground = ground_with("f", "0303")
    lines = (
        "british male 0203 ordered",
        "germans infantry 0303 figures:1",
        "germans mg 0403 figures:1",
        "germans gun 0806",
    )
    after, _ = act(field(ground, *lines), "melee", (BURST, HQ, HQ, HQ, HQ), unit="male", target="infantry")
    after, _ = act(after, "melee", DEAD[:3], unit="male", target="mg")
    assert (label_at(after, "mg"), label_at(after, "male")) == ("gone", "0303")


def test_gw_6_the_bonus_is_gone_with_the_turn() -> None:
    after, _ = act(destroy_neighbour("germans mg 0403"), "turn_next")
    assert not after.unit("male").this_turn.bonus
    assert hex_at("0303") == after.unit("male").at
