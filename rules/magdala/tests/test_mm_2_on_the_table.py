"""Moves among friends, works and leaders, with and without positions (MM-2, MM-5.1, MM-6, MM-7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop import table
from rules.magdala import placement
from rules.magdala.model import MagdalaState, Works
from rules.magdala.moving.marching import Move
from rules.magdala.options import MagdalaOptions
from rules.magdala.orders.movement import MOVE

from .field import BLUE, RED, dice, field, text_of, unit
from .marches import BRITISH, FOE, inches_marched, march, refusal

ZAREBA = TerrainPiece(feature=Feature.ZAREBA, points=((30, 30), (42, 30)), closed=False, width=0.8)
RIVER = TerrainPiece(feature=Feature.RIVER, points=((0, 24), (72, 24)), closed=False, width=4)


# Advancing (MM-5.1, MM-5.4)


def test_mm_5_1_move_nearer_to_the_nearest_enemy_is_an_advance() -> None:
    battalion = unit(BRITISH, at=(36, 40))
    assert march(battalion, "forward 6")[0].unit("a").this_turn.advanced
    assert not march(battalion, "back 4")[0].unit("a").this_turn.advanced
    assert not march(battalion, "forward 6", "not advancing")[0].unit("a").this_turn.advanced


def test_mm_5_1_without_positions_a_move_is_an_advance_unless_said_otherwise() -> None:
    assert march(unit(BRITISH))[0].unit("a").this_turn.advanced
    assert not march(unit(BRITISH), None, "not advancing")[0].unit("a").this_turn.advanced


# Friends


def test_mm_2_unit_passes_through_friends_but_does_not_stop_on_them() -> None:
    friend = unit(BRITISH, "f", at=(36, 30))
    after, report = march(unit("british-cavalry", at=(36, 40)), "forward 10", others=(FOE, friend))
    assert "Blocked by F after" in report.warnings[0]
    assert report.outcome.startswith("They stand at")
    assert "Moves" not in text_of(report), "headline and outcome have said it"
    mover, stood = placement.base(after.unit("a")), placement.base(after.unit("f"))
    assert mover is not None
    assert stood is not None
    assert not table.are_overlapping(mover, stood)
    assert 0 < after.unit("a").this_turn.moved < 10
    assert inches_marched(unit("british-cavalry", at=(36, 36)), "forward 10", others=(FOE, friend)) == 10


def test_mm_2_no_room_at_all_is_refused_before_the_dice() -> None:
    friend = unit("mahdist-spears", "f", at=(36, 37))
    mover = unit("mahdist-spears", at=(36, 38.9))
    assert "no room for A on that way: F stand there" in refusal(mover, "forward 1", others=(FOE, friend))


# Without positions


def test_mm_2_move_without_places_tells_inches_and_keeps_words() -> None:
    after, report = march(unit("mahdist-spears"), "over the ridge to the well", faces=[2, 3])
    assert after.unit("a").this_turn.moved == 7
    assert "over the ridge to the well" in text_of(report)
    assert report.outcome == 'Move the figures 7", over the ridge to the well.'
    assert 'may move 6"' in refusal(unit(BRITISH), "forward 7")
    assert inches_marched(unit(BRITISH), "forward 4") == 4


def test_mm_4_1_umpire_names_the_met_enemy_without_places() -> None:
    enemy = unit(BRITISH, "b", BLUE)
    after, _ = march(unit("mahdist-spears"), "towards b 9", "into contact", faces=[4, 4], others=(enemy,))
    assert after.unit("a").melee_with == "b"
    assert not after.prompts[0].half_effect
    short, report = march(unit("mahdist-spears"), "towards b 9", "into contact", faces=[1, 1], others=(enemy,))
    assert short.unit("a").melee_with is None
    assert "do not reach the enemy" in text_of(report)
    assert "how far off" in refusal(unit("mahdist-spears"), "towards b", "into contact", others=(enemy,))


def test_mm_2_placed_unit_needs_a_destination() -> None:
    assert "Say where A are to go" in refusal(unit(BRITISH, at=(36, 40)))
    assert "is no place on the table" in refusal(unit(BRITISH, at=(36, 40)), "somewhere nice")
    assert "are there already" in refusal(unit(BRITISH, at=(36, 40)), "36,40")
    assert "face that way already" in refusal(unit(BRITISH, at=(36, 40)), "face n")
    assert "is not known" in refusal(unit(BRITISH, at=(36, 40)), "towards c", others=(unit("imam", "c"),))


# Works and cover (MM-7)


def test_mm_7_works_are_occupied_where_they_stand() -> None:
    battalion = unit(BRITISH, at=(36, 35))
    after, _ = march(battalion, "forward 4", "occupy zareba", terrain=(ZAREBA,))
    assert after.unit("a").works is Works.ZAREBA
    assert "are not within" in refusal(battalion, "forward 1", "occupy zareba", terrain=(ZAREBA,))
    assert "are not within" in refusal(battalion, None, "occupy earthworks", terrain=(ZAREBA,))
    just_there = MagdalaOptions(at_hand=table.gap_to_piece(ZAREBA, placement.base(battalion)))
    after, _ = march(battalion, None, "occupy zareba", terrain=(ZAREBA,), options=just_there)
    assert after.unit("a").works is Works.ZAREBA


def test_mm_7_a_dice_move_that_does_not_reach_the_works_says_so() -> None:
    after, report = march(
        unit("mahdist-spears", at=(36, 44)), "36,31", "occupy zareba", faces=[1, 1], terrain=(ZAREBA,)
    )
    assert after.unit("a").works is Works.NONE
    assert "are not within" in report.warnings[0]


def test_mm_7_wagons_are_works_too() -> None:
    wagon = unit("wagon", "w", at=(36, 37))
    after, _ = march(unit(BRITISH, at=(36, 39)), None, "occupy sandbags", others=(FOE, wagon))
    assert after.unit("a").works is Works.SANDBAGS


def test_mm_3_4_cover_is_taken_on_the_ground_that_has_it() -> None:
    wood = TerrainPiece(feature=Feature.WOOD, points=((30, 30), (42, 30), (42, 36), (30, 36)))
    battalion = unit(BRITISH, at=(36, 38), order="skirmish")
    assert march(battalion, "forward 4", "take cover", terrain=(wood,))[0].unit("a").works is Works.COVER
    assert "do not stand in" in refusal(battalion, None, "take cover", terrain=(wood,))
    rough, _ = march(unit(BRITISH), None, "enter rough going")
    assert rough.unit("a").works is Works.ROUGH
    assert march(rough.unit("a"), None, "leave cover")[0].unit("a").works is Works.NONE


# Leaders (MM-6)


def test_mm_6_a_general_goes_with_his_unit() -> None:
    battalion = unit(BRITISH, at=(36, 40), general="g")
    general = unit("general", "g", at=(36, 40))
    after, _ = march(battalion, "forward 6", others=(FOE, general))
    assert after.unit("g").place == after.unit("a").place
    with pytest.raises(Refused, match=r"has made his move of this turn\. A general goes along with"):
        MOVE.execute(after, Move(unit="g", to="back 3"), NoDice())


def test_mm_6_a_general_joins_the_unit_he_rides_up_to_and_leaves_another() -> None:
    one, other = unit(BRITISH, "one", at=(20, 40), general="a"), unit(BRITISH, "other", at=(29, 40))
    general = unit("general", at=(20, 40))
    after, _ = march(general, "towards other", others=(FOE, one, other))
    assert (after.unit("one").general, after.unit("other").general) == (None, "a")
    assert after.unit("a").place == after.unit("other").place
    far = unit(BRITISH, "far", at=(60, 40))
    after, report = march(general, "towards far", others=(FOE, one, far))
    assert after.unit("far").general is None
    assert "does not reach Far" in text_of(report)


def test_mm_6_departing_general_leaves_even_a_hidden_unit() -> None:
    lying, other = (unit(BRITISH, name, at=(20, 40), general="a") for name in ("lying", "other"))
    other = other.model_copy(update={"general": "g"})
    after, _ = march(unit("general", at=(20, 40)), "forward 6", hidden={"lying": lying, "other": other})
    assert (after.hidden["lying"].general, after.hidden["other"].general) == (None, "g")


def test_mm_6_leader_who_is_no_general_joins_no_unit() -> None:
    one = unit(BRITISH, "one", at=(36, 34))
    for troops, faces in ((BRITISH, []), ("imam", [6, 6])):
        after, _ = march(unit(troops, at=(36, 40)), "towards one", others=(FOE, one), faces=faces)
        assert after.unit("one").general is None


def test_mm_6_a_general_joins_the_unit_beside_which_he_halts() -> None:
    battalion, wagon = unit(BRITISH, "one", at=(36, 30)), unit("wagon", "w", at=(30, 39))
    ridden, report = march(unit("general", at=(36, 40)), "36,31", others=(FOE, battalion, wagon))
    assert ridden.unit("one").general == "a"
    assert "He joins One" in text_of(report)
    assert march(unit("general", at=(36, 40)), "36,35", others=(FOE, battalion))[0].unit("one").general is None
    beside_the_wagon, _ = march(unit("general", at=(36, 40)), "towards w", others=(FOE, battalion, wagon))
    assert all(unit.general is None for unit in beside_the_wagon.units.values())


def test_mm_6_general_joins_the_unit_of_his_destination() -> None:
    one, other = unit(BRITISH, "one", at=(34, 30)), unit(BRITISH, "other", at=(38.02, 30))
    for goal in ("one", "other"):
        after, _ = march(unit("general", at=(36, 40)), f"towards {goal}", others=(FOE, one, other))
        assert after.unit(goal).general == "a"


def test_mm_6_unit_takes_no_second_general() -> None:
    battalion = unit(BRITISH, "one", at=(36, 30), general="g")
    others = (FOE, battalion, unit("general", "g", at=(36, 30)))
    after, report = march(unit("general", at=(36, 40)), "towards one", others=others)
    assert after.unit("one").general == "g"
    assert "He does not join One||they have a general" in text_of(report)


def test_mm_6_general_without_places_joins_the_unit_he_rides_to() -> None:
    after, _ = march(unit("general"), "towards one 6", others=(unit(BRITISH, "one"),))
    assert after.unit("one").general == "a"


def test_mm_2_leaders_and_wagons_do_not_move_into_contact() -> None:
    enemy = unit(BRITISH, "b", BLUE, at=(36, 36))
    for troops_id in ("general", "wagon"):
        assert "does not move into contact" in refusal(unit(troops_id, at=(36, 40)), "towards b", others=(enemy,))


def test_mm_a_the_riverboat_keeps_to_the_river() -> None:
    boat = unit("field-gun", at=(20, 24, 90), afloat=True)
    assert inches_marched(boat, "forward 12", terrain=(RIVER,)) == 12
    assert "keeps to the river" in refusal(boat, "left 6", terrain=(RIVER,))


# Orders and properties

TABLE = field(
    unit(BRITISH, at=(20, 40)),
    unit("british-lancers", "h", at=(30, 40)),
    unit("field-gun", "g", at=(40, 40)),
    unit("mahdist-spears", "n", at=(50, 40)),
    unit("general", "l", at=(60, 40)),
    unit("british-mounted-infantry", "m"),
    FOE,
)


def test_every_legal_move_can_be_made() -> None:
    orders = list(MOVE.possible_actions(TABLE, RED))
    assert {order.unit for order in orders} == {"a", "h", "g", "n", "l", "m"}
    for order in orders:
        after, _ = MOVE.execute(TABLE, order, dice(6, 6, 6, 6))
        assert after.events > TABLE.events
    assert not list(MOVE.possible_actions(TABLE, BLUE))


PLACES = st.one_of(
    st.none(),
    st.builds("{:.1f},{:.1f}".format, st.floats(-5, 80), st.floats(-5, 55)),
    st.builds("{} {:.1f}".format, st.sampled_from(["forward", "back", "left", "right", "towards b"]), st.floats(0, 30)),
    st.sampled_from(["towards b", "towards n", "face sw", "C3", "nowhere", "horses", "towards z"]),
)


@given(
    st.sampled_from(["a", "h", "g", "n", "l", "m", "b", "x"]),
    PLACES,
    st.sets(st.sampled_from(Move.circumstance_names), max_size=3),
)
def test_refused_move_throws_no_dice_and_moves_leave_the_old_state(
    unit_id: str, to: str | None, words: set[str]
) -> None:
    order = Move(unit=unit_id, to=to, circumstances=tuple(words))
    before = TABLE.model_dump_json()
    try:
        MOVE.plan(TABLE, order)
    except Refused:
        with pytest.raises(Refused):
            MOVE.execute(TABLE, order, NoDice())
    else:
        _check_move(order)
    assert TABLE.model_dump_json() == before


def _check_move(order: Move) -> None:
    """Check that a legal move succeeds, or is refused without dice."""
    script = dice(1, 2, 3, 4)
    try:
        after, report = MOVE.execute(TABLE, order, script)
    except Refused:
        assert script.left == 4
        return
    _check_position(after, order.unit or "")
    assert report.units[0] == order.unit


def _check_position(after: MagdalaState, unit_id: str) -> None:
    mover = after.unit(unit_id)
    assert mover.this_turn.moved <= 26
    if mover.place is not None:
        assert 0 <= mover.place.x <= after.width
        assert 0 <= mover.place.y <= after.height


def test_move_to_the_units_own_place_is_refused() -> None:
    with pytest.raises(Refused):
        MOVE.execute(field(unit("british-breechloaders", at=(36, 24))), Move(unit="a", to="36,24"), NoDice())
