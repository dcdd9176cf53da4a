"""Changes of formation, mounting, limbering and facing (BE-M.2)."""

from fractions import Fraction

import pytest

from rules.empire.model import Arm, EmpireUnit, Formation
from rules.empire.options import EmpireOptions
from rules.empire.tables import TABLES

from .field import BLUE, text_of, unit
from .marches import FOE, after_march, march, movable, refusal

FORMED = ("close order", "massed", "deep massed", "column")


def test_be_m_2_a_change_of_formation_costs_half_the_move() -> None:
    state, report = march(movable("british-regulars", 9), None, "column")
    mover = state.unit("a")
    assert (mover.formation, mover.this_turn.spent) == (Formation.COLUMN, 4.5)
    assert 'costs 4.5"' in text_of(report)
    assert after_march(movable("british-regulars", 9), "forward 4.5", "column").this_turn.moved == 4.5
    assert 'may move 4.5"' in str(refusal(movable("british-regulars", 9), "forward 5", "column"))
    free = EmpireOptions(change_costs=Fraction(1, 3))
    assert after_march(movable("british-regulars", 9), "forward 6", "column", options=free).this_turn.moved == 6


def test_be_m_2_squares_are_formed_where_the_unit_halts() -> None:
    mover = after_march(movable("british-regulars", 9), "forward 4.5", "square")
    assert (mover.formation, mover.this_turn.moved, mover.this_turn.spent) == (Formation.SQUARE, 4.5, 9)
    assert 'may move 4.5"' in str(refusal(movable("british-regulars", 9), "forward 5", "square"))


def test_be_m_2_unit_that_moved_too_far_cannot_change() -> None:
    far = movable("british-regulars", 9, turn={"spent": 5.0})
    assert 'To form square costs A 4.5" of their move; they have 4" left.' in str(refusal(far, None, "square"))


def test_be_6_score_over_six_removes_the_penalty() -> None:
    free = movable("british-regulars", 9, turn={"free_change": True})
    state, report = march(free, "30,40", "square")
    assert state.unit("a").this_turn.spent == 6
    assert "no penalty" in text_of(report)
    boers = movable("boers", 18, turn={"free_mounting": True})
    assert after_march(boers, "forward 18", "dismount").arm is Arm.FOOT
    assert 'may move 9"' in str(refusal(boers, "forward 18", "skirmish order"))


def test_be_6_free_formation_or_facing_does_not_make_mounting_free() -> None:
    """For Boers, the chart lists mounting separately from formation and facing."""
    regulars = movable("mounted-infantry", 15, turn={"free_change": True})
    assert after_march(regulars, "forward 15", "skirmish order").this_turn.spent == 15
    assert 'may move 7.5"' in str(refusal(regulars, "forward 15", "dismount"))
    assert after_march(regulars, "forward 7.5", "dismount").this_turn.spent == 15


@pytest.mark.parametrize("formation", list(Formation))
def test_be_m_2_every_cell_of_the_chart_of_formations(formation: Formation) -> None:
    squares = formation in (Formation.SQUARE, Formation.COMPANY_SQUARE)
    takes = (1, 0 if squares else 1, 1 if formation is Formation.CLOSE else 0)
    assert tuple(cell.value for cell in TABLES.row("formations", formation.value).cells) == takes
    for troops, may_take in zip(("british-regulars", "boers", "maxim"), takes, strict=True):
        opposite = Formation.LOOSE if formation is Formation.CLOSE else Formation.CLOSE
        mover = movable(troops, 12, at=None, formation=opposite)
        if may_take:
            assert after_march(mover, None, formation.value, others=()).formation is formation
        else:
            assert f"{mover:do} not take {formation.value}" in str(refusal(mover, None, formation.value, others=()))


def test_be_m_2_a_unit_may_have_its_own_list_of_formations() -> None:
    own = movable("british-regulars", formations="close order, square")
    assert after_march(own, None, "square").is_in_square
    assert "They take: close order, square" in str(refusal(own, None, "skirmish order"))


def test_be_m_2_change_without_effect_is_refused() -> None:
    assert "are in close order already" in str(refusal(movable("british-regulars"), None, "close order"))
    for change in ("limber", "unlimber"):
        assert "no limber" in str(refusal(movable("british-regulars"), None, change))
    assert "no horses" in str(refusal(movable("british-regulars"), None, "mount"))
    assert "are mounted already" in str(refusal(movable("boers"), None, "mount"))
    assert "do not fight on foot" in str(refusal(movable("british-cavalry"), None, "dismount"))


def test_be_m_2_mounting_and_dismounting() -> None:
    dismounted = after_march(movable("boers", 15), "forward 7.5", "dismount")
    assert (dismounted.arm, dismounted.this_turn.spent) == (Arm.FOOT, 15)
    mounted = after_march(movable("boers", 9, arm=Arm.FOOT), "forward 4.5", "mount")
    assert (mounted.arm, mounted.this_turn.moved) == (Arm.MOUNTED, 4.5)
    square = movable("boers", 9, arm=Arm.FOOT, formation=Formation.SQUARE)
    assert "are in square" in str(refusal(square, None, "mount"))


def test_be_m_2_limbering_leaves_a_part_of_the_new_move() -> None:
    limbered = after_march(unit("field-gun", at=(36, 40)), "forward 6", "limber")
    assert (limbered.limbered, limbered.this_turn.moved, limbered.this_turn.spent) == (True, 6, 12)
    assert 'may move 6"' in str(refusal(unit("field-gun", at=(36, 40)), "forward 6.5", "limber"))
    halted = after_march(unit("field-gun", at=(36, 40), limbered=True), "forward 6", "unlimber")
    assert (halted.limbered, halted.this_turn.moved, halted.this_turn.spent) == (False, 6, 3)
    crept = after_march(unit("field-gun", at=(36, 40)), "forward 1.5")
    assert after_march(crept, None, "limber").this_turn.spent == 12
    assert "is limbered already" in str(refusal(unit("maxim", at=(36, 40), limbered=True), None, "limber"))
    assert "is unlimbered already" in str(refusal(unit("maxim", at=(36, 40)), None, "unlimber"))


@pytest.mark.parametrize("formation", FORMED)
def test_be_m_2_a_formed_unit_pays_for_turning_more_than_45_degrees(formation: str) -> None:
    mover = movable("british-regulars", 9, formation=formation)
    free = after_march(mover, "face 45")
    assert (free.place.facing, free.this_turn.spent) == (45, 0)
    paid = after_march(mover, "face 90")
    assert (paid.place.facing, paid.this_turn.spent) == (90, 4.5)
    assert 'may move 4.5"' in str(refusal(mover, "46,40"))
    assert after_march(mover, "40.5,40").this_turn.spent == 9


def test_be_m_2_small_turns_add_up() -> None:
    turned_once = after_march(movable("british-regulars", 9), "face 40")
    assert (turned_once.this_turn.spent, turned_once.this_turn.turned) == (0, 40)
    turned_twice = after_march(turned_once, "face 80")
    assert (turned_twice.this_turn.spent, turned_twice.this_turn.turned) == (4.5, 0)
    thrice = after_march(turned_twice, "face 100")
    assert thrice.this_turn.spent == 4.5


@pytest.mark.parametrize(("facing", "to"), [(350, 35), (35, 350), (0, 315), (190, 145)])
def test_be_m_2_turn_counts_the_shorter_way_round(facing: float, to: float) -> None:
    turned = after_march(movable("british-regulars", 9, at=(36, 40, facing)), f"face {to}")
    assert (turned.this_turn.spent, turned.this_turn.turned) == (0, 45)


def test_be_m_2_unit_without_inches_cannot_turn() -> None:
    spent = movable("british-regulars", 9, turn={"spent": 5.0})
    assert "To turn more than 45°" in str(refusal(spent, "face s"))
    assert after_march(spent, "back 4").place.facing == 0


@pytest.mark.parametrize("formation", ["skirmish order", "loose order", "square", "company square"])
def test_be_m_2_other_formations_turn_freely(formation: str) -> None:
    mover = after_march(movable("british-regulars", 9, formation=formation), "face 180")
    assert (mover.place.facing, mover.this_turn.spent) == (180, 0)


def test_be_3_gun_pivots_freely_and_stores_the_pivot() -> None:
    state, report = march(unit("field-gun", at=(36, 40)), "face 90")
    gun = state.unit("a")
    assert (gun.this_turn.pivoted, gun.this_turn.spent, gun.this_turn.moved) == (True, 0, 0)
    assert "pivots" in text_of(report)
    assert after_march(gun, "forward 3").this_turn.moved == 3
    assert not after_march(unit("field-gun", at=(36, 40)), "forward 3").this_turn.pivoted


def test_be_3_unplaced_gun_turns_by_words() -> None:
    assert after_march(unit("field-gun"), "face e", others=()).this_turn.pivoted
    assert after_march(movable("british-regulars", 9, at=None), "face e", others=()).this_turn.spent == 4.5


def test_be_m_2_change_needs_room() -> None:
    friend = unit("zulus", "f", at=(36, 38.4))
    assert "have no room: F stand there" in str(
        refusal(movable("british-regulars"), None, "column", others=(FOE, friend))
    )
    assert "would stand over the edge" in str(refusal(movable("british-regulars", at=(36, 47.4)), None, "column"))


@pytest.mark.parametrize(
    ("start", "behind"),
    [
        ((36, 40), unit("british-regulars", "f", at=(36, 41.2))),
        ((36, 40), unit("british-regulars", "f", BLUE, at=(36, 41.3))),
        ((36, 47.4), unit("british-regulars", "f", at=(10, 40))),
    ],
)
def test_be_m_2_room_for_a_square_is_needed_only_where_the_unit_halts(
    start: tuple[float, float], behind: EmpireUnit
) -> None:
    assert refusal(movable("british-regulars", at=start), None, "square", others=(FOE, behind))
    mover = after_march(movable("british-regulars", at=start), "forward 3", "square", others=(FOE, behind))
    assert (mover.place.y, mover.is_in_square) == (start[1] - 3, True)
    friend = unit("british-regulars", "g", at=(36, start[1] - 4.2))
    assert "have no room: G stand there" in str(
        refusal(movable("british-regulars", at=start), "forward 3", "square", others=(FOE, behind, friend))
    )


def test_be_m_2_headline_lists_changes_in_order() -> None:
    assert march(movable("british-regulars", 12), "forward 6", "column")[1].headline == 'A form column, move 6".'
    assert march(movable("british-regulars", 12), "forward 6", "square")[1].headline == 'A move 6", form square.'
    assert march(movable("british-regulars", 12), "face 90")[1].headline == "A turn to face east."
