"""Units that come to the table during a battle: at an edge, on a turn, or as reserves for lost units."""

from typing import Any

import pytest

from rules.core.model import PUBLIC, UMPIRE
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.tabletop.arrivals import add_arrival
from rules.core.tabletop.battle import Edge, Place
from rules.core.tests.scripted import ScriptedDice

from .skirmish.ruleset import Company, SkirmishRuleset

SYSTEM = SkirmishRuleset()


def begin() -> Any:
    return SYSTEM.setup(next(iter(SYSTEM.scenarios)), {}, ScriptedDice([]))


def company(state: Any, name: str = "Late company") -> Company:
    return Company(id=name.casefold().replace(" ", "-"), name=name, side=state.sides[0].id, men=9)


def add_coming_company(edge: Edge = Edge.EAST, turn: int = 2, at_most: int = 9, **fields: object) -> Any:
    """Return a battle in which a company of the first side is an arrival."""
    state = begin()
    return add_arrival(state, company(state), edge, turn, at_most).model_copy(update=fields)


def end_turn(state: Any) -> tuple[Any, Report]:
    return SYSTEM.act(state, SYSTEM.parse("turn_next", {}), ScriptedDice([]))


def play_until_turn(state: Any, turn: int) -> tuple[Any, Report]:
    """End turns until `turn` begins. Return the state and the last report."""
    while True:
        state, report = end_turn(state)
        if state.turn == turn:
            return state, report


def test_a_unit_comes_at_the_start_of_its_turn_at_its_edge() -> None:
    state = add_coming_company(Edge.EAST, 3)
    before, _ = play_until_turn(state, 2)
    assert "late-company" not in before.units
    assert "late-company" in before.every_unit
    after, report = play_until_turn(before, 3)
    unit = after.units["late-company"]
    assert not after.arrivals
    assert unit.place.facing == 270.0, "it faces away from its edge"
    assert after.width - 12 <= unit.place.x < after.width
    assert report.steps[-1].verdict == "Late company come on at the east edge"
    SYSTEM.require_valid_state(after)


def test_a_reserve_comes_when_a_unit_of_its_side_is_gone() -> None:
    state = begin()
    standing = len(state.units_of(state.sides[0].id))
    state = add_arrival(state, company(state), Edge.SOUTH, 0, standing)
    waiting, _ = end_turn(state)
    assert "late-company" not in waiting.units
    gone = state.units_of(state.sides[0].id)[0]
    after, _ = end_turn(state.changed(gone.id, men=0))
    assert "late-company" in after.units


def test_reserves_come_in_order_while_there_is_room() -> None:
    state = begin()
    standing = len(state.units_of(state.sides[0].id))
    for name in ("First", "Second", "Third"):
        state = add_arrival(state, company(state, name), Edge.SOUTH, 0, standing + 2)
    after, _ = end_turn(state)
    assert [*after.arrivals] == ["third"]


def test_a_unit_without_room_at_its_edge_waits() -> None:
    state = add_coming_company(turn=1)
    wall = [
        Company(id=f"crowd-{x}-{y}", name=f"Crowd {x} {y}", side=state.sides[1].id, men=9).model_copy(
            update={"place": Place(x=x + 0.5, y=y + 2.0)}
        )
        for x in range(58, 72)
        for y in range(0, 48, 4)
    ]
    full = state.with_unit(*wall)
    waiting, _ = end_turn(full)
    assert "late-company" in waiting.arrivals
    after, _ = end_turn(waiting.model_copy(update={"units": state.units}))
    assert "late-company" in after.units


def test_units_to_come_count_as_standing_until_they_come() -> None:
    state = begin()
    side = state.sides[0].id
    mine = state.units_of(side)
    beaten = state
    for unit in mine:
        beaten = beaten.changed(unit.id, men=0)
    assert SYSTEM.victory.find_verdict(beaten) is not None
    for number in range(len(mine) + 1):
        beaten = add_arrival(beaten, company(beaten, f"Late {number}"), Edge.SOUTH, 5, 9)
    assert SYSTEM.victory.find_verdict(beaten) is None
    assert SYSTEM.strengths(beaten, UMPIRE)[side] == f"{len(mine) + 1} of {2 * len(mine) + 1} units"


def test_a_unit_to_come_is_listed_and_cannot_act() -> None:
    state = add_coming_company(turn=3)
    card = next(card for card in SYSTEM.roster(state, UMPIRE) if card.id == "late-company")
    assert card.line.startswith("to come in turn 3 at the east edge")
    for kind, arguments in (("move", {"to": "forward 6"}), ("fire", {"target": "late-company"})):
        with pytest.raises(Refused, match="have yet to come to the table"):
            SYSTEM.act(state, SYSTEM.parse(kind, {"unit": "late-company", **arguments}), ScriptedDice([]))
    assert SYSTEM.read_state(SYSTEM.write_state(state)) == state
    SYSTEM.require_valid_state(state)


def test_each_side_knows_its_own_arrivals_alone_if_they_are_hidden() -> None:
    state = add_coming_company(hides_arrivals=True)
    first, second = (side.id for side in state.sides)
    assert state.can_have_hidden_units
    assert not state.can_hidden_units_act, "no phase waits for units that have yet to come"
    assert SYSTEM.view(state, first).arrivals == SYSTEM.view(state, UMPIRE).arrivals == state.arrivals
    later = add_coming_company(Edge.WEST, 5, hides_arrivals=True)
    for viewer in (second, PUBLIC):
        assert not SYSTEM.view(state, viewer).arrivals
        assert SYSTEM.storable_view(state, viewer) == SYSTEM.storable_view(later, viewer)
        assert SYSTEM.roster(state, viewer) == SYSTEM.roster(later, viewer)
        assert SYSTEM.strengths(state, viewer) == SYSTEM.strengths(later, viewer)
    assert SYSTEM.view(add_coming_company(), second) == add_coming_company(), "otherwise everyone knows them"


def test_a_state_from_outside_has_each_unit_once() -> None:
    state = add_coming_company()
    with pytest.raises(Refused, match="it stands among the others as well"):
        SYSTEM.require_valid_state(state.with_unit(state.arrivals["late-company"].unit))
