"""The five worked examples of the rules."""

from .field import BURST, DEADLY, FLAG, HQ, OPEN, SOLDIER, act, button_labels, field, ground_with, label_at, refusal


def tank_at_two_hexes(arm: str):
    """Return a tank two hexes from infantry in the open."""
    return field(OPEN, f"british {arm} 0203 ordered", "germans infantry 0403")


def test_gw_example_1_a_female_at_two_hexes_throws_three_and_the_deadly_die_misses() -> None:
    after, _ = act(tank_at_two_hexes("female"), "fire", (SOLDIER, BURST, DEADLY), unit="female", target="infantry")
    assert after.unit("infantry").figures == 2


def test_gw_example_1_a_males_deadly_die_hits_at_two_hexes() -> None:
    after, _ = act(tank_at_two_hexes("male"), "fire", (SOLDIER, BURST, DEADLY), unit="male", target="infantry")
    assert after.unit("infantry").figures == 1


def test_gw_example_2_beside_an_enemy_no_fire_at_another() -> None:
    state = field(OPEN, "british female 0203 ordered", "germans infantry 0303", "germans mg 0403")
    why = refusal(state, "fire", unit="female", target="mg")
    assert why.endswith("(GW-4)")
    assert "next to Infantry" in why


def destroy_infantry(bog: int, *lines: str):
    """Return the state after a male tank killed the last figure beside it and threw `bog`."""
    state = field(OPEN, "british male 0203 ordered", "germans infantry 0303 figures:1", *lines)
    return act(state, "melee", (SOLDIER, HQ, HQ, HQ, bog), unit="male", target="infantry")[0]


def test_gw_example_3_tank_bogged_in_gained_ground_ends_its_turn() -> None:
    after = destroy_infantry(FLAG, "germans mg 0402")
    assert label_at(after, "infantry") == "gone"
    assert label_at(after, "male") == "0303"
    assert after.unit("male").is_stuck
    assert not button_labels(after, "bonus")
    assert "battled this turn" in refusal(after, "melee", unit="male", target="mg")


def test_gw_example_3_tank_beside_another_enemy_gets_a_second_close_combat() -> None:
    after = destroy_infantry(HQ, "germans mg 0403")
    (button,) = button_labels(after, "bonus")
    assert button.startswith("Male attacks Mg:")
    assert "(GW-6.3" in refusal(after, "fire", unit="male", target="mg")


def test_gw_example_3_a_ranged_bonus_is_refused_by_gw_6_3_beside_an_enemy_or_not() -> None:
    for lines in (("germans mg 0503",), ("germans mg 0503", "germans mortar 0402")):
        why = refusal(destroy_infantry(HQ, *lines), "fire", unit="male", target="mg")
        assert "(GW-6.3" in why
        assert "close combat only" in why


def test_gw_example_4_flags_against_a_tank() -> None:
    for terrain, arm, may in (("b", "infantry", 1), ("t", "infantry", 0), ("t", "gun", 1)):
        state = field(ground_with(terrain, "0303"), "british male 0203 ordered", f"germans {arm} 0303")
        after, _ = act(state, "melee", (FLAG, HQ, HQ, HQ), unit="male", target=arm)
        assert after.flags is not None
        assert after.flags.may_ignore == may


def test_gw_example_5_tank_of_a_first_strike_stays() -> None:
    state = field(OPEN, "british male 0203", "germans infantry 0303 figures:1", phase="orders")
    state, _ = act(state, "order", unit="male", **{"with": "first strike"})
    state = state.model_copy(update={"phase": "battles"})
    after, report = act(state, "melee", (BURST, HQ, HQ, HQ), unit="male", target="infantry")
    assert label_at(after, "infantry") == "gone"
    assert label_at(after, "male") == "0203"
    assert any("First Strike" in step.text for step in report.steps)
