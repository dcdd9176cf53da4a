"""Questions without a game, such as `/morale rules: troop: losses:`."""

from fractions import Fraction

import pytest

from rules.core.odds import Odds
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.tests.scripted import ScriptedDice
from rules.magdala.ruleset import Magdala
from rules.magdala.scenarios import TROOPS

SYSTEM = Magdala()
BRITISH = "British regulars, breechloaders"
FORMS = {"troop": BRITISH}


def odds(kind: str, **args) -> Odds:
    return SYSTEM.odds(*SYSTEM.ad_hoc.set_up(kind, args))


def chance_of_success(kind: str, **args) -> Fraction:
    return sum(outcome.chance for outcome in odds(kind, **args).outcomes if outcome.good)


def act_with_dice(kind: str, faces: list[int], **args) -> Report:
    dice = ScriptedDice(faces)
    _, report = SYSTEM.act(*SYSTEM.ad_hoc.set_up(kind, args), dice)
    assert not dice.left
    return report


def refusal(kind: str, **args) -> str:
    with pytest.raises(Refused) as refused:
        SYSTEM.act(*SYSTEM.ad_hoc.set_up(kind, args), ScriptedDice([]))
    return str(refused.value)


def test_mm_5_6_example_5_british_infantry_with_five_casualties() -> None:
    assert chance_of_success("morale", troop=BRITISH, losses=5) == Fraction(33, 36)


def test_mm_5_5_example_6_british_infantry_with_thirteen_casualties() -> None:
    assert chance_of_success("morale", troop=BRITISH, losses=13) == Fraction(3, 36)


def test_mm_5_3_example_7_detachment_of_egyptian_conscripts_with_three_casualties() -> None:
    words = {"with": "detachment"}
    assert chance_of_success("morale", troop="Egyptian conscripts, breechloaders", losses=3, **words) == Fraction(2, 6)


def test_mm_5_4_circumstances_are_a_list_by_comma() -> None:
    step = act_with_dice("morale", [2, 2], troop=BRITISH, losses=6, **{"with": "in square, second round lost"}).steps[0]
    assert [int(modifier.value) for modifier in step.modifiers] == [1, 1, -1]
    assert step.score == 5


def test_mm_6_a_general_may_reroll_a_test() -> None:
    report = act_with_dice("morale", [1, 1], troop=BRITISH, losses=6, **{"with": "general"})
    assert "thrown again" in report.steps[1].verdict


@pytest.mark.parametrize(("figures", "range_", "dice"), [(24, 10, 8), (20, 10, 7), (21, 23, 7)])
def test_mm_3_2_fire_of_so_many_figures(figures: int, range_: float, dice: int) -> None:
    report = act_with_dice("fire", [1] * dice, troop=BRITISH, figures=figures, range=range_)
    assert len(report.throws[0].dice) == dice


def test_mm_3_4_example_2_magazine_rifles_at_skirmishers_in_cover() -> None:
    words = "half effect, target skirmishing, target in cover"
    report = act_with_dice(
        "fire", [6, 4], troop="British regulars, magazine rifles", figures=20, range=15, **{"with": words}
    )
    assert [len(throw.dice) for throw in report.throws] == [1, 1], "one to hit, one for the ammunition"
    assert "1 hit" in report.headline


@pytest.mark.parametrize("words", ["", "half effect, target in the open"])
def test_mm_3_fire_question_has_no_other_results(words: str) -> None:
    faces = [6, 1, 4] if words else [6, 6, 6, 1]
    fields = {"troop": BRITISH, "figures": 12, "range": 10, **({"with": words} if words else {})}
    state, action = SYSTEM.ad_hoc.set_up("fire", fields)
    after, report = SYSTEM.act(state, action, ScriptedDice(faces))
    text = " ".join((report.headline, report.outcome, *(f"{step.text} {step.verdict}" for step in report.steps)))
    assert f"{1 if words else 3} hit" in text
    for invented in ("left", "of 100", "loses", "steady", "under fire"):
        assert invented not in text
    assert not report.prompts
    assert SYSTEM.prompts(after) == ()


def test_mm_3_odds_of_a_fire_question_have_no_other_results() -> None:
    assert {outcome.label for outcome in odds("fire", troop=BRITISH, range=10).outcomes} == {"hit", "no hits"}


def test_mm_3_6_out_of_range_is_refused() -> None:
    assert "24" in refusal("fire", troop=BRITISH, figures=24, range=25)


def test_mm_4_3_a_round_of_melee_of_any_troops() -> None:
    report = act_with_dice(
        "melee", [6, 1, 1, 6], troop=BRITISH, figures=6, against="Mahdist tribesmen, spears", against_figures=6
    )
    assert len(report.throws) == 2
    assert "1 all" in report.headline


def test_mm_5_10_reaction_of_any_troops() -> None:
    assert chance_of_success("reaction", troop=BRITISH, **{"with": "under fire, routing"}) == Fraction(3, 6)


def test_missing_figures_take_the_usual_number() -> None:
    state, _ = SYSTEM.ad_hoc.set_up("fire", {"troop": BRITISH, "range": 10})
    assert state.unit("unit").figures == 24


def test_unknown_troops_are_refused_with_the_nearest() -> None:
    assert "Boer kommando, magazine rifles" in refusal("morale", troop="boer comando", losses=2)


def test_troops_are_found_by_id() -> None:
    assert chance_of_success("morale", troop="british-breechloaders", losses=5) == Fraction(33, 36)


@pytest.mark.parametrize(
    ("kind", "args", "reason"),
    [
        ("morale", {"losses": 5}, "troop"),
        ("morale", {"troop": BRITISH, "losses": -1}, "0 to 100"),
        ("morale", {"troop": BRITISH, "losses": 10**9}, "0 to 100"),
        ("morale", {"troop": BRITISH, "losses": "many"}, "whole number"),
        ("morale", {"troop": BRITISH, "figures": 3}, "Leave out “figures”"),
        ("fire", {"troop": BRITISH, "figures": 24}, "range"),
        ("fire", {"troop": BRITISH, "figures": 0, "range": 9}, "1 to 500"),
        ("fire", {"troop": "Gatling gun", "figures": 24, "range": 9}, "1 to 12"),
        ("fire", {"troop": BRITISH, "figures": 24, "range": -3}, "range"),
        ("fire", {"troop": "General", "range": 9}, "not alone"),
        ("fire", {"troop": "Mahdist tribesmen, spears", "range": 9}, "nothing to fire with"),
        ("melee", {"troop": BRITISH}, "against"),
        ("melee", {"troop": BRITISH, "against": "Zulu impi", "contact": 0}, "1 to 500"),
        ("melee", {"troop": BRITISH, "against": "Zulu impi", "contact": 400}, "contact"),
        ("turn_next", {"troop": BRITISH}, "/game new"),
        ("morale", {"troop": "Imam", "losses": 0}, "no morale of his own"),
        ("morale", {"troop": BRITISH, "losses": 5, "with": "in sqare"}, "in square"),
        ("morale", {"troop": BRITISH, "losses": 5, "with": "umpire's call"}, "circumstance"),
    ],
)
def test_missing_or_absurd_input_is_refused_with_advice(kind: str, args: dict, reason: str) -> None:
    assert reason in refusal(kind, **args)


@pytest.mark.parametrize("troop", TROOPS.all.values(), ids=lambda troop: troop.id)
def test_every_named_troop_can_be_asked_about(troop) -> None:
    fighter = troop.fields["troop"] not in ("general", "native commander", "imam", "supply wagon", "pack mules")
    if not fighter:
        assert refusal("morale", troop=troop.name, losses=0)
        return
    assert 0 <= chance_of_success("morale", troop=troop.name, losses=4) <= 1
    assert 0 <= chance_of_success("reaction", troop=troop.name) <= 1
    assert sum(outcome.chance for outcome in odds("melee", troop=troop.name, against="Zulu impi").outcomes) == 1
    if troop.fields["weapon"] != "melee weapons":
        assert sum(outcome.chance for outcome in odds("fire", troop=troop.name, range=12).outcomes) == 1


def test_about_thirty_troops_or_more_are_named_and_no_name_twice() -> None:
    names = [troop.name for troop in TROOPS.all.values()]
    assert len(names) >= 30
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("good", "bad", "reason"),
    [
        ("figures = 36", "figurse = 36", "zulus"),
        ('nation = "Zulu"', 'nation = "Zoulou"', "zulus"),
        ("[[troop]]", "[[troup]]", "troup"),
        ("[[troop]]", "speed = 3\n[[troop]]", "speed"),
    ],
)
def test_troops_with_a_wrong_key_or_value_are_an_error_with_their_name(good: str, bad: str, reason: str) -> None:
    text = '[[troop]]\nid = "zulus"\nname = "Zulu impi"\nfigures = 36\ntroop = "native foot"\nnation = "Zulu"\n'
    assert TROOPS.read(text)["zulus"].fields["figures"] == 36
    with pytest.raises(ValueError, match=reason):
        TROOPS.read(text.replace(good, bad))
    with pytest.raises(ValueError, match="two troops"):
        TROOPS.read(text + text)


def test_refusal_shortens_a_number_out_of_bounds() -> None:
    assert (
        refusal("fire", troop=BRITISH, range=10, figures="9" * 900)
        == f"figures: {'9' * 20} is out of bounds. Give 1 to 500."
    )


@pytest.mark.parametrize("figures", [float("inf"), float("nan"), 2.9, True, "2.9", "nine", [1], "9" * 6000])
def test_mm_3_2_figures_are_a_whole_number(figures: object) -> None:
    assert "no whole number" in refusal("fire", troop=BRITISH, range=10, figures=figures)
