"""Tests of fire: range, sight, parts of the TCF, effects of hits (TA-4, TA-H.4, TA-H.5, worked example 4)."""

from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.hexboard.stacks import units_at
from rules.core.ruleset import Refused
from rules.core.wording import sum_line
from rules.tanga.combat.fire import VolleyPlan, explain_withheld_volley, plan_fire, volley_odds
from rules.tanga.combat.losses import apply_hits
from rules.tanga.field import hex_protection
from rules.tanga.model import BRITISH, GERMAN, Condition, TangaState
from rules.tanga.options import TangaOptions

from .field import dice, fire, formation, hex_at, marker, play_part, state_of, text_of

OPEN = {"*": "open"}
TOWN = {"*": "open", "2711": "european-town"}
FK = "17.FK"
HERE, THERE = hex_at("2811"), hex_at("2711")


def volley(state: TangaState, at: str = "2811", target: str = "2711") -> VolleyPlan:
    return plan_fire(state, units_at(state, hex_at(at)), hex_at(target))


def refusal(state: TangaState, target: str = "2711") -> str:
    with pytest.raises(Refused) as refused:
        fire(state, units_at(state, HERE), hex_at(target), NoDice())
    return refused.value.why


def after_fire(state: TangaState, *faces: int) -> tuple[TangaState, str]:
    after, steps = fire(state, units_at(state, HERE), THERE, dice(*faces))
    return after, "\n".join((*map(sum_line, steps), text_of(steps)))


# Worked example 4


def test_ta_4_no_fire_under_2() -> None:
    state = state_of("63 A 2811 cf4", f"{FK} 1 2711", on=TOWN, improved=(THERE,))
    reckoned = volley(state)
    assert reckoned.factor.total == 1
    assert reckoned.factor.chance == 0
    step = explain_withheld_volley(state, reckoned)
    assert step is not None
    assert step.cite.rule == "TA-4"
    assert step.verdict == "under 2, it does not fire"


def test_ta_4_a_second_company_makes_it_2_and_a_36th() -> None:
    state = state_of("63 A 2811 cf4", "63 B 2811 cf4", f"{FK} 1 2711", on=TOWN, improved=(THERE,))
    reckoned = volley(state)
    assert reckoned.factor.total == 2
    assert reckoned.factor.chance == Fraction(1, 36)
    assert explain_withheld_volley(state, reckoned) is None


def test_ta_4_germans_fire_at_any_tcf() -> None:
    state = state_of(f"{FK} 1 2811 cf2", "13 A 2711", on=TOWN)
    assert volley(state).factor.total == 0
    assert explain_withheld_volley(state, volley(state)) is None


# TA-4


def test_ta_4_a_machine_gun_is_the_firing_unit() -> None:
    state = state_of("13 A 2811 cf9", "13 mg 2811", f"{FK} 1 2711", on=OPEN)
    reckoned = volley(state)
    assert reckoned.shooter.id == "13-mg"
    assert [unit.id for unit in reckoned.support] == ["13-a"]


def test_ta_4_artillery_needs_sight_as_rifles_do() -> None:
    wall = {"*": "open", "2611": "bush"}
    state = state_of("IS art 2811", f"{FK} 1 2411", on=wall)
    assert "cannot see 2411" in refusal(state, "2411")


# TA-H.4


def test_ta_h_4_blocking_hex_between_stops_fire_and_end_hexes_do_not() -> None:
    between = {"*": "open", "2711": "bush"}
    state = state_of("13 A 2812", f"{FK} 1 2611", on=between)
    with pytest.raises(Refused, match="cannot see"):
        volley(state, "2812", "2611")
    ends = {"*": "open", "2812": "bush", "2611": "bush"}
    assert volley(state_of("13 A 2812", f"{FK} 1 2611", on=ends), "2812", "2611").factor.total == 4


# TA-H.5, range


@pytest.mark.parametrize(
    ("line", "reach"), [("13 A 2811", 3), ("13 A 2811 bp", 2), ("13 mg 2811", 4), ("IS art 2811", 10)]
)
def test_ta_h_5_range(line: str, reach: int) -> None:
    near, far = (f"{28 - columns}{11 - columns // 2:02}" for columns in (reach, reach + 1))
    fires = state_of(line, f"{FK} 1 {near}", f"{FK} 2 {far}", on=OPEN)
    assert HERE.distance(hex_at(near)) == reach
    assert volley(fires, target=near).factor.chance > 0
    assert f"{reach + 1} hexes away" in refusal(fires, far)
    assert f"up to {reach}" in refusal(fires, far)


# TA-H.5, TCF


def test_ta_h_5_support_of_two_more_at_most() -> None:
    options = TangaOptions(stack_limit=4)
    lines = [f"13 {letter} 2811" for letter in "ABCD"]
    state = state_of(*lines, f"{FK} 1 2711", on=OPEN, options=options)
    assert volley(state).factor.total == 7
    after, _ = after_fire(state, 6, 6)
    assert [after.unit(f"13-{letter}").fired for letter in "abcd"] == [True, True, True, False]


def test_ta_h_5_no_support_from_disrupted_fired_or_short_ranged_units() -> None:
    state = state_of("13 A 2811", "13 B 2811 disrupted", "13 C 2811 fired", f"{FK} 1 2711", on=OPEN)
    assert volley(state).support == ()
    far = state_of("IS art 2811", "IS hq 2811", f"{FK} 1 2411", on=OPEN)
    assert volley(far, target="2411").support == ()


def test_ta_h_5_leaders_and_stevedores_neither_fire_nor_support() -> None:
    state = state_of("IS hq 2811", "IS CO 2811", "IS stev 2811", f"{FK} 1 2711", on=OPEN)
    assert volley(state).factor.total == 4
    alone = state_of("IS CO 2811", "IS stev 2811", f"{FK} 1 2711", on=OPEN)
    assert "combat units in good order" in refusal(alone)


def test_ta_h_5_each_part_is_shown_with_its_rule() -> None:
    state = state_of("13 A 2811", "13 B 2811", f"{FK} 1 2711", on=TOWN, improved=(THERE,))
    reckoned = volley(state)
    assert sum_line(reckoned.factor.step) == (
        "5, +1 support of 13 B (TA-H.5, house rule), -2 European town (TA-H.2, house rule), "
        "-1 improved position (TA-H.2, house rule) = 3"
    )


@given(
    cf=st.integers(0, 20),
    friends=st.integers(0, 2),
    terrain=st.sampled_from(["open", "palms", "european-town"]),
    improved=st.booleans(),
)
def test_ta_h_5_the_sum_shown_is_the_sum_used(cf: int, friends: int, terrain: str, improved: bool) -> None:
    lines = [f"13 {letter} 2811 cf{cf}" for letter in "ABC"[: friends + 1]]
    ground = {"*": "open", "2711": terrain}
    state = state_of(*lines, f"{FK} 1 2711", on=ground, improved=(THERE,) if improved else ())
    reckoned = volley(state)
    assert reckoned.factor.total == cf + friends - hex_protection(state, THERE)
    assert (
        reckoned.factor.total
        == reckoned.factor.step.score
        == cf + sum(part.value for part in reckoned.factor.modifiers)
    )
    assert sum(chance for _, chance in reckoned.factor.distribution) == 1


# TA-H.5, the throw


def test_ta_h_5_a_hit_at_or_under_the_tcf_as_it_is_printed() -> None:
    state = state_of("13 A 2811 cf6", "13 B 2811", "13 C 2811", f"{FK} 1 2711", on=OPEN)
    after, text = after_fire(state, 3, 4)
    assert "2D6 [3][4] = 7 against TCF 8: hit (72.2% to hit)" in text
    assert after.unit("17.fk-1").condition is Condition.DISRUPTED


def test_ta_h_5_throw_over_the_tcf_misses() -> None:
    after, text = after_fire(state_of("13 A 2811", f"{FK} 1 2711", on=OPEN), 3, 3)
    assert "2D6 [3][3] = 6 against TCF 5: no hit (27.8% to hit)" in text
    assert after.unit("17.fk-1").is_in_good_order


def test_ta_h_5_a_natural_2_hits_twice() -> None:
    state = state_of("13 A 2811", f"{FK} 1 2711", f"{FK} 2 2711", on=OPEN)
    after, text = after_fire(state, 1, 1)
    assert "against TCF 5: 2 hits" in text
    assert after.unit("17.fk-1").is_disrupted
    assert after.unit("17.fk-2").is_disrupted


def test_ta_h_5_a_natural_2_hits_nothing_at_a_tcf_under_it() -> None:
    state = state_of(f"{FK} 1 2811 cf3", "13 A 2711", on=TOWN)
    after, _ = after_fire(state, 1, 1)
    assert volley(state).factor.chance == 0
    assert after.unit("13-a").is_in_good_order


@pytest.mark.parametrize("tcf", range(-1, 14))
def test_ta_h_5_chances_against_icepool(tcf: int) -> None:
    ground = {"*": "palms" if tcf < 0 else "open"}
    state = state_of(f"13 A 2811 cf{max(tcf, 0)}", f"{FK} 1 2711", on=ground)
    total = 2 @ icepool.d6
    hits = total.map(lambda fallen: 0 if fallen > tcf else 2 if fallen == 2 else 1)
    reckoning = volley(state)
    assert reckoning.factor.total == tcf
    assert reckoning.factor.distribution == tuple((number, hits.probability(number)) for number in range(3))
    odds_ = volley_odds(state, plan_fire(state, units_at(state, HERE), THERE))
    assert sum(outcome.chance for outcome in odds_.outcomes) == 1
    assert odds_.distribution == reckoning.factor.distribution
    assert reckoning.factor.chance == (total <= tcf).probability(True)


# TA-H.5, the unit hit


def test_ta_h_5_a_disrupted_unit_hit_again_is_eliminated() -> None:
    after, text = after_fire(state_of("13 A 2811", f"{FK} 1 2711 disrupted", on=OPEN), 2, 2)
    assert after.unit("17.fk-1").condition is Condition.ELIMINATED
    assert after.unit("17.fk-1").at is None
    assert "17.FK 1 in 2711||eliminated" in text


def test_ta_h_5_the_hit_falls_on_the_firing_unit_good_order_first() -> None:
    state = state_of(f"{FK} 1 2711", f"{FK} mg 2711 disrupted", f"{FK} 2 2711 cf6", f"{FK} L 2711", on=OPEN)
    after, _ = play_part(apply_hits, state, THERE, GERMAN, 1, NoDice())
    assert after.unit("17.fk-2").is_disrupted
    assert after.unit("17.fk-mg").is_disrupted
    assert after.unit("17.fk-1").is_in_good_order


def test_ta_h_5_surplus_hits_have_no_effect() -> None:
    after, _ = play_part(apply_hits, state_of(f"{FK} 1 2711", f"{FK} L 2711", on=OPEN), THERE, GERMAN, 5, NoDice())
    assert after.unit("17.fk-1").condition is Condition.ELIMINATED
    assert after.unit("17.fk-l").at == THERE


UNITS = st.tuples(st.sampled_from(["", " disrupted"]), st.integers(0, 9))


@given(st.lists(UNITS, min_size=1, max_size=3), st.integers(0, 7))
def test_ta_h_5_hits_never_restore_units_and_all_count(stack: list[tuple[str, int]], hits: int) -> None:
    lines = [f"13 {'ABC'[place]} 2711 cf{cf}{state}" for place, (state, cf) in enumerate(stack)]
    before = state_of(*lines, on=OPEN)
    after, _ = play_part(apply_hits, before, THERE, BRITISH, hits, NoDice())
    order = list(Condition)
    worse = [order.index(after.unit(key).condition) - order.index(unit.condition) for key, unit in before.units.items()]
    assert min(worse) >= 0
    assert sum(worse) == min(hits, sum(len(order) - 1 - order.index(unit.condition) for unit in before.units.values()))


# TA-H.5, once a turn


def test_ta_h_5_firing_unit_and_support_have_fired() -> None:
    state = state_of("13 A 2811", "13 B 2811", f"{FK} 1 2711", on=OPEN)
    after, _ = after_fire(state, 6, 6)
    assert all(after.unit(key).fired and after.unit(key).acted for key in ("13-a", "13-b"))
    assert "fired this turn already" in refusal(after)
    assert after.trails[-1].hexes == (HERE, THERE)
    assert not state.unit("13-a").fired


def test_ta_h_5_fire_at_an_empty_hex_is_refused() -> None:
    assert "no enemy combat unit" in refusal(state_of("13 A 2811", f"{FK} L 2711", on=OPEN))


# TA-8


def test_ta_8_artillery_needs_a_round_for_each_volley() -> None:
    state = state_of("IS art 2811 rounds1", f"{FK} 1 2711", on=OPEN)
    after, text = after_fire(state, 6, 6)
    assert after.unit("is-art").rounds == 0
    assert "rounds left||0" in text
    next_turn = after.with_unit(after.unit("is-art").model_copy(update={"fired": False}))
    assert "no rounds left" in refusal(next_turn)


# Effects of hits


def test_ta_h_9_a_hit_that_fills_the_break_number_collapses_the_formation() -> None:
    state = state_of("13 A 2811", f"{FK} 1 2711", on=OPEN, formations=(formation(FK, fbn=1),))
    after, text = after_fire(state, 2, 2)
    assert after.formation(FK).collapsed
    assert "FBL 1 of FBN 1||collapses" in text


def test_ta_1_eliminated_company_loses_the_contents_of_its_marker() -> None:
    lines = (f"{FK} 1 2811", "13 A 2711 disrupted", "13 mg off")
    state = state_of(*lines, on=OPEN, markers=(marker("13-a", real=True),))
    after, text = after_fire(state, 2, 2)
    assert after.unit("13-mg").condition is Condition.ELIMINATED
    assert not after.markers
    assert "13 mg, lost with it" in text
