"""Units that may not move, changes that are no move, and moves into contact (MM-2, MM-4.1)."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.magdala import placement
from rules.magdala.model import Attack, Morale, Order, StoredPrompt, Works
from rules.magdala.model import Test as Owing
from rules.magdala.moving.marching import Move
from rules.magdala.orders.movement import MOVE

from .field import BLUE, unit, with_memory
from .marches import BRITISH, inches_marched, march, refusal

# One move a turn, and units that may not move


def test_mm_2_one_move_a_turn() -> None:
    after, _ = march(unit(BRITISH, at=(36, 40)), "forward 2")
    with pytest.raises(Refused, match="have made their move"):
        MOVE.execute(after, Move(unit="a", to="forward 2"), NoDice())


def test_mm_3_1_half_effect_fire_allows_a_move_and_full_effect_does_not() -> None:
    battalion = unit(BRITISH, at=(36, 40))
    assert inches_marched(with_memory(battalion, fired_half=True), "forward 6") == 6
    assert "needs them to stand" in refusal(with_memory(battalion, fired_full=True), "forward 6")


@pytest.mark.parametrize(
    ("morale", "why"),
    [
        (Morale.PINNED, "are pinned"),
        (Morale.HALTED, "they may retreat, or after a turn test their morale"),
        (Morale.ROUTED, "obey no orders"),
        (Morale.RETREATING, "obey no orders"),
        (Morale.PURSUING, "obey no orders"),
        (Morale.OFF_TABLE, "have left the table"),
    ],
)
def test_mm_5_1_units_held_or_in_flight_do_not_move(morale: Morale, why: str) -> None:
    assert why in refusal(unit(BRITISH, at=(36, 40), morale=morale), "forward 6")


def test_mm_2_no_move_out_of_turn_in_melee_or_before_a_test() -> None:
    battalion = unit(BRITISH, at=(36, 40))
    assert "turn of the Blue" in refusal(battalion, "forward 6", active=BLUE)
    assert "are in melee" in refusal(battalion.model_copy(update={"melee_with": "b"}), "forward 6")
    prompt = StoredPrompt(key="k", unit="a", test=Owing.UNDER_FIRE)
    assert "still have to settle" in refusal(battalion, "forward 6", prompts=(prompt,))


# Formations


@pytest.mark.parametrize(
    ("word", "field_name", "now"),
    [
        ("skirmish order", "order", Order.SKIRMISH),
        ("form square", "in_square", True),
        ("lie down", "prone", True),
    ],
)
def test_mm_2_changes_alone_are_no_move(word: str, field_name: str, now: object) -> None:
    after, _ = march(unit(BRITISH), None, word)
    assert getattr(after.unit("a"), field_name) == now
    assert after.unit("a").this_turn.moved == 0
    with pytest.raises(Refused, match=r"change nothing|have changed their order|have made their move"):
        MOVE.execute(after, Move(unit="a", circumstances=(word,)), NoDice())


@pytest.mark.parametrize(
    ("troops_id", "word", "why"),
    [
        ("british-cavalry", "skirmish order", "troops on foot"),
        ("maxim", "lie down", "troops on foot"),
        ("mahdist-spears", "form square", "regular infantry in close order"),
        (BRITISH, "close order", "change nothing"),
        (BRITISH, "stand up", "change nothing"),
        (BRITISH, "leave square", "change nothing"),
    ],
)
def test_mm_2_impossible_changes_are_refused(troops_id: str, word: str, why: str) -> None:
    assert why in refusal(unit(troops_id), None, word)


def test_mm_2_a_moving_unit_stands_up_and_leaves_its_works() -> None:
    after, _ = march(unit(BRITISH, at=(36, 40), prone=True, works=Works.EARTHWORKS, building_sangar=1), "forward 2")
    assert (after.unit("a").prone, after.unit("a").works, after.unit("a").building_sangar) == (False, Works.NONE, 0)


def test_mm_2_turning_on_the_spot_is_no_move() -> None:
    after, report = march(unit(BRITISH, at=(36, 40)), "face ne")
    assert after.unit("a").place.facing == 45
    assert after.unit("a").this_turn.moved == 0
    assert report.headline == "A turn to face north-east."


# The table


def test_mm_2_off_the_table_is_refused() -> None:
    assert "leads off the table" in refusal(unit(BRITISH, at=(36, 44)), "back 6")
    assert "leads off the table" in refusal(unit("mahdist-spears", at=(36, 44)), "back 6")


def test_mm_2_no_way_through_enemies() -> None:
    enemy = unit("mahdist-spears", "b", BLUE, at=(36, 36, 180))
    assert "bar the way" in refusal(unit("british-cavalry", at=(36, 44)), "forward 12", others=(enemy,))


def test_mm_4_1_move_that_ends_on_an_enemy_makes_contact() -> None:
    enemy = unit(BRITISH, "b", BLUE, at=(36, 30, 180))
    for to in ("towards b", "forward 9"):
        after, report = march(unit("mahdist-spears", at=(36, 40)), to, faces=[6, 6], others=(enemy,))
        assert "into contact with B" in report.headline
        assert after.unit("a").melee_with == "b"
        assert placement.touching(after.unit("a"), after.unit("b"))
        assert [(prompt.test, prompt.half_effect) for prompt in after.prompts] == [(Owing.DEFENSIVE_FIRE, True)]
        assert after.unit("a").melee_attack is Attack.FRONT


def test_mm_4_1_nine_inches_or_more_bring_full_defensive_fire() -> None:
    enemy = unit(BRITISH, "b", BLUE, at=(36, 25, 180))
    after, _ = march(unit("mahdist-spears", at=(36, 40)), "towards b", faces=[6, 6], others=(enemy,))
    assert after.unit("a").melee_with == "b"
    assert not after.prompts[0].half_effect


def test_mm_4_1_a_dice_move_that_falls_short_makes_no_contact() -> None:
    enemy = unit(BRITISH, "b", BLUE, at=(36, 24, 180))
    after, _ = march(unit("mahdist-spears", at=(36, 40)), "towards b", faces=[1, 1], others=(enemy,))
    assert after.unit("a").melee_with is None
