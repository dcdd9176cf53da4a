"""The life of an action: refusals use the view of its side, and results use the true state."""

from fractions import Fraction

import pytest

from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.play import Play
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.tests.scripted import ScriptedDice
from rules.core.throws import Volley, chance_of_at_least, dice_sum_distribution

from .ambush import RULE, Ambush, March, MarchType, Road, Rush, RushType

SYSTEM = Ambush()


def road() -> Road:
    return SYSTEM.setup("road", {}, NoDice())


def test_unhindered_action_is_done() -> None:
    after, report = SYSTEM.act(road(), March(unit="convoy", miles=2), NoDice())
    assert after.units["convoy"].mile == 2
    assert (report.headline, report.side) == ("The convoy marches to mile 2.", "red")
    assert not report.showed_hidden


def test_visible_obstacle_refuses_before_dice_and_names_nothing_hidden() -> None:
    with pytest.raises(Refused, match="The scouts stands at mile 8") as refused:
        SYSTEM.act(road(), March(unit="convoy", miles=9), NoDice())
    assert "band" not in str(refused.value)


def test_hidden_unit_surprises_instead_of_refusing() -> None:
    after, report = SYSTEM.act(road(), March(unit="convoy", miles=5), ScriptedDice([4]))
    assert after.units["convoy"].mile == 3
    assert after.units["convoy"].shaken
    assert not after.units["band"].hidden
    assert report.showed_hidden
    assert [step.verdict for step in report.steps] == ["shaken"]


def put_at_mile(mile: int, *columns: str) -> Road:
    """Return the road with the columns at `mile`."""
    moved = {
        key: column.model_copy(update={"mile": mile}) if key in columns else column
        for key, column in road().units.items()
    }
    return road().model_copy(update={"units": moved})


@pytest.mark.parametrize(("viewer", "miles"), [("red", {1, 2}), (UMPIRE, {1})])
def test_side_is_offered_actions_of_its_view_and_umpire_of_the_truth(viewer: str, miles: set[int]) -> None:
    view = SYSTEM.view(put_at_mile(1, "convoy"), viewer)
    assert {action.miles for action in SYSTEM.legal_actions(view, "red") if isinstance(action, March)} == miles


def test_button_names_unit_action_and_the_chance_of_odds() -> None:
    state = put_at_mile(3, "convoy", "scouts")
    rush = Rush(unit="scouts", target="convoy")
    offer = RushType().offer(state, rush, "key")
    assert (offer.label, offer.args, offer.side) == (
        "The scouts: rush The convoy, 50.0%",
        {"unit": "scouts", "target": "convoy"},
        "blue",
    )
    assert SYSTEM.odds(state, rush).outcomes[0].chance == Fraction(1, 2)


def test_only_plannable_actions_have_buttons() -> None:
    rushes = (Rush(unit="scouts", target="convoy"), Rush(unit="convoy", target="scouts"))
    offers = RushType().offers(put_at_mile(3, "convoy", "scouts"), rushes, "key")
    assert [offer.args["unit"] for offer in offers] == ["scouts", "convoy"]
    assert offers[0] == RushType().offer(put_at_mile(3, "convoy", "scouts"), rushes[0], "key")
    assert RushType().offers(put_at_mile(3, "convoy"), rushes, "key") == ()


def test_odds_may_suppose_an_action_that_is_not_due() -> None:
    rush = Rush(unit="scouts", target="convoy")
    with pytest.raises(Refused):
        SYSTEM.act(road(), rush, NoDice())
    assert sum(outcome.chance for outcome in SYSTEM.odds(road(), rush).outcomes) == 1


def test_an_action_without_dice_has_no_odds() -> None:
    assert not MarchType().has_odds
    assert SYSTEM.kinds_with_odds == ("rush",)
    with pytest.raises(Refused, match="no odds for march"):
        SYSTEM.odds(road(), March(unit="convoy", miles=1))


def test_a_play_leaves_the_state_it_began_with_alone() -> None:
    state = road()
    play = Play(state, NoDice(), "red")
    play.change("convoy", mile=5)
    play.set(turn=2)
    assert (state.units["convoy"].mile, state.turn) == (0, 1)
    assert (play.state.units["convoy"].mile, play.state.turn) == (5, 2)
    assert play.before is state


def test_summary_line_stands_before_later_lines() -> None:
    play = Play(road(), NoDice(), "red")
    one, two, sum_of_both = (Step(text=text, cite=RULE) for text in ("one", "two", "both"))
    play.say(one)
    place = play.step_count
    play.say(two)
    play.insert_steps(place, sum_of_both)
    assert [step.text for step in play.report.steps] == ["one", "both", "two"]


def test_throws_belong_to_the_side_that_acts_unless_another_is_named() -> None:
    play = Play(road(), ScriptedDice([1, 2]), "red")
    assert play.throw(1, 6, "march").side == "red"
    assert play.throw(1, 6, "answer", side="blue").side == "blue"


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 6), (3, 6), (2, 10)])
def test_sums_add_up_and_pass_as_often_as_they_are_counted(dice: int, sides: int) -> None:
    distribution = dice_sum_distribution(dice, sides)
    assert sum(chance for _, chance in distribution) == 1
    assert (distribution[0][0], distribution[-1][0]) == (dice, dice * sides)
    assert chance_of_at_least(distribution, dice) == 1
    assert chance_of_at_least(distribution, dice * sides) == Fraction(1, sides**dice)


def test_a_volley_hits_by_its_dice() -> None:
    volley = Volley(3, 6, needed=5)
    assert dict(volley.distribution) == {hits: Fraction(n, 27) for hits, n in enumerate((8, 12, 6, 1))}
    assert volley.chance == Fraction(19, 27)
    assert volley.count_hits(ScriptedDice([4, 5, 6]).throw(3, 6, "volley")) == 2
    assert Volley(2, 6, needed=7).distribution == ((0, Fraction(1)),)
