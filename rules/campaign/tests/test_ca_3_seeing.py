"""Seeing: how far, into which ground, how well, and what stays on the map (CA-3)."""

import pytest

from rules.campaign.seeing import hexes_in_sight, sight_range
from rules.core.model import PUBLIC, UMPIRE

from .country import OPEN, country, day, hex_at, make_map, ordered, with_terrain
from .worlds import SYSTEM


@pytest.mark.parametrize(
    ("letter", "line", "hexes"),
    [
        (".", "blue foot 0404", 1),
        (".", "blue foot 0404 scout", 2),
        (".", "blue horse 0404", 2),
        (".", "blue horse 0404 scout", 3),
        ("h", "blue foot 0404", 2),
        ("M", "blue foot 0404", 2),
        ("h", "blue horse 0404 scout", 3),
        ("f", "blue foot 0404", 1),
    ],
)
def test_3_1_how_far_a_column_sees(letter: str, line: str, hexes: int) -> None:
    state = country(make_map(with_terrain(letter, "0404")), line)
    assert sight_range(state, state.columns[0]) == hexes


@pytest.mark.parametrize(("letter", "is_seen"), [("f", False), ("h", False), ("M", False), ("s", True), ("m", True)])
def test_3_1_into_which_ground(letter: str, is_seen: bool) -> None:
    flat = country(make_map(with_terrain(letter, "0406", "0405")), "blue horse 0404")
    hexes = hexes_in_sight(flat, flat.columns[0])
    assert (hex_at("0406") in hexes) is is_seen
    assert hex_at("0405") in hexes
    high = country(make_map(with_terrain("h", "0404", on=with_terrain(letter, "0406"))), "blue horse 0404")
    assert hex_at("0406") in hexes_in_sight(high, high.columns[0])


@pytest.mark.parametrize(("figures", "words"), [(30, "a party"), (31, "a force"), (120, "a force"), (121, "an army")])
def test_3_2_from_two_hexes_away(figures: int, words: str) -> None:
    state = country(make_map(OPEN), "blue horse 0403", f"red foot 0405:{figures}")
    assert state.sightings["blue"][hex_at("0405")].in_words == words


@pytest.mark.parametrize(("figures", "estimate"), [(3, 10), (14, 10), (15, 20), (44, 40), (45, 50)])
def test_3_2_from_the_next_hex(figures: int, estimate: int) -> None:
    state = country(make_map(OPEN), "blue foot 0404", f"red guns 0405:{figures}")
    assert state.sightings["blue"][hex_at("0405")].in_words == f"wheeled, about {estimate}"


def test_3_2_all_enemies_in_a_hex_together() -> None:
    state = country(make_map(OPEN), "blue horse 0403", "red foot 0405:20", "red horse 0405:20")
    assert state.sightings["blue"][hex_at("0405")].in_words == "a force"


def test_3_4_a_sighting_stays_until_its_hex_is_seen_again() -> None:
    name = make_map(OPEN)
    state = country(name, "blue horse 0403 via:0402,0401", "red foot 0405 via:0406,0407")
    state, _ = day(state)
    assert state.sightings["blue"][hex_at("0405")].day == 1
    state, _ = day(ordered(state, "blue-horse", way=(hex_at("0402"), hex_at("0403"))))
    assert hex_at("0405") not in state.sightings["blue"]


def test_3_5_what_one_command_sees_its_power_knows() -> None:
    state = country(make_map(OPEN), "blue horse 0403", "red foot 0405")
    assert hex_at("0405") in SYSTEM.view(state, "blue").sightings["blue"]
    assert "blue" not in SYSTEM.view(state, "red").sightings
    assert not SYSTEM.view(state, PUBLIC).sightings
    assert SYSTEM.view(state, UMPIRE) is state


def test_3_4_pictures_tell_what_was_seen_in_words() -> None:
    state = country(make_map(OPEN), "blue horse 0403", "red foot 0405")
    assert "Red: a party in 0405." in SYSTEM.scene(state, "blue").alt
    umpires = SYSTEM.scene(state, UMPIRE)
    assert "red foot (24 figures) in 0405" in umpires.alt
    counters = [counter.unit for stack in umpires.stacks for counter in stack.counters]
    assert counters == ["blue-horse", "red-foot"], "the umpire sees the columns alone"
