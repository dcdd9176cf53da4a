"""The end of a game (BE-V, house): an army breaks, or the objectives decide after the last turn."""

from fractions import Fraction

import pytest

from rules.core.tabletop.battle import Place
from rules.empire.model import EmpireState
from rules.empire.options import EmpireOptions
from rules.empire.scenarios import BATTLES, VICTORY
from rules.empire.tests.field import field, unit

WELLS = Place(x=36.0, y=6.0)
AWAY = Place(x=36.0, y=30.0)


def el_teb(turn: int = 1, broken_at: Fraction = Fraction(1, 2)) -> EmpireState:
    """Return El Teb, with 11 British and 14 Mahdist units."""
    state = BATTLES.all["el-teb-1884"].setup({})
    return state.model_copy(update={"turn": turn, "options": EmpireOptions(broken_at=broken_at)})


def lose_units(state: EmpireState, side: str, count: int) -> EmpireState:
    army = [unit for unit in state.units.values() if unit.side == side and not unit.is_piece]
    return state.with_unit(*(unit.model_copy(update={"destroyed": True}) for unit in army[:count]))


def clear_wells(state: EmpireState) -> EmpireState:
    """Return the state with all Mahdists far from the wells."""
    return state.with_unit(
        *(unit.model_copy(update={"place": AWAY}) for unit in state.units.values() if unit.side == "mahdists")
    )


def move_to_wells(state: EmpireState, unit_id: str, **update) -> EmpireState:
    return state.with_unit(state.unit(unit_id).model_copy(update={"place": WELLS, **update}))


def test_be_v_an_army_breaks_with_half_its_units_destroyed() -> None:
    assert VICTORY.find_verdict(lose_units(el_teb(), "mahdists", 6)) is None
    ended = VICTORY.find_verdict(lose_units(el_teb(), "mahdists", 7))
    assert ended is not None
    assert ended.winner == "british"
    assert ended.why == "With half their units destroyed, the Mahdists are broken."


def test_be_v_option_sets_the_share_that_breaks_an_army() -> None:
    third = el_teb(broken_at=Fraction(1, 3))
    assert VICTORY.find_verdict(lose_units(third, "british", 3)) is None
    assert VICTORY.find_verdict(lose_units(third, "british", 4)).why.startswith(
        "With ⅓ of their units destroyed, the British are broken."
    )
    state = el_teb(broken_at=Fraction(1))
    assert VICTORY.find_verdict(lose_units(state, "british", 10)) is None
    assert VICTORY.find_verdict(lose_units(state, "british", 11)).why.startswith("With all their units destroyed")


def test_be_v_share_of_zero_needs_one_lost_unit() -> None:
    none = el_teb(broken_at=Fraction(0))
    assert VICTORY.find_verdict(none) is None
    assert VICTORY.find_verdict(lose_units(none, "british", 1)).winner == "mahdists"


def test_be_v_units_still_to_arrive_count_as_standing() -> None:
    state = BATTLES.all["isandlwana-1879"].setup({})
    army = [unit for unit in state.units.values() if unit.side == "british" and not unit.is_piece]
    assert len(army) == 8
    assert sum(unit.reserve is not None for unit in army) == 1
    assert VICTORY.find_verdict(lose_units(state, "british", 3)) is None
    assert VICTORY.find_verdict(lose_units(state, "british", 4)).winner == "zulus"


def test_be_v_pieces_do_not_count() -> None:
    state = lose_units(el_teb(), "mahdists", 6)
    chiefs = [unit.model_copy(update={"destroyed": True}) for unit in state.units.values() if unit.is_piece]
    assert VICTORY.find_verdict(state.with_unit(*chiefs)) is None


def test_be_v_both_broken_is_a_draw() -> None:
    assert VICTORY.find_verdict(lose_units(lose_units(el_teb(), "british", 6), "mahdists", 7)).winner is None


def test_be_v_the_ground_decides_only_after_the_last_turn() -> None:
    assert VICTORY.find_verdict(el_teb(turn=9)) is None
    ended = VICTORY.find_verdict(el_teb(turn=10))
    assert ended.winner == "mahdists"
    assert ended.why == "The Mahdists have kept the enemy from the wells of El Teb to the last turn."


def test_be_v_attacker_wins_as_the_only_side_on_the_objective() -> None:
    state = clear_wells(el_teb(turn=10))
    assert VICTORY.find_verdict(move_to_wells(state, "gordons")).winner == "british"
    assert VICTORY.find_verdict(move_to_wells(move_to_wells(state, "gordons"), "beni-amer")).winner == "mahdists"


@pytest.mark.parametrize("update", [{"shaken": True}, {"destroyed": True}])
def test_be_v_shaken_and_destroyed_units_neither_hold_nor_dispute(update) -> None:
    state = clear_wells(el_teb(turn=10))
    assert VICTORY.find_verdict(move_to_wells(state, "gordons", **update)).winner == "mahdists"
    assert (
        VICTORY.find_verdict(move_to_wells(move_to_wells(state, "gordons"), "beni-amer", **update)).winner == "british"
    )


def test_be_v_a_commander_alone_holds_nothing() -> None:
    assert VICTORY.find_verdict(move_to_wells(clear_wells(el_teb(turn=10)), "graham")).winner == "mahdists"


def test_be_v_without_ground_to_take_the_last_turn_ends_in_a_draw() -> None:
    assert VICTORY.find_verdict(el_teb(turn=10).model_copy(update={"objectives": ()})).winner is None


def test_be_v_a_question_without_a_game_has_no_victor() -> None:
    gone = unit("zulus", destroyed=True)
    assert VICTORY.find_verdict(field(gone)) is not None
    assert VICTORY.find_verdict(field(gone, scenario="")) is None
