"""Generals claimed to be present, generals at risk, and secret rerolls (MM-6)."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.ruleset import Refused
from rules.magdala.model import Health, MagdalaState, MagdalaUnit, Morale
from rules.magdala.model import Test as Owes
from rules.magdala.morale.effects import CasualtyCause, inflict_casualties
from rules.magdala.morale.generals import DECLINE, REROLL, RISK, DeclineOffer, GeneralRisk, Reroll
from rules.magdala.morale.retreat import PURSUIT, Pursuit
from rules.magdala.morale.testing import MORALE, REACTION, MoraleTest, Reaction
from rules.magdala.ruleset import Magdala
from rules.magdala.stored_prompts import add_prompt
from rules.magdala.turn import prompts

from .field import BLUE, RED, dice, field, play_part, unit

SAID = ("general",)
UMPIRES = ("umpire's call", "fourth round lost")


def state_with_test(*others: MagdalaUnit, **fields: object) -> MagdalaState:
    return add_prompt(field(unit("sudanese-regulars", casualties=8, **fields), *others), "a", Owes.UNDER_FIRE)


@pytest.mark.parametrize(
    ("general", "with_it", "reason"),
    [
        (unit("general", "g"), None, "G (elsewhere)"),
        (unit("general", "g", health=Health.WOUNDED), "g", "G (wounded)"),
        (unit("general", "g", health=Health.KILLED, morale=Morale.OFF_TABLE), None, "G (killed)"),
        (unit("general", "g", morale=Morale.OFF_TABLE), None, "G (off table)"),
    ],
)
def test_mm_6_listed_general_is_where_the_table_shows_him(
    general: MagdalaUnit, with_it: str | None, reason: str
) -> None:
    state = state_with_test(general, general=with_it)
    for act in (
        lambda: MORALE.execute(state, MoraleTest(unit="a", circumstances=SAID), NoDice()),
        lambda: MORALE.odds_of(state, MoraleTest(unit="a", circumstances=SAID)),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert reason in refused.value.why


@pytest.mark.parametrize("test", [Owes.REACTION, Owes.PURSUIT])
def test_mm_6_claim_of_a_distant_general_is_refused_in_reaction_and_pursuit(test: Owes) -> None:
    state = add_prompt(field(unit("mahdist-spears"), unit("native-commander", "g")), "a", test)
    act, order = (REACTION.execute, Reaction) if test is Owes.REACTION else (PURSUIT.execute, Pursuit)
    with pytest.raises(Refused, match="elsewhere"):
        act(state, order(unit="a", circumstances=SAID), NoDice())


@pytest.mark.parametrize("others", [(), (unit("imam", "i"),), (unit("general", "e", BLUE),)])
def test_mm_6_side_without_a_listed_general_may_claim_one(others: tuple[MagdalaUnit, ...]) -> None:
    state, _ = MORALE.execute(state_with_test(*others), MoraleTest(unit="a", circumstances=SAID), dice(1, 1))
    assert state.prompts[0].failed
    assert REROLL.execute(state, Reroll(unit="a"), dice(6, 6))[0].prompts == ()


def test_mm_6_present_general_may_be_claimed() -> None:
    state, _ = MORALE.execute(
        state_with_test(unit("general", "g"), general="g"), MoraleTest(unit="a", circumstances=SAID), dice(1, 1)
    )
    assert state.prompts[0].failed


def state_with_risk() -> MagdalaState:
    """Return a state in which fire endangered a general, and his unit failed its test."""
    state, _ = play_part(
        inflict_casualties,
        field(unit("sudanese-regulars", general="g"), unit("general", "g")),
        "a",
        5,
        "b",
        CasualtyCause.FIRE,
    )
    return MORALE.execute(state, MoraleTest(unit="a"), dice(1, 1))[0]


def test_mm_6_generals_risk_comes_before_his_reroll() -> None:
    state = state_with_risk()
    assert [offer.kind for item in prompts(state) for offer in item.offers] == ["risk", "decline"]
    with pytest.raises(Refused, match="risk first"):
        REROLL.execute(state, Reroll(unit="a"), NoDice())
    unhurt, _ = RISK.execute(state, GeneralRisk(unit="g"), dice(6, 6))
    assert REROLL.execute(unhurt, Reroll(unit="a"), dice(6, 6))[0].prompts == ()
    killed, _ = RISK.execute(state, GeneralRisk(unit="g"), dice(1, 1))
    assert [offer.kind for item in prompts(killed) for offer in item.offers] == ["decline"]


def fail_secret_test() -> MagdalaState:
    state = state_with_test(unit("general", "g"), general="g")
    return MORALE.execute(state, MoraleTest(unit="a", secret=True), dice(1, 1))[0]


def test_mm_6_secret_test_is_rerolled_in_secret() -> None:
    _, report = REROLL.execute(fail_secret_test(), Reroll(unit="a", secret=True), dice(6, 6))
    assert [report.view_for(viewer) is None for viewer in (RED, UMPIRE, BLUE, PUBLIC)] == [False, False, True, True]
    with pytest.raises(Refused, match="in secret too"):
        REROLL.execute(fail_secret_test(), Reroll(unit="a"), NoDice())


def test_mm_6_failure_of_a_secret_test_is_accepted_in_secret() -> None:
    _, report = DECLINE.execute(fail_secret_test(), DeclineOffer(unit="a", secret=True), NoDice())
    assert report.view_for(BLUE) is None
    with pytest.raises(Refused, match="in secret too"):
        DECLINE.execute(fail_secret_test(), DeclineOffer(unit="a"), NoDice())


def test_mm_6_an_open_test_is_not_settled_in_secret() -> None:
    state = MORALE.execute(state_with_test(unit("general", "g"), general="g"), MoraleTest(unit="a"), dice(1, 1))[0]
    with pytest.raises(Refused, match="Everyone saw that test"):
        REROLL.execute(state, Reroll(unit="a", secret=True), NoDice())
    with pytest.raises(Refused, match="Everyone saw that test"):
        DECLINE.execute(state, DeclineOffer(unit="a", secret=True), NoDice())


def test_mm_6_prompts_do_not_reveal_a_failed_secret_test() -> None:
    rules, state = Magdala(), fail_secret_test()
    (item,) = prompts(state)
    assert "fail" not in item.text
    for offer in item.offers:
        order = rules.parse(offer.kind, dict(offer.args))
        assert order.secret
        assert rules.act(state, order, dice(6, 6))


def test_mm_6_open_test_is_rerolled_openly() -> None:
    state = state_with_test(unit("general", "g"), general="g")
    state, _ = MORALE.execute(state, MoraleTest(unit="a"), dice(1, 1))
    assert "failed" in prompts(state)[0].text
    assert REROLL.execute(state, Reroll(unit="a"), dice(6, 6))[1].view_for(PUBLIC) is not None


def test_mm_6_odds_and_view_hide_secret_circumstances() -> None:
    circumstances, rules = ("umpire -1", *UMPIRES), Magdala()
    state = field(unit("sudanese-regulars", general="g"), unit("general", "g"), unit("mahdist-spears", "b", BLUE))
    state = MORALE.execute(state, MoraleTest(unit="a", circumstances=circumstances, secret=True), dice(1, 1))[0]
    for viewer, knows in ((UMPIRE, True), (RED, True), (BLUE, False), (PUBLIC, False)):
        view = rules.view(state, viewer)
        assert bool(view.prompts[0].circumstances) is knows
        assert (rules.odds(view, Reroll(unit="a")).view_for(viewer) is not None) is knows
