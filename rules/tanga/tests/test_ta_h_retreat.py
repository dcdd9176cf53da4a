"""Tests of retreat and rout: path to the RO hex, leaders with their stack's last units (TA-6, TA-9.C, TA-H.9)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.hexboard.stacks import units_at
from rules.tanga.combat.retreats import add_leaders, retreat_combat_units
from rules.tanga.model import TangaState

from .field import formation, hex_at, marker, play_part, state_of, text_of, unit

OPEN = {"*": "open"}
FK = "17.FK"


def retreat_units(state: TangaState, *ids: str, hexes: int = 3) -> tuple[TangaState, str]:
    after, steps = play_part(retreat_combat_units, state, [state.unit(key) for key in ids], hexes, NoDice())
    return after, text_of(steps)


@pytest.mark.parametrize(("unit_id", "line", "enemy"), [("13-a", "13 A", f"{FK} 1"), ("17.fk-1", f"{FK} 1", "13 A")])
def test_ta_9_c_unit_retreats_3_hexes_to_the_hex_farthest_from_the_enemy(unit_id: str, line: str, enemy: str) -> None:
    state = state_of(f"{line} 2811 disrupted", f"{enemy} 2711", on=OPEN)
    after, text = retreat_units(state, unit_id)
    unit = after.unit(unit_id)
    assert unit.at is not None
    assert (unit.at.distance(hex_at("2811")), unit.at.distance(hex_at("2711"))) == (3, 4)
    assert unit.ro == unit.at
    assert unit.retreating
    assert after.trails[-1].kind == "retreat"
    assert after.trails[-1].hexes[0] == hex_at("2811")
    by = "row 3, lowest hex number" if unit_id == "13-a" else "by the card's retreat table with the sides swapped"
    assert f"RO hex {unit.ro}" in text
    assert by in text


def test_ta_9_c_most_protected_of_equally_far_hexes() -> None:
    state = state_of("13 A 2811 disrupted", f"{FK} 1 2711", on={"*": "open", "3112": "palms"})
    after, _ = retreat_units(state, "13-a")
    assert after.unit("13-a").at == hex_at("3112")


def test_ta_9_c_the_ro_hex_is_kept_until_a_german_is_within_3() -> None:
    disrupted = unit("13 A 3111 disrupted", ro=hex_at("3411"), retreating=True)
    after, text = retreat_units(state_of(disrupted, f"{FK} 1 2711", on=OPEN), "13-a")
    assert after.unit("13-a").at == hex_at("3411")
    assert "RO hex 3411, as before" in text
    chosen, text = retreat_units(state_of(disrupted, f"{FK} 1 3412", on=OPEN), "13-a")
    assert "as before" not in text
    assert chosen.unit("13-a").ro != hex_at("3411")


def test_ta_9_5_machine_gun_retreats_by_itself_if_its_stack_passes_germans() -> None:
    """The company goes from 2812 past 2712 to 2510; the MG goes the other way, as far as possible from Germans."""
    germans = (f"{FK} 1 2712", f"{FK} 2 2910", f"{FK} 3 2914", "16.FK 1 3010")
    after, text = retreat_units(state_of("13 A 2812", "13 MG 2812", *germans, on=OPEN), "13-a", "13-mg")
    assert (after.unit("13-a").at, after.unit("13-mg").at) == (hex_at("2510"), hex_at("3112"))
    assert "13 MG: 2812 → 2912 → 3012 → 3112" in text


def test_ta_9_5_a_machine_gun_with_no_other_way_out_of_a_retreat_stays() -> None:
    strait = {"*": "sea", **dict.fromkeys(("2813", "2812", "2811", "2810", "2809", "2710"), "open")}
    state = state_of("13 A 2812", "13 MG 2812", f"{FK} 1 2813", f"{FK} 2 2710", on=strait)
    after, _ = retreat_units(state, "13-a", "13-mg")
    assert (after.unit("13-a").at, after.unit("13-mg").at) == (hex_at("2809"), hex_at("2812"))


def test_ta_9_unit_in_its_ro_hex_stays_and_is_marked() -> None:
    disrupted = unit("13 A 3111 disrupted", ro=hex_at("3111"))
    after, text = retreat_units(state_of(disrupted, f"{FK} 1 2411", on=OPEN), "13-a")
    assert after.unit("13-a").at == hex_at("3111")
    assert after.unit("13-a").retreating
    assert not text
    near, text = retreat_units(state_of(disrupted, f"{FK} 1 2811", on=OPEN), "13-a")
    assert near.unit("13-a").at != hex_at("3111")


def test_ta_9_unit_without_a_way_out_stays() -> None:
    island = {"*": "sea", "2811": "open", "2711": "open"}
    after, text = retreat_units(state_of("13 A 2811 disrupted", f"{FK} 1 2711", on=island), "13-a")
    assert after.unit("13-a").at == hex_at("2811")
    assert "stays" in text


def test_ta_h_9_rout_goes_6_hexes() -> None:
    state = state_of("13 A 2811", f"{FK} 1 2711", on=OPEN, formations=(formation("13", collapsed=True),))
    after, _ = retreat_units(state, "13-a", hexes=6)
    routed = after.unit("13-a")
    assert routed.at is not None
    assert routed.at.distance(hex_at("2811")) == 6
    assert routed.is_in_good_order
    assert routed.retreating


# TA-6


def test_ta_6_leaders_retreat_with_the_last_unit_of_their_stack() -> None:
    state = state_of("13 A 2811 disrupted", "13 B 2811", "13 L 2811", f"{FK} 1 2711", on=OPEN)
    first, _ = retreat_units(state, "13-a")
    assert first.unit("13-l").at == hex_at("2811")
    last, _ = retreat_units(first, "13-b")
    assert last.unit("13-l").at == last.unit("13-b").at != hex_at("2811")


def test_ta_6_leaders_without_retreat_markers() -> None:
    after, _ = retreat_units(state_of("13 A 2811 disrupted", "13 L 2811", f"{FK} 1 2711", on=OPEN), "13-a")
    assert not after.unit("13-l").retreating
    assert after.unit("13-l").ro is None


def test_ta_6_enemy_leader_does_not_retreat_with_the_stack() -> None:
    state = state_of("13 A 2811", "13 L 2811", f"{FK} L 2711", on=OPEN)
    assert [unit.id for unit in add_leaders(state, [state.unit("13-a")])] == ["13-a", "13-l"]


# Ground


@given(
    germans=st.lists(st.sampled_from(["2711", "2911", "3011", "2810", "3112", "2613"]), unique=True, max_size=5),
    friends=st.lists(st.sampled_from(["3012", "3111", "3013", "2812"]), unique=True, max_size=4),
)
def test_ta_9_unit_never_retreats_through_germans_or_into_other_formations(
    germans: list[str], friends: list[str]
) -> None:
    enemies = [unit(f"{FK} 1 {at}").model_copy(update={"id": f"g{at}"}) for at in germans]
    friendly_units = [unit(f"61 A {at}").model_copy(update={"id": f"b{at}"}) for at in friends]
    state = state_of("13 A 2811 disrupted", "13 B 2811 disrupted", *enemies, *friendly_units, on=OPEN)
    after, _ = retreat_units(state, "13-a", "13-b")
    end = after.unit("13-a").at
    assert end is not None
    assert end == after.unit("13-b").at
    assert end.label not in (*germans, *friends)
    way = after.trails[-1].hexes if after.trails else (end,)
    assert not {hex_.label for hex_ in way} & set(germans)
    assert all(hex_.distance(following) == 1 for hex_, following in pairwise(way))
    assert len(way) <= 4
    assert units_at(after, end) == (after.unit("13-a"), after.unit("13-b"))


def test_ta_1_marker_seen_on_a_retreat_is_revealed() -> None:
    dummy = (marker("13-a", real=False),)
    state = state_of("13 A 3011 disrupted", "13 mg off", f"{FK} 1 2711", on=OPEN, markers=dummy)
    after, text = retreat_units(state, "13-a")
    assert not after.markers
    assert "a dummy" in text


def test_ta_h_3_mg_revealed_on_a_retreat_goes_on_with_its_company() -> None:
    under = marker("13-a", real=True)
    state = state_of("13 A 2811 disrupted", "13 mg off", f"{FK} 1 2711", on=OPEN, markers=(under,))
    after, text = retreat_units(state, "13-a")
    assert "MG marker" in text
    assert hex_at("2811").distance(after.unit("13-a").at or hex_at("2811")) == 3
    assert after.unit("13-mg").at == after.unit("13-a").at


def test_ta_9_5_routing_units_do_not_halt_among_friends_they_pass() -> None:
    routing = [unit(f"13 {letter} 2209 disrupted", ro=hex_at("2613"), retreating=True) for letter in "GH"]
    own = ["13 B 2211", "13 D 2211", "13 E 2311", "13 F 2311"]
    ring = [
        f"61 {letter} {near.label}"
        for letter, near in zip("ABCDE", sorted({*hex_at("2209").neighbours()} - {hex_at("2210")}), strict=True)
    ]
    collapsed = formation("13", collapsed=True)
    state = state_of(*routing, *own, *ring, "61 F 2310", "3K D 2210", on=OPEN, formations=[collapsed])
    after, _ = retreat_units(state, "13-g", "13-h")
    place = after.unit("13-g").at
    assert place is not None
    assert {unit.formation for unit in units_at(after, place)} == {"13"}
