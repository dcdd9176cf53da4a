"""Machine guns: the choice of dice, jams and clearing (BE-4)."""

from fractions import Fraction

import icepool
import pytest

from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.empire.firing.fire import FIRE, Fire
from rules.empire.firing.jams import CLEAR, ClearJam, prompts
from rules.empire.model import Burst, Shot
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.tables import row

from .field import BLUE, RED, contact_of, dice, unit, with_memory
from .firing_field import TARGET, die_modifiers, fire_action, fire_shot, plan_shot, refusal, table

GATLING, MAXIM = unit("gatling", name="Gatling"), unit("maxim", name="Maxim")


# The tables of the source, cell by cell.


@pytest.mark.parametrize(
    ("gun", "range_", "needed"),
    [
        (GATLING, 0, 4),
        (GATLING, 9, 4),
        (GATLING, 9.1, 5),
        (GATLING, 24, 5),
        (MAXIM, 0, 3),
        (MAXIM, 9, 3),
        (MAXIM, 9.1, 4),
        (MAXIM, 24, 4),
    ],
)
@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_be_4_machine_gun_scores(gun, range_: float, needed: int, number: int) -> None:
    plan = plan_shot(gun, range_=range_, dice_=number)
    assert (plan.volley.dice, plan.volley.needed) == (number, needed)


@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_be_4_each_machine_gun_of_a_unit_throws_the_dice_chosen(number: int) -> None:
    pair = unit("gatling", stands=2)
    assert plan_shot(pair, dice_=number).volley.dice == 2 * number
    as_one = EmpireOptions(dice_of_each_machine_gun=False)
    assert plan_shot(pair, dice_=number, options=as_one).volley.dice == number


def test_be_4_one_roll_for_jamming_is_compared_with_the_dice_of_one_gun() -> None:
    pair = unit("gatling", name="Gatlings", stands=2)
    for face, jams in ((2, True), (3, False)):
        after, report = fire_shot(pair, 4, 4, 1, 1, 1, 1, face, dice_=3)
        assert after.shots[0].hits == 2
        assert after.unit("a").jammed is jams
        assert (report.steps[-1].needed, str(report.steps[-1].cite)) == ("against 3 dice", "BE-4, ruling")
    hindered = with_memory(unit("gatling", stands=2, shaken=True, low_ammo=True), moved=3.0)
    plan = plan_shot(hindered, dice_=6, target=unit("zulus", "b", BLUE, cover="soft cover"), range_=20)
    assert (plan.volley.dice, plan.dice, -(-plan.volley.dice // plan.guns)) == (9, 6, 5)


def test_be_4_owner_of_several_guns_chooses_dice_for_each() -> None:
    state, report = fire_shot(unit("gatling", name="Gatlings", stands=2))
    assert report.outcome == "With how many dice each? The more, the likelier they jam."
    assert report.steps[0].needed == "short range"
    (choice,) = prompts(state)
    assert choice.text == "Gatlings fire at Zulus: with how many dice each?"
    assert choice.offers[0].label == "3 dice each: 33.3% to jam"


@pytest.mark.parametrize("number", [1, 2, 7])
def test_be_4_other_numbers_of_dice_are_refused(number: int) -> None:
    assert f"throws 3, 4, 5 or 6 dice, not {number}" in refusal(GATLING, dice_=number)


def test_be_4_machine_guns_ignore_rate() -> None:
    assert plan_shot(unit("gatling", rate="3rd rate"), dice_=3).volley.needed == 4


@pytest.mark.parametrize(
    ("gun", "number", "jams_to"),
    [
        (GATLING, 3, 2),
        (GATLING, 4, 3),
        (GATLING, 5, 4),
        (GATLING, 6, 5),
        (MAXIM, 3, 0),
        (MAXIM, 4, 1),
        (MAXIM, 5, 2),
        (MAXIM, 6, 3),
    ],
)
def test_be_4_jams_below_the_number_of_dice(gun, number: int, jams_to: int) -> None:
    """Worked example 3: a Maxim on 3 dice never jams, on 6 with 1 to 3; another gun on 6 dice with 1 to 5."""
    misses = [1] * number
    for face in range(1, 7):
        rolled = (*misses, face) if jams_to else misses
        after, report = fire_shot(gun, *rolled, dice_=number)
        assert after.unit("a").jammed is (face <= jams_to)
        assert ("and it jams" in report.headline) is (face <= jams_to)
    jam = next(
        step for step in FIRE.odds_of(table(gun), fire_action(dice_=number)).steps if "jam" in step.text.casefold()
    )
    assert (jam.chance, str(jam.cite)) == (1 - Fraction(jams_to, 6), "BE-4")
    assert jam.text.endswith("jamming" if jams_to else f"cannot jam on {number} dice")
    printed = row("machine-gun-dice", str(number))
    assert printed.cells[gun is MAXIM].value == jams_to


def test_be_4_modifiers_of_rifles_are_those_of_machine_guns() -> None:
    hindered = with_memory(unit("gatling", shaken=True, low_ammo=True), moved=3.0)
    plan = plan_shot(hindered, dice_=6, contacts=(contact_of("b", "a"),))
    assert set(die_modifiers(plan).values()) == {-1}
    assert set(die_modifiers(plan)) == {
        "firer shaken",
        "moving and firing",
        "firer low on ammunition",
        "target in contact",
    }
    assert (plan.volley.dice, plan.volley.needed) == (4, 6)


def test_be_4_jams_compare_the_chosen_dice_before_reductions() -> None:
    hindered = with_memory(unit("gatling", shaken=True, low_ammo=True), moved=3.0)
    after, report = fire_shot(hindered, 1, 1, 1, 1, 1, 5, dice_=6)
    assert after.unit("a").jammed
    assert report.steps[-1].needed == "against 6 dice chosen"
    options = EmpireOptions(jam_by_dice_chosen=False)
    spared, report = fire_shot(hindered, 1, 1, 1, 1, 1, 5, dice_=6, options=options)
    assert not spared.unit("a").jammed
    assert report.steps[-1].needed == "against 5 dice"


def test_be_4_hits_of_the_burst_that_jams_count() -> None:
    after, _ = fire_shot(GATLING, 6, 6, 1, 1, dice_=3)
    assert after.shots == (Shot(unit="a", target="b", hits=2),)
    options = EmpireOptions(jammed_hits_count=False)
    after, report = fire_shot(GATLING, 6, 6, 1, 1, dice_=3, options=options)
    assert after.shots == (Shot(unit="a", target="b", hits=0),)
    assert report.steps[-1].text == "The hits of the burst that jams do not count"


def test_be_4_odds_without_the_hits_of_jams() -> None:
    odds = FIRE.odds_of(table(GATLING, options=EmpireOptions(jammed_hits_count=False)), fire_action(dice_=3))
    assert dict(odds.distribution)[0] == Fraction(1, 3) + Fraction(2, 3) * Fraction(1, 8)
    assert dict(odds.distribution)[3] == Fraction(2, 3) * Fraction(1, 8)


def test_be_4_odds_of_hits_against_icepool() -> None:
    pool = 5 @ (icepool.d6 >= 4)
    for number, chance in FIRE.odds_of(table(MAXIM), fire_action(dice_=5, range_=20)).distribution:
        assert chance == Fraction(pool.quantity(number), pool.denominator())


def test_be_4_a_jammed_gun_does_not_fire() -> None:
    assert "Clear it first" in refusal(unit("gatling", jammed=True), dice_=3)


def test_be_4_a_machine_gun_that_moved_fires() -> None:
    assert die_modifiers(plan_shot(with_memory(GATLING, moved=3.0), dice_=3)) == {"moving and firing": -1}


# The choice of dice.


def test_be_4_machine_gun_takes_aim_and_is_asked_for_dice() -> None:
    after, report = fire_shot(GATLING, words=("target in cover",))
    assert after.bursts == (Burst(unit="a", target="b", range=6, circumstances=("target in cover",)),)
    assert after.shots == ()
    assert not after.unit("a").this_turn.shot
    assert report.headline == "Gatling takes aim at Zulus."
    (choice,) = prompts(after)
    assert choice.required
    assert (choice.unit, choice.side) == ("a", RED)
    assert [offer.label for offer in choice.offers] == [
        "3 dice: 33.3% to jam",
        "4 dice: 50.0% to jam",
        "5 dice: 66.7% to jam",
        "6 dice: 83.3% to jam",
    ]
    args = choice.offers[1].args
    assert args == {"unit": "a", "target": "b", "range": 6, "dice": 4, "with": ["target in cover"]}
    assert {offer.key for offer in choice.offers} == {choice.key}
    settled, fire_report = FIRE.execute(after, Fire.model_validate(args), dice(5, 5, 4, 1, 6))
    assert settled.bursts == ()
    assert settled.shots == (Shot(unit="a", target="b", hits=2),)
    assert "target in soft cover" in [modifier.reason for step in fire_report.steps for modifier in step.modifiers]
    assert list(prompts(settled)) == []


def test_be_4_choice_shows_the_chances_of_a_maxim() -> None:
    after, _ = fire_shot(MAXIM)
    assert [offer.label for offer in next(iter(prompts(after))).offers] == [
        "3 dice: cannot jam",
        "4 dice: 16.7% to jam",
        "5 dice: 33.3% to jam",
        "6 dice: 50.0% to jam",
    ]


def test_be_4_taking_aim_at_another_changes_the_burst() -> None:
    after, _ = fire_shot(GATLING)
    both = after.with_unit(unit("dervishes", "c", BLUE))
    later, _ = FIRE.execute(both, Fire(unit="a", target="c", range=4), dice())
    assert [burst.target for burst in later.bursts] == ["c"]


def test_be_4_impossible_burst_has_no_prompt() -> None:
    after, _ = fire_shot(GATLING)
    gone = after.with_unit(TARGET.model_copy(update={"destroyed": True}))
    assert list(prompts(gone)) == []
    assert list(FIRE.possible_actions(gone, RED)) == []


def test_be_4_legal_takes_aim_then_chooses() -> None:
    state = table(unit("gatling", at=(36, 30)), unit("zulus", "b", BLUE, at=(36, 20)))
    (first,) = FIRE.possible_actions(state, RED)
    assert first == Fire(unit="a", target="b")
    after, _ = FIRE.execute(state, first, dice())
    chosen = list(FIRE.possible_actions(after, RED))
    assert chosen == [Fire(unit="a", target="b", dice=number) for number in (3, 4, 5, 6)]
    assert list(FIRE.possible_actions(after, UMPIRE)) == chosen
    assert list(FIRE.possible_actions(after, BLUE)) == []
    for action in chosen:
        FIRE.execute(after, action, dice(*[1] * 7))


def test_be_4_odds_before_the_choice_are_those_of_the_fewest_dice() -> None:
    odds = FIRE.odds_of(table(GATLING), fire_action())
    assert len(odds.distribution) == 4
    assert (
        "3 dice: 33.3% to jam; 4 dice: 50.0% to jam; 5 dice: 66.7% to jam; 6 dice: 83.3% to jam" in odds.steps[-1].text
    )


# Clearing.


@pytest.mark.parametrize(("attempts", "reason"), [(1, "after 1 attempt"), (2, "after 2 attempts")])
def test_be_4_earlier_attempts_are_named(attempts: int, reason: str) -> None:
    odds = CLEAR.odds_of(table(unit("gatling", jammed=True, clearing=attempts)), ClearJam(unit="a"))
    assert [(modifier.value, modifier.reason) for modifier in odds.steps[0].modifiers] == [(attempts, reason)]


def test_be_4_fire_resets_the_count_of_clearing_attempts() -> None:
    after, _ = FIRE.execute(table(unit("gatling", clearing=2)), fire_action(dice_=3), dice(1, 1, 1, 6))
    assert after.unit("a").clearing == 0


def clear_jam(gun, *faces: int, **fields):
    return CLEAR.execute(table(gun, **fields), ClearJam(unit="a"), dice(*faces))


@pytest.mark.parametrize(
    ("troops", "before", "clears_from"),
    [
        ("gatling", 0, 6),
        ("gatling", 1, 5),
        ("gatling", 2, 4),
        ("gatling", 5, 1),
        ("gatling", 9, 1),
        ("maxim", 0, 4),
        ("maxim", 1, 3),
        ("maxim", 3, 1),
    ],
)
def test_be_4_gun_clears_on_6_plus_1_for_each_earlier_attempt(troops: str, before: int, clears_from: int) -> None:
    gun = unit(troops, jammed=True, clearing=before)
    for face in range(1, 7):
        after, _ = clear_jam(gun, face)
        now = after.unit("a")
        assert now.jammed is (face < clears_from)
        assert now.clearing == (before + 1 if now.jammed else 0)
        assert now.this_turn.shot
    odds = CLEAR.odds_of(table(gun), ClearJam(unit="a"))
    assert {outcome.label: outcome.chance for outcome in odds.outcomes}["cleared"] == Fraction(7 - clears_from, 6)
    assert sum(outcome.chance for outcome in odds.outcomes) == 1


def test_be_4_one_attempt_a_turn_instead_of_firing() -> None:
    jammed = unit("gatling", jammed=True)
    after, report = clear_jam(jammed, 6)
    assert report.headline == "A is cleared."
    with pytest.raises(Refused, match="has fired or tried to clear its jam this turn"):
        FIRE.execute(after, fire_action(dice_=3), dice())
    still, _ = clear_jam(jammed, 5)
    with pytest.raises(Refused, match="one attempt a turn"):
        CLEAR.execute(still, ClearJam(unit="a"), dice())
    burst, _ = fire_shot(GATLING, 1, 1, 1, 1, dice_=3)
    with pytest.raises(Refused, match="one attempt a turn"):
        CLEAR.execute(burst, ClearJam(unit="a"), dice())


def test_be_4_clearing_belongs_to_phase_7_and_to_jammed_guns() -> None:
    with pytest.raises(Refused, match="is not jammed"):
        clear_jam(GATLING)
    with pytest.raises(Refused, match="belongs to phase 7"):
        clear_jam(unit("gatling", jammed=True), phase=Phase.ARTILLERY)


def test_be_4_clearing_is_open_not_owed() -> None:
    state = table(unit("maxim", name="Maxim", jammed=True, clearing=1))
    (item,) = prompts(state)
    assert not item.required
    assert [offer.label for offer in item.offers] == ["Clear Maxim: 66.7%"]
    (offer,) = item.offers
    assert offer.kind == "clear"
    assert offer.args == {"unit": "a"}
    assert (
        list(CLEAR.possible_actions(state, RED)) == [ClearJam(unit="a")] == list(CLEAR.possible_actions(state, UMPIRE))
    )
    assert list(CLEAR.possible_actions(state, BLUE)) == []
    assert list(prompts(state.model_copy(update={"phase": Phase.MELEE.value}))) == []
    after, _ = CLEAR.execute(state, ClearJam(unit="a"), dice(1))
    assert list(prompts(after)) == []


# Without a game.


def test_be_4_question_without_a_game_takes_a_number_of_dice() -> None:
    state, action = FIRE.set_up_question({"troop": "Maxim", "range": 9, "dice": 6}, ())
    assert dict(FIRE.odds_of(state, action).distribution)[6] == Fraction(4, 6) ** 6
    with pytest.raises(Refused, match="needs “dice”, 3 to 6"):
        FIRE.set_up_question({"troop": "Maxim", "range": 9}, ())
    two = FIRE.set_up_question({"troop": "Maxim", "range": 9, "dice": 6, "figures": 2}, ())
    assert dict(FIRE.odds_of(*two).distribution)[12] == Fraction(4, 6) ** 12
