"""Tests of German opportunity fire by standing order (TA-H.6)."""

import pytest

from rules.core.dice import NoDice
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex
from rules.core.ruleset import Refused
from rules.core.standing_answers import StandingAnswer, StandingReply, decide_by_answers
from rules.tanga.automaton import marching
from rules.tanga.automaton.attacking import apply_answer
from rules.tanga.combat.fire import describe_shot, opportunity_shots, units_asked_about
from rules.tanga.model import GERMAN, FireOrder, TangaState
from rules.tanga.options import Resolution, TangaOptions
from rules.tanga.progress import BritishTurn, March
from rules.tanga.questions import OPPORTUNITY, ask_about_opportunity_fire, question_prompts
from rules.tanga.ruleset import Tanga

from .acting import with_british_turn
from .field import dice, fire, hex_at, hex_labels, hexes, play_part, state_of, unit

OPEN = {"*": "open"}
FK = "17.FK"
WAY = "3011 2911"
"""Path of a 13th stack that just entered 2911."""


def entering(*lines: object, way: str = WAY, on: object = None, **fields: object) -> tuple[TangaState, March]:
    state = state_of(f"13 A {way.split()[-1]}", *lines, on=on or OPEN, **fields)
    return state, March(units=("13-a",), goal=hex_at("2511"), left=2, way=hexes(way))


def firers(state: TangaState, march: March) -> tuple[Hex, ...]:
    """Return the hexes of Germans that fire, or ask to fire, at the march's present hex, sorted by number."""
    return tuple(dict.fromkeys(unit_hex(shot.shooter) for shot in opportunity_shots(state, march)))


def german(line: str, order: FireOrder, within: int = 2) -> object:
    return unit(f"{FK} {line}", standing=order, fires_within=within)


def test_ta_h_6_within_2_hexes_by_default() -> None:
    state, march = entering(f"{FK} 1 2711", f"{FK} 2 2611")
    assert hex_labels(firers(state, march)) == "2711"
    (volley,) = opportunity_shots(state, march)
    assert not play_part(ask_about_opportunity_fire, state, volley, dice())[0].british.asked
    assert volley.factor.total == 5
    assert volley.aimed_at.id == "13-a"


@pytest.mark.parametrize(("within", "fires"), [(1, False), (2, False), (3, True), (4, True)])
def test_ta_h_6_within_as_many_hexes_as_ordered(within: int, fires: bool) -> None:
    state, march = entering(german("1 2611", FireOrder.WITHIN, within))
    assert bool(firers(state, march)) is fires


def test_ta_h_6_no_farther_than_the_range_reaches() -> None:
    state, march = entering(unit(f"{FK} 1 2611 bp within9"), unit(f"{FK} mg 2512 within9"))
    assert hex_labels(firers(state, march)) == "2512"


def test_ta_h_6_hold_does_not_fire() -> None:
    state, march = entering(german("1 2711", FireOrder.HOLD))
    assert opportunity_shots(state, march) == ()


def test_ta_h_6_ask_is_asked_with_buttons_by_a_key_that_stays() -> None:
    state, march = entering(german("1 2611", FireOrder.ASK), british=BritishTurn(count=4), turn=3)
    (volley,) = opportunity_shots(state, march)
    question = play_part(ask_about_opportunity_fire, state, volley, dice())[0].british.asked
    assert question.key == "opportunity-3-4"
    assert question.answers == (("fire", "Fire"), ("hold", "Hold fire"))
    assert question.text == "17.FK 1 in 2611 may fire at 13 A in 2911: TCF 5, 27.8% to hit."
    assert (question.side, question.unit, question.at) == ("german", "17.fk-1", hex_at("2911"))
    assert play_part(ask_about_opportunity_fire, state, volley, dice())[0].british.asked == question


def test_ta_h_6_a_player_may_answer_beforehand_for_units_that_ask() -> None:
    state, march = entering(german("1 2611", FireOrder.ASK))
    (volley,) = opportunity_shots(state, march)
    state = play_part(ask_about_opportunity_fire, state, volley, dice())[0]
    (prompt,) = question_prompts(state)

    def word(reply: StandingReply) -> object:
        standing_answer = StandingAnswer(occasion=OPPORTUNITY, reply=reply)
        decision = decide_by_answers(Tanga(), state, GERMAN, prompt, lambda _: standing_answer)
        return decision and getattr(decision.action, "word", None)

    assert (word(StandingReply.YES), word(StandingReply.NO), word(StandingReply.ASK)) == ("fire", "hold", None)


def test_ta_h_6_units_that_fire_automatically_come_before_those_that_ask() -> None:
    state, march = entering(german("1 2711", FireOrder.ASK), german("2 2711", FireOrder.WITHIN), f"{FK} 3 2810")
    volleys = [
        ([unit.id for unit in volley.units], volley.shooter.standing) for volley in opportunity_shots(state, march)
    ]
    within, asks = FireOrder.WITHIN, FireOrder.ASK
    assert volleys == [(["17.fk-2"], within), (["17.fk-1"], asks), (["17.fk-3"], within)]


def test_ta_h_6_in_order_of_hex_number() -> None:
    state, march = entering(f"{FK} 1 3010", f"{FK} 2 2711", f"{FK} 3 2810")
    assert [hex_.label for hex_ in firers(state, march)] == ["2711", "2810", "3010"]


def test_ta_h_6_opportunity_fire_is_the_only_fire_of_the_turn() -> None:
    state, march = entering(f"{FK} 1 2711", f"{FK} 2 2711")
    (volley,) = opportunity_shots(state, march)
    after, _ = fire(state, volley.units, march.way[-1], dice(6, 6))
    assert opportunity_shots(after, march) == ()
    with pytest.raises(Refused, match="fired this turn already"):
        fire(after, (after.unit("17.fk-1"),), march.way[-1], NoDice())


def test_ta_h_6_only_in_good_order() -> None:
    assert firers(*entering(f"{FK} 1 2711 disrupted", f"{FK} 2 2810 fired")) == ()


def test_ta_h_6_only_in_sight() -> None:
    assert firers(*entering(f"{FK} 1 2711", on={"*": "open", "2811": "bush", "2812": "bush"})) == ()


def test_ta_h_6_only_with_a_chance_to_hit() -> None:
    cover = {"*": "open", "2911": "european-town"}
    assert firers(*entering(f"{FK} 1 2711 cf3", on=cover)) == ()
    assert hex_labels(firers(*entering(f"{FK} 1 2711 cf4", on=cover))) == "2711"


def test_ta_h_6_no_second_fire_in_a_settled_hex() -> None:
    asks = german("1 2711", FireOrder.ASK)
    assert opportunity_shots(*entering(asks, british=BritishTurn(offered=("17.fk-1",)))) == ()


def test_ta_h_6_no_fire_at_a_stack_that_has_entered_no_hex() -> None:
    assert firers(*entering(f"{FK} 1 2711", way="2911")) == ()


def test_ta_h_6_no_fire_at_lone_leaders() -> None:
    state = state_of("13 L 2911", f"{FK} 1 2711", on=OPEN)
    assert firers(state, March(units=("13-l",), goal=hex_at("2511"), left=2, way=hexes(WAY))) == ()


def test_ta_h_6_only_entering_units_are_fired_at() -> None:
    """B, with the best CF, was already in 2911 when A came; two hits eliminate A and spare B."""
    state, march = entering("13 B 2911 cf9", f"{FK} 1 2711")
    (volley,) = opportunity_shots(state, march)
    assert volley.aimed_at.id == "13-a"
    after = play_part(marching.resolve_opportunity_fire, state, volley, dice(1, 1))[0]
    assert not after.unit("13-a").on_map
    assert after.unit("13-b").is_in_good_order
    assert "may fire at 13 A in 2911" in describe_shot(state, volley)


def test_ta_h_6_own_box_hits_only_entering_units() -> None:
    own = TangaOptions(resolution=Resolution.OWN)
    state, march = entering("13 B 2911 cf9", f"{FK} 1 2711", options=own)
    with_question = play_part(
        marching.advance_march, with_british_turn(state, march=march, formation="13"), march, None, dice()
    )[0]
    after = play_part(apply_answer, with_question, "twice", dice())[0]
    assert not after.unit("13-a").on_map
    assert after.unit("13-b").is_in_good_order


def test_ta_h_6_joining_leader_draws_no_fire() -> None:
    state = state_of("13 L 2911", "13 B 2911", f"{FK} 1 2711", on=OPEN)
    assert firers(state, March(units=("13-l",), goal=hex_at("2511"), left=2, way=hexes(WAY))) == ()


def test_ta_h_6_asked_unit_fires_after_a_change_of_its_standing_order() -> None:
    state, march = entering(german("1 2711", FireOrder.ASK), german("2 2711", FireOrder.ASK))
    assert [unit.id for unit in units_asked_about(state, march, "17.fk-1")] == ["17.fk-1", "17.fk-2"]
    changed = state.with_unit(state.unit("17.fk-1").model_copy(update={"standing": FireOrder.HOLD}))
    assert [unit.id for unit in units_asked_about(changed, march, "17.fk-1")] == ["17.fk-1"]
