"""Tests of machine guns under face-down markers (TA-1)."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice, Throw
from rules.core.model import UMPIRE, Viewer
from rules.core.tests.scripted import ScriptedDice
from rules.registry import rulesets
from rules.tanga.combat.entering import unit_after_entering
from rules.tanga.combat.reveal import deal_gun_markers, reveal_marker_of_eliminated_company, reveal_seen_markers
from rules.tanga.corrections import settle_correction
from rules.tanga.field import has_space_for
from rules.tanga.model import BRITISH, GERMAN, Condition, FireOrder, GunMarker, TangaState
from rules.tanga.progress import Stage

from .acting import require_sound, run
from .field import dice, formation, hex_at, marker, melee, play_part, state_of, text_of, unit

OPEN = {"*": "open"}
FK = "17.FK"
MG = "13 mg off"


def battalion(*at: str) -> list[str]:
    """Return companies A to H of the 13th in these hexes, in order."""
    return [f"13 {letter} {label}" for letter, label in zip("ABCDEFGH", at, strict=False)]


def companies(markers: Iterable[GunMarker]) -> str:
    return "".join(sorted(marker.company[-1] for marker in markers)).upper()


def real_markers(state: TangaState) -> str:
    return companies(marker for marker in state.markers.values() if marker.real)


SPREAD = battalion("3010", "3011", "3012", "3013", "3014", "3015", "3016", "3017")


# Dealing markers


@pytest.mark.parametrize(("face", "company"), [(1, "A"), (2, "C"), (3, "E"), (4, "G")])
def test_ta_1_one_real_and_three_dummies_under_a_c_e_and_g(face: int, company: str) -> None:
    state, _ = play_part(deal_gun_markers, state_of(*SPREAD, MG, on=OPEN), "13", dice(face))
    assert companies(state.markers.values()) == "ACEG"
    assert real_markers(state) == company


def test_ta_1_only_the_umpire_sees_the_draw() -> None:
    texts = []
    for face in range(1, 5):
        _, steps = play_part(deal_gun_markers, state_of(*SPREAD, MG, on=OPEN), "13", dice(face))
        (hidden,) = (step for step in steps if step.only_for is not None)
        assert hidden.only_for == frozenset({UMPIRE})
        assert hidden.throws[0].dice == (face,)
        public = [step for step in steps if step.only_for is None]
        assert not any(step.throws for step in public)
        texts.append((text_of(steps), hidden.throws[0].label))
    assert len(set(texts)) == 1


class RecordingDice(ScriptedDice):
    """Dice that record whether they were thrown hidden."""

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        self.hidden = hidden
        return super().throw(count, sides, label, side=side, hidden=hidden)


def test_ta_1_the_draw_follows_from_the_hidden_seed() -> None:
    play_part(deal_gun_markers, state_of(*SPREAD, MG, on=OPEN), "13", dice_ := RecordingDice([1]))
    assert dice_.hidden


def test_ta_1_one_marker_a_hex() -> None:
    stacked = state_of(*battalion("3010", "3010", "3011", "3011", "3012", "3012", "3013", "3013"), MG, on=OPEN)
    state, _ = play_part(deal_gun_markers, stacked, "13", dice(1))
    hexes = [state.unit(marker.company).at for marker in state.markers.values()]
    assert len(hexes) == len(set(hexes)) == 4


def test_ta_1_aboard_ship_under_a_c_e_and_g() -> None:
    state, _ = play_part(deal_gun_markers, state_of(*battalion(*["off"] * 8), MG, on=OPEN), "13", dice(2))
    assert companies(state.markers.values()) == "ACEG"


def test_ta_1_full_hex_gets_its_marker() -> None:
    crowded = battalion("3010", "3010", "3010", "3011", "3011", "3012", "3012", "3013")
    state, _ = play_part(deal_gun_markers, state_of(*crowded, MG, on=OPEN), "13", dice(1))
    assert companies(state.markers.values()) == "AEGH"


def test_ta_1_markers_avoid_disrupted_units() -> None:
    hurt = [f"{line} disrupted" if line[3] in "ACE" else line for line in SPREAD]
    state, _ = play_part(deal_gun_markers, state_of(*hurt, MG, on=OPEN), "13", dice(1))
    assert companies(state.markers.values()) == "BDFG"
    worse = [f"{line} disrupted" if line[3] in "ABCDEF" else line for line in SPREAD]
    state, _ = play_part(deal_gun_markers, state_of(*worse, MG, on=OPEN), "13", dice(1))
    assert companies(state.markers.values()) == "ACGH"


@given(
    places=st.lists(st.sampled_from(["3010", "3011", "3012", "off"]), min_size=8, max_size=8),
    hurt=st.sets(st.sampled_from("ABCDEFGH")),
    lost=st.sets(st.sampled_from("ABCDEFGH")),
)
def test_ta_1_exactly_one_marker_is_real_after_any_losses(places: list[str], hurt: set[str], lost: set[str]) -> None:
    flags = {
        letter: " eliminated" if letter in lost else " disrupted" if letter in hurt else "" for letter in "ABCDEFGH"
    }
    lines = [f"{line}{flags[line[3]]}" for line in battalion(*places)]
    state, steps = play_part(deal_gun_markers, state_of(*lines, MG, on=OPEN), "13", dice(1))
    assert len(real_markers(state)) == bool(state.markers)
    assert len(state.markers) <= 4
    standing = [at for letter, at in zip("ABCDEFGH", places, strict=True) if letter not in lost]
    assert bool(steps) == bool(state.markers) == bool(standing)
    assert not set(companies(state.markers.values())) & lost


def test_ta_1_new_deal_hides_a_revealed_gun_and_removes_old_markers() -> None:
    old = (marker("13-b", real=False), marker("61-a", real=True))
    state = state_of(*SPREAD, "13 mg 3018 retreating", "61 A 3110", "61 mg off", on=OPEN, markers=old)
    after, _ = play_part(deal_gun_markers, state, "13", dice(3))
    assert after.unit("13-mg").at is None
    assert not after.unit("13-mg").retreating
    assert companies(marker for marker in after.markers.values() if marker.formation == "13") == "ACEG"
    assert after.markers["61-a-marker"] == old[1]


def test_ta_1_a_disrupted_gun_is_not_rallied_by_hiding() -> None:
    state, _ = play_part(deal_gun_markers, state_of(*SPREAD, "13 mg 3018 disrupted", on=OPEN), "13", dice(1))
    after, _, _ = play_part(reveal_seen_markers, state.with_unit(unit(f"{FK} 1 3009")), NoDice())
    assert after.unit("13-mg").condition is Condition.DISRUPTED


def test_ta_1_an_eliminated_gun_has_no_markers() -> None:
    state = state_of(*SPREAD, "13 mg 3018 eliminated", on=OPEN)
    assert play_part(deal_gun_markers, state, "13", NoDice()) == (state, ())


# Revealing markers


def test_ta_1_hidden_until_a_german_sees_it() -> None:
    hidden = {"*": "open", "2811": "bush"}
    markers = (marker("13-a", real=True),)
    state = state_of("13 A 2812", MG, f"{FK} 1 2810", on=hidden, markers=markers)
    assert play_part(reveal_seen_markers, state, NoDice()) == (state, (), False)


def test_ta_1_in_sight_a_dummy_is_removed() -> None:
    state = state_of("13 A 2812", MG, f"{FK} L 2810", on=OPEN, markers=(marker("13-a", real=False),))
    after, steps, showed = play_part(reveal_seen_markers, state, NoDice())
    assert showed
    assert not after.markers
    assert after.unit("13-mg").at is None
    assert text_of(steps) == "Seen by Germans in 2812: the MG marker of 13 A||a dummy|TA-1"


def test_ta_1_in_sight_the_mg_becomes_a_unit_beside_its_company() -> None:
    markers = (marker("13-a", real=True),)
    state = state_of("13 A 2812 moved3 acted", MG, f"{FK} 1 2810", on=OPEN, markers=markers)
    after, steps, showed = play_part(reveal_seen_markers, state, NoDice())
    gun = after.unit("13-mg")
    assert showed
    assert gun.at == hex_at("2812")
    assert (gun.moved, gun.acted, gun.fired, gun.side) == (3, True, False, BRITISH)
    assert "13 mg" in steps[0].verdict


def test_ta_1_hidden_mg_takes_no_room_in_its_hex() -> None:
    state = state_of("13 A 3305", "13 B 3305", "13 C 3306", markers=(marker("13-a"),))
    assert has_space_for(state, hex_at("3305"), "13", (state.units["13-c"],))


FULL = ("13 A 2812", "13 B 2812", "13 C 2812", MG)


def test_ta_1_mg_revealed_in_a_full_hex_stays_over_the_limit() -> None:
    state = state_of(*FULL, "13 D 2813", f"{FK} 1 2810", on=OPEN, markers=(marker("13-a", real=True),))
    after, _, _ = play_part(reveal_seen_markers, state, NoDice())
    stack = [after.units[key] for key in ("13-a", "13-b", "13-c", "13-mg")]
    assert {unit.at for unit in stack} == {hex_at("2812")}
    assert all(has_space_for(after, hex_at("2812"), "13", (unit,)) for unit in stack), "nobody is driven out"
    assert not has_space_for(after, hex_at("2812"), "13", (after.units["13-d"],)), "nobody else comes in"


def test_ta_1_revealed_mg_stays_in_the_hex_where_its_company_halts() -> None:
    """A marches 3011-2911 to join B and C; the MG is revealed in 2911, in sight of the Germans at 2909."""
    lines = ("13 A 3011", "13 B 2911 moved4", "13 C 2911 moved4", MG, f"{FK} 1 2909")
    hill = {"*": "open", "3010": "bush", "2910": "open", "3009": "bush"}
    goal = formation("13", entry=hex_at("2911"))
    state = state_of(*lines, on=hill, formations=(goal,), markers=(marker("13-a", real=True),))
    holding = state.with_unit(state.unit("17.fk-1").model_copy(update={"standing": FireOrder.HOLD}))
    ran = run(holding, Stage.MOVE)
    assert {ran.at(f"13-{key}") for key in ("a", "b", "c", "mg")} == {"2911"}
    assert "No room" not in ran.said


def test_ta_1_moving_mg_obeys_the_stacking_limit() -> None:
    state = state_of(*FULL, f"{FK} 1 2810", on=OPEN, markers=(marker("13-a", real=True),))
    after, _, _ = play_part(reveal_seen_markers, state, NoDice())
    moved = unit_after_entering(after, after.units["13-mg"], hex_at("2813"))
    back = after.with_unit(unit_after_entering(after, moved, hex_at("2812")))
    assert not has_space_for(back, hex_at("2812"), "13", (back.units["13-mg"],))


def overfull_stack(*lines: str, **fields: Any) -> TangaState:
    """Return companies A, B and C in 2812 with a revealed MG, over the stacking limit."""
    state = state_of("13 A 2812", "13 B 2812", "13 C 2812", "13 mg 2812", *lines, on=OPEN, **fields)
    return state.with_unit(state.units["13-mg"].model_copy(update={"turned_up": True}))


ALL = ("13-a", "13-b", "13-c", "13-mg")


def test_ta_1_an_over_full_stack_routs_in_two_parties() -> None:
    ran = run(overfull_stack(f"{FK} 1 2611", formations=(formation("13", collapsed=True),)), Stage.RETREAT)
    assert all(hex_at("2812").distance(hex_at(ran.at(key))) == 6 for key in ALL)
    require_sound(ran.state)


def test_ta_1_an_over_full_stack_that_loses_a_melee_retreats_in_two_parties() -> None:
    state = overfull_stack(f"{FK} 1 2711 cf9", f"{FK} 2 2711 cf9")
    after, _ = melee(state, hex_at("2711"), hex_at("2812"), dice(1, 1, 6, 6, 1))
    assert all(hex_at("2812").distance(after.units[key].at) == 3 for key in ALL)
    require_sound(after)


def test_ta_1_an_over_full_stack_advances_within_the_limit() -> None:
    state = overfull_stack(f"{FK} 1 2711")
    after, _ = melee(state, hex_at("2812"), hex_at("2711"), dice(3, 3, 6, 6, 6))
    assert [after.units[key].at for key in ALL] == [hex_at("2711"), hex_at("2711"), hex_at("2711"), hex_at("2812")]


def test_ta_1_mg_revealed_in_a_retreat_of_three_companies_stays() -> None:
    """Bush in 2711 hides the retreating units in 2812 from 2310, but not in 2813; their path leads to 2815."""
    lines = [f"13 {letter} 2812 disrupted" for letter in "ABC"]
    strait = {"*": "sea", "2310": "open", "2711": "bush"} | dict.fromkeys(("2812", "2813", "2814", "2815"), "open")
    state = state_of(*lines, MG, f"{FK} 1 2310", on=strait, markers=(marker("13-a", real=True),))
    ran = run(state, Stage.RETREAT)
    assert [ran.at(key) for key in ALL] == ["2815", "2815", "2815", "2813"]


def test_ta_1_mg_moved_by_the_umpire_is_not_revealed() -> None:
    state = state_of("13 A 2812", "13 mg 2812", on=OPEN)
    before = state.with_unit(state.units["13-mg"].model_copy(update={"turned_up": True}))
    after = settle_correction(
        before, before.with_unit(before.units["13-mg"].model_copy(update={"at": hex_at("2813")})), "13-mg"
    )
    assert not after.units["13-mg"].turned_up


def test_ta_1_only_germans_reveal_markers() -> None:
    state = state_of("13 A 2812", MG, "61 A 2810", on=OPEN, markers=(marker("13-a", real=True),))
    assert not play_part(reveal_seen_markers, state, NoDice())[2]
    assert play_part(reveal_seen_markers, state.with_unit(unit(f"{FK} 1 2710")), NoDice())[2]
    assert state.units["61-a"].side != GERMAN


# Unknown contents, drawn when revealed


def unknown_markers(*turned: str) -> TangaState:
    """Return four markers of the 13th with unknown contents; companies in `turned` are in a German's sight."""
    spots = {"A": "2812", "C": "2912", "E": "3012", "G": "3112"}
    sea = {"*": "sea"} | dict.fromkeys(spots.values(), "open")
    lines = [f"13 {letter} {place if letter in turned else 'off'}" for letter, place in spots.items()]
    markers = tuple(marker(f"13-{letter.lower()}") for letter in spots)
    return state_of(*lines, MG, f"{FK} 1 2811", on=sea | {"2811": "open"}, markers=markers)


@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 2))
def test_ta_1_exactly_one_of_four_unknown_markers_is_real(first: int, second: int, third: int) -> None:
    state = unknown_markers("A", "C", "E", "G")
    faces = (first, second, third)
    position = faces.index(1) if 1 in faces else len(faces)
    after, steps, _ = play_part(reveal_seen_markers, state, script := dice(*faces[: position + 1]))
    assert not script.left
    assert not after.markers
    assert after.unit("13-mg").at == hex_at(
        ("2812", "2912", "3012", "3112")[next((n for n, f in enumerate(faces) if f == 1), 3)]
    )
    assert text_of(steps).count("a dummy") == 3


def test_ta_1_last_unknown_marker_needs_no_throw() -> None:
    state = unknown_markers("A")
    with_marker = state.model_copy(update={"markers": {"13-a-marker": marker("13-a")}})
    after, _, _ = play_part(reveal_seen_markers, with_marker, NoDice())
    assert after.unit("13-mg").at == hex_at("2812")


def test_ta_1_unknown_beside_the_known_real_one_is_a_dummy() -> None:
    state = unknown_markers("A")
    markers = {**state.markers, "13-g-marker": marker("13-g", real=True)}
    after, _, _ = play_part(reveal_seen_markers, state.model_copy(update={"markers": markers}), NoDice())
    assert after.unit("13-mg").at is None


# Lost machine guns


@pytest.mark.parametrize("real", [True, False])
def test_ta_1_eliminated_company_loses_the_contents_of_its_marker(real: bool) -> None:
    state = state_of("13 A 2812 eliminated", MG, on=OPEN, markers=(marker("13-a", real=real),))
    after, steps = play_part(reveal_marker_of_eliminated_company, state, state.unit("13-a"), NoDice())
    assert not after.markers
    assert (after.unit("13-mg").condition is Condition.ELIMINATED) is real
    assert ("lost with it" if real else "a dummy") in text_of(steps)


def test_ta_1_company_without_a_marker_loses_no_gun() -> None:
    state = state_of("13 B 2812 eliminated", MG, on=OPEN)
    assert play_part(reveal_marker_of_eliminated_company, state, state.unit("13-b"), NoDice()) == (state, ())


def test_ta_1_gun_is_unknown_while_an_undrawn_marker_may_hide_it() -> None:
    def unknown_markers(gun: str, *real: bool | None) -> bool:
        markers = tuple(marker(f"13-{letter}", is_real) for letter, is_real in zip("ac", real, strict=True))
        return rulesets()["tanga"].lacks_hidden_facts(state_of("13 A 3010", "13 C 3011", gun, markers=markers))

    assert unknown_markers("13 mg off", None, None)
    assert unknown_markers("13 mg off", None, False)
    assert not unknown_markers("13 mg off", None, True)
    assert not unknown_markers("13 mg off", False, True)
    assert not unknown_markers("13 mg 3012", None, None)
    assert not unknown_markers("13 mg off eliminated", None, None)
    assert not rulesets()["tanga"].lacks_hidden_facts(state_of("13 A 3010", markers=(marker("13-a"),)))
