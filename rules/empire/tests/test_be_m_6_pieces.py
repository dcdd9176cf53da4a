"""Commanders, leaders, mules and wagons: moves, and joining units (BE-M.6)."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.empire.model import Health
from rules.empire.moving.attaching import Attach
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase

from .field import BLUE, RED, field, legal_actions, text_of, unit
from .field import act as attach
from .marches import FOE, after_march, march, movable, refusal

COMMANDERS = Phase.COMMANDERS


def join(*units, piece="l", target: str | None = "a", **fields):
    return attach(
        field(*units, phase=fields.pop("phase", COMMANDERS), **fields), Attach(unit=piece, target=target), NoDice()
    )


def join_refusal(*units, **fields) -> str:
    with pytest.raises(Refused) as refused:
        join(*units, **fields)
    return str(refused.value)


@pytest.mark.parametrize(("troops", "inches"), [("army-commander", 18), ("leader", 18), ("mules", 9), ("wagon", 9)])
def test_be_m_6_pieces_move_in_4a(troops: str, inches: int) -> None:
    piece = unit(troops, at=(36, 40))
    assert after_march(piece, f"forward {inches}", phase=COMMANDERS).this_turn.moved == inches
    assert f'may move {inches}"' in str(refusal(piece, f"forward {inches + 1}", phase=COMMANDERS))
    assert "4A" in str(refusal(piece, "forward 3"))
    options = EmpireOptions(commander_move=12, supply_move=12)
    assert after_march(piece, "forward 12", phase=COMMANDERS, options=options).this_turn.moved == 12


def test_be_7_piece_that_is_out_stays() -> None:
    out = unit("leader", at=(36, 40), health=Health.OUT)
    assert "is out for a turn" in str(refusal(out, "forward 3", phase=COMMANDERS))
    assert "is out for a turn" in join_refusal(out.model_copy(update={"id": "l"}), unit("zulus", at=(36, 36)))


def test_be_m_6_pieces_change_no_formation_nor_charge() -> None:
    leader = unit("leader", at=(36, 40))
    assert "no formation" in str(refusal(leader, None, "column", phase=COMMANDERS))
    assert "cannot go to ground" in str(refusal(leader, None, "go to ground", phase=COMMANDERS))
    enemy = unit("zulus", "b", BLUE, at=(36, 34))
    assert "does not move into contact" in str(refusal(leader, "towards b", phase=COMMANDERS, others=(enemy,)))


def test_be_m_6_a_piece_joins_a_unit_in_reach() -> None:
    leader, battalion = unit("leader", "l", at=(36, 40)), unit("zulus", "a", at=(36, 30))
    state, report = join(leader, battalion)
    with_it = state.unit("l")
    assert (with_it.attached_to, with_it.place) == ("a", battalion.place)
    assert with_it.this_turn.spent == pytest.approx(8.5)
    assert report.headline == "L joins A."
    far = unit("zulus", "a", at=(36, 10))
    assert '28.5" from L: he has 18" left' in join_refusal(leader, far)


def test_be_m_6_unplaced_piece_joins_at_once() -> None:
    state, _ = join(unit("mules", "l"), unit("zulus", "a"))
    assert state.unit("l").attached_to == "a"
    assert [piece.id for piece in state.pieces_with("a")] == ["l"]


def test_be_m_6_units_that_a_piece_may_join() -> None:
    leader, battalion = unit("leader", "l", at=(36, 40)), unit("zulus", "a", at=(36, 36))
    assert "are the enemy" in join_refusal(leader, unit("zulus", "a", BLUE, at=(36, 36)))
    assert "does not fire or fight" in join_refusal(leader, unit("wagon", "a", at=(36, 36)))
    assert "join nobody" in join_refusal(battalion, unit("zulus", "c"), piece="a", target="c")
    assert "is with A already" in join_refusal(leader.model_copy(update={"attached_to": "a"}), battalion)
    assert "is with no unit" in join_refusal(leader, battalion, target=None)
    assert "4A" in join_refusal(leader, battalion, phase=Phase.UNITS)


def test_be_m_6_a_piece_leaves_its_unit() -> None:
    leader = unit("leader", "l", at=(36, 36), attached_to="a")
    state, report = join(leader, unit("zulus", "a", at=(36, 36)), target=None)
    assert (state.unit("l").attached_to, state.unit("l").place) == (None, leader.place)
    assert report.headline == "L leaves A."
    assert "L stays where he is||" in text_of(report)


def test_be_m_6_a_move_of_its_own_leaves_the_unit() -> None:
    leader = unit("leader", "l", at=(36, 36), attached_to="a")
    state, report = march(leader, "back 3", phase=COMMANDERS, others=(unit("zulus", "a", at=(36, 36)),))
    assert state.unit("l").attached_to is None
    assert "L leaves A" in [step.text for step in report.steps]


def test_be_m_6_piece_follows_its_unit() -> None:
    leader = unit("leader", "l", at=(36, 40), attached_to="a")
    state, _ = march(movable("zulus", 9), "forward 9", others=(FOE, leader))
    assert state.unit("l").place == state.unit("a").place
    assert state.unit("l").this_turn.spent == 0


def test_every_legal_joining_can_be_done() -> None:
    state = field(
        unit("leader", "l", at=(36, 40), attached_to="a"),
        unit("mules", "m", at=(30, 40)),
        unit("zulus", "a", at=(36, 40)),
        unit("zulus", "c", at=(10, 10)),
        unit("zulus", "e", BLUE, at=(36, 30)),
        phase=COMMANDERS,
    )
    orders = {(order.unit, order.target) for order in legal_actions(state, RED, Attach)}
    assert orders == {("l", None), ("m", "a")}
    for unit_id, target in orders:
        assert attach(state, Attach(unit=unit_id, target=target), NoDice())[0] != state
    assert not list(legal_actions(state, BLUE, Attach))
