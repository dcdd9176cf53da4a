"""Artillery fire: dice by rate and range, modifiers, who may fire (BE-3)."""

from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.model import UMPIRE, Mark
from rules.core.ruleset import Refused
from rules.empire.firing.fire import FIRE, Fire
from rules.empire.firing.targeting import umpire_circumstances
from rules.empire.model import Cover, Formation, Shot
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire

from .field import BLUE, RED, contact_of, dice, text_of, unit, with_memory
from .firing_field import TARGET, die_modifiers, fire_action, fire_shot, plan_shot, refusal, table

GUN = unit("field-gun", name="Battery", rate="2nd rate")


# The table of the source, cell by cell.


@pytest.mark.parametrize(
    ("rate", "range_", "number"),
    [
        ("1st rate", 0, 5),
        ("1st rate", 12, 5),
        ("1st rate", 12.1, 4),
        ("1st rate", 36, 4),
        ("2nd rate", 0, 4),
        ("2nd rate", 12, 4),
        ("2nd rate", 12.1, 3),
        ("2nd rate", 36, 3),
        ("3rd rate", 0, 3),
        ("3rd rate", 12, 3),
        ("3rd rate", 12.1, 2),
        ("3rd rate", 36, 2),
    ],
)
def test_be_3_dice_by_rate_and_range(rate: str, range_: float, number: int) -> None:
    plan = plan_shot(unit("field-gun", rate=rate), range_=range_)
    assert (plan.volley.dice, plan.volley.needed) == (number, 4)


@pytest.mark.parametrize(("stands", "range_", "number"), [(1, 12, 4), (2, 12, 8), (2, 20, 6), (6, 20, 18)])
def test_be_3_each_gun_of_a_unit_throws_its_dice(stands: int, range_: float, number: int) -> None:
    battery = unit("field-gun", rate="2nd rate", stands=stands)
    assert plan_shot(battery, range_=range_).volley.dice == number
    as_one = EmpireOptions(dice_of_each_gun=False)
    assert plan_shot(battery, range_=range_, options=as_one).volley.dice == number // stands


def test_be_3_report_says_that_two_guns_throw_together() -> None:
    after, report = fire_shot(unit("field-gun", name="Battery", rate="2nd rate", stands=2), 4, 4, 4, 1, 1, 1, 1, 1)
    assert after.shots == (Shot(unit="a", target="b", hits=3),)
    (step,) = (step for step in report.steps if step.text == "2 guns, 4 dice each")
    assert (step.needed, str(step.cite)) == ("8 dice", "BE-3, ruling")


def test_be_3_number_of_dice_cannot_be_chosen() -> None:
    assert "Leave “dice” out" in refusal(GUN, dice_=2)


@pytest.mark.parametrize(
    ("shooter", "target", "reason", "value"),
    [
        (unit("field-gun", shaken=True), TARGET, "firer shaken", -1),
        (unit("field-gun", low_ammo=True), TARGET, "firer low on ammunition", -1),
        (with_memory(unit("field-gun"), pivoted=True), TARGET, "pivoted this turn", -1),
        (unit("heavy-gun"), TARGET, "heavy gun", 1),
        (unit("light-gun"), TARGET, "light or mountain gun", -1),
        (unit("mountain-gun"), TARGET, "light or mountain gun", -1),
        (unit("field-gun"), unit("zulus", "b", BLUE, cover="soft cover"), "target in soft cover", -1),
        (unit("field-gun"), unit("zulus", "b", BLUE, cover="hard cover"), "target in hard cover", -1),
        (unit("field-gun"), unit("zulus", "b", BLUE, formation="skirmish order"), "target in skirmish order", -1),
        (unit("field-gun"), unit("zulus", "b", BLUE, gone_to_ground=True), "target gone to ground", -1),
        (unit("field-gun"), unit("zulus", "b", BLUE, formation="column"), "target in column", 1),
        (unit("field-gun"), unit("zulus", "b", BLUE, formation="deep massed"), "target deep massed", 1),
    ],
)
def test_be_3_modifiers_of_the_state(shooter, target, reason: str, value: int) -> None:
    plan = plan_shot(shooter, target=target)
    assert die_modifiers(plan) == {reason: value}
    assert plan.volley.needed == 4 - value
    assert {str(modifier.cite) for step in plan.steps for modifier in step.modifiers} == {"BE-3"}


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("firer shaken", -1),
        ("low on ammo", -1),
        ("pivoted", -1),
        ("heavy gun", 1),
        ("light gun", -1),
        ("target in cover", -1),
        ("target in hard cover", -1),
        ("target in a sangar", -1),
        ("target skirmishing", -1),
        ("target gone to ground", -1),
        ("target in column", 1),
        ("target deep massed", 1),
    ],
)
def test_be_3_modifiers_from_words(word: str, value: int) -> None:
    assert plan_shot(GUN, word).volley.needed == 4 - value


def test_be_3_a_gun_and_a_target_without_anything_special_have_no_modifier() -> None:
    assert die_modifiers(plan_shot(GUN)) == {}


def test_be_3_artillery_has_no_penalty_at_a_target_in_contact() -> None:
    assert die_modifiers(plan_shot(GUN, contacts=(contact_of("b", "a"),))) == {}


def test_be_3_range_to_a_target_in_contact_is_refused() -> None:
    why = refusal(GUN, range_=7, contacts=(contact_of("b", "a"),))
    assert "are in contact with Battery: leave “range” out" in why


def test_be_3_cover_skirmish_order_and_ground_count_once_by_ruling() -> None:
    target = unit("zulus", "b", BLUE, cover="soft cover", gone_to_ground=True)
    plan = plan_shot(GUN, target=target)
    assert die_modifiers(plan) == {"target in soft cover and gone to ground, once": -1}
    assert [modifier.cite.mark for step in plan.steps for modifier in step.modifiers] == [Mark.RULING]
    added = plan_shot(GUN, target=target, options=EmpireOptions(covers_add_up=True))
    assert die_modifiers(added) == {"target in soft cover": -1, "target gone to ground": -1}
    assert added.volley.needed == 6


@pytest.mark.parametrize("word", ["moving", "target in contact", "elite", "fragile"])
def test_be_3_words_of_small_arms_are_refused(word: str) -> None:
    assert "makes no difference to the fire of artillery" in refusal(GUN, word)


def test_be_3_target_in_the_open_by_words() -> None:
    covered = unit("zulus", "b", BLUE, cover="hard cover", gone_to_ground=True)
    assert die_modifiers(plan_shot(GUN, "target in the open", target=covered)) == {}


# Units that may fire, and when.


def test_be_3_artillery_fires_in_its_phase_and_either_side_may() -> None:
    assert "That belongs to phase 6 (artillery fire)" in refusal(GUN, phase=Phase.RIFLES)
    theirs = unit("field-gun", "a", BLUE)
    ours = unit("zulus", "b", RED)
    _, report = fire_shot(theirs, 1, 1, 1, 1, 1, target=ours)
    assert report.side == BLUE


def test_be_3_side_that_ended_the_phase_cannot_fire() -> None:
    assert "ended this phase" in refusal(GUN, done=(RED,))


def test_be_3_a_limbered_gun_does_not_fire() -> None:
    for crew in (unit("field-gun", limbered=True), unit("gatling", limbered=True)):
        assert "is limbered" in refusal(crew)
        assert "(BE-3, ruling)" in refusal(crew)


def test_be_3_a_gun_that_moved_does_not_fire_by_house_rule() -> None:
    moved = with_memory(GUN, moved=3.0)
    assert "moved this turn" in refusal(moved)
    assert "house rule" in refusal(moved)
    assert plan_shot(moved, options=EmpireOptions(guns_fire_after_moving=True)).volley.dice == 4


def test_be_3_gun_fires_once_a_turn() -> None:
    after, _ = fire_shot(GUN, 1, 1, 1, 1)
    with pytest.raises(Refused, match="Battery has fired this turn"):
        FIRE.execute(after, fire_action(), dice())


def test_be_3_friends_pieces_and_gone_units_are_no_targets() -> None:
    assert "same side" in refusal(GUN, target=unit("zulus", "b"))
    assert "Choose another target" in refusal(GUN, target=unit("leader", "b", BLUE))
    assert "B have left the table" in refusal(GUN, target=unit("zulus", "b", BLUE, destroyed=True))


# Effects of a shot.


def test_be_3_hits_are_kept_until_the_phase_ends() -> None:
    after, report = fire_shot(GUN, 4, 3, 6, 1)
    assert after.shots == (Shot(unit="a", target="b", hits=2),)
    assert after.unit("b") == TARGET
    assert after.unit("a").this_turn.shot
    assert report.headline == "Battery fires at Zulus: 2 hits."
    assert report.outcome == "They land when the phase ends."


def test_be_3_report_tells_earlier_hits_on_the_target() -> None:
    before = (Shot(unit="c", target="b", hits=1),)
    after, report = fire_shot(GUN, 4, 1, 1, 1, shots=before)
    assert after.shots == (*before, Shot(unit="a", target="b", hits=1))
    assert report.outcome == "It lands when the phase ends, 2 hits in all so far."


def test_be_3_each_die_makes_at_most_one_hit() -> None:
    after, _ = fire_shot(unit("heavy-gun"), 6, 6, 6, 6, 6, target=unit("zulus", "b", BLUE, formation="column"))
    assert after.shots[0].hits == 5


def test_be_3_natural_faces_have_no_special_effect() -> None:
    plan = plan_shot(unit("heavy-gun"), target=unit("zulus", "b", BLUE, formation="column"))
    assert plan.volley.needed == 2
    after, _ = fire_shot(unit("heavy-gun"), 1, 2, 1, 2, 1, target=unit("zulus", "b", BLUE, formation="column"))
    assert after.shots[0].hits == 2


# Odds.


def test_be_example_1() -> None:
    odds = FIRE.odds_of(table(GUN, unit("zulus", "b", BLUE, cover="soft cover")), fire_action(range_=20))
    missed = dict(odds.distribution)[0]
    assert 1 - missed == 1 - Fraction(4, 6) ** 3
    assert round(float(1 - missed) * 100, 1) == 70.4
    assert len(odds.distribution) == 4
    assert ("Battery fires at B", "3 dice hitting on 5-6") in [(step.text, step.needed) for step in odds.steps]


def test_be_3_report_tells_the_needed_score_with_modifiers() -> None:
    needs = []
    for words in ((), ("target in hard cover",), ("target in hard cover", "firer shaken", "low on ammo")):
        steps = FIRE.odds_of(table(GUN), Fire(unit="a", target="b", range=20, circumstances=words)).steps
        needs += [step.needed for step in steps if step.modifiers]
    assert needs == ["hits on 5-6", "would hit on 7"]


def test_be_3_odds_of_each_effect_of_be_2() -> None:
    odds = FIRE.odds_of(table(GUN), fire_action(range_=6))
    assert {outcome.label: outcome.chance for outcome in odds.outcomes} == {
        "no effect": Fraction(1, 16),
        "disordered": Fraction(4, 16),
        "shaken": Fraction(6, 16),
        "shaken and 1 kill": Fraction(4, 16),
        "shaken and 2 kills": Fraction(1, 16),
    }
    assert [outcome.good for outcome in odds.outcomes] == [False, True, True, True, True]


def test_be_3_odds_count_pending_hits() -> None:
    odds = FIRE.odds_of(table(GUN, shots=(Shot(unit="a", target="b", hits=3),)), fire_action(range_=6))
    assert {outcome.label: outcome.chance for outcome in odds.outcomes} == {
        "shaken and 1 kill": Fraction(1, 16),
        "shaken and 2 kills": Fraction(15, 16),
    }


def test_be_3_odds_against_a_nearly_destroyed_or_shaken_target() -> None:
    odds = FIRE.odds_of(table(GUN, unit("zulus", "b", BLUE, shaken=True, kills=2)), fire_action(range_=6))
    assert {outcome.label: outcome.chance for outcome in odds.outcomes} == {
        "no effect": Fraction(1, 16),
        "disordered": Fraction(4, 16),
        "1 kill": Fraction(6, 16),
        "destroyed": Fraction(5, 16),
    }


@given(
    st.sampled_from(["1st rate", "2nd rate", "3rd rate"]),
    st.sampled_from([0, 12, 13, 36]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(list(Formation)),
    st.sampled_from(list(Cover)),
)
def test_be_3_odds_agree_with_icepool_and_add_up(rate, range_, shaken, low, formation, cover) -> None:
    shooter = unit("light-gun", rate=rate, shaken=shaken, low_ammo=low)
    state = table(shooter, unit("zulus", "b", BLUE, formation=formation, cover=cover))
    odds = FIRE.odds_of(state, fire_action(range_=range_))
    assert sum(outcome.chance for outcome in odds.outcomes) == 1
    volley = plan_shot(shooter, target=state.unit("b"), range_=range_).volley
    pool = volley.dice @ (icepool.d6 >= volley.needed)
    for number, chance in odds.distribution:
        assert chance == Fraction(pool.quantity(number), pool.denominator())


# Legal actions, and rights to circumstances.


def test_be_3_legal_shots_have_known_ranges() -> None:
    near = unit("zulus", "b", BLUE, at=(36, 10))
    far = unit("zulus", "c", BLUE, at=(36, 47))
    state = table(unit("field-gun", at=(36, 30)), near, far, unit("field-gun", "d", RED), unit("field-gun", "e", BLUE))
    assert list(FIRE.possible_actions(state, RED)) == [Fire(unit="a", target="b")]
    assert list(FIRE.possible_actions(state, BLUE)) == []
    assert list(FIRE.possible_actions(state, UMPIRE)) == [Fire(unit="a", target="b")]
    for action in FIRE.possible_actions(state, RED):
        FIRE.execute(state, action, dice(1, 1, 1, 1))


def test_be_3_only_the_umpire_says_words_that_help_the_firer() -> None:
    state = table(GUN, unit("zulus", "b", BLUE, cover="soft cover"))
    words = set(umpire_circumstances(state, fire_action()))
    assert {"heavy gun", "target in the open", "target in column", "target deep massed", "elite"} <= words
    assert not words & {"firer shaken", "low on ammo", "pivoted", "moving", "target in cover", "target gone to ground"}
    assert tuple(umpire_circumstances(state, Fire(unit="a", target="nobody"))) == ()
    bare = table(unit("heavy-gun"), unit("zulus", "b", BLUE, formation="column"))
    words = set(umpire_circumstances(bare, fire_action()))
    assert {"light gun"} <= words
    assert not words & {"heavy gun", "target in column", "target in the open"}


# Without a game.


def test_be_3_question_without_a_game() -> None:
    state, action = FIRE.set_up_question({"troop": "Native field gun", "range": 20}, ("target in cover",))
    assert state.current_phase is Phase.ARTILLERY
    assert len(FIRE.odds_of(state, action).distribution) == 3
    three = FIRE.set_up_question({"troop": "Native field gun", "range": 20, "figures": 3}, ())
    assert len(FIRE.odds_of(*three).distribution) == 7
    with pytest.raises(Refused, match="needs “range”"):
        FIRE.set_up_question({"troop": "field-gun"}, ())
    with pytest.raises(Refused, match="needs “troop”"):
        Empire().ad_hoc.set_up("fire", {"range": 4})
    with pytest.raises(Refused, match="range"):
        Empire().ad_hoc.set_up("fire", {"troop": "field-gun", "range": 2000})


def test_be_3_report_cites_a_rule_for_every_step() -> None:
    _, report = fire_shot(unit("field-gun", shaken=True), 1, 1, 1, 1, 5)
    assert "firer shaken" in text_of(report)
    assert {str(step.cite) for step in report.steps} == {"BE-3"}
