"""Half strength: the unit falls back to its supports, or leaves the field (MM-5.9)."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.tabletop.battle import Edge, Place
from rules.magdala.fighting.contact import make_contact
from rules.magdala.fighting.melee import MELEE, Melee
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale
from rules.magdala.model import Test as Owes
from rules.magdala.morale.effects import CasualtyCause, inflict_casualties
from rules.magdala.morale.flight import find_supports
from rules.magdala.morale.retreat import RETIRE, RETREAT, Retire, Retreat
from rules.magdala.morale.testing import MORALE, MoraleTest
from rules.magdala.stored_prompts import add_prompt, prompts_of
from rules.magdala.turn import TURN, TurnNext

from .field import BLUE, RED, dice, field, play_part, unit

ENEMY = unit("british-magazine", "e", BLUE, at=(36, 4, 180))
SUPPORT = unit("sudanese-regulars", "s", at=(36, 40))


def fall_to_half_strength(troops: str, *others: MagdalaUnit, **fields: object) -> MagdalaState:
    """Return the state after fire brings a unit in the middle of the table to half strength."""
    of = unit(troops, at=(36, 24), figures=12, casualties=5, **fields)
    return play_part(inflict_casualties, field(of, ENEMY, *others), "a", 1, "e", CasualtyCause.FIRE)[0]


@pytest.mark.parametrize(
    ("troops", "parent", "leaving"),
    [
        ("sudanese-regulars", None, False),
        ("british-cavalry", None, False),
        ("mahdist-spears", "s", False),
        ("mahdist-spears", None, True),
        ("kommando", None, True),
    ],
)
def test_mm_5_9_regulars_and_detachments_fall_back_on_supports_all_others_leave(
    troops: str, parent: str | None, leaving: bool
) -> None:
    state = fall_to_half_strength(troops, SUPPORT, parent=parent)
    assert (state.unit("a").morale, state.unit("a").leaving) == (Morale.RETREATING, leaving)
    assert [prompt.test for prompt in prompts_of(state, "a")] == [Owes.RETREAT]


def test_mm_5_9_regulars_without_supports_leave() -> None:
    assert fall_to_half_strength("sudanese-regulars").unit("a").leaving


def test_mm_5_9_one_figure_above_half_strength_stays() -> None:
    of = unit("mahdist-spears", figures=12, casualties=4)
    assert (
        play_part(inflict_casualties, field(of, ENEMY), "a", 1, "e", CasualtyCause.FIRE)[0].unit("a").morale
        is Morale.STEADY
    )


@pytest.mark.parametrize(
    "friend",
    [
        SUPPORT.model_copy(update={"place": Place(x=36, y=10)}),
        SUPPORT.model_copy(update={"casualties": 10}),
        SUPPORT.model_copy(update={"morale": Morale.ROUTED}),
        unit("wagon", "s", at=(36, 40)),
    ],
)
def test_mm_5_9_supports_are_formed_friends_no_nearer_the_enemy(friend: MagdalaUnit) -> None:
    of = unit("sudanese-regulars", at=(36, 24))
    assert find_supports(field(of, ENEMY, friend), of) == ()


def test_mm_5_9_friend_at_equal_distance_from_the_enemy_is_a_support() -> None:
    enemy = unit("zulus", "e", BLUE, at=(36, 20, 180))
    of, friend = (unit("sudanese-regulars", name, figures=12, at=(x, 38)) for name, x in (("a", 26), ("s", 46)))
    assert find_supports(field(of, enemy, friend), of) == (friend,)


def test_mm_5_9_a_unit_that_reaches_its_supports_stands_with_them() -> None:
    state, _ = RETREAT.execute(fall_to_half_strength("sudanese-regulars", SUPPORT), Retreat(unit="a"), NoDice())
    assert (state.unit("a").place.y, state.unit("a").morale) == (30, Morale.RETREATING)
    state, _ = RETREAT.execute(add_prompt(state, "a", Owes.RETREAT), Retreat(unit="a"), NoDice())
    state, _ = RETREAT.execute(add_prompt(state, "a", Owes.RETREAT), Retreat(unit="a"), NoDice())
    assert (state.unit("a").morale, state.unit("a").on_supports) == (Morale.STEADY, True)


def test_mm_5_9_retreat_stops_short_of_a_friend_but_not_of_its_general() -> None:
    friend = unit("sudanese-regulars", "f", at=(36, 30))
    state, _ = RETREAT.execute(fall_to_half_strength("sudanese-regulars", SUPPORT, friend), Retreat(unit="a"), NoDice())
    assert 27 < state.unit("a").place.y < 29
    general = unit("general", "g", at=(36, 30))
    state, _ = RETREAT.execute(
        fall_to_half_strength("sudanese-regulars", SUPPORT, general, general="g"), Retreat(unit="a"), NoDice()
    )
    assert state.unit("a").place.y == 30


def test_mm_5_9_unit_leaves_when_its_supports_are_gone() -> None:
    of = unit("sudanese-regulars", at=(36, 38), figures=12, casualties=6, on_supports=True)
    fled = SUPPORT.model_copy(update={"morale": Morale.OFF_TABLE})
    assert TURN.execute(field(of, ENEMY, SUPPORT), TurnNext(), NoDice())[0].unit("a").morale is Morale.STEADY
    alone = TURN.execute(field(of, ENEMY, fled), TurnNext(), NoDice())[0].unit("a")
    assert (alone.leaving, alone.on_supports) == (True, False)


def test_mm_5_9_unit_ends_its_melee_before_it_leaves() -> None:
    zulus = unit("zulus", "z", BLUE)
    state, _ = play_part(make_contact, field(unit("mahdist-spears", figures=12, casualties=5), zulus), "a", "z", 10)
    state, _ = MELEE.execute(state, Melee(unit="a", contact=3), dice(1, 6))
    assert (state.unit("a").morale, state.unit("a").melee_with) == (Morale.STEADY, "z")


def test_mm_5_9_unit_leaves_by_its_home_edge() -> None:
    state = fall_to_half_strength("mahdist-spears").model_copy(update={"home_edges": {RED: Edge.EAST}})
    state, _ = RETREAT.execute(state, Retreat(unit="a"), dice(6, 6))
    assert state.unit("a").place.x == 50
    state, _ = RETREAT.execute(add_prompt(state, "a", Owes.RETREAT), Retreat(unit="a"), dice(6, 6))
    state, _ = RETREAT.execute(add_prompt(state, "a", Owes.RETREAT), Retreat(unit="a"), dice(6, 6))
    assert state.unit("a").morale is Morale.OFF_TABLE


def test_mm_5_9_a_general_leaves_with_the_unit_he_is_with() -> None:
    of = unit("mahdist-spears", at=(36, 47), figures=12, casualties=5, general="g")
    state = play_part(
        inflict_casualties,
        field(of, ENEMY, unit("native-commander", "g", at=(36, 47))),
        "a",
        1,
        "e",
        CasualtyCause.FIRE,
    )[0]
    state, _ = RETREAT.execute(state, Retreat(unit="a"), dice(6, 6))
    assert not state.unit("g").on_table


def test_mm_5_9_players_report_the_retreat_of_an_unplaced_unit() -> None:
    of = unit("sudanese-regulars", figures=12, casualties=5)
    state = play_part(inflict_casualties, field(of, unit("sudanese-regulars", "s")), "a", 1, "s", CasualtyCause.FIRE)[0]
    moved, report = RETREAT.execute(state, Retreat(unit="a"), NoDice())
    assert moved.unit("a").morale is Morale.RETREATING
    assert report.steps[0].score == 6
    after, _ = RETREAT.execute(state, Retreat(unit="a", circumstances=("reached its supports",)), NoDice())
    assert after.unit("a").on_supports
    gone, _ = RETREAT.execute(state, Retreat(unit="a", circumstances=("left the table",)), NoDice())
    assert not gone.unit("a").on_table


def test_mm_5_9_retreat_move_is_made_when_owed_in_its_own_turn() -> None:
    with pytest.raises(Refused, match="turn"):
        RETREAT.execute(
            fall_to_half_strength("mahdist-spears").model_copy(update={"active": BLUE}), Retreat(unit="a"), NoDice()
        )
    with pytest.raises(Refused, match="have no retreat"):
        RETREAT.execute(field(unit("mahdist-spears")), Retreat(unit="a"), NoDice())


def test_mm_5_7_voluntary_retreat_is_one_move_and_then_a_halt() -> None:
    of = unit("sudanese-regulars", at=(36, 24), morale=Morale.HALTED, held_turns=1)
    state, _ = RETIRE.execute(field(of, ENEMY), Retire(unit="a"), NoDice())
    state, _ = RETREAT.execute(state, Retreat(unit="a"), NoDice())
    assert (state.unit("a").place.y, state.unit("a").morale) == (30, Morale.HALTED)


def test_mm_5_7_voluntary_retreat_is_the_only_one_of_the_turn() -> None:
    of = unit("sudanese-regulars", at=(36, 24), morale=Morale.HALTED, held_turns=1)
    state, _ = RETIRE.execute(field(of, ENEMY), Retire(unit="a"), NoDice())
    state, _ = RETREAT.execute(state, Retreat(unit="a"), NoDice())
    with pytest.raises(Refused, match="have retreated this turn"):
        RETIRE.execute(state, Retire(unit="a"), NoDice())
    with pytest.raises(Refused, match="have retreated this turn"):
        MORALE.execute(state, MoraleTest(unit="a"), NoDice())
