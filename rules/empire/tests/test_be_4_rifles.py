"""Rifle fire: scores by rate and range, modifiers, contact, and surplus modifiers (BE-4, BE-4.2)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.model import Mark
from rules.core.ruleset import Refused
from rules.empire.firing.fire import FIRE, Fire
from rules.empire.model import Cover, Formation, Shot
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire

from .field import BLUE, RED, contact_of, dice, unit, with_memory
from .firing_field import RIFLES, TARGET, die_modifiers, fire_action, fire_shot, plan_shot, refusal, table

# The table of the source, cell by cell.


@pytest.mark.parametrize(
    ("rate", "range_", "needed"),
    [
        ("1st rate", 0, 3),
        ("1st rate", 9, 3),
        ("1st rate", 9.1, 4),
        ("1st rate", 24, 4),
        ("2nd rate", 0, 4),
        ("2nd rate", 9, 4),
        ("2nd rate", 9.1, 5),
        ("2nd rate", 24, 5),
        ("3rd rate", 0, 5),
        ("3rd rate", 9, 5),
        ("3rd rate", 9.1, 6),
        ("3rd rate", 24, 6),
    ],
)
def test_be_4_scores_by_rate_and_range(rate: str, range_: float, needed: int) -> None:
    plan = plan_shot(unit("european-regulars", rate=rate), range_=range_)
    assert (plan.volley.dice, plan.volley.needed) == (4, needed)


@pytest.mark.parametrize(
    ("shooter", "target", "reason", "value"),
    [
        (unit("european-regulars", shaken=True), TARGET, "firer shaken", -1),
        (with_memory(RIFLES, moved=6.0), TARGET, "moving and firing", -1),
        (with_memory(RIFLES, recoiled=True), TARGET, "moving and firing", -1),
        (unit("european-regulars", low_ammo=True), TARGET, "firer low on ammunition", -1),
        (RIFLES, unit("zulus", "b", BLUE, cover="soft cover"), "target in soft cover", -1),
        (RIFLES, unit("zulus", "b", BLUE, cover="hard cover"), "target in hard cover", -1),
        (RIFLES, unit("zulus", "b", BLUE, formation="skirmish order"), "target in skirmish order", -1),
        (RIFLES, unit("zulus", "b", BLUE, gone_to_ground=True), "target gone to ground", -1),
        (RIFLES, unit("zulus", "b", BLUE, formation="column"), "target in column", 1),
        (RIFLES, unit("zulus", "b", BLUE, formation="deep massed"), "target deep massed", 1),
    ],
)
def test_be_4_modifiers_of_the_state(shooter, target, reason: str, value: int) -> None:
    plan = plan_shot(shooter, target=target)
    assert die_modifiers(plan) == {reason: value}
    assert plan.volley.needed == 4 - value
    assert {str(modifier.cite) for step in plan.steps for modifier in step.modifiers} == {"BE-4"}


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("firer shaken", -1),
        ("low on ammo", -1),
        ("moving", -1),
        ("target in cover", -1),
        ("target in hard cover", -1),
        ("target in a sangar", -1),
        ("target skirmishing", -1),
        ("target gone to ground", -1),
        ("target in contact", -1),
        ("target in column", 1),
        ("target deep massed", 1),
    ],
)
def test_be_4_modifiers_from_words(word: str, value: int) -> None:
    assert plan_shot(RIFLES, word).volley.needed == 4 - value


def test_be_4_pivoting_costs_riflemen_nothing() -> None:
    assert die_modifiers(plan_shot(with_memory(RIFLES, pivoted=True))) == {}


@pytest.mark.parametrize("word", ["pivoted", "heavy gun", "light gun"])
def test_be_4_words_of_artillery_are_refused(word: str) -> None:
    assert "makes no difference to the fire of rifles and machine guns" in refusal(RIFLES, word)


# In contact.


@pytest.mark.parametrize(
    ("quality", "value"),
    [
        ({}, -1),
        ({"fragile": True}, -2),
        ({"elite": True}, 0),
        ({"elite": True, "fragile": True}, -1),
    ],
)
def test_be_4_score_at_a_target_in_contact_by_the_firers_quality(quality: dict[str, bool], value: int) -> None:
    plan = plan_shot(unit("european-regulars", **quality), contacts=(contact_of("b", "a"),), range_=None)
    assert list(die_modifiers(plan).values()) == [value]
    assert (plan.inches, plan.volley.needed) == (0, 4 - value)


def test_be_4_option_sets_whose_quality_counts_in_contact() -> None:
    fragile = unit("zulus", "b", BLUE, fragile=True)
    contacts = (contact_of("b", "a"),)
    assert list(die_modifiers(plan_shot(RIFLES, target=fragile, contacts=contacts)).values()) == [-1]
    by_target = EmpireOptions(contact_by_firer=False)
    plan = plan_shot(RIFLES, target=fragile, contacts=contacts, options=by_target)
    assert die_modifiers(plan) == {"target in contact, target fragile": -2}


@pytest.mark.parametrize(("word", "value"), [("elite", 0), ("fragile", -2)])
def test_be_4_quality_by_words_counts_only_in_contact(word: str, value: int) -> None:
    assert die_modifiers(plan_shot(RIFLES, word)) == {}
    assert list(die_modifiers(plan_shot(RIFLES, word, "target in contact", range_=None)).values()) == [value]


@pytest.mark.parametrize(("noted", "word", "value"), [("fragile", "elite", 0), ("elite", "fragile", -2)])
def test_be_4_quality_by_words_replaces_the_stored_one(noted: str, word: str, value: int) -> None:
    shooter = RIFLES.model_copy(update={noted: True})
    assert list(die_modifiers(plan_shot(shooter, word, "target in contact", range_=None)).values()) == [value]


def test_be_4_unit_in_contact_fires_only_at_its_contacts() -> None:
    dervishes = unit("dervishes", "c", BLUE, name="Dervishes")
    why = refusal(RIFLES, others=(dervishes,), contacts=(contact_of("c", "a"),))
    assert "Rifles are in contact with Dervishes: they fire at those in contact alone" in why


def test_be_4_fire_at_enemies_in_contact_with_friends_is_refused() -> None:
    friend = unit("european-regulars", "c", RED)
    assert "fire would fall on them" in refusal(RIFLES, others=(friend,), contacts=(contact_of("b", "c"),))


def test_be_4_unit_in_contact_beside_friends_may_fire() -> None:
    friend = unit("european-regulars", "c", RED)
    state = table(RIFLES, TARGET, friend, contacts=(contact_of("b", "c"), contact_of("b", "a")))
    after, _ = FIRE.execute(state, fire_action(range_=None), dice(6, 1, 1, 1))
    assert after.shots == (Shot(unit="a", target="b", hits=1),)


def test_be_4_formed_unit_does_not_fire_at_enemies_in_its_flank() -> None:
    contacts = (contact_of("b", "a", flank=True),)
    assert "Zulus are in their flank or rear" in refusal(RIFLES, contacts=contacts)
    square = unit("european-regulars", formation="square")
    assert plan_shot(square, contacts=contacts).volley.dice == 4


# Dice and stands.


@pytest.mark.parametrize("stands", [1, 3, 8])
def test_be_4_a_die_for_each_stand(stands: int) -> None:
    assert plan_shot(unit("european-regulars", stands=stands)).volley.dice == stands


def test_be_4_kills_take_no_dice_away() -> None:
    assert plan_shot(unit("european-regulars", kills=3)).volley.dice == 4


def test_be_4_firing_stands_may_be_reduced_but_not_exceeded() -> None:
    assert plan_shot(RIFLES, dice_=2).volley.dice == 2
    assert "have 4 stands," in refusal(RIFLES, dice_=5)
    assert "have 1 stand," in refusal(RIFLES.model_copy(update={"stands": 1}), dice_=5)


def test_be_4_rifles_fire_in_phase_7_once() -> None:
    assert "That belongs to phase 7" in refusal(RIFLES, phase=Phase.ARTILLERY)
    after, _ = fire_shot(RIFLES, 1, 1, 1, 4)
    assert after.shots == (Shot(unit="a", target="b", hits=1),)
    with pytest.raises(Refused, match="have fired this turn"):
        FIRE.execute(after, fire_action(), NoDice())


def test_be_4_steel_does_not_fire() -> None:
    assert "have no firearms" in refusal(unit("zulus"))


# BE-4.2


def test_be_example_2() -> None:
    shooter = unit("egyptians", rate="3rd rate", stands=4, shaken=True)
    target = unit("zulus", "b", BLUE, formation="skirmish order")
    plan = plan_shot(shooter, target=target, range_=15)
    assert (plan.dice, plan.volley.dice, plan.volley.needed) == (4, 2, 6)
    distribution = FIRE.odds_of(table(shooter, target), fire_action(range_=15)).distribution
    assert 1 - dict(distribution)[0] == 1 - Fraction(5, 6) ** 2
    assert round(float(1 - dict(distribution)[0]) * 100, 1) == 30.6
    _, report = fire_shot(shooter, 6, 5, target=target, range_=15)
    step = next(step for step in report.steps if step.cite.rule == "BE-4.2")
    assert step.text == "8 is 2 more than a die shows: of 4, 2 dice are taken away"
    assert step.needed == "2 dice left, hitting on 6"
    assert step.cite.mark is Mark.RULING


@pytest.mark.parametrize(
    ("words", "dice_left", "needed"),
    [
        ((), 4, 6),
        (("firer shaken",), 3, 6),
        (("firer shaken", "moving"), 2, 6),
        (("firer shaken", "moving", "low on ammo"), 1, 6),
        (("firer shaken", "moving", "low on ammo", "target in cover"), 0, 6),
        (("firer shaken", "target in column"), 4, 6),
        (("target in column",), 4, 5),
    ],
)
def test_be_4_2_each_surplus_modifier_removes_a_die(words: tuple[str, ...], dice_left: int, needed: int) -> None:
    plan = plan_shot(unit("european-regulars", rate="3rd rate"), *words, range_=20)
    assert (plan.volley.dice, plan.volley.needed) == (dice_left, needed)


def test_be_4_2_surplus_modifiers_remove_dice_of_artillery() -> None:
    plan = plan_shot(unit("mountain-gun", rate="3rd rate"), "pivoted", "low on ammo", "target in cover", range_=20)
    assert (plan.dice, plan.volley.dice, plan.volley.needed) == (2, 0, 6)


def test_be_4_2_shot_without_dice_has_no_effect_and_no_button() -> None:
    shooter = unit("egyptians", rate="3rd rate", stands=1, shaken=True)
    after, report = fire_shot(shooter, range_=20)
    assert after.shots == (Shot(unit="a", target="b", hits=0),)
    assert report.steps[-1].verdict == "no dice left: no effect"
    assert [outcome.label for outcome in FIRE.odds_of(table(shooter), fire_action(range_=20)).outcomes] == ["no effect"]
    state = table(
        shooter.model_copy(update={"place": unit("zulus", at=(36, 30)).place}),
        unit("zulus", "b", BLUE, at=(36, 15)),
    )
    assert list(FIRE.possible_actions(state, RED)) == []
    FIRE.execute(state, fire_action(range_=None), NoDice())


# Properties, and without a game.


@given(
    st.integers(1, 12),
    st.sampled_from([0, 9, 10, 24]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.sampled_from(list(Formation)),
    st.sampled_from(list(Cover)),
    st.booleans(),
)
def test_be_4_more_hindrance_never_helps(stands, range_, shaken, low, moved, formation, cover, add_up) -> None:
    shooter = with_memory(unit("egyptians", stands=stands, shaken=shaken, low_ammo=low), moved=float(moved))
    target = unit("zulus", "b", BLUE, formation=formation, cover=cover)
    options = EmpireOptions(covers_add_up=add_up)
    some = FIRE.odds_of(table(shooter, target, options=options), fire_action(range_=range_))
    shaken_odds = FIRE.odds_of(table(shooter, target, options=options), fire_action("firer shaken", range_=range_))
    assert sum(outcome.chance for outcome in some.outcomes) == sum(chance for _, chance in some.distribution) == 1
    assert dict(shaken_odds.distribution)[0] >= dict(some.distribution)[0]


def test_be_4_question_without_a_game() -> None:
    state, action = FIRE.set_up_question(
        {"troop": "British regulars", "figures": 6, "range": 12}, ("target deep massed",)
    )
    assert isinstance(action, Fire)
    odds = FIRE.odds_of(state, action)
    assert [number for number, _ in odds.distribution] == list(range(7))
    assert dict(odds.distribution)[6] == Fraction(4, 6) ** 6
    with pytest.raises(Refused, match="have no firearms"):
        FIRE.odds_of(*FIRE.set_up_question({"troop": "Zulu impi", "range": 12}, ()))
    with pytest.raises(Refused, match="Name troops that fight"):
        FIRE.set_up_question({"troop": "Leader", "range": 12}, ())
    with pytest.raises(Refused, match="Give 1 to 30"):
        FIRE.set_up_question({"troop": "British regulars", "range": 12, "figures": 31}, ())
    with pytest.raises(Refused, match="Leave out “losses”"):
        Empire().ad_hoc.set_up("fire", {"troop": "British regulars", "range": 12, "losses": 3})


def test_be_4_question_in_contact_without_a_game_needs_no_range() -> None:
    state, action = FIRE.set_up_question({"troop": "egyptians"}, ("target in contact",))
    assert dict(FIRE.odds_of(state, action).distribution)[0] == Fraction(5, 6) ** 3
