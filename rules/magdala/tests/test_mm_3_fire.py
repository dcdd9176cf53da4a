"""Volleys: effect and moving, ranges, cover, jams, rockets, ammunition (MM-3.1, MM-3.6 to MM-3.10)."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop.battle import Place
from rules.core.wording import inches, sum_line
from rules.magdala.firing.ammunition import REFILL, Refill
from rules.magdala.firing.fire import FIRE, Fire, consequence
from rules.magdala.firing.mishaps import CLEAR, STRAY, Clear, Stray
from rules.magdala.model import MagdalaState, Morale, StoredPrompt, Works
from rules.magdala.model import Test as Owing
from rules.magdala.placement import gap
from rules.magdala.ruleset import Magdala
from rules.magdala.stored_prompts import call_for
from rules.magdala.turn import prompts as standing_prompts

from .field import BLUE, RED, dice, field, lines, seen, unit

BRITISH = "british-breechloaders"
TARGET = unit("mahdist-spears", "b", BLUE, figures=40)
FULL, HALF = "full effect", "half effect"


def shot(shooter, *words: str, range_: float = 10, target=TARGET, faces=(), **more) -> tuple[MagdalaState, Report]:
    return FIRE.done(
        field(shooter, target, **more), Fire(unit="a", target="b", range=range_, circumstances=words), dice(*faces)
    )


def refusal(shooter, *words: str, range_: float | None = 10, target=TARGET, **more) -> str:
    state = field(shooter, target, **more)
    with pytest.raises(Refused) as refused:
        FIRE.done(state, Fire(unit="a", target="b", range=range_, circumstances=words), NoDice())
    return str(refused.value)


def dice_of(shooter, *words: str, range_: float = 10, target=TARGET, **more) -> int:
    state = field(shooter, target, **more)
    return FIRE.plan(state, Fire(unit="a", target="b", range=range_, circumstances=words)).dice.dice


# MM-3.1


def test_mm_3_1_full_effect_unless_half_is_asked_for() -> None:
    assert dice_of(unit(BRITISH)) == 8
    assert dice_of(unit(BRITISH), HALF) == 4


def test_mm_3_1_a_unit_that_moved_fires_at_half_effect() -> None:
    moved = seen(unit(BRITISH), moved=6.0)
    assert dice_of(moved) == 4
    assert "cannot fire at full effect: half effect, moved. (MM-3.1)" in refusal(moved, FULL)


def test_mm_3_1_mounting_or_dismounting_is_moving() -> None:
    assert dice_of(seen(unit("british-mounted-infantry", figures=16), half_turn_spent=True)) == 4


def test_mm_3_1_fired_once_a_turn() -> None:
    after, _ = shot(unit(BRITISH), HALF, faces=[1, 1, 1, 1, 6])
    assert after.unit("a").this_turn.fired_half
    with pytest.raises(Refused, match="have fired this turn"):
        FIRE.done(after, Fire(unit="a", target="b", range=10), NoDice())


@pytest.mark.parametrize("morale", [Morale.PINNED, Morale.HALTED])
def test_mm_3_1_pinned_and_halted_units_fire_at_half_effect(morale: Morale) -> None:
    held = unit(BRITISH, morale=morale)
    assert dice_of(held) == 4
    assert "cannot fire at full effect" in refusal(held, FULL)


def test_mm_3_1_half_effect_next_fire_is_over_when_it_has_fired() -> None:
    after, _ = shot(unit(BRITISH, half_effect_next_fire=True), faces=[1, 1, 1, 1, 6])
    assert not after.unit("a").half_effect_next_fire


@pytest.mark.parametrize("morale", [Morale.ROUTED, Morale.RETREATING, Morale.PURSUING])
def test_mm_3_1_units_in_flight_do_not_fire(morale: Morale) -> None:
    assert "obey no orders" in refusal(unit(BRITISH, morale=morale))


def test_mm_3_1_only_in_its_own_turn() -> None:
    assert "It is the turn of the Blue" in refusal(unit(BRITISH), active=BLUE)


def test_mm_3_1_who_owes_a_test_settles_it_first() -> None:
    state = call_for(field(unit(BRITISH), unit("mahdist-spears", "b", BLUE)), "a", Owing.UNDER_FIRE)
    with pytest.raises(Refused, match="still have to settle: morale under fire") as refused:
        Magdala().act(state, Fire(unit="a", target="b", range=10), NoDice())
    assert [offer.label for item in refused.value.prompts for offer in item.offers] == ["Morale of A: 100%"]
    assert refused.value.prompts == standing_prompts(state)


def test_mm_3_1_not_at_friends_nor_at_leaders() -> None:
    assert "same side" in refusal(unit(BRITISH), target=unit(BRITISH, "b"))
    assert "not fired at alone" in refusal(unit(BRITISH), target=unit("native-commander", "b", BLUE))


def test_mm_3_1_not_into_a_melee() -> None:
    friend = unit(BRITISH, "c", melee_with="b")
    state = field(unit(BRITISH), TARGET.model_copy(update={"melee_with": "c"}), friend)
    with pytest.raises(Refused, match="are in melee: fire would fall on friends"):
        FIRE.done(state, Fire(unit="a", target="b", range=10), NoDice())


def test_mm_3_1_steel_does_not_fire() -> None:
    assert "nothing to fire with" in refusal(unit("mahdist-spears"))


def test_mm_3_1_a_limbered_gun_does_not_fire() -> None:
    assert "is limbered" in refusal(unit("field-gun", limbered=True))


def test_mm_3_1_unknown_units_are_refused_with_the_nearest_names() -> None:
    state = field(unit(BRITISH, name="Black Watch"), TARGET)
    with pytest.raises(Refused, match="Black Watch"):
        FIRE.done(state, Fire(unit="blck", target="b", range=10), NoDice())


# MM-3.6


@pytest.mark.parametrize(
    ("troops", "range_", "hits_from"),
    [
        (BRITISH, 11.9, 5),
        (BRITISH, 12, 6),
        (BRITISH, 24, 6),
        ("british-cavalry", 8.9, 5),
        ("british-cavalry", 9, 6),
        ("british-cavalry", 18, 6),
        ("kommando", 11, 5),
        ("kommando", 30, 6),
        ("british-skirmishers", 30, 6),
        ("jezailchis", 8, 5),
        ("jezailchis", 24, 6),
        ("field-gun", 11, 5),
        ("field-gun", 12, 6),
        ("field-gun", 48, 6),
        ("naval-gun", 12, 6),
        ("naval-gun", 200, 6),
        ("maxim", 0, 5),
        ("maxim", 24, 5),
        ("mountain-gun", 0, 6),
        ("mountain-gun", 36, 6),
        ("pom-pom", 36, 6),
        ("rockets", 1, 6),
        ("rockets", 30, 6),
    ],
)
def test_mm_3_6_score_to_hit_by_weapon_and_range(troops: str, range_: float, hits_from: int) -> None:
    assert FIRE.plan(field(unit(troops), TARGET), Fire(unit="a", target="b", range=range_)).dice.needed == hits_from


@pytest.mark.parametrize(
    ("troops", "beyond"),
    [
        (BRITISH, 24.1),
        ("indian-scouts", 24.1),
        ("british-cavalry", 18.1),
        ("native-warband", 18.1),
        ("kommando", 30.1),
        ("jezailchis", 24.1),
        ("field-gun", 48.1),
        ("maxim", 24.1),
        ("mountain-gun", 36.1),
        ("rockets", 30.1),
    ],
)
def test_mm_3_6_out_of_range_nothing_is_spent(troops: str, beyond: float) -> None:
    assert f"carry {inches(beyond - 0.1)}. Nothing is spent" in refusal(unit(troops), range_=beyond)


def test_mm_3_6_a_heavy_gun_has_no_short_range() -> None:
    assert "no short range" in refusal(unit("naval-gun"), range_=11.9)


def test_mm_3_6_range_is_asked_for_where_places_are_unknown() -> None:
    assert "Give the range in inches" in refusal(unit(BRITISH), range_=None)


def test_mm_3_6_range_is_measured_between_the_nearest_points_of_bases() -> None:
    here, there = unit(BRITISH, at=(30, 30)), unit("mahdist-spears", "b", BLUE, at=(30, 18, 180))
    state = field(here, there)
    assert FIRE.plan(state, Fire(unit="a", target="b")).range == pytest.approx(12 - 1.2 / 2 - 1.8 / 2)
    assert "is not the measured one" in FIRE.plan(state, Fire(unit="a", target="b", range=20)).warnings[0]


def test_mm_3_6_the_answer_shows_the_sum() -> None:
    _, report = shot(unit(BRITISH), faces=[1, 2, 3, 4, 5, 6, 5, 1])
    sums = [sum_line(step) for step in report.steps]
    assert report.steps[0].text == '10": short range'
    assert sums[1] == "24, × ⅓ volleying European regulars, 1 per 3 figures (MM-3.2) = 8"
    assert sums[2] == "8D6 [1][2][3][4][5][6][5][1], hits on 5-6: 3 hits (96.1% to hit at all)"
    assert report.steps[2].text == "A fire at B"
    assert report.headline == "A fire at B: 3 hits."


def test_mm_3_6_hits_are_casualties_and_the_target_is_under_fire() -> None:
    after, _ = shot(unit(BRITISH), faces=[6, 6, 1, 1, 1, 1, 1, 1])
    assert after.unit("b").casualties == 2
    assert after.unit("b").this_turn.under_fire
    assert [prompt.test for prompt in after.prompts] == [Owing.UNDER_FIRE]


def test_mm_example_8_24_advancing_infantry_lose_3_and_are_pinned_2_test_1_nothing() -> None:
    advancing = seen(unit(BRITISH, "b", BLUE), advanced=True)
    for hits, morale, prompts in ((3, Morale.PINNED, 0), (2, Morale.STEADY, 1), (1, Morale.STEADY, 0)):
        after, _ = shot(unit(BRITISH), target=advancing, faces=[6] * hits + [1] * (8 - hits))
        assert (after.unit("b").morale, len(after.prompts)) == (morale, prompts)


# MM-3.4 and MM-7: what covers from what

SMALL, GUN = BRITISH, "field-gun"


@pytest.mark.parametrize(
    ("works", "from_small_arms", "from_artillery"),
    [
        (Works.NONE, False, False),
        (Works.COVER, True, True),
        (Works.ROUGH, True, True),
        (Works.ZAREBA, False, False),
        (Works.SANDBAGS, True, False),
        (Works.EARTHWORKS, True, True),
        (Works.SANGAR, True, False),
    ],
)
def test_mm_7_field_defences_cover(works: Works, from_small_arms: bool, from_artillery: bool) -> None:
    target = TARGET.model_copy(update={"works": works})
    assert dice_of(unit(SMALL), target=target) == (4 if from_small_arms else 8)
    assert dice_of(unit(GUN), target=target) == (4 if from_artillery else 8)
    assert dice_of(unit("maxim"), target=target) == (3 if from_small_arms else 6)


def test_mm_7_machine_guns_may_be_ruled_artillery() -> None:
    behind = TARGET.model_copy(update={"works": Works.SANDBAGS})
    state = field(unit("maxim"), behind)
    ruled = state.model_copy(update={"options": state.options.model_copy(update={"machine_guns_as_small_arms": False})})
    assert FIRE.plan(ruled, Fire(unit="a", target="b", range=10)).dice.dice == 6


@pytest.mark.parametrize("word", ["target in cover", "target behind earthworks", "target in rough going"])
def test_mm_3_4_the_umpire_says_what_covers(word: str) -> None:
    assert dice_of(unit(GUN), word) == 4
    behind = TARGET.model_copy(update={"works": Works.EARTHWORKS})
    assert dice_of(unit(GUN), "target in the open", target=behind) == 8


@pytest.mark.parametrize(
    ("feature", "dice_left", "reasons"),
    [
        (Feature.WOOD, 4, ["target in a wood"]),
        (Feature.ROUGH, 4, ["target in rough going"]),
        (Feature.HILL, 8, []),
    ],
)
def test_mm_3_4_the_ground_under_a_target_covers_it(feature: Feature, dice_left: int, reasons: list[str]) -> None:
    piece = TerrainPiece(feature=feature, points=((25, 15), (35, 15), (35, 25), (25, 25)))
    here, there = unit(BRITISH, at=(30, 30)), unit("mahdist-spears", "b", BLUE, at=(30, 20))
    plan = FIRE.plan(field(here, there, terrain=(piece,)), Fire(unit="a", target="b"))
    covered = [modifier.reason for step in plan.steps for modifier in step.modifiers[1:]]
    assert (plan.dice.dice, covered) == (dice_left, reasons)


# MM-3.5


def test_mm_3_5_no_dice_left_is_no_fire_and_spends_nothing() -> None:
    few = unit("native-warband", figures=5)
    assert "keep their ammunition" in refusal(few)


# MM-3.7

GATLING = unit("gatling")


@pytest.mark.parametrize(("faces", "jammed"), [([1, 1, 5, 5, 5, 5], True), ([1, 2, 2, 2, 2, 2], False)])
def test_mm_3_7_a_pre_maxim_gun_jams_on_two_1s_and_its_hits_count(faces: list[int], jammed: bool) -> None:
    after, _ = shot(GATLING, faces=faces)
    assert after.unit("a").jammed is jammed
    assert after.unit("b").casualties == faces.count(5)


def test_mm_3_7_a_maxim_never_jams() -> None:
    after, _ = shot(unit("maxim"), faces=[1] * 6)
    assert not after.unit("a").jammed


def test_mm_3_7_jammed_it_cannot_fire_nor_be_cleared_in_the_same_turn() -> None:
    after, _ = shot(GATLING, faces=[1] * 6)
    with pytest.raises(Refused, match="is jammed"):
        FIRE.done(after, Fire(unit="a", target="b", range=10), NoDice())
    with pytest.raises(Refused, match="can be cleared in its next"):
        CLEAR.done(after, Clear(unit="a"), NoDice())


@pytest.mark.parametrize(("face", "jammed"), [(3, True), (4, False)])
def test_mm_3_7_cleared_next_turn_on_4_to_6_one_attempt_a_turn(face: int, jammed: bool) -> None:
    state = field(GATLING.model_copy(update={"jammed": True}), TARGET)
    assert list(CLEAR.possible(state, RED)) == [Clear(unit="a")]
    after, report = CLEAR.done(state, Clear(unit="a"), dice(face))
    assert after.unit("a").jammed is jammed
    assert report.steps[0].chance == Fraction(1, 2)
    assert not list(CLEAR.possible(after, RED))
    with pytest.raises(Refused, match="one attempt a turn" if jammed else "not jammed"):
        CLEAR.done(after, Clear(unit="a"), NoDice())


def test_mm_3_7_odds_of_clearing_and_of_jamming() -> None:
    jammed = field(GATLING.model_copy(update={"jammed": True}), TARGET)
    assert [outcome.chance for outcome in CLEAR.odds_of(jammed, Clear(unit="a")).outcomes] == [Fraction(1, 2)] * 2
    steps = FIRE.odds_of(field(GATLING, TARGET), Fire(unit="a", target="b", range=10)).steps
    ones = 6 @ (icepool.d6 == 1)
    assert steps[-1].chance == ones.probability(">=", 2)


# MM-3.8

ROCKETS = unit("rockets")
FRIEND = unit(BRITISH, "f", figures=24)


def rockets(*others, faces) -> MagdalaState:
    after, _ = FIRE.done(field(ROCKETS, TARGET, *others), Fire(unit="a", target="b", range=20), dice(*faces))
    return after


def test_mm_3_8_more_6s_than_1s_hit_the_target() -> None:
    assert rockets(FRIEND, faces=[6, 6, 1, 2, 2, 2]).unit("b").casualties == 2


def test_mm_3_8_as_many_1s_as_6s_hit_the_target() -> None:
    assert rockets(FRIEND, faces=[6, 1, 2, 2, 2, 2]).unit("b").casualties == 1


def test_mm_3_8_more_1s_than_6s_fall_on_the_only_friends() -> None:
    after = rockets(FRIEND, faces=[6, 1, 1, 2, 2, 2])
    assert (after.unit("b").casualties, after.unit("f").casualties) == (0, 1)


def test_mm_3_8_the_headline_of_a_volley_astray_gives_the_target_no_hit() -> None:
    _, report = FIRE.done(field(ROCKETS, TARGET, FRIEND), Fire(unit="a", target="b", range=20), dice(6, 1, 1, 2, 2, 2))
    assert report.headline == "A fires at B: 1 hit, astray."


def test_mm_3_8_the_nearest_friends_where_positions_are_known() -> None:
    target = unit("mahdist-spears", "b", BLUE, at=(30, 10))
    near, far = unit(BRITISH, "n", at=(30, 20)), unit(BRITISH, "f", at=(30, 40))
    state = field(unit("rockets", at=(30, 35)), target, far, near)
    after, _ = FIRE.done(state, Fire(unit="a", target="b"), dice(6, 1, 1, 2, 2, 2))
    assert (after.unit("n").casualties, after.unit("f").casualties) == (1, 0)


def test_mm_3_8_else_the_side_is_asked_on_which_friends_they_fall() -> None:
    other = unit(BRITISH, "g")
    after = rockets(FRIEND, other, faces=[6, 1, 1, 2, 2, 2])
    (prompts,) = standing_prompts(after)
    assert prompts.required
    assert [offer.label for offer in prompts.offers] == ["Rockets fall on F: 1 hit", "Rockets fall on G: 1 hit"]
    assert list(STRAY.possible(after, RED)) == [Stray(unit="a", target="f"), Stray(unit="a", target="g")]
    with pytest.raises(Refused, match="no friendly unit"):
        STRAY.done(after, Stray(unit="a", target="b"), NoDice())
    settled, _ = STRAY.done(after, Stray(unit="a", target="g"), NoDice())
    assert settled.unit("g").casualties == 1
    assert not settled.prompts
    with pytest.raises(Refused, match="gone astray"):
        STRAY.done(settled, Stray(unit="a", target="g"), NoDice())


def test_mm_3_8_no_6s_or_no_friends_hurt_nobody() -> None:
    assert rockets(FRIEND, faces=[1, 1, 2, 2, 2, 2]).unit("f").casualties == 0
    assert rockets(faces=[6, 1, 1, 2, 2, 2]).unit("b").casualties == 0


@pytest.mark.parametrize("dice_thrown", [1, 2, 6])
def test_mm_3_8_odds_of_rockets_going_astray_equal_icepool(dice_thrown: int) -> None:
    each = icepool.d6.map(lambda face: 100 * (face == 6) + (face == 1))
    both = dice_thrown @ each
    astray = ((quantity, divmod(count, 100)) for count, quantity in both.items())
    strays = sum(Fraction(quantity, both.denominator()) for quantity, (six, one) in astray if one > six > 0)
    state, fire = field(ROCKETS, TARGET, FRIEND), Fire(unit="a", target="b", range=20)
    plan = FIRE.plan(state, fire)
    fewer = replace(plan, dice=replace(plan.dice, dice=dice_thrown))
    found = {outcome.label: outcome.chance for outcome in FIRE.odds(state, fewer).outcomes}
    assert found.get("astray, on friends", 0) == strays
    assert sum(found.values()) == 1


# MM-3.9


def test_mm_3_9_full_effect_costs_a_point() -> None:
    after, _ = shot(unit(BRITISH), faces=[1] * 8)
    assert after.unit("a").ammunition == 5


@pytest.mark.parametrize(("face", "left"), [(1, Fraction(11, 2)), (3, Fraction(11, 2)), (4, 6), (6, 6)])
def test_mm_3_9_half_effect_costs_half_a_point_on_1_to_3(face: int, left: Fraction) -> None:
    after, _ = shot(unit(BRITISH), HALF, faces=[1, 1, 1, 1, face])
    assert after.unit("a").ammunition == left


def test_mm_3_9_with_half_a_point_only_half_effect() -> None:
    low = unit(BRITISH, ammunition=Fraction(1, 2))
    assert dice_of(low) == 4
    assert "half a round of ammunition left" in refusal(low, FULL)
    after, _ = shot(low, faces=[1, 1, 1, 1, 1])
    assert after.unit("a").ammunition == 0


def test_mm_3_9_detachments_spend_none_even_without_any() -> None:
    sent = unit(BRITISH, figures=6, parent="p", ammunition=Fraction(0))
    after, report = shot(sent, faces=[1, 1])
    assert after.unit("a").ammunition == 0
    assert "spends no ammunition" in lines(report)


def test_mm_3_9_refused_at_none() -> None:
    for troops in ("native-warband", "field-gun", "maxim", "kommando", "british-cavalry"):
        assert "out of ammunition" in refusal(unit(troops, ammunition=Fraction(0)), range_=8)


WAGON = unit("wagon", "w")
EMPTY = unit(BRITISH, ammunition=Fraction(1), last_volley_fired=True)


def test_mm_3_9_a_wagon_refills_regulars_to_full_for_their_turn() -> None:
    state = field(EMPTY, WAGON, TARGET)
    assert list(REFILL.possible(state, RED)) == [Refill(unit="a")]
    after, _ = REFILL.done(state, Refill(unit="a"), NoDice())
    assert (after.unit("a").ammunition, after.unit("a").last_volley_fired) == (6, False)
    with pytest.raises(Refused, match="spent their whole turn"):
        FIRE.done(after, Fire(unit="a", target="b", range=10), NoDice())


@pytest.mark.parametrize(
    ("unit_", "wagon", "why"),
    [
        (unit("native-warband", ammunition=Fraction(0)), WAGON, "only regulars are refilled"),
        (seen(EMPTY, moved=1.0), WAGON, "neither moving nor firing"),
        (seen(EMPTY, fired_half=True), WAGON, "neither moving nor firing"),
        (unit(BRITISH), WAGON, "have all their ammunition"),
        (EMPTY, unit("wagon", "w", BLUE), "no wagon or mules"),
        (unit(BRITISH, at=(10, 10), ammunition=Fraction(0)), unit("mules", "w", at=(10, 30)), 'must come within 6"'),
    ],
)
def test_mm_3_9_refilling_is_refused(unit_, wagon, why: str) -> None:
    with pytest.raises(Refused, match=why):
        REFILL.done(field(unit_, wagon, TARGET), Refill(unit="a"), NoDice())


def test_mm_3_9_ammunition_is_fetched_from_those_who_carry_it() -> None:
    state = field(EMPTY, WAGON, unit("mules", "m"), unit(BRITISH, "c"), TARGET)
    with pytest.raises(Refused, match=r"^C carry no ammunition for A\. These do: W, M\. \(MM-3\.9\)$"):
        REFILL.done(state, Refill(unit="a", target="c"), NoDice())


@pytest.mark.parametrize(("nearer", "reaches"), [(0.0, True), (0.01, False)])
def test_mm_3_9_a_wagon_reaches_just_as_far_as_the_option_says(nearer: float, reaches: bool) -> None:
    empty, wagon = EMPTY.model_copy(update={"place": Place(x=10, y=10)}), unit("wagon", "w", at=(10, 20))
    within = gap(empty, wagon)
    assert within is not None
    options = field().options.model_copy(update={"refill_within": within - nearer})
    assert bool(list(REFILL.possible(field(empty, wagon, options=options), RED))) is reaches


def test_mm_3_9_a_whole_point_is_enough_for_full_effect() -> None:
    assert shot(unit(BRITISH, ammunition=Fraction(1)), faces=[1] * 8)[0].unit("a").ammunition == 0


def test_mm_3_9_irregulars_may_be_refilled_by_ruling() -> None:
    state = field(unit("kommando", ammunition=Fraction(2)), WAGON, TARGET)
    options = state.options.model_copy(update={"refill_irregulars": True})
    after, _ = REFILL.done(state.model_copy(update={"options": options}), Refill(unit="a", target="w"), NoDice())
    assert after.unit("a").ammunition == 6


# MM-3.10 and MM-4.1

PROMPT = StoredPrompt(key="k", unit="a", test=Owing.DEFENSIVE_FIRE, by="b")


def charged(shooter, prompt: StoredPrompt = PROMPT) -> MagdalaState:
    met = shooter.model_copy(update={"melee_with": "b"})
    enemy = TARGET.model_copy(update={"melee_with": "a", "melee_attacker": True, "melee_round": 1})
    return field(met, enemy, active=BLUE, prompts=(prompt,))


def test_mm_3_10_one_last_volley_at_half_effect_only_against_a_charge() -> None:
    out = unit(BRITISH, ammunition=Fraction(0))
    assert "keep one last volley, for a charge" in refusal(out)
    after, report = FIRE.done(charged(out), Fire(unit="a", target="b"), dice(1, 1, 1, 1))
    assert after.unit("a").last_volley_fired
    assert "That was their last volley" in lines(report)
    assert '0": short range' in lines(report), "as they come in"
    assert "have fired their last volley" in refusal(unit(BRITISH, ammunition=Fraction(0), last_volley_fired=True))


def test_mm_4_1_the_defender_fires_in_the_enemys_turn_whatever_it_fired_in_its_own() -> None:
    after, _ = FIRE.done(
        charged(seen(unit(BRITISH), fired_full=True, moved=0)), Fire(unit="a", target="b"), dice(*[6] * 8)
    )
    assert after.unit("b").casualties == 8
    assert not [prompt for prompt in after.prompts if prompt.test is Owing.DEFENSIVE_FIRE]
    assert not after.unit("a").this_turn.fired_half


def test_mm_4_1_at_half_effect_when_the_attackers_came_under_9_inches() -> None:
    state = charged(unit(BRITISH), PROMPT.model_copy(update={"half_effect": True}))
    assert FIRE.plan(state, Fire(unit="a", target="b")).dice.dice == 4


def test_mm_4_1_without_a_charge_nobody_fires_in_the_enemys_turn() -> None:
    here, there = unit(BRITISH, at=(30, 30)), unit("mahdist-spears", "b", BLUE, at=(30, 20))
    with pytest.raises(Refused, match="Nobody is moving into contact"):
        FIRE.done(
            field(here, there, active=BLUE), Fire(unit="a", target="b", circumstances=("defensive fire",)), NoDice()
        )


# Odds and properties


@pytest.mark.parametrize(("troops", "range_"), list(product([BRITISH, "kommando", "field-gun", "gatling"], [8, 20])))
def test_odds_of_a_volley_add_up_and_tell_of_the_test(troops: str, range_: int) -> None:
    odds = FIRE.odds_of(field(unit(troops), TARGET), Fire(unit="a", target="b", range=range_))
    assert sum(outcome.chance for outcome in odds.outcomes) == 1
    assert sum(chance for _, chance in odds.spread) == 1
    owes = {o.label: o.chance for o in odds.outcomes}["hit, a morale test"]
    assert owes == sum(chance for hits, chance in odds.spread if hits >= 2)


def test_odds_of_pinning_an_advancing_unit() -> None:
    advancing = seen(unit(BRITISH, "b", BLUE), advanced=True)
    odds = FIRE.odds_of(field(unit(BRITISH), advancing), Fire(unit="a", target="b", range=10))
    chances = {outcome.label: outcome.chance for outcome in odds.outcomes}
    assert chances["hit, halted and pinned"] == (8 @ (icepool.d6 >= 5)).probability(">=", 3)


def test_legal_volleys_can_all_be_fired() -> None:
    state = field(
        unit(BRITISH, at=(30, 30)), unit("maxim", "m", at=(50, 30)), unit("mahdist-rifles", "b", BLUE, at=(30, 15))
    )
    orders = list(FIRE.possible(state, RED))
    assert {(order.unit, order.target) for order in orders} == {("a", "b"), ("m", "b")}
    assert not list(FIRE.possible(state, BLUE))


@given(
    st.sampled_from([BRITISH, "native-warband", "field-gun", "rockets", "gatling", "mahdist-spears", "wagon"]),
    st.floats(0, 60),
    st.sets(st.sampled_from(Fire.circumstance_names), max_size=3),
    st.sampled_from(list(Morale)),
    st.fractions(0, 6, max_denominator=2),
)
def test_a_refused_volley_throws_nothing_and_no_volley_changes_its_state(troops, range_, words, morale, points) -> None:
    state = field(unit(troops, morale=morale, ammunition=points), TARGET)
    before = state.model_dump_json()
    try:
        FIRE.plan(state, Fire(unit="a", target="b", range=range_, circumstances=tuple(words)))
    except Refused:
        with pytest.raises(Refused):
            FIRE.done(state, Fire(unit="a", target="b", range=range_, circumstances=tuple(words)), NoDice())
    else:
        FIRE.done(state, Fire(unit="a", target="b", range=range_, circumstances=tuple(words)), dice(*[3] * 40))
    assert state.model_dump_json() == before


@pytest.mark.parametrize(
    ("hits", "figures", "lost", "label"),
    [
        (0, 12, 0, "no hits"),
        (1, 12, 0, "hit, no test"),
        (1, 12, 5, "hit, a retreat at half strength"),
        (1, 1, 0, "hit and destroyed"),
    ],
)
def test_mm_3_6_the_odds_say_what_so_many_hits_make_of_the_target(
    hits: int, figures: int, lost: int, label: str
) -> None:
    firer = unit("british-breechloaders", at=(36, 40))
    target = unit("mahdist-spears", "b", BLUE, at=(36, 30, 180), figures=figures, casualties=lost)
    assert consequence(field(firer, target), target, firer, hits) == (label, hits > 0)
    without_a_game = field(firer, target).model_copy(update={"scenario": ""})
    assert consequence(without_a_game, target, firer, hits) == ("hit" if hits else "no hits", hits > 0)
