"""Volleys: effect and moving, ranges, cover (MM-3.1, MM-3.4 to MM-3.6)."""

from itertools import product

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.wording import inches, sum_line
from rules.magdala.firing.fire import FIRE, Fire, fate_after_hits
from rules.magdala.model import Morale, Works
from rules.magdala.model import Test as Owing
from rules.magdala.ruleset import Magdala
from rules.magdala.stored_prompts import add_prompt
from rules.magdala.turn import prompts as standing_prompts

from .field import BLUE, RED, dice, field, unit, with_memory
from .firing_field import BRITISH, FULL, HALF, TARGET, dice_of, fire_volley, refusal

# MM-3.1


def test_mm_3_1_full_effect_unless_half_is_asked_for() -> None:
    assert dice_of(unit(BRITISH)) == 8
    assert dice_of(unit(BRITISH), HALF) == 4


def test_mm_3_1_a_unit_that_moved_fires_at_half_effect() -> None:
    moved = with_memory(unit(BRITISH), moved=6.0)
    assert dice_of(moved) == 4
    assert "cannot fire at full effect: half effect, moved. (MM-3.1)" in refusal(moved, FULL)


def test_mm_3_1_mounting_or_dismounting_is_moving() -> None:
    assert dice_of(with_memory(unit("british-mounted-infantry", figures=16), half_turn_spent=True)) == 4


def test_mm_3_1_unit_fires_once_a_turn() -> None:
    after, _ = fire_volley(unit(BRITISH), HALF, faces=[1, 1, 1, 1, 6])
    assert after.unit("a").this_turn.fired_half
    with pytest.raises(Refused, match="have fired this turn"):
        FIRE.execute(after, Fire(unit="a", target="b", range=10), NoDice())


@pytest.mark.parametrize("morale", [Morale.PINNED, Morale.HALTED])
def test_mm_3_1_pinned_and_halted_units_fire_at_half_effect(morale: Morale) -> None:
    firer = unit(BRITISH, morale=morale)
    assert dice_of(firer) == 4
    assert "cannot fire at full effect" in refusal(firer, FULL)


def test_mm_3_1_half_effect_of_the_next_fire_ends_with_it() -> None:
    after, _ = fire_volley(unit(BRITISH, half_effect_next_fire=True), faces=[1, 1, 1, 1, 6])
    assert not after.unit("a").half_effect_next_fire


@pytest.mark.parametrize("morale", [Morale.ROUTED, Morale.RETREATING, Morale.PURSUING])
def test_mm_3_1_units_in_flight_do_not_fire(morale: Morale) -> None:
    assert "obey no orders" in refusal(unit(BRITISH, morale=morale))


def test_mm_3_1_unit_fires_only_in_its_own_turn() -> None:
    assert "It is the turn of the Blue" in refusal(unit(BRITISH), active=BLUE)


def test_mm_3_1_unit_that_owes_a_test_cannot_fire() -> None:
    state = add_prompt(field(unit(BRITISH), unit("mahdist-spears", "b", BLUE)), "a", Owing.UNDER_FIRE)
    with pytest.raises(Refused, match="still have to settle: morale under fire") as refused:
        Magdala().act(state, Fire(unit="a", target="b", range=10), NoDice())
    assert [offer.label for item in refused.value.prompts for offer in item.offers] == ["Morale of A: 100%"]
    assert refused.value.prompts == standing_prompts(state)


def test_mm_3_1_friends_and_leaders_are_no_targets() -> None:
    assert "same side" in refusal(unit(BRITISH), target=unit(BRITISH, "b"))
    assert "not fired at alone" in refusal(unit(BRITISH), target=unit("native-commander", "b", BLUE))


def test_mm_3_1_fire_into_a_melee_is_refused() -> None:
    friend = unit(BRITISH, "c", melee_with="b")
    state = field(unit(BRITISH), TARGET.model_copy(update={"melee_with": "c"}), friend)
    with pytest.raises(Refused, match="are in melee: fire would fall on friends"):
        FIRE.execute(state, Fire(unit="a", target="b", range=10), NoDice())


def test_mm_3_1_unit_without_firearms_does_not_fire() -> None:
    assert "nothing to fire with" in refusal(unit("mahdist-spears"))


def test_mm_3_1_a_limbered_gun_does_not_fire() -> None:
    assert "is limbered" in refusal(unit("field-gun", limbered=True))


def test_mm_3_1_unknown_units_are_refused_with_the_nearest_names() -> None:
    state = field(unit(BRITISH, name="Black Watch"), TARGET)
    with pytest.raises(Refused, match="Black Watch"):
        FIRE.execute(state, Fire(unit="blck", target="b", range=10), NoDice())


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
def test_mm_3_6_fire_out_of_range_spends_nothing(troops: str, beyond: float) -> None:
    reason = refusal(unit(troops), range_=beyond - 0.08)
    assert f"cannot reach {inches(beyond)}: {inches(beyond - 0.1)} is the most (" in reason
    assert "Nothing is spent" in reason


def test_mm_3_6_a_heavy_gun_has_no_short_range() -> None:
    assert "no short range" in refusal(unit("naval-gun"), range_=11.9)


def test_mm_3_6_unplaced_units_need_a_range() -> None:
    assert "Give the range in inches" in refusal(unit(BRITISH), range_=None)


def test_mm_3_6_range_is_measured_between_the_nearest_points_of_bases() -> None:
    firer, target = unit(BRITISH, at=(30, 30)), unit("mahdist-spears", "b", BLUE, at=(30, 18, 180))
    state = field(firer, target)
    assert FIRE.plan(state, Fire(unit="a", target="b")).range == pytest.approx(12 - 1.2 / 2 - 1.8 / 2)
    with pytest.raises(Refused, match=r'are 10\.5" from .* by the places kept here, and the range given is 20"'):
        FIRE.plan(state, Fire(unit="a", target="b", range=20))


def test_mm_3_6_the_answer_shows_the_sum() -> None:
    _, report = fire_volley(unit(BRITISH), faces=[1, 2, 3, 4, 5, 6, 5, 1])
    sums = [sum_line(step) for step in report.steps]
    assert report.steps[0].text == '10": short range'
    assert sums[1] == "24, × ⅓ volleying European regulars, 1 per 3 figures (MM-3.2) = 8"
    assert sums[2] == "8D6 [1][2][3][4][5][6][5][1], hits on 5-6: 3 hits (96.1% to hit at all)"
    assert report.steps[2].text == "A fire at B"
    assert report.headline == "A fire at B: 3 hits."


def test_mm_3_6_hits_are_casualties_and_the_target_is_under_fire() -> None:
    after, _ = fire_volley(unit(BRITISH), faces=[6, 6, 1, 1, 1, 1, 1, 1])
    assert after.unit("b").casualties == 2
    assert after.unit("b").this_turn.under_fire
    assert [prompt.test for prompt in after.prompts] == [Owing.UNDER_FIRE]


def test_mm_example_8_24_advancing_infantry_lose_3_and_are_pinned_2_test_1_nothing() -> None:
    advancing = with_memory(unit(BRITISH, "b", BLUE), advanced=True)
    for hits, morale, prompts in ((3, Morale.PINNED, 0), (2, Morale.STEADY, 1), (1, Morale.STEADY, 0)):
        after, _ = fire_volley(unit(BRITISH), target=advancing, faces=[6] * hits + [1] * (8 - hits))
        assert (after.unit("b").morale, len(after.prompts)) == (morale, prompts)


# MM-3.4 and MM-7: cover against each weapon

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
def test_mm_3_4_umpire_decides_what_gives_cover(word: str) -> None:
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
    firer, target = unit(BRITISH, at=(30, 30)), unit("mahdist-spears", "b", BLUE, at=(30, 20))
    plan = FIRE.plan(field(firer, target, terrain=(piece,)), Fire(unit="a", target="b"))
    covered = [modifier.reason for step in plan.steps for modifier in step.modifiers[1:]]
    assert (plan.dice.dice, covered) == (dice_left, reasons)


# MM-3.5


def test_mm_3_5_volley_of_no_dice_is_refused_and_spends_nothing() -> None:
    warband = unit("native-warband", figures=5)
    assert "keep their ammunition" in refusal(warband)


# Odds and properties


@pytest.mark.parametrize(("troops", "range_"), list(product([BRITISH, "kommando", "field-gun", "gatling"], [8, 20])))
def test_odds_of_a_volley_add_up_and_mention_the_test(troops: str, range_: int) -> None:
    odds = FIRE.odds_of(field(unit(troops), TARGET), Fire(unit="a", target="b", range=range_))
    assert sum(outcome.chance for outcome in odds.outcomes) == 1
    assert sum(chance for _, chance in odds.distribution) == 1
    owes = {o.label: o.chance for o in odds.outcomes}["hit, a morale test"]
    assert owes == sum(chance for hits, chance in odds.distribution if hits >= 2)


def test_odds_of_pinning_an_advancing_unit() -> None:
    advancing = with_memory(unit(BRITISH, "b", BLUE), advanced=True)
    odds = FIRE.odds_of(field(unit(BRITISH), advancing), Fire(unit="a", target="b", range=10))
    chances = {outcome.label: outcome.chance for outcome in odds.outcomes}
    assert chances["hit, halted and pinned"] == (8 @ (icepool.d6 >= 5)).probability(">=", 3)


def test_legal_volleys_can_all_be_fired() -> None:
    state = field(
        unit(BRITISH, at=(30, 30)), unit("maxim", "m", at=(50, 30)), unit("mahdist-rifles", "b", BLUE, at=(30, 15))
    )
    orders = list(FIRE.possible_actions(state, RED))
    assert {(order.unit, order.target) for order in orders} == {("a", "b"), ("m", "b")}
    assert not list(FIRE.possible_actions(state, BLUE))


@given(
    st.sampled_from([BRITISH, "native-warband", "field-gun", "rockets", "gatling", "mahdist-spears", "wagon"]),
    st.floats(0, 60),
    st.sets(st.sampled_from(Fire.circumstance_names), max_size=3),
    st.sampled_from(list(Morale)),
    st.fractions(0, 6, max_denominator=2),
)
def test_refused_volley_throws_no_dice_and_volleys_leave_the_old_state(troops, range_, words, morale, points) -> None:
    state = field(unit(troops, morale=morale, ammunition=points), TARGET)
    before = state.model_dump_json()
    try:
        FIRE.plan(state, Fire(unit="a", target="b", range=range_, circumstances=tuple(words)))
    except Refused:
        with pytest.raises(Refused):
            FIRE.execute(state, Fire(unit="a", target="b", range=range_, circumstances=tuple(words)), NoDice())
    else:
        FIRE.execute(state, Fire(unit="a", target="b", range=range_, circumstances=tuple(words)), dice(*[3] * 40))
    assert state.model_dump_json() == before


@pytest.mark.parametrize(
    ("hits", "figures", "casualties", "label"),
    [
        (0, 12, 0, "no hits"),
        (1, 12, 0, "hit, no test"),
        (1, 12, 5, "hit, a retreat at half strength"),
        (1, 1, 0, "hit and destroyed"),
    ],
)
def test_mm_3_6_odds_describe_the_target_after_each_number_of_hits(
    hits: int, figures: int, casualties: int, label: str
) -> None:
    firer = unit("british-breechloaders", at=(36, 40))
    target = unit("mahdist-spears", "b", BLUE, at=(36, 30, 180), figures=figures, casualties=casualties)
    assert fate_after_hits(field(firer, target), target, firer, hits) == (label, hits > 0)
    without_a_game = field(firer, target).model_copy(update={"scenario": ""})
    assert fate_after_hits(without_a_game, target, firer, hits) == ("hit" if hits else "no hits", hits > 0)
