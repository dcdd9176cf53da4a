"""Every refusal of a move names the rule that refuses it."""

import pytest

from .field import OPEN, field, ground_with, refusal

MALE, INFANTRY, GUN = "british male 0203 ordered", "british infantry 0203 ordered", "british gun 0203 ordered"
FRIENDS = "british mg 0303", "british mg 0304", "british mg 0302"


@pytest.mark.parametrize(
    ("letter", "unit", "to", "rule", "words"),
    [
        ("~", MALE, "0303", "GW-3.2, found", "0303 is a waterway, which tanks and field artillery never enter"),
        ("=", MALE, "0303", "GW-3.2, found", "0303 is a ford, which tanks and field artillery never enter"),
        ("=", GUN, "0303", "GW-3.2, found", "which tanks and field artillery never enter"),
        ("~", INFANTRY, "0303", "GW-7, found", "0303 is a waterway, which soldiers cross at a ford only"),
        ("~", MALE, "0303 0403", "GW-3.2, found", "0303 is a waterway"),
        ("f", MALE, "0303 0403", "GW-7, found", "0303 stops Male: it is a forest"),
        ("b", INFANTRY, "0303 0403", "GW-7, house", "0303 stops Infantry: it is a building"),
        (".", MALE, "0603", "GW-2, found", "0603 is out of reach of Male: 2 hexes at most"),
        (".", INFANTRY, "0603", "GW-1.2, found", "0603 is out of reach of Infantry: 2 hexes at most"),
        (".", GUN, "0403", "GW-1.2, house", "0403 is out of reach of Gun: 1 hex at most"),
        (".", MALE, "0303 0403 0503", "GW-2, found", "That is 3 hexes: 2 hexes at most"),
        (".", MALE, "0403 0503", "GW-1.2, found", "0403 is not next to 0203"),
        (".", MALE, "0203", "GW-1.2, found", "Male is already in 0203"),
    ],
)
def test_gw_the_rule_that_refuses_a_move_is_named(letter: str, unit: str, to: str, rule: str, words: str) -> None:
    state = field(ground_with(letter, "0303"), unit, phase="moves")
    why = refusal(state, "move", unit=unit.split()[1], to=to)
    assert words in why
    assert f"({rule}" in why, why


def test_gw_7_refusal_cites_the_forest_or_water_in_the_way() -> None:
    forest = field(ground_with("f", "0302", "0303"), MALE, phase="moves")
    why = refusal(forest, "move", unit="male", to="0402")
    assert "Every way to 0402 is barred: 0302 stops Male: it is a forest (GW-7)" in why
    assert "(GW-7, found" in why
    water = field(ground_with("~", "0302", "0303"), MALE, phase="moves")
    why = refusal(water, "move", unit="male", to="0402")
    assert "0302 is a waterway, which tanks and field artillery never enter (GW-3.2)" in why
    assert "(GW-3.2, found" in why


def test_gw_7_refusal_tells_soldiers_of_the_wire() -> None:
    state = field(OPEN, INFANTRY, phase="moves", wire="0303")
    assert "0303 stops Infantry: wire lies in it" in (why := refusal(state, "move", unit="infantry", to="0303 0403"))
    assert "(GW-7, house" in why


@pytest.mark.parametrize(
    ("unit", "rule", "words"),
    [
        ("british male 0203", "GW-1.1, found", "not ordered this turn"),
        ("british male 0203 ordered moved:1", "GW-1.1, found", "Male has moved this turn"),
        ("british male 0203 ordered bogged", "GW-3.4, found", "throw its recovery dice first"),
        ("british male 0203 ordered bogged recovery:failed", "GW-3.3, found", "is bogged, and may not move"),
        ("british male 0203 ordered ditched", "GW-3.4, found", "is ditched: it acts no more"),
    ],
)
def test_gw_the_rule_that_keeps_a_unit_from_moving_is_named(unit: str, rule: str, words: str) -> None:
    why = refusal(field(OPEN, unit, phase="moves"), "move", unit="male", to="0303")
    assert words in why
    assert f"({rule}" in why, why


def test_gw_1_2_nobody_moves_onto_or_past_another() -> None:
    state = field(OPEN, MALE, "british infantry 0303", phase="moves")
    why = refusal(state, "move", unit="male", to="0303")
    assert "Infantry stand in 0303, and units never share or pass a hex" in why
    assert "(GW-1.2, found" in why
