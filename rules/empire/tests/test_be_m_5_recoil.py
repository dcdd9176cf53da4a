"""Recoils: straight back, through friends, never off the table (BE-M.5)."""

import pytest

from rules.core.tabletop import table
from rules.empire.conduct.fate import make_unit_recoil
from rules.empire.model import Cover, Defence, EmpireState
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.placement import base

from .field import BLUE, contact_of, field, play_part, unit

AT = (36, 24)


def touching_enemy(side: str, facing: float = 0):
    """Return an enemy touching one side of a close-ordered battalion (4.8 by 1) at 36,24 that faces north."""
    spot = {"front": (36, 22.5, 180), "rear": (36, 25.5, 0), "left": (32.1, 24, 90), "right": (39.9, 24, 270)}[side]
    return unit("zulus", side, BLUE, at=spot, stands=4)


def recoil_unit(state: EmpireState):
    after, (step,) = play_part(make_unit_recoil, state, "a")
    return after, step


def recoil_in_field(*others, contacts=(), at=AT, phase=Phase.UNITS, options=None, width=72, **fields):
    state = field(
        unit("british-regulars", "a", at=at, **fields),
        *others,
        contacts=contacts,
        phase=phase,
        options=options or EmpireOptions(),
        width=width,
    )
    return recoil_unit(state)


@pytest.mark.parametrize(
    ("side", "expected"), [("front", (36, 27)), ("rear", (36, 21)), ("left", (39, 24)), ("right", (33, 24))]
)
def test_be_m_5_three_inches_straight_back_without_turning(side: str, expected: tuple[float, float]) -> None:
    after, step = recoil_in_field(touching_enemy(side), contacts=(contact_of(side, "a"),))
    place = after.unit("a").place
    assert (place.x, place.y, place.facing) == (*expected, 0)
    assert after.contacts == ()
    assert 'A recoil 3" from' in step.text
    assert str(step.cite) == "BE-6"


def test_be_m_5_recoil_from_two_sides_goes_between_them() -> None:
    after, _ = recoil_in_field(
        touching_enemy("front"), touching_enemy("left"), contacts=(contact_of("front", "a"), contact_of("left", "a"))
    )
    place = after.unit("a").place
    assert place.x - 36 == pytest.approx(place.y - 24, abs=0.01)
    assert place.x > 36
    assert after.contacts == ()


def test_be_6_both_units_remember_a_recoil_in_movement() -> None:
    for phase, gave_way in ((Phase.UNITS, True), (Phase.EXPLOITATION, False)):
        after, _ = recoil_in_field(touching_enemy("front"), contacts=(contact_of("front", "a"),), phase=phase)
        assert after.unit("a").this_turn.recoiled
        assert after.unit("front").this_turn.opponent_gave_way is gave_way
        assert not after.unit("a").this_turn.opponent_gave_way
    assert after.unit("a").this_turn.moved == 3


def test_be_m_5_other_contacts_stay() -> None:
    units = (
        touching_enemy("front"),
        unit("british-regulars", "f", at=(50, 24)),
        unit("zulus", "e", BLUE, at=(50, 22)),
    )
    after, _ = recoil_in_field(*units, contacts=(contact_of("front", "a"), contact_of("e", "f")))
    assert [contact.defender for contact in after.contacts] == ["f"]


def test_be_m_5_recoil_passes_through_friends_until_there_is_room() -> None:
    friend = unit("zulus", "f", at=(36, 27.5))
    after, step = recoil_in_field(touching_enemy("front"), friend, contacts=(contact_of("front", "a"),))
    moved = base(after.unit("a"))
    assert not table.are_overlapping(moved, base(friend))
    assert moved.at[1] > 28.9
    assert moved.at[1] <= 29.5
    assert "where there is room" in step.verdict
    assert "house rule" in str(step.cite)


def test_be_m_5_recoil_extends_by_quarter_inches_until_there_is_room() -> None:
    """Friends are 2 inches deep: one just in the way at 3 inches, and seven in a row behind."""
    for friends, y in (([25.7], 27.25), ([26.3 + 1.8 * row for row in range(7)], 38.5)):
        zulus = (unit("zulus", f"f{at}", at=(36, at)) for at in friends)
        after, step = recoil_in_field(touching_enemy("front"), *zulus, contacts=(contact_of("front", "a"),), width=48)
        assert after.unit("a").place.y == y
        assert (step.verdict.partition(", ")[2], str(step.cite)) == ("where there is room", "BE-M.5, house rule")


def test_be_m_5_recoil_without_room_behind_shrinks_by_quarter_inches() -> None:
    behind = unit("zulus", "e", BLUE, at=(36, 28.3, 0))
    after, step = recoil_in_field(touching_enemy("front"), behind, contacts=(contact_of("front", "a"),))
    assert after.unit("a").place.y == 26.75
    assert (step.verdict.partition("; ")[2], str(step.cite)) == ("there is no room further back", "BE-M.5, house rule")


def test_be_m_5_recoil_never_leaves_the_table() -> None:
    after, step = recoil_in_field(
        unit("zulus", "front", BLUE, at=(36, 44.5, 180), stands=4), contacts=(contact_of("front", "a"),), at=(36, 46)
    )
    assert table.is_on_table(base(after.unit("a")), 72, 48)
    assert 0 < after.unit("a").place.y - 46 <= 1.5
    assert "no room further back" in step.verdict
    assert after.contacts == ()


def test_be_m_5_recoil_does_not_pass_through_enemies() -> None:
    behind = unit("zulus", "e", BLUE, at=(36, 27.5, 0))
    after, step = recoil_in_field(touching_enemy("front"), behind, contacts=(contact_of("front", "a"),))
    moved = after.unit("a")
    assert 24 < moved.place.y < 26.1
    assert not table.are_touching(base(moved), base(behind))
    assert "no room further back" in step.verdict


def test_be_m_5_an_inch_is_a_recoil_too() -> None:
    after, _ = recoil_in_field(
        touching_enemy("front"), contacts=(contact_of("front", "a"),), options=EmpireOptions(recoil=1), cover=Cover.HARD
    )
    assert (after.unit("a").place.y, after.unit("a").cover) == (25, Cover.NONE)


def test_be_m_5_surrounded_unit_stays_in_place() -> None:
    behind = unit("zulus", "e", BLUE, at=(36, 25.2, 0))
    after, step = recoil_in_field(
        touching_enemy("front"), behind, contacts=(contact_of("front", "a"),), cover=Cover.HARD
    )
    assert (after.unit("a").place.point, after.unit("a").cover) == ((36, 24), Cover.HARD)
    assert "no room" in step.verdict


def test_be_m_5_recoil_gives_up_terrain_and_takes_attached_pieces() -> None:
    leader = unit("leader", "l", at=AT, attached_to="a")
    after, _ = recoil_in_field(
        touching_enemy("front"),
        leader,
        contacts=(contact_of("front", "a"),),
        defending=Defence.WORKS,
        cover=Cover.HARD,
        gone_to_ground=True,
    )
    unit_after = after.unit("a")
    assert (unit_after.defending, unit_after.cover, unit_after.gone_to_ground) == (Defence.NOTHING, Cover.NONE, False)
    assert after.unit("l").place == unit_after.place


def test_be_6_option_sets_the_inches_of_a_recoil() -> None:
    after, _ = recoil_in_field(
        touching_enemy("front"), contacts=(contact_of("front", "a"),), options=EmpireOptions(recoil=5)
    )
    assert after.unit("a").place.y == 29


def test_be_m_5_unplaced_recoil_is_moved_by_hand() -> None:
    state = field(unit("british-regulars", "a"), unit("zulus", "b", BLUE), contacts=(contact_of("b", "a"),))
    after, step = recoil_unit(state)
    assert after.contacts == ()
    assert after.unit("b").this_turn.opponent_gave_way
    assert step.verdict == 'move the stands 3" straight back'
    assert state.contacts
