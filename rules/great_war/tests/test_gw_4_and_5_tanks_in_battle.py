"""Tanks in ranged and close combat (GW-4, GW-5)."""

import pytest

from .field import (
    BURST,
    DEADLY,
    FLAG,
    GERMANS,
    HQ,
    OPEN,
    SOLDIER,
    SYSTEM,
    act,
    field,
    ground_with,
    hex_at,
    is_allowed,
    label_at,
    refusal,
    text_of,
)

TANKS = ("male", "female", "a7v")


@pytest.mark.parametrize("arm", ["infantry", "mg", "mortar", "gun", *TANKS])
def test_gw_4_unit_next_to_an_enemy_cannot_fire(arm: str) -> None:
    lines = (f"british {arm} 0203 ordered", "germans infantry 0303", "germans infantry 0403")
    near, far = ("infantry-2", "infantry-3") if arm == "infantry" else ("infantry", "infantry-2")
    state = field(OPEN, *lines)
    mark = "" if arm in TANKS else ", found"
    for target in (near, far):
        assert "close combat only, with an enemy next to" in refusal(state, "fire", unit=arm, target=target)
        assert f"(GW-4{mark}" in refusal(state, "fire", unit=arm, target=target)
    assert "2 hexes away: no close combat. Next to" in refusal(state, "melee", unit=arm, target=far)
    assert is_allowed(state, "melee", unit=arm, target=near)


def test_gw_4_fire_out_of_range_or_sight_is_refused() -> None:
    state = field(OPEN, "british male 0203 ordered", "germans infantry 0703")
    assert "5 hexes away, and Male reaches 4" in refusal(state, "fire", unit="male", target="infantry")
    hidden = field(OPEN, "british male 0203 ordered", "british mg 0303", "germans infantry 0404")
    assert "not see Infantry" in refusal(hidden, "fire", unit="male", target="infantry")


@pytest.mark.parametrize("arm", TANKS)
@pytest.mark.parametrize(("kind", "target", "rule"), [("fire", "0403", "GW-4"), ("melee", "0303", "GW-5.1")])
def test_gw_4_and_5_1_tank_does_not_battle_in_the_turn_it_enters_a_building(
    arm: str, kind: str, target: str, rule: str
) -> None:
    ground = ground_with("b", "0203")
    entered = field(ground, f"british {arm} 0203 ordered entered", f"germans infantry {target}")
    why = refusal(entered, kind, unit=arm, target="infantry")
    assert f"entered a building this turn: no battle. Choose another unit. ({rule})" in why
    stood = field(ground, f"british {arm} 0203 ordered", f"germans infantry {target}")
    assert is_allowed(stood, kind, unit=arm, target="infantry")
    soldiers = field(ground, "british infantry 0203 ordered entered", f"germans infantry {target}")
    assert is_allowed(soldiers, kind, unit="infantry", target="infantry-2")


def test_gw_4_tank_driven_off_its_building_still_does_not_battle() -> None:
    state = field(ground_with("b", "0303"), "british male 0203 ordered moved:1 entered", "germans infantry 0403")
    state = state.changed("male", this_turn=state.unit("male").this_turn.model_copy(update={"entered": hex_at("0303")}))
    assert "entered a building" in refusal(state, "fire", unit="male", target="infantry")


def test_gw_5_1_butt_and_bayonet_in_close_combat() -> None:
    state = field(OPEN, "british male 0203 ordered", "germans infantry 0303 figures:1", "germans gun 0806")
    args = {"unit": "male", "target": "infantry", "with": "butt & bayonet", "dice": 5}
    after, report = act(state, "melee", (SOLDIER, HQ, HQ, HQ, HQ), **args)
    assert (label_at(after, "infantry"), label_at(after, "male")) == ("gone", "0203")
    assert "used butt & bayonet" in text_of(report)


def state_before_ambush(*lines: str, ground: str = OPEN, **fields):
    """Return a British turn in which the Germans may ambush."""
    return field(ground, *lines, **fields), {"with": "surprise ambush"}


def test_gw_5_1_an_ambush_is_thrown_in_the_enemys_battles_once() -> None:
    state, card = state_before_ambush(
        "british infantry 0203 ordered figures:1", "british gun 0006", "germans male 0303"
    )
    assert SYSTEM.side_of(state, SYSTEM.parse("melee", {"unit": "male", "target": "infantry", **card})) == GERMANS
    after, _ = act(state, "melee", (FLAG, HQ, HQ, HQ), unit="male", target="infantry", **card)
    assert after.flags.unit == "infantry"
    after, _ = act(after, "retreat", unit="infantry", to="0102")
    assert label_at(after, "male") == "0303", "it gains no ground"
    after_melee, _ = act(state, "melee", (HQ,) * 4, unit="male", target="infantry", **card)
    assert "battled this turn" in refusal(after_melee, "melee", unit="male", target="infantry", **card)
    own = field(OPEN, "british male 0203 ordered", "germans infantry 0303")
    assert "enemy's phase of battles" in refusal(own, "melee", unit="male", target="infantry", **card)


def test_gw_5_1_actions_of_its_own_turn_do_not_affect_an_ambush() -> None:
    lines = ("british infantry 0203 ordered", "germans female 0303 ordered entered has_battled")
    state = field(ground_with("f", "0303"), *lines).model_copy(update={"active": GERMANS})
    state, _ = act(state, "turn_next")
    state = state.model_copy(update={"phase": "battles"})
    act(state, "melee", (HQ,) * 4, unit="female", target="infantry", **{"with": "surprise ambush"})


def test_gw_5_1_no_ambush_by_a_ditched_tank_or_from_a_ford() -> None:
    state, card = state_before_ambush("british infantry 0203 ordered", "germans male 0303 ditched")
    assert "ditched" in refusal(state, "melee", unit="male", target="infantry", **card)
    state, card = state_before_ambush(
        "british infantry 0203 ordered", "germans infantry 0303", ground=ground_with("=", "0303")
    )
    assert "on a ford do not battle" in refusal(state, "melee", unit="infantry-2", target="infantry", **card)


MAY_IGNORE = {"trench": 1, "crater": 1, "forest": 0, "building": 1, "countryside": 0}
LETTERS = {"trench": "t", "crater": "c", "forest": "f", "building": "b", "countryside": "."}


@pytest.mark.parametrize("terrain", MAY_IGNORE)
@pytest.mark.parametrize("target", ["infantry", "mg", "mortar", "gun"])
@pytest.mark.parametrize("by", ["infantry", *TANKS])
def test_gw_5_2_tankschreken(terrain: str, target: str, by: str) -> None:
    state = field(ground_with(LETTERS[terrain], "0303"), f"british {by} 0203 ordered", f"germans {target} 0303")
    at_whom = "infantry-2" if by == target == "infantry" else target
    dice = (FLAG,) + (HQ,) * (2 if by == "infantry" else 3)
    after, report = act(state, "melee", dice, unit=by, target=at_whom)
    keeps = by == "infantry" or terrain == "building" or target == "gun"
    assert after.flags.may_ignore == (MAY_IGNORE[terrain] if keeps else 0)
    assert ("Tankschreken" in text_of(report)) is (not keeps)


def test_gw_5_2_distant_tank_causes_no_tankschreken() -> None:
    state = field(ground_with("t", "0403"), "british male 0203 ordered", "germans infantry 0403")
    after, report = act(state, "fire", (FLAG, FLAG, HQ), unit="male", target="infantry")
    assert after.flags.may_ignore == 2
    assert "Tankschreken" not in text_of(report)


def test_gw_5_2_soldiers_are_hit_by_the_deadly_die_close_by() -> None:
    state = field(OPEN, "british infantry 0203 ordered", "germans infantry 0303", "germans mg 0006")
    after, _ = act(state, "melee", (DEADLY, SOLDIER, BURST), unit="infantry", target="infantry-2")
    assert after.unit("infantry-2").figures == 1
