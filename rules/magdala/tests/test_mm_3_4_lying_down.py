"""Lying down and getting up (MM-3.4): in place of the unit's move, or on the move."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.model import MagdalaState, Order, Works
from rules.magdala.morale.forced_moves import fall_back
from rules.magdala.moving.marching import Move
from rules.magdala.options import MagdalaOptions
from rules.magdala.orders.movement import MOVE
from rules.magdala.turn import TURN, TurnNext

from .field import BLUE, RED, dice, field, play_part, text_of, unit

BRITISH = "british-breechloaders"
FREE = MagdalaOptions(prone_takes_the_move=False)


def field_with_one(options: MagdalaOptions | None = None, **fields: object) -> MagdalaState:
    battalion = unit(BRITISH, at=(36, 40), order=Order.SKIRMISH, **fields)
    return field(battalion, unit("mahdist-spears", "b", BLUE, at=(36, 20, 180)), options=options or MagdalaOptions())


def move(state: MagdalaState, to: str | None, *words: str) -> MagdalaState:
    return MOVE.execute(state, Move(unit="a", to=to, circumstances=words), NoDice())[0]


def refusal(state: MagdalaState, to: str | None, *words: str) -> str:
    with pytest.raises(Refused) as refused:
        move(state, to, *words)
    return str(refused.value)


@pytest.mark.parametrize(("word", "prone"), [("lie down", False), ("stand up", True)])
def test_mm_3_4_lying_down_or_getting_up_takes_the_place_of_the_move(word: str, prone: bool) -> None:
    state = move(field_with_one(prone=prone), None, word)
    assert state.unit("a").prone is not prone
    assert "have made their move" in refusal(state, "forward 3")
    assert "have made their move" in refusal(state, None, "stand up" if state.unit("a").prone else "lie down")


def test_mm_3_4_moved_unit_cannot_lie_down_that_turn() -> None:
    assert "have made their move" in refusal(move(field_with_one(), "forward 3"), None, "lie down")


def test_mm_3_4_lying_down_at_the_end_of_a_move_is_refused() -> None:
    assert "takes the place of a move" in refusal(field_with_one(), "forward 3", "lie down")


def test_mm_3_4_on_the_move_a_unit_gets_up_and_goes_its_whole_way() -> None:
    for words in ((), ("stand up",)):
        up = move(field_with_one(prone=True), "forward 8", *words).unit("a")
        assert (up.prone, up.this_turn.moved) == (False, 8)


@pytest.mark.parametrize("words", [(), ("stand up",)])
def test_mm_3_4_report_tells_getting_up_once(words: tuple[str, ...]) -> None:
    _, report = MOVE.execute(field_with_one(prone=True), Move(unit="a", to="forward 8", circumstances=words), NoDice())
    assert report.headline == 'A move 8", stand up.'


def test_mm_3_4_next_turn_it_moves_again() -> None:
    state = move(field_with_one(), None, "lie down")
    for _ in range(2):
        state, _ = TURN.execute(state, TurnNext(), NoDice())
    assert move(state, "forward 3").unit("a").this_turn.moved == 3


def test_mm_3_1_unit_that_lay_down_fires_at_half_effect() -> None:
    state = move(field_with_one(), None, "lie down")
    near = state.with_unit(unit("mahdist-spears", "b", BLUE, at=(36, 30, 180)))
    _, report = FIRE.execute(near, Fire(unit="a", target="b"), dice(*[1] * 7))
    assert "half effect, move spent" in text_of(report)


def test_mm_3_1_full_effect_needs_a_unit_to_stay_as_it_is() -> None:
    state = field_with_one().with_unit(unit("mahdist-spears", "b", BLUE, at=(36, 30, 180)))
    state, _ = FIRE.execute(state, Fire(unit="a", target="b"), dice(*[1] * 12))
    assert "which needs them to stand" in refusal(state, None, "lie down")


def test_mm_3_4_forming_square_gets_a_unit_up() -> None:
    close = field_with_one(prone=True).with_unit(unit(BRITISH, at=(36, 40), prone=True))
    state = move(close, None, "form square")
    assert (state.unit("a").prone, state.unit("a").this_turn.has_moved) == (False, True)
    assert not move(close.with_unit(unit(BRITISH, at=(36, 40))), None, "form square").unit("a").this_turn.has_moved


def test_mm_3_4_a_kommando_may_dismount_and_lie_down_instead_of_its_half_move() -> None:
    state = field(unit("kommando", at=(36, 40)))
    assert move(move(state, None, "dismount"), None, "lie down").unit("a").prone


def test_mm_3_4_by_option_lying_down_is_free() -> None:
    state = move(field_with_one(FREE), "forward 3", "lie down")
    assert state.unit("a").prone
    assert not move(state, None, "stand up").unit("a").prone
    assert move(move(field_with_one(FREE), None, "lie down"), "forward 3").unit("a").this_turn.moved == 3


def test_mm_3_4_every_legal_change_of_posture_can_be_made() -> None:
    for state in (
        field_with_one(),
        field_with_one(prone=True),
        move(field_with_one(), "forward 3"),
        move(field_with_one(), None, "lie down"),
    ):
        for order in MOVE.possible_actions(state, RED):
            if order.to is None:
                MOVE.execute(state, order, NoDice())


@pytest.mark.parametrize("at", [(36, 40), None])
def test_mm_7_retreating_unit_gets_up_and_leaves_its_works(at: tuple[float, float] | None) -> None:
    behind = unit(BRITISH, at=at, prone=True, works=Works.EARTHWORKS, building_sangar=1)
    state = field(behind, unit("mahdist-spears", "b", BLUE, at=(36, 20, 180)))
    after, _ = play_part(fall_back, state, "a", Cite(rule="MM-5.8"))
    assert (after.unit("a").prone, after.unit("a").works, after.unit("a").building_sangar) == (False, Works.NONE, 0)
