"""Reaction to friends in retreat or rout (MM-5.10)."""

from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.magdala.fighting.contact import make_contact
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale
from rules.magdala.model import Test as Owes
from rules.magdala.morale.flight import make_unit_flee
from rules.magdala.morale.retreat import RETREAT, Retreat
from rules.magdala.morale.testing import REACTION, RULE, Reaction
from rules.magdala.morale.trials import REACTION_WORDS
from rules.magdala.stored_prompts import add_prompt, prompts_of
from rules.magdala.turn import TURN, TurnNext, prompts

from .field import BLUE, dice, field, play_part, text_of, unit


def reacting_units(fugitive: MagdalaUnit, *friends: MagdalaUnit, routs: bool = True) -> list[str]:
    """Return the units that owe a reaction test after `fugitive` flees."""
    state = field(fugitive, *friends, unit("zulus", "z", BLUE, at=(70, 2)))
    state, _ = play_part(make_unit_flee, state, fugitive.id, "", RULE, Morale.ROUTED if routs else Morale.RETREATING)
    return [prompt.unit for prompt in state.prompts if prompt.test is Owes.REACTION]


def state_with_reaction(of: MagdalaUnit, routing: bool = True, **fields: object) -> MagdalaState:
    return add_prompt(field(of, **fields), of.id, Owes.REACTION, by="x", routing=routing)


@pytest.mark.parametrize("routs", [True, False])
@pytest.mark.parametrize(("apart", "tests"), [(13.0, True), (14.9, False)])
def test_mm_5_10_friends_within_12_inches_react(apart: float, tests: bool, routs: bool) -> None:
    fugitive = unit("zulus", "f", at=(30, 10))
    assert reacting_units(fugitive, unit("zulus", at=(30, 10 + apart)), routs=routs) == (["a"] if tests else [])


@pytest.mark.parametrize(
    ("fugitive", "friend", "tests"),
    [
        ("zulus", "zulus", True),
        ("zulus", "mahdist-spears", False),
        ("sudanese-regulars", "egyptian-regulars", False),
        ("sudanese-regulars", "british-breechloaders", False),
        ("british-breechloaders", "sudanese-regulars", True),
        ("kommando", "zulus", True),
        ("zulus", "native-commander", False),
        ("wagon", "native-warband", False),
    ],
)
def test_mm_5_10_fellow_countrymen_or_any_friendly_europeans(fugitive: str, friend: str, tests: bool) -> None:
    assert reacting_units(unit(fugitive, "f", at=(30, 10)), unit(friend, at=(30, 15))) == (["a"] if tests else [])


@pytest.mark.parametrize("morale", [Morale.RETREATING, Morale.ROUTED, Morale.PURSUING])
def test_mm_5_10_unit_in_flight_or_pursuit_does_not_react(morale: Morale) -> None:
    assert reacting_units(unit("zulus", "f", at=(30, 10)), unit("zulus", at=(30, 15), morale=morale)) == []


def test_mm_5_10_the_enemy_is_not_shaken() -> None:
    assert reacting_units(unit("zulus", "f", at=(30, 10)), unit("zulus", side=BLUE, at=(30, 15))) == []


def test_mm_5_10_friends_along_the_way_react_once() -> None:
    fugitive, far = unit("zulus", "f", at=(30, 20)), unit("zulus", "n", at=(12, 5))
    near = unit("zulus", at=(30, 25))
    state, _ = play_part(make_unit_flee, field(fugitive, near, far), "f", "", RULE, Morale.ROUTED)
    assert [prompt.unit for prompt in state.prompts if prompt.test is Owes.REACTION] == ["a"]
    state, _ = REACTION.execute(state, Reaction(unit="a"), dice(6))
    state, _ = RETREAT.execute(state, Retreat(unit="f"), dice(6, 6))
    assert [prompt.unit for prompt in state.prompts if prompt.test is Owes.REACTION] == ["n"]


@pytest.mark.parametrize(
    ("of", "routing", "words", "adds"),
    [
        (unit("zulus"), False, (), 1),
        (unit("zulus"), True, (), 0),
        (unit("zulus"), False, ("routing",), 0),
        (unit("zulus"), True, ("retreating",), 1),
        (unit("british-breechloaders"), False, (), 2),
        (unit("foreign-legion"), False, (), 2),
        (unit("zulus"), False, ("engaged",), 0),
        (unit("zulus"), False, ("under fire",), 0),
        (unit("zulus", this_turn={"under_fire": True}), False, (), 0),
        (unit("zulus", this_turn={"under_fire": True}), False, ("not engaged",), 1),
        (unit("zulus"), False, ("general",), 2),
        (unit("egyptian-conscripts"), False, (), 0),
        (unit("zulus"), False, ("poor quality",), 0),
        (unit("zulus"), False, ("umpire -1",), 0),
    ],
)
def test_mm_5_10_adjustments(of: MagdalaUnit, routing: bool, words: tuple[str, ...], adds: int) -> None:
    _, report = REACTION.execute(state_with_reaction(of, routing), Reaction(unit="a", circumstances=words), dice(5))
    assert report.steps[0].score == 5 + adds


def test_mm_5_10_in_melee_is_engaged() -> None:
    state, _ = play_part(make_contact, field(unit("zulus"), unit("mahdist-spears", "b", BLUE)), "b", "a", 10)
    _, report = REACTION.execute(add_prompt(state, "a", Owes.REACTION), Reaction(unit="a"), dice(5))
    assert report.steps[0].score == 5


def test_mm_5_10_a_general_with_the_unit_adds_1() -> None:
    state = state_with_reaction(unit("zulus", general="g")).with_unit(unit("native-commander", "g"))
    _, report = REACTION.execute(state, Reaction(unit="a"), dice(5))
    assert report.steps[0].score == 6


@pytest.mark.parametrize(("face", "morale"), [(4, Morale.STEADY), (3, Morale.RETREATING)])
def test_mm_5_10_4_or_more_carries_on_less_retreats(face: int, morale: Morale) -> None:
    state, report = REACTION.execute(state_with_reaction(unit("zulus")), Reaction(unit="a"), dice(face))
    assert state.unit("a").morale is morale
    assert "against 4" in report.steps[0].needed
    assert [prompt.test for prompt in prompts_of(state, "a")] == ([] if face == 4 else [Owes.RETREAT])


def play_retreat_turn(state: MagdalaState, *faces: int) -> MagdalaState:
    """Return the state after a retreat move and the turns of both sides."""
    state, _ = RETREAT.execute(state, Retreat(unit="a"), dice(*faces))
    for _ in range(2):
        state, _ = TURN.execute(state, TurnNext(), NoDice())
    return state


def test_mm_5_10_retreating_unit_tests_again_and_may_rally() -> None:
    state, _ = REACTION.execute(state_with_reaction(unit("zulus", at=(36, 24))), Reaction(unit="a"), dice(3))
    state = play_retreat_turn(state, 1, 1)
    assert [prompt.test for prompt in prompts_of(state, "a")] == [Owes.REACTION]
    state, report = REACTION.execute(state, Reaction(unit="a"), dice(4))
    assert (state.unit("a").morale, state.unit("a").retreats_in_a_row) == (Morale.STEADY, 0)
    assert "rallied" in text_of(report)


def test_mm_5_10_two_retreats_in_a_row_are_a_rout() -> None:
    state, _ = REACTION.execute(state_with_reaction(unit("zulus", at=(36, 24))), Reaction(unit="a"), dice(3))
    state, _ = REACTION.execute(play_retreat_turn(state, 1, 1), Reaction(unit="a"), dice(1))
    assert state.unit("a").morale is Morale.ROUTED


def test_mm_5_10_unplaced_friends_are_listed_and_block_nothing() -> None:
    state, _ = play_part(
        make_unit_flee,
        field(unit("zulus", "f"), unit("zulus"), unit("mahdist-spears", "m")),
        "f",
        "",
        RULE,
        Morale.ROUTED,
    )
    item = next(item for item in prompts(state) if item.unit == "f" and not item.required)
    assert [dict(offer.args) for offer in item.offers] == [{"unit": "a", "by": "f"}]
    state, report = REACTION.execute(state, Reaction(unit="a", by="f"), dice(4))
    assert "friends are routing" in text_of(report)
    with pytest.raises(Refused, match="already reacted"):
        REACTION.execute(state, Reaction(unit="a", by="f"), NoDice())


def test_mm_5_10_reaction_without_a_cause_is_refused_with_advice() -> None:
    state = field(unit("zulus"), unit("zulus", "f"))
    with pytest.raises(Refused, match="“by”"):
        REACTION.execute(state, Reaction(unit="a"), NoDice())
    with pytest.raises(Refused, match="None is"):
        REACTION.execute(state, Reaction(unit="a", by="f"), NoDice())


def test_mm_5_10_the_umpire_may_call_for_one() -> None:
    action = Reaction(unit="a", circumstances=("umpire's call", "routing"))
    state, report = REACTION.execute(field(unit("zulus")), action, dice(4))
    assert report.steps[0].score == 4
    assert state.events == 2, "the test and the action are counted"


@given(
    of=st.sampled_from(["zulus", "british-breechloaders", "egyptian-conscripts"]),
    words=st.sets(st.sampled_from([word for word in REACTION_WORDS if word != "umpire's call"])),
    routing=st.booleans(),
)
def test_mm_5_10_chances_equal_icepool(of: str, words: set[str], routing: bool) -> None:
    state, action = state_with_reaction(unit(of), routing), Reaction(unit="a", circumstances=tuple(sorted(words)))
    reckoned = REACTION.odds_of(state, action)
    adds = sum((modifier.value for modifier in reckoned.steps[0].modifiers), Fraction(0))
    assert reckoned.outcomes[0].chance == (icepool.d6 + int(adds) >= 4).probability(True)
    assert sum(outcome.chance for outcome in reckoned.outcomes) == 1


def test_mm_5_10_retreat_cites_the_reaction_rule() -> None:
    _, steps = play_part(make_unit_flee, field(unit("zulus")), "a", "", RULE)
    assert steps[0].cite == Cite(rule="MM-5.10")
