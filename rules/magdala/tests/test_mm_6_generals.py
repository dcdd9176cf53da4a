"""Generals and native commanders: re-rolls and risk (MM-6)."""

from fractions import Fraction

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.magdala.model import Health, MagdalaState, Morale
from rules.magdala.model import Test as Owes
from rules.magdala.morale.effects import CasualtyCause, inflict_casualties
from rules.magdala.morale.generals import DECLINE, REROLL, RISK, DeclineOffer, GeneralRisk, Reroll
from rules.magdala.morale.testing import MORALE, REACTION, MoraleTest, Reaction
from rules.magdala.stored_prompts import add_prompt, prompts_of
from rules.magdala.turn import prompts

from .field import BLUE, dice, field, play_part, unit


def fail_test(leader: str = "general", circumstances: tuple[str, ...] = (), **fields: object) -> MagdalaState:
    """Return the state after a unit with a general failed its test under fire."""
    of = unit("sudanese-regulars", casualties=5, general="g")
    state = add_prompt(field(of, unit(leader, "g", **fields)), "a", Owes.UNDER_FIRE)
    return MORALE.execute(state, MoraleTest(unit="a", circumstances=circumstances), dice(1, 2))[0]


def test_mm_6_a_failed_test_waits_for_the_general_and_holds_up_the_turn() -> None:
    state = fail_test()
    assert state.unit("a").morale is Morale.STEADY
    item = prompts(state)[0]
    assert item.required
    assert [offer.kind for offer in item.offers] == ["reroll", "decline"]
    assert "G" in item.offers[0].label
    with pytest.raises(Refused, match="throw it again, or accept"):
        MORALE.execute(state, MoraleTest(unit="a"), NoDice())


@pytest.mark.parametrize("leader", ["general", "native-commander"])
def test_mm_6_generals_and_native_commanders_may_reroll_a_test(leader: str) -> None:
    state, _ = REROLL.execute(fail_test(leader), Reroll(unit="a"), dice(4, 2))
    assert (state.unit("a").morale, state.prompts) == (Morale.STEADY, ())


def test_mm_6_second_throw_is_final() -> None:
    state, _ = REROLL.execute(fail_test(), Reroll(unit="a"), dice(1, 1))
    assert state.unit("a").morale is Morale.HALTED
    with pytest.raises(Refused, match="no failed test"):
        REROLL.execute(state, Reroll(unit="a"), NoDice())


def test_mm_6_the_failure_may_be_accepted() -> None:
    state, _ = DECLINE.execute(fail_test(), DeclineOffer(unit="a"), NoDice())
    assert state.unit("a").morale is Morale.HALTED


def test_mm_6_reroll_uses_the_same_circumstances() -> None:
    state = fail_test(circumstances=("in square",))
    assert REROLL.odds_of(state, Reroll(unit="a")).outcomes[0].chance == Fraction(33, 36)


@pytest.mark.parametrize(
    ("leader", "fields"),
    [("general", {"health": Health.WOUNDED}), ("imam", {}), ("general", {"morale": Morale.OFF_TABLE})],
)
def test_mm_6_wounded_or_gone_generals_and_imams_give_no_reroll(leader: str, fields: dict[str, object]) -> None:
    assert fail_test(leader, **fields).unit("a").morale is Morale.HALTED


def test_mm_6_player_may_claim_a_general_missing_from_the_list() -> None:
    state = add_prompt(field(unit("sudanese-regulars", casualties=5)), "a", Owes.UNDER_FIRE)
    state, _ = MORALE.execute(state, MoraleTest(unit="a", circumstances=("general",)), dice(1, 2))
    assert state.prompts[0].failed


def test_mm_6_failed_reaction_test_may_be_rerolled() -> None:
    state = field(unit("zulus", general="g"), unit("native-commander", "g"))
    state, _ = REACTION.execute(add_prompt(state, "a", Owes.REACTION, routing=True), Reaction(unit="a"), dice(1))
    assert state.unit("a").morale is Morale.STEADY
    state, _ = REROLL.execute(state, Reroll(unit="a"), dice(5))
    assert (state.unit("a").morale, state.prompts) == (Morale.STEADY, ())


@pytest.mark.parametrize(
    ("hits", "how", "at_risk"),
    [(2, CasualtyCause.FIRE, False), (3, CasualtyCause.FIRE, True), (3, CasualtyCause.MELEE, True)],
)
def test_mm_6_more_than_2_hits_at_once_are_a_risk(hits: int, how: CasualtyCause, at_risk: bool) -> None:
    state = field(unit("zulus", general="g"), unit("native-commander", "g"))
    state, _ = play_part(inflict_casualties, state, "a", hits, "b", how)
    assert [prompt.test for prompt in prompts_of(state, "g")] == ([Owes.GENERAL_RISK] if at_risk else [])


def test_mm_6_two_fires_of_2_hits_are_no_risk() -> None:
    state = field(unit("zulus", general="g"), unit("native-commander", "g"))
    for _ in range(2):
        state, _ = play_part(inflict_casualties, state, "a", 2, "b", CasualtyCause.FIRE)
    assert prompts_of(state, "g") == ()


def state_with_risk() -> MagdalaState:
    return add_prompt(field(unit("zulus", general="g"), unit("native-commander", "g")), "g", Owes.GENERAL_RISK, by="b")


@pytest.mark.parametrize(
    ("faces", "health"),
    [((1, 1), Health.KILLED), ((1, 2), Health.WOUNDED), ((2, 2), Health.WELL), ((6, 6), Health.WELL)],
)
def test_mm_6_2_kills_him_3_wounds_him(faces: tuple[int, int], health: Health) -> None:
    state, _ = RISK.execute(state_with_risk(), GeneralRisk(unit="g"), dice(*faces))
    assert state.unit("g").health is health
    assert state.unit("g").on_table is (health is not Health.KILLED)
    assert state.unit("a").general == (None if health is Health.KILLED else "g")


def test_mm_6_the_odds_of_the_risk() -> None:
    outcomes = RISK.odds_of(state_with_risk(), GeneralRisk(unit="g")).outcomes
    assert [outcome.chance for outcome in outcomes] == [Fraction(1, 36), Fraction(2, 36), Fraction(33, 36)]


def test_mm_6_risk_without_danger_is_refused() -> None:
    with pytest.raises(Refused, match="not been in danger"):
        RISK.execute(field(unit("native-commander", "g")), GeneralRisk(unit="g"), NoDice())


def test_mm_6_only_an_offered_reroll_can_be_declined() -> None:
    with pytest.raises(Refused, match="offered nothing"):
        DECLINE.execute(field(unit("zulus", side=BLUE)), DeclineOffer(unit="a"), NoDice())


def test_mm_6_failure_must_be_accepted_after_the_general_falls() -> None:
    state = fail_test()
    fallen = state.with_unit(state.unit("g").model_copy(update={"health": Health.WOUNDED}))
    assert [offer.kind for offer in prompts(fallen)[0].offers] == ["decline"]
    with pytest.raises(Refused, match="accept the failure"):
        REROLL.execute(fallen, Reroll(unit="a"), NoDice())


def test_mm_6_a_leader_whose_figure_falls_is_killed_and_wagons_owe_no_test() -> None:
    state, _ = play_part(inflict_casualties, field(unit("imam")), "a", 1, None, CasualtyCause.MELEE)
    assert (state.unit("a").health, state.unit("a").morale) == (Health.KILLED, Morale.OFF_TABLE)
    state, _ = play_part(inflict_casualties, field(unit("wagon", figures=4)), "a", 2, None, CasualtyCause.FIRE)
    assert state.prompts == ()
