"""Tests of rallying (TA-H.8)."""

from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.refusal import Refused, passes_check
from rules.core.wording import sum_line
from rules.tanga.combat.losses import rally_factor as factor
from rules.tanga.combat.losses import rally_odds as odds
from rules.tanga.combat.losses import require_may_rally, throw_to_rally
from rules.tanga.model import BRITISH, GERMAN, Condition, TangaState

from .field import dice, hex_at, play_part, state_of, unit

OPEN = {"*": "open"}


def disrupted_unit(*others: str, formation: str = "13", **fields: object) -> TangaState:
    """Return a disrupted company (or German platoon 1) in its RO hex 3011."""
    word = "A" if formation == "13" else "1"
    values = {"ro": hex_at("3011"), "retreating": True, **fields}
    return state_of(unit(f"{formation} {word} 3011 disrupted", **values), *others, on=OPEN)


def refusal(state: TangaState) -> str:
    with pytest.raises(Refused) as refused:
        play_part(throw_to_rally, state, "13-a", NoDice())
    return str(refused.value)


@pytest.mark.parametrize(("faces", "rallies"), [((2, 2), True), ((2, 3), False)])
def test_ta_h_8_unit_without_a_leader_rallies_on_4(faces: tuple[int, int], rallies: bool) -> None:
    after, _ = play_part(throw_to_rally, disrupted_unit(), "13-a", dice(*faces))
    assert after.unit("13-a").is_in_good_order is rallies
    assert after.unit("13-a").tried_to_rally


@pytest.mark.parametrize(
    ("eb", "faces", "rallies"), [(0, (3, 3), True), (0, (3, 4), False), (1, (3, 4), True), (2, (4, 4), True)]
)
def test_ta_h_8_unit_with_a_leader_rallies_on_6_plus_eb(eb: int, faces: tuple[int, int], rallies: bool) -> None:
    after, _ = play_part(throw_to_rally, disrupted_unit(f"13 L 3011 eb{eb}"), "13-a", dice(*faces))
    assert after.unit("13-a").is_in_good_order is rallies


def test_ta_h_8_the_best_leader_counts_and_the_throw_is_shown() -> None:
    _, steps = play_part(throw_to_rally, disrupted_unit("13 L1 3011 eb1", "13 L2 3011 eb2"), "13-a", dice(6, 6))
    assert [sum_line(step) for step in steps] == [
        "6, +2 EB of 13 L2 (TA-H.8, house rule) = 8",
        "2D6 [6][6] = 12 against 8: still disrupted (72.2% to rally)",
    ]


def test_ta_h_8_a_leader_elsewhere_is_no_help() -> None:
    assert factor(disrupted_unit("13 L 3012"), "13-a").chance == Fraction(6, 36)


@given(st.one_of(st.none(), st.integers(0, 6)), st.sampled_from([BRITISH, GERMAN]))
def test_ta_h_8_chance_against_icepool_for_either_side(eb: int | None, side: str) -> None:
    formation = "13" if side == BRITISH else "17.FK"
    leader = () if eb is None else (f"{formation} L 3011 eb{eb}",)
    state = disrupted_unit(*leader, formation=formation)
    unit_id = next(iter(state.units))
    needed = 4 if eb is None else 6 + eb
    assert factor(state, unit_id).chance == (2 @ icepool.d6 <= needed).probability(True)
    rallies, stays = odds(state, unit_id).outcomes
    assert rallies.chance + stays.chance == 1
    assert (rallies.label, rallies.good, stays.good) == ("rallies", True, False)


def test_ta_h_8_rallied_unit_loses_ro_hex_and_retreat_marker() -> None:
    after, _ = play_part(throw_to_rally, disrupted_unit(), "13-a", dice(1, 1))
    rallied = after.unit("13-a")
    assert rallied.condition is Condition.GOOD
    assert rallied.ro is None
    assert not rallied.retreating
    failed, _ = play_part(throw_to_rally, disrupted_unit(), "13-a", dice(6, 6))
    assert failed.unit("13-a").ro == hex_at("3011")


def test_ta_h_8_unit_rallies_only_in_its_ro_hex() -> None:
    away = disrupted_unit(ro=hex_at("3012"))
    assert not passes_check(require_may_rally, away, away.unit("13-a"))
    assert "rallies in its RO hex alone. That is 3012." in refusal(away)
    assert "gets one when it begins to retreat" in refusal(disrupted_unit(ro=None))


def test_ta_h_8_only_disrupted_units_rally_once_a_turn() -> None:
    after, _ = play_part(throw_to_rally, disrupted_unit(), "13-a", dice(6, 6))
    assert not passes_check(require_may_rally, after, after.unit("13-a"))
    assert "has tried to rally this turn" in refusal(after)
    assert "is not disrupted" in refusal(state_of("13 A 3011", on=OPEN))
    assert passes_check(require_may_rally, disrupted_unit(), disrupted_unit().unit("13-a"))
