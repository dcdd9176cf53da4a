"""Moves that must not be free: steps of 0 inches, turns into the enemy, repeated changes of order (MM-2)."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop.battle import Place
from rules.magdala import placement
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.model import MagdalaState, MagdalaUnit, Order
from rules.magdala.moving.bug_out import BUG_OUT, BugOut
from rules.magdala.moving.marching import Move
from rules.magdala.options import MagdalaOptions
from rules.magdala.orders.movement import MOVE

from .field import BLUE, dice, field, text_of, unit, with_memory

BRITISH = "british-breechloaders"
FOE = unit("mahdist-spears", "b", BLUE, at=(36, 5, 180))
FREE = MagdalaOptions(one_change_of_order=False)


def move(state: MagdalaState, unit_id: str, to: str | None = None, *words: str, faces=()) -> MagdalaState:
    return MOVE.execute(state, Move(unit=unit_id, to=to, circumstances=words), dice(*faces))[0]


def refusal(state: MagdalaState, unit_id: str, to: str | None = None, *words: str) -> str:
    with pytest.raises(Refused) as refused:
        MOVE.execute(state, Move(unit=unit_id, to=to, circumstances=words), NoDice())
    return str(refused.value)


def field_with_one(
    troops: str, at: tuple[float, ...] | None = None, *others: MagdalaUnit, **fields: Any
) -> MagdalaState:
    return field(unit(troops, at=at), *(others or (FOE,)), **fields)


# Steps of no inches


@pytest.mark.parametrize("to", ["forward -100", "back -1", "left 0", "forward 0"])
@pytest.mark.parametrize("at", [None, (36, 30)])
@pytest.mark.parametrize("troops", [BRITISH, "mahdist-spears"])
def test_mm_2_step_of_zero_inches_is_refused(troops: str, at: tuple[float, ...] | None, to: str) -> None:
    assert "more than 0" in refusal(field_with_one(troops, at), "a", to)


@pytest.mark.parametrize("to", ["forward 0.01", "towards b 0"])
@pytest.mark.parametrize("at", [None, (36, 30)])
def test_mm_2_march_to_its_own_place_is_refused(at: tuple[float, ...] | None, to: str) -> None:
    assert "are there already" in refusal(field_with_one("mahdist-spears", at), "a", to)


def test_mm_2_short_dice_move_is_the_only_move_of_the_turn() -> None:
    state = field_with_one("mahdist-spears")
    enemy_at_arms_length = move(state, "a", "towards b 0", "into contact", faces=[1, 1])
    assert enemy_at_arms_length.unit("a").this_turn.has_moved
    assert enemy_at_arms_length.unit("a").melee_with == "b"


def test_mm_2_move_in_words_without_places_counts_as_a_move() -> None:
    state = move(field_with_one(BRITISH), "a", "over the ridge")
    assert state.unit("a").this_turn.marched
    assert "have made their move" in refusal(state, "a", "forward 1")


def test_mm_6_a_general_joins_only_a_unit_he_has_reached() -> None:
    state = field(unit("general", at=(36, 44)), unit(BRITISH, "c", at=(36, 32)), FOE)
    assert "is there already" in refusal(state, "a", "towards c 0")
    assert move(state, "a", "towards c 3").unit("c").general is None
    assert move(state, "a", "towards c").unit("c").general == "a"


# Turns and changes of order


def test_mm_2_turning_takes_room() -> None:
    close_behind = unit(BRITISH, "c", at=(36, 31.3))
    assert "C stand there" in refusal(field_with_one(BRITISH, (36, 30), FOE, close_behind), "a", "face e")
    assert "over the edge" in refusal(field_with_one(BRITISH, (36, 1)), "a", "face e")


def test_mm_4_1_turn_or_change_of_order_makes_no_contact() -> None:
    ahead = unit("mahdist-spears", "b", BLUE, at=(36, 27.8, 180))
    assert "would touch B" in refusal(field_with_one(BRITISH, (36, 30), ahead), "a", "face e")
    beside = unit("mahdist-spears", "b", BLUE, at=(40.9, 30, 0))
    assert "would touch B" in refusal(field_with_one(BRITISH, (36, 30), beside), "a", None, "skirmish order")


def test_mm_2_1_one_change_of_order_a_turn() -> None:
    state = move(field_with_one(BRITISH, (36, 30)), "a", "forward 8", "skirmish order")
    assert "have changed their order" in refusal(state, "a", None, "close order")
    free = move(field_with_one(BRITISH, (36, 30), options=FREE), "a", "forward 8", "skirmish order")
    assert move(free, "a", None, "close order").unit("a").order is Order.CLOSE


def test_mm_2_1_no_change_of_order_after_firing() -> None:
    state = field(with_memory(unit(BRITISH, at=(36, 30)), fired_half=True), FOE)
    assert "have fired" in refusal(state, "a", None, "skirmish order")
    assert move(state, "a", None, "lie down").unit("a").prone


def test_mm_3_1_full_effect_needs_the_order_the_turn_began_in() -> None:
    order = Fire(unit="a", target="b")
    near = unit("mahdist-spears", "b", BLUE, at=(36, 20, 180))
    state = move(field_with_one(BRITISH, (36, 30), near), "a", None, "skirmish order")
    assert FIRE.plan(state, order).dice.dice == 6
    free = move(field_with_one(BRITISH, (36, 30), near, options=FREE), "a", None, "skirmish order")
    assert FIRE.plan(free, order).dice.dice == 12


def test_mm_2_3_regulars_who_mount_leave_skirmish_order() -> None:
    rifles = unit("british-mounted-infantry", at=(36, 30), mounted=False, order=Order.SKIRMISH)
    assert move(field(rifles, FOE), "a", None, "mount").unit("a").order is Order.CLOSE


# Charges


def test_mm_2_2_a_charge_goes_nearer_some_enemy() -> None:
    lancers = unit("british-lancers", at=(36, 20), last_moved_turn=1)
    assert "charge an enemy" in refusal(field(lancers, FOE, turn=2), "a", "back 18", "charge")
    assert move(field(lancers, FOE, turn=2), "a", "forward 6", "charge").unit("a").this_turn.charged


def test_mm_2_2_a_shuffle_is_no_trot() -> None:
    start = field_with_one("british-lancers", (36, 40), turn=3)
    assert move(start, "a", "forward 5").unit("a").last_moved_turn is None
    assert move(start, "a", "forward 6").unit("a").last_moved_turn == 3
    short = field_with_one("british-lancers", (36, 40), turn=3, options=MagdalaOptions(least_trot=2))
    assert move(short, "a", "forward 2").unit("a").last_moved_turn == 3


# Attached units


def test_mm_2_8_parent_leaving_its_detachment_gets_a_warning() -> None:
    parent, detachment = unit(BRITISH, at=(36, 40)), unit(BRITISH, "d", at=(36, 29), figures=6, parent="a")
    _, report = MOVE.execute(field(parent, detachment, FOE), Move(unit="a", to="back 6"), NoDice())
    assert "D are" in report.warnings[0]
    assert not MOVE.execute(field(parent, detachment, FOE), Move(unit="a", to="forward 1"), NoDice())[1].warnings


def test_mm_6_a_general_who_has_ridden_is_not_carried_further() -> None:
    state = field(unit("general", "g", at=(36, 44)), unit(BRITISH, at=(36, 36)), FOE)
    joined = move(state, "g", "towards a")
    after, report = MOVE.execute(joined, Move(unit="a", to="forward 6"), NoDice())
    assert (after.unit("a").general, after.unit("g").place) == (None, joined.unit("g").place)
    assert "stays behind" in text_of(report)


def test_mm_a_guns_of_one_boat_get_a_warning_when_apart() -> None:
    river = TerrainPiece(feature=Feature.RIVER, points=((0, 24), (72, 24)), closed=False, width=4)
    guns = (unit("field-gun", at=(20, 24, 90), afloat=True), unit("nordenfeldt", "n", at=(18.4, 24, 90), afloat=True))
    state = field(*guns, FOE, terrain=(river,))
    after, report = MOVE.execute(state, Move(unit="a", to="forward 6"), NoDice())
    assert "N is aboard the same boat" in report.warnings[0]
    just_there = MagdalaOptions(at_hand=placement.gap(after.unit("a"), after.unit("n")))
    state = field(*guns, FOE, terrain=(river,), options=just_there)
    assert not MOVE.execute(state, Move(unit="a", to="forward 6"), NoDice())[1].warnings
    assert not MOVE.execute(state, Move(unit="a", to="forward 0.5"), NoDice())[1].warnings


def test_mm_2_9_corner_of_the_base_in_bad_going_slows_the_unit() -> None:
    rough = TerrainPiece(feature=Feature.ROUGH, points=((37, 20), (50, 20), (50, 28), (37, 28)))
    assert 'may move 3"' in refusal(field_with_one(BRITISH, (36, 30), FOE, terrain=(rough,)), "a", "forward 6")


# Odds


def test_mm_7_odds_of_a_refused_move_are_refused() -> None:
    order = Move(unit="a", to="forward 6", circumstances=("occupy earthworks",))
    with pytest.raises(Refused, match="are not within"):
        MOVE.odds_of(field_with_one(BRITISH, (36, 30)), order)


# Bug out

BOERS = unit("kommando", at=(36, 30), mounted=False, horses_at=Place(x=36, y=32))


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("towards b 12", "To bug out is to withdraw"),
        ("forward 12", "To bug out is to withdraw"),
        ("forward -12", "more than 0"),
        ("face ne", "have to ride somewhere"),
    ],
)
def test_mm_a_1_bugging_out_is_a_ride_away(to: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        BUG_OUT.execute(field(BOERS, FOE), BugOut(unit="a", to=to), NoDice())


def test_mm_a_1_bugging_out_is_the_move_of_the_turn_and_carries_the_general() -> None:
    led = BOERS.model_copy(update={"general": "g", "horses_at": None})
    state = field(led, unit("general", "g", at=(36, 30)), FOE)
    after, _ = BUG_OUT.execute(state, BugOut(unit="a", to="back 6"), NoDice())
    assert placement.gap(after.unit("a"), after.unit("g")) == 0
    assert "have made their move" in refusal(after, "a", "back 2")
    assert "has made his move" in refusal(after, "g", "back 2")


def test_mm_a_1_wrong_range_to_the_horses_is_refused() -> None:
    with pytest.raises(
        Refused, match=r'The horses of .* are \S+" off by the places kept here, and the range given is 9"'
    ):
        BUG_OUT.execute(field(BOERS, FOE), BugOut(unit="a", to="back 6", range=9), NoDice())


def test_mm_2_8_bugging_out_too_far_from_the_parent_gets_a_warning() -> None:
    detachment = BOERS.model_copy(update={"parent": "p"})
    _, report = BUG_OUT.execute(
        field(detachment, unit("kommando", "p", at=(6, 6)), FOE), BugOut(unit="a", to="back 6"), NoDice()
    )
    assert "a detachment works within" in report.warnings[0]
