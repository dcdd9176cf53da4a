"""Moves by conduct, and their route (BE-6.2, BE-M.1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop import table
from rules.empire.moving.movement import MOVE, Move
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.placement import base
from rules.empire.tables import TABLES

from .field import BLUE, RED, contact_of, field, legal_actions, text_of, unit, with_memory
from .field import act as move
from .marches import FOE, after_march, march, movable, refusal


def test_be_6_2_a_unit_moves_up_to_the_inches_of_its_conduct() -> None:
    mover = after_march(movable("british-regulars", 6), "forward 6")
    assert (mover.place.x, mover.place.y, mover.this_turn.moved, mover.this_turn.spent) == (36, 34, 6, 6)
    assert 'may move 6"; that is 6.5"' in str(refusal(movable("british-regulars", 6), "forward 6.5"))


def test_be_6_2_inches_are_spent_over_several_moves() -> None:
    after_once, report = march(movable("british-regulars", 9), "forward 4")
    assert 'They have 5" left.' in report.outcome
    after_twice = after_march(after_once.unit("a"), "left 5")
    assert (after_twice.this_turn.moved, after_twice.place.x, after_twice.place.y) == (9, 31, 36)
    assert "have no inches left" in str(refusal(after_twice, "back 1"))
    assert 'may move 5"' in str(refusal(after_once.unit("a"), "back 6"))


def test_be_6_2_conduct_comes_first_with_its_button() -> None:
    refused = refusal(unit("british-regulars", at=(36, 40)), "forward 3")
    (prompts,) = refused.prompts
    assert (prompts.key, prompts.required) == ("conduct:a:1:movement of units", False)
    assert [(offer.label, offer.kind, offer.args) for offer in prompts.offers] == [
        ("Conduct: A, 100% to move", "conduct", {"unit": "a"})
    ]
    assert "throw their conduct before they move" in str(refused)


def test_be_6_2_a_shaken_unit_has_to_rally_first() -> None:
    for troops in ("british-regulars", "field-gun", "maxim"):
        refused = refusal(unit(troops, at=(36, 40), shaken=True), "forward 3")
        assert [offer.kind for offer in refused.prompts[0].offers] == ["rally"]
        assert refused.prompts[0].required
        mover = with_memory(unit(troops, at=(36, 40), shaken=True), tested=True, allowed=0.0)
        assert f"{mover:remain} shaken" in str(refusal(mover, "forward 3"))


def test_be_6_2_result_no_move_allows_no_move() -> None:
    still = movable("british-regulars", 0, turn={"result": "no move"})
    for order in (("forward 1",), (None, "square"), ("face s",)):
        assert "no move" in str(refusal(still, *order))
    assert after_march(still, None, "go to ground").gone_to_ground


@pytest.mark.parametrize(
    ("troops", "limbered", "inches"),
    [
        ("field-gun", True, 12),
        ("field-gun", False, 3),
        ("heavy-gun", True, 12),
        ("light-gun", False, 3),
        ("gatling", True, 12),
        ("gatling", False, 3),
        ("mountain-gun", True, 9),
        ("mountain-gun", False, 6),
        ("maxim", True, 9),
        ("maxim", False, 6),
    ],
)
def test_be_6_2_guns_and_machine_guns_move_without_a_roll(troops: str, limbered: bool, inches: int) -> None:
    gun = unit(troops, at=(36, 40), limbered=limbered)
    assert after_march(gun, f"forward {inches}").this_turn.moved == inches
    assert f'may move {inches}"' in str(refusal(gun, f"forward {inches + 0.5}"))


def test_be_6_2_every_cell_of_the_gun_chart() -> None:
    chart = TABLES.charts["gun-moves"]
    assert chart.columns == ("limbered", "unlimbered")
    cells = {row.label: tuple((cell.text, cell.value) for cell in row.cells) for row in chart.rows}
    assert cells == {
        "guns and carriage machine guns": (("12", 12), ("3", 3)),
        "mountain guns and Maxims": (("9", 9), ("6", 6)),
    }


def test_be_1_units_move_in_4b_in_their_sides_turn() -> None:
    assert "4B" in str(refusal(movable("british-regulars"), "forward 3", phase=Phase.COMMANDERS))
    assert "4B" in str(refusal(movable("british-regulars"), "forward 3", phase=Phase.RIFLES))
    assert "Blue move now" in str(refusal(movable("british-regulars"), "forward 3", active=BLUE))


def test_be_6_2_exploitation_moves_need_an_opponent_that_gave_way_and_a_second_throw() -> None:
    first = {"opponent_gave_way": False}
    assert "no exploitation move" in str(refusal(movable("zulus", turn=first), "forward 3", phase=Phase.EXPLOITATION))
    refused = refusal(movable("zulus", turn={"opponent_gave_way": True}), "forward 3", phase=Phase.EXPLOITATION)
    assert refused.prompts[0].key == "conduct:a:1:exploitation moves"
    exploits = movable("zulus", 12, turn={"opponent_gave_way": True, "exploited": True, "moved": 9.0})
    assert after_march(exploits, "forward 12", phase=Phase.EXPLOITATION).this_turn.moved == 21
    gun = with_memory(unit("maxim", at=(36, 40)), opponent_gave_way=True)
    assert "only foot and mounted" in str(refusal(gun, "forward 3", phase=Phase.EXPLOITATION))


def test_be_m_1_unit_passes_through_friends_but_does_not_stop_on_them() -> None:
    friend = unit("zulus", "f", at=(36, 34))
    assert after_march(movable("british-regulars", 12), "forward 12", others=(FOE, friend)).this_turn.moved == 12
    state, report = march(movable("british-regulars", 12), "forward 6", others=(FOE, friend))
    assert "Blocked by F after" in report.warnings[0]
    assert 0 < state.unit("a").this_turn.moved < 6
    assert not table.are_overlapping(base(state.unit("a")), base(friend))
    close = unit("zulus", "f", at=(36, 38.6))
    assert "no room for A" in str(refusal(movable("british-regulars"), "forward 1", others=(FOE, close)))


def test_be_m_1_never_off_the_table_nor_through_the_enemy() -> None:
    assert "off the table" in str(refusal(movable("british-regulars", 12), "back 12"))
    enemy = unit("zulus", "b", BLUE, at=(36, 36, 180))
    assert "B bar the way" in str(refusal(movable("british-regulars", 12), "forward 12", others=(enemy,)))


def test_be_m_1_terrain_slows_no_unit() -> None:
    wood = TerrainPiece(feature=Feature.WOOD, points=((30, 30), (42, 30), (42, 39), (30, 39)))
    assert after_march(movable("british-regulars"), "forward 9", terrain=(wood,)).this_turn.moved == 9


def test_be_m_1_pieces_stop_no_unit() -> None:
    others = (FOE, unit("wagon", "w", at=(36, 34)), unit("mules", "m", BLUE, at=(36, 33)))
    mover = after_march(movable("british-regulars", 6), "forward 6", others=others)
    assert mover.this_turn.moved == 6


def test_be_m_1_unplaced_move_tells_inches_and_keeps_words() -> None:
    state, report = march(movable("zulus", 9, at=None), "over the ridge", others=())
    assert report.outcome == 'Move the stands 9", over the ridge.'
    assert "over the ridge" in text_of(report)
    assert state.unit("a").this_turn.moved == 9
    assert after_march(movable("zulus", 9, at=None), "forward 4", others=()).this_turn.moved == 4
    assert 'that is 10"' in str(refusal(movable("zulus", 9, at=None), "forward 10", others=()))


def test_be_m_1_placed_unit_needs_a_destination() -> None:
    assert "Say where A are to go" in str(refusal(movable("zulus")))
    assert "no place on the table" in str(refusal(movable("zulus"), "somewhere nice"))
    assert "are there already" in str(refusal(movable("zulus"), "36,40"))
    assert "face that way already" in str(refusal(movable("zulus"), "face n"))
    assert "left no horses" in str(refusal(movable("boers"), "horses"))


TABLE = field(
    movable("british-regulars", 9, (20, 40), unit_id="r"),
    movable("boers", 15, (30, 40), unit_id="h"),
    unit("field-gun", "g", at=(40, 40)),
    movable("zulus", 12, None, unit_id="n"),
    movable("zulus", 12, (50, 38.4), unit_id="c"),
    unit("leader", "l", at=(60, 40)),
    unit("zulus", "b", BLUE, at=(36, 5, 180)),
    unit("zulus", "t", BLUE, at=(50, 36.4, 180)),
    contacts=(contact_of("c", "t"),),
)


def test_every_legal_move_can_be_made() -> None:
    orders = list(legal_actions(TABLE, RED, Move))
    assert {order.unit for order in orders} == {"r", "h", "g", "n"}
    for order in orders:
        assert move(TABLE, order, NoDice())[0] != TABLE
    assert not list(legal_actions(TABLE, BLUE, Move))
    commanders = TABLE.model_copy(update={"phase": Phase.COMMANDERS.value})
    assert {order.unit for order in legal_actions(commanders, RED, Move)} == {"l"}


PLACES = st.one_of(
    st.none(),
    st.builds("{:.1f},{:.1f}".format, st.floats(-5, 80), st.floats(-5, 55)),
    st.builds("{} {:.1f}".format, st.sampled_from(["forward", "back", "left", "right", "towards b"]), st.floats(0, 20)),
    st.sampled_from(["towards b", "towards t", "towards r", "face sw", "C3", "nowhere", "horses", "towards z"]),
)


@given(
    st.sampled_from(["r", "h", "g", "n", "c", "l", "b", "x"]),
    PLACES,
    st.sets(st.sampled_from(Move.circumstance_names), max_size=3),
)
def test_a_move_stays_within_its_inches_and_its_table(unit_id: str, to: str | None, words: set[str]) -> None:
    before = TABLE.model_dump_json()
    try:
        state, report = move(TABLE, Move(unit=unit_id, to=to, circumstances=tuple(words)), NoDice())
    except Refused:
        state = TABLE
    else:
        assert report.units[0] == unit_id
        mover = state.unit(unit_id)
        most = 12 if mover.is_crew else mover.this_turn.allowed
        assert mover.this_turn.spent <= most + 0.01
        assert mover.this_turn.moved <= mover.this_turn.spent + 0.01
        if mover.place is not None:
            assert table.is_on_table(base(mover), state.width, state.height)
    assert TABLE.model_dump_json() == before


def test_be_3_move_of_a_gun_mentions_the_loss_of_fire() -> None:
    gun = unit("field-gun", name="Battery", at=(36, 40))
    warning = (
        "Battery does not fire this turn: guns that move more than a pivot do not fire that turn (BE-3, house rule)."
    )
    assert march(gun, "forward 3")[1].warnings == (f"{warning} /game undo takes the move back.",)
    assert march(gun, "face e")[1].warnings == ()
    orders = (Move(unit="a", to=to) for to in ("face e", "forward 3"))
    assert [MOVE.label(field(gun), MOVE.plan(field(gun), order)) for order in orders] == [
        *("Face east: Battery", "Forward 3 inches, no fire then: Battery"),
    ]
    assert march(gun, None, "limber")[1].warnings == ()
    assert march(unit("maxim", at=(36, 40)), "forward 3")[1].warnings == ()
    assert march(gun, "forward 3", options=EmpireOptions(guns_fire_after_moving=True))[1].warnings == ()


def test_be_m_2_offer_without_a_place_names_its_change_or_distance() -> None:
    state = field(movable("british-regulars", 9, None))
    orders = (Move(unit="a", circumstances=("square",)), Move(unit="a"))
    assert [MOVE.label(state, MOVE.plan(state, order)) for order in orders] == ["Square: A", "Move 9 inches: A"]


def test_be_m_3_unplaced_unit_may_charge_the_first_enemy() -> None:
    foes = unit("british-regulars", "z", BLUE), unit("british-regulars", "y", BLUE)
    state = field(movable("zulus", 12, None, unit_id="n"), *foes)
    orders = [order for order in legal_actions(state, RED, Move) if order.to is not None]
    (order,) = orders
    assert order.to.startswith("towards z ")
    assert order.circumstances == ("into contact",)
