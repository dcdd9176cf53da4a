"""Conduct tests: the worked examples, and moves after a test (BE-6, BE-6c)."""

from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.wording import sum_line
from rules.empire.conduct.testing import ConductTest, Rally
from rules.empire.model import Conduct
from rules.empire.options import Theatre

from .conduct_field import (
    SHAKEN,
    chances,
    in_melee,
    refusal,
    throw_test,
    turn_after_test,
)
from .field import BLUE, contact_of, dice, field, odds, text_of, unit
from .field import act as take


def impi(**fields):
    return unit("zulus", name="Zulu impi", **{**SHAKEN, "kills": 2, "disordered": True, **fields})


@pytest.mark.parametrize("face", range(1, 7))
def test_be_6_example_4_a_shaken_impi_with_2_kills_disordered(face: int) -> None:
    ends = {1: "destroyed", 2: "destroyed", 3: "destroyed", 4: "recoil", 5: "recoil", 6: "hold"}
    after, report = throw_test(in_melee(impi()), face, kind=Rally)
    assert report.steps[0].score == face - 3
    assert after.destroyed is (ends[face] == "destroyed")
    assert after.this_turn.recoiled is (ends[face] != "hold")
    assert after.shaken
    assert ends[face] in report.outcome


def test_be_6_example_4_in_chances() -> None:
    assert chances(in_melee(impi())) == {
        "destroyed": Fraction(3, 6),
        "stay shaken, recoil": Fraction(2, 6),
        "stay shaken, hold": Fraction(1, 6),
    }


@pytest.mark.parametrize(
    ("face", "inches", "free"), [(1, 6, False), (2, 6, False), (3, 9, False), (4, 9, True), (5, 9, True), (6, 9, True)]
)
def test_be_6_example_5_steady_elite_british_with_the_commander(face: int, inches: int, free: bool) -> None:
    state = field(unit("british-elite"), unit("army-commander", "c", attached_to="a"))
    after, report = throw_test(state, face)
    assert report.steps[0].score == face + 3
    assert (after.this_turn.allowed, after.this_turn.free_change) == (inches, free)


def test_be_6_example_5_in_chances() -> None:
    state = field(unit("british-elite"), unit("army-commander", "c", attached_to="a"))
    assert chances(state) == {
        "may move 6 inches": Fraction(2, 6),
        "may move 9 inches": Fraction(1, 6),
        "may move 9 inches, no penalty for changing formation or facing": Fraction(3, 6),
    }


def test_be_6_the_report_shows_the_sum_and_every_result_with_its_chance() -> None:
    _, report = throw_test(in_melee(impi()), 4, kind=Rally)
    assert report.headline == "Zulu impi score 1 to rally: stay shaken, recoil."
    first, chart, *rows = report.steps[:7]
    assert (
        sum_line(first)
        == "D6 [4] = 4, -1 disordered (BE-6), -2 for 2 kills (BE-6) = 1: stay shaken, recoil (0% to rally)"
    )
    assert chart.text == "Conduct, shaken: all types, massed assault"
    assert [(row.text, sum_line(row)) for row in rows] == [
        ('Score under 1: destroyed, after a recoil of 3"', "(50.0%)"),
        ('Score 1-2: remain shaken, recoil 3" if in melee', "this is read (33.3%)"),
        ("Score 3: remain shaken, hold", "(16.7%)"),
        ("Score 4: rally, no move", "(0%)"),
        ("Score 5-6: rally, slow: 6 foot/12 mounted", "(0%)"),
    ]
    assert report.units == ("a", "b")


def test_be_6_results_with_equal_beginnings_have_separate_chances() -> None:
    _, report = throw_test(field(unit("british-elite")), 5)
    assert [step.chance for step in report.steps[2:]] == [0, 0, Fraction(4, 6), Fraction(1, 6), Fraction(1, 6)]
    assert [step.needed for step in report.steps[2:]] == ["", "", "", "this is read", ""]


def test_be_6_a_result_of_two_rows_is_told_once() -> None:
    _, report = throw_test(field(unit("pathans", **SHAKEN)), 3)
    row = report.steps[3]
    assert (row.text, row.chance) == ('Score 1-2 and 3: remain shaken, recoil 3" if in melee', Fraction(1, 2))
    assert sum(step.chance for step in report.steps[2:] if step.chance is not None) == 1


@pytest.mark.parametrize("shaken", [False, True])
@pytest.mark.parametrize("theatre", Theatre)
@pytest.mark.parametrize("conduct", Conduct)
def test_be_6_odds_agree_with_icepool(shaken: bool, theatre: Theatre, conduct: Conduct) -> None:
    for kills in (0, 3):
        state = field(unit("zulus", conduct=conduct, shaken=shaken, kills=kills, elite=True), theatre=theatre)

        def end(face: int, state=state) -> str:
            before = state.unit("a")
            _, report = throw_test(state, face)
            return report.headline.rpartition(f"{face + 1 - before.kills} {'to rally' if shaken else 'for conduct'}: ")[
                2
            ].rstrip(".")

        assert chances(state) == {str(label): chance for label, chance in die_of(end).items()}


def die_of(end) -> dict[str, Fraction]:
    die = icepool.d6.map(end)
    return {label: Fraction(die.quantity(label), die.denominator()) for label in die.outcomes()}


@given(
    conduct=st.sampled_from(Conduct),
    theatre=st.sampled_from(Theatre),
    kills=st.integers(0, 3),
    flags=st.fixed_dictionaries({name: st.booleans() for name in ("shaken", "elite", "fragile", "disordered")}),
    face=st.integers(1, 6),
)
def test_be_6_every_result_is_in_the_odds(conduct, theatre, kills, flags, face) -> None:
    state = field(unit("zulus", conduct=conduct, kills=kills, **flags), theatre=theatre)
    before = state.model_dump()
    after, report = throw_test(state, face)
    assert state.model_dump() == before
    assert report.headline.rpartition(": ")[2].rstrip(".") in chances(state)
    assert after.this_turn.tested
    assert after.shaken or not flags["shaken"] or after.this_turn.allowed is not None


def test_be_6_odds_name_the_least_score_that_rallies() -> None:
    shaken = odds(field(unit("zulus", **SHAKEN)), Rally(unit="a"))
    assert (shaken.pass_from, shaken.score_label) == (4, "score")
    assert [outcome.good for outcome in shaken.outcomes] == [False, False, True, True]
    assert shaken.distribution == tuple((score, Fraction(1, 6)) for score in range(1, 7))
    steady = odds(field(unit("zulus", kills=3)), ConductTest(unit="a"))
    assert steady.pass_from is None
    assert [(outcome.label, outcome.good) for outcome in steady.outcomes] == [
        ("no move", False),
        ("may move 6 inches", True),
        ("may move 9 inches", True),
    ]


def test_be_6_foot_and_mounted_read_their_own_inches() -> None:
    assert turn_after_test(unit("british-regulars"), 3).allowed == 6
    assert turn_after_test(unit("british-cavalry"), 3).allowed == 12
    assert turn_after_test(unit("boers"), 3).allowed == 15
    assert turn_after_test(unit("boers-on-foot"), 3).allowed == 9


def test_be_6_no_move() -> None:
    after, report = throw_test(field(unit("british-regulars", kills=1)), 1)
    assert (after.this_turn.allowed, after.this_turn.result) == (0, "no move")
    assert report.outcome == "They may not move."


def test_be_6_rallied_unit_is_steady_and_may_make_the_shown_move() -> None:
    after, report = throw_test(field(unit("british-regulars", **SHAKEN)), 5, kind=Rally)
    assert not after.shaken
    assert (after.this_turn.allowed, after.this_turn.score) == (6, 5)
    assert report.headline.endswith(": rally, may move 6 inches.")


def test_be_6_rally_without_a_move() -> None:
    after, report = throw_test(field(unit("british-regulars", **SHAKEN)), 3)
    assert (after.shaken, after.this_turn.allowed) == (False, 0)
    assert report.outcome == "They may not move."


@pytest.mark.parametrize(("face", "ends"), [(1, "shaken, and they do not move"), (3, "shaken and hold")])
def test_be_6_shaken_units_outside_melee_stay_in_place(face: int, ends: str) -> None:
    after, report = throw_test(field(unit("zulus", **SHAKEN, at=(20, 20))), face)
    assert after.shaken
    assert (after.place.y, after.this_turn.recoiled, after.this_turn.allowed) == (20, False, 0)
    assert report.outcome == f"They stay {ends}."


def test_be_6_destroyed_out_of_melee_is_removed_without_a_recoil() -> None:
    after, report = throw_test(field(unit("zulus", **SHAKEN, kills=1)), 1)
    assert (after.destroyed, after.this_turn.recoiled) == (True, False)
    assert report.outcome == "They are destroyed."


def test_be_6_stays_and_recoils_3_inches_in_melee() -> None:
    units = unit("zulus", **SHAKEN, at=(20, 20)), unit("british-regulars", "b", BLUE, at=(20, 18.5, 180))
    after, report = take(field(*units, contacts=(contact_of("b", "a"),)), Rally(unit="a"), dice(1))
    assert after.unit("a").place.y == 23
    assert after.contacts == ()
    assert after.unit("b").this_turn.opponent_gave_way
    assert after.dooms == ()
    assert "A recoil 3" in text_of(report)
    assert "rallied" not in text_of(report)


def test_be_6_destroyed_in_melee_recoils_first() -> None:
    after, report = take(in_melee(unit("zulus", **SHAKEN, kills=1)), Rally(unit="a"), dice(1))
    assert after.unit("a").destroyed
    assert after.unit("b").this_turn.opponent_gave_way
    assert text_of(report).index("recoil 3") < text_of(report).index("A||destroyed")


def test_be_6_drilled_europeans_hold_in_melee_on_2() -> None:
    state = in_melee(unit("british-regulars", **SHAKEN))
    after, _ = take(state, Rally(unit="a"), dice(2))
    assert after.contacts == state.contacts


def test_be_6_unit_that_rallies_in_contact_holds() -> None:
    after, report = throw_test(in_melee(unit("british-regulars", **SHAKEN)), 6)
    assert (after.shaken, after.this_turn.allowed) == (False, 0)
    assert report.outcome == "In contact, they hold."
    assert "BE-6, ruling" in text_of(report)


def test_be_6_unit_in_melee_by_words_recoils() -> None:
    state = field(unit("zulus", **SHAKEN))
    assert throw_test(state, 1, circumstances=("in melee",))[0].this_turn.recoiled
    assert chances(state, circumstances=("in melee",))["stay shaken, recoil"] == Fraction(2, 6)


@pytest.mark.parametrize("troops", ["zulus", "pathans"])
def test_be_6c_over_6_natives_are_in_fanatic_charge(troops: str) -> None:
    after, report = throw_test(field(unit(troops, elite=True)), 6)
    assert (after.this_turn.fanatic, after.this_turn.allowed) == (True, 12)
    assert "in fanatic charge until this turn's melee is over" in report.outcome
    rallied, _ = throw_test(field(unit(troops, elite=True, **SHAKEN)), 6)
    assert (rallied.this_turn.fanatic, rallied.shaken) == (True, False)
    assert not turn_after_test(unit(troops), 6).fanatic


@pytest.mark.parametrize("troops", ["boers", "irregular-horse"])
def test_be_6_over_6_boers_and_irregular_horse_mount_without_penalty(troops: str) -> None:
    after, report = throw_test(field(unit(troops, elite=True)), 6)
    mine = after.this_turn
    assert (mine.fanatic, mine.free_mounting, mine.free_change, mine.allowed) == (False, True, False, 18)
    assert "Mounting or dismounting costs them nothing." in report.outcome
    assert not turn_after_test(unit(troops), 6).free_mounting
    assert not turn_after_test(unit("zulus", elite=True), 6).free_mounting


def test_be_6_over_6_regulars_change_formation_or_facing_without_penalty() -> None:
    mine = turn_after_test(unit("british-elite"), 6)
    assert (mine.free_change, mine.free_mounting, mine.fanatic, mine.allowed) == (True, False, False, 9)
    assert not turn_after_test(unit("british-regulars"), 6).free_change


def test_be_6a_only_in_a_theatre_regulars_who_rally_over_6_change_without_penalty() -> None:
    shaken = unit("british-elite", **SHAKEN)
    assert not turn_after_test(shaken, 6).free_change
    assert turn_after_test(shaken, 6, theatre=Theatre.ZULU_WAR).free_change


@pytest.mark.parametrize(
    ("troops", "limbered", "inches"),
    [
        ("field-gun", True, 12),
        ("field-gun", False, 3),
        ("mountain-gun", True, 9),
        ("maxim", False, 6),
        ("gatling", True, 12),
    ],
)
def test_be_6_crews_that_rally_may_do_everything(troops: str, limbered: bool, inches: int) -> None:
    after, report = throw_test(field(unit(troops, limbered=limbered, **SHAKEN)), 4, kind=Rally)
    assert (after.shaken, after.this_turn.allowed) == (False, inches)
    assert report.headline.endswith(f": rallies, may do everything and move {inches} inches.")


def test_be_6_crews_that_rally_in_melee_hold() -> None:
    after, _ = throw_test(in_melee(unit("field-gun", **SHAKEN)), 5)
    assert (after.shaken, after.this_turn.allowed, after.destroyed) == (False, 0, False)


def test_be_6_native_crews_are_never_in_fanatic_charge() -> None:
    guns = unit("native-gun", conduct=Conduct.ASSAULT, elite=True, **SHAKEN)
    assert not turn_after_test(guns, 6).fanatic


def test_be_6_steady_crews_move_without_a_test() -> None:
    reason = refusal(field(unit("field-gun", limbered=True)))
    assert "move without a test" in reason
    assert '12"' in reason
    assert "/move" in reason
