"""Terrain, wire and sight (GW-7)."""

import pytest

from .field import FLAG, HQ, OPEN, SOLDIER, SYSTEM, act, field, ground_with, is_allowed, label_at, refusal

LETTERS = {"countryside": ".", "trench": "t", "crater": "c", "forest": "f", "building": "b", "hill": "h", "ford": "="}
FROM_AFAR = {"trench": (2, 2), "crater": (1, 1), "forest": (1, 0), "building": (1, 1)}
CLOSE_BY = {**FROM_AFAR, "trench": (1, 1)}


@pytest.mark.parametrize("terrain", LETTERS)
@pytest.mark.parametrize("close", [True, False])
def test_gw_7_protection(terrain: str, close: bool) -> None:
    place = "0303" if close else "0403"
    soldiers, may_ignore = (CLOSE_BY if close else FROM_AFAR).get(terrain, (0, 0))
    for target, shelters in (("infantry", True), ("a7v", False)):
        if terrain == "ford" and target == "a7v":
            continue
        state = field(ground_with(LETTERS[terrain], place), "british mg 0203 ordered", f"germans {target} {place}")
        hit, _ = act(state, "melee" if close else "fire", (SOLDIER,) * 3, unit="mg", target=target)
        before = state.unit(target).figures
        assert before - hit.unit(target).figures == (3 - soldiers if shelters else 0)
        flags, _ = act(state, "melee" if close else "fire", (FLAG,) * 3, unit="mg", target=target)
        assert flags.flags is not None
        assert flags.flags.may_ignore == (may_ignore if shelters else 0)
        assert flags.flags.flags == (3 if shelters else 2)


@pytest.mark.parametrize("terrain", LETTERS)
def test_gw_7_terrain_that_stops_entering_units(terrain: str) -> None:
    stops = terrain in ("forest", "building", "ford")
    for arm in ("infantry", "male"):
        if terrain == "ford" and arm == "male":
            continue
        state = field(ground_with(LETTERS[terrain], "0303"), f"british {arm} 0203 ordered", phase="moves")
        assert is_allowed(state, "move", unit=arm, to="0303 0403") is not stops


@pytest.mark.parametrize("arm", ["infantry", "male"])
def test_gw_7_entering_a_forest_costs_a_die_that_turn(arm: str) -> None:
    for flag, fewer in (("entered", 1), ("", 0)):
        state = field(ground_with("f", "0203"), f"british {arm} 0203 ordered {flag}", "germans mg 0303")
        act(state, "melee", (HQ,) * ((3 if arm == "infantry" else 4) - fewer), unit=arm, target="mg")


def test_gw_7_wire_costs_only_soldiers_a_die() -> None:
    for arm, number in (("infantry", 2), ("male", 4)):
        state = field(OPEN, f"british {arm} 0203 ordered", "germans mg 0303", wire="0203")
        act(state, "melee", (HQ,) * number, unit=arm, target="mg")


def test_gw_7_soldiers_on_a_ford_do_not_battle() -> None:
    state = field(ground_with("=", "0203"), "british infantry 0203 ordered", "germans mg 0303")
    why = refusal(state, "melee", unit="infantry", target="mg")
    assert "Soldiers on a ford do not battle. Choose another unit. (GW-7" in why


@pytest.mark.parametrize(
    ("letter", "blocks"),
    [(".", False), ("t", False), ("c", False), ("f", True), ("b", True), ("h", True), ("~", False)],
)
def test_gw_7_hexes_that_block_sight(letter: str, blocks: bool) -> None:
    state = field(ground_with(letter, "0402"), "british mg 0203 ordered", "germans infantry 0601")
    assert is_allowed(state, "fire", unit="mg", target="infantry") is not blocks


def test_gw_7_every_unit_blocks_sight() -> None:
    for letter in ".t":
        for side in ("british", "germans"):
            lines = ("british mg 0003 ordered", f"{side} mortar 0203", "germans infantry 0403")
            assert not is_allowed(field(ground_with(letter, "0203"), *lines), "fire", unit="mg", target="infantry")


def test_gw_7_the_end_hexes_never_block() -> None:
    state = field(ground_with("h", "0203", "0403"), "british mg 0203 ordered", "germans infantry 0403")
    assert is_allowed(state, "fire", unit="mg", target="infantry")


def test_gw_7_along_a_hexside_both_hexes_must_block() -> None:
    """The line from 0203 to 0403 runs between hexes 0302 and 0303."""
    for hills, sees in ((["0302"], True), (["0303"], True), (["0302", "0303"], False)):
        state = field(ground_with("h", *hills), "british mg 0203 ordered", "germans infantry 0403")
        assert is_allowed(state, "fire", unit="mg", target="infantry") is sees


def test_gw_7_the_chart_has_every_kind_and_wire() -> None:
    chart = SYSTEM.charts["terrain"]
    labels = [row.label for row in chart.rows]
    assert labels == ["countryside", "trench", "shell crater", "forest", "building", "hill", "waterway", "ford", "wire"]
    cells = {row.label: [cell.text for cell in row.cells] for row in chart.rows}
    assert cells["trench"] == ["—", "—", "2 soldiers, may 2 flags", "1 soldier, may 1 flag", "clear"]
    assert cells["ford"][0] == "no tanks, no field artillery; stops"
    assert cells["forest"][1] == "1 die fewer in the turn it is entered"


def test_gw_7_soldiers_cross_water_at_a_ford_only() -> None:
    state = field(
        ground_with("=", "0303", ground=ground_with("~", "0302")), "british infantry 0203 ordered", phase="moves"
    )
    assert label_at(act(state, "move", unit="infantry", to="0303")[0], "infantry") == "0303"
    assert "which soldiers cross at a ford only" in refusal(state, "move", unit="infantry", to="0302")
