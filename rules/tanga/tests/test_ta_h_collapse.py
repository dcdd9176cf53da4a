"""Tests of collapse and recovery of formations (TA-7, TA-H.9, worked example 5)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.core.wording import sum_line
from rules.tanga.combat.losses import collapse_broken_formations, recovery_factor, try_recovery
from rules.tanga.field import count_losses
from rules.tanga.model import TangaState

from .field import dice, formation, hex_at, play_part, state_of, text_of, unit

OPEN = {"*": "open"}
FK = "17.FK"


def collapsed_formation(lost: int, *lines: object, fbn: int = 5, name: str = "13", **fields: object) -> TangaState:
    """Return a collapsed formation of eight companies (or three platoons), `lost` of them disrupted."""
    words = "ABCDEFGH" if name == "13" else "123"
    units = [f"{name} {word} 30{10 + row}{' disrupted' if row < lost else ''}" for row, word in enumerate(words)]
    return state_of(*units, *lines, on=OPEN, formations=(formation(name, fbn=fbn, collapsed=True),), **fields)


# Worked example 5


@pytest.mark.parametrize(("face", "recovers"), [(1, True), (2, True), (3, False), (6, False)])
def test_ta_7_example_5_fbn_5_fbl_3_recovers_on_2_or_less(face: int, recovers: bool) -> None:
    state = collapsed_formation(3)
    after, steps = play_part(try_recovery, state, "13", dice(face))
    assert after.formation("13").collapsed is not recovers
    verdict = "recovers" if recovers else "still routs"
    assert sum_line(steps[0]) == "5, -3 FBL (TA-7) = 2"
    assert sum_line(steps[1]) == f"D6 [{face}] = {face} against 2: {verdict} (33.3% to recover)"
    assert str(steps[0].cite) == "TA-7"


def test_ta_7_example_5_fbn_5_fbl_5_cannot_recover() -> None:
    after, steps = play_part(try_recovery, collapsed_formation(5), "13", NoDice())
    assert after.formation("13").collapsed
    assert sum_line(steps[0]) == "5, -5 FBL (TA-7) = 0: it cannot recover, so nothing is thrown"


def test_ta_7_a_difference_of_6_or_more_cannot_fail() -> None:
    after, steps = play_part(try_recovery, collapsed_formation(1, fbn=7), "13", NoDice())
    assert not after.formation("13").collapsed
    assert "recovers automatically" in text_of(steps)


@given(st.integers(1, 14), st.integers(0, 8))
def test_ta_7_chance_is_that_of_a_d6(fbn: int, lost: int) -> None:
    state = collapsed_formation(lost, fbn=fbn)
    factor = recovery_factor(state, state.formation("13"))
    assert factor.total == fbn - lost
    assert factor.chance == Fraction(sum(face <= fbn - lost for face in range(1, 7)), 6)


def test_ta_7_the_same_for_a_german_company_as_a_house_rule() -> None:
    after, steps = play_part(try_recovery, collapsed_formation(2, fbn=3, name=FK), FK, dice(1))
    assert not after.formation(FK).collapsed
    assert str(steps[0].cite) == "TA-7, house rule"


def test_ta_7_only_collapsed_formations_recover() -> None:
    with pytest.raises(Refused, match="has not collapsed"):
        play_part(try_recovery, state_of("13 A 3010", on=OPEN), "13", NoDice())


def test_ta_7_only_disrupted_units_keep_their_ro_hex_after_recovery() -> None:
    fields = {"ro": hex_at("3515"), "retreating": True}
    units = (unit("13 A 3010", **fields), unit("13 B 3011 disrupted", **fields))
    state = state_of(*units, on=OPEN, formations=(formation("13", collapsed=True),))
    after, _ = play_part(try_recovery, state, "13", dice(1))
    assert after.unit("13-a").ro is None
    assert not after.unit("13-a").retreating
    assert after.unit("13-b").ro == hex_at("3515")


def test_ta_1_recovered_formation_gets_its_markers_again() -> None:
    after, steps = play_part(try_recovery, collapsed_formation(3, "13 mg 3018"), "13", dice(2, 4))
    assert sorted(marker.company for marker in after.markers.values()) == ["13-d", "13-e", "13-f", "13-g"]
    assert [marker.company for marker in after.markers.values() if marker.real] == ["13-g"]
    assert after.unit("13-mg").at is None
    hidden = [step for step in steps if step.only_for == frozenset({UMPIRE})]
    assert len(hidden) == 1


# TA-H.9


def test_ta_h_9_losses_are_combat_units_disrupted_or_eliminated() -> None:
    state = state_of(
        "13 A 3010 disrupted",
        "13 B 3010 eliminated",
        "13 C 3010",
        "13 mg 3010 disrupted",
        "13 L 3010 eliminated",
        on=OPEN,
    )
    assert count_losses(state, "13") == 3


def test_ta_h_9_a_staffs_hq_and_stevedores_do_not_count() -> None:
    state = state_of("IS hq 3010 disrupted", "IS art 3010 disrupted", "IS stev 3010 eliminated", on=OPEN)
    assert count_losses(state, "IS") == 1


@pytest.mark.parametrize(("name", "words"), [("13", "AB"), (FK, "12")])
def test_ta_h_9_collapse_at_fbl_equal_to_fbn_is_told_once(name: str, words: str) -> None:
    units = [f"{name} {word} 3010 disrupted" for word in words]
    state = state_of(*units, on=OPEN, formations=(formation(name, fbn=2),))
    after, steps = play_part(collapse_broken_formations, state)
    assert after.formation(name).collapsed
    assert text_of(steps) == f"{name}: FBL 2 of FBN 2||collapses, all its units rout|TA-H.9, house rule"
    assert play_part(collapse_broken_formations, after) == (after, ())
    steady = state_of(*units, on=OPEN, formations=(formation(name, fbn=3),))
    assert play_part(collapse_broken_formations, steady) == (steady, ())


def test_ta_7_the_entry_marker_goes_and_a_rout_begins() -> None:
    first = unit("13 A 3010 disrupted", ro=hex_at("3313"), retreating=True)
    entry = formation("13", fbn=1, entry=hex_at("2411"), entered=True)
    after, steps = play_part(collapse_broken_formations, state_of(first, "13 B 3010", on=OPEN, formations=(entry,)))
    assert after.formation("13").entry is None
    assert not after.formation("13").entered
    assert after.unit("13-a").ro is None
    assert "its entry marker on 2411||removed|TA-7" in text_of(steps)
