"""Tests of the simple German player, used to try out the card: its hexes to keep, targets, attacks, passes."""

from typing import Any

import pytest

from rules.tanga.field import board_of
from rules.tanga.german.fight import Fire, Melee
from rules.tanga.german.move import Move
from rules.tanga.german.stand import Rally
from rules.tanga.model import GERMAN, Phase, TangaState
from rules.tanga.tests.player import choose, hexes_to_keep
from rules.tanga.turn import TurnNext

from .field import state_of

OPEN = {"*": "open"}


def at(phase: Phase, *lines: str, **fields: Any) -> TangaState:
    return state_of(*lines, phase=phase.value, active=GERMAN, on=OPEN, **fields)


@pytest.mark.parametrize(("factor", "attacks"), [(8, True), (7, False)])
def test_player_attacks_enemies_weaker_by_three_factors(factor: int, attacks: bool) -> None:
    order = choose(at(Phase.MELEE, f"17.FK 1 2510 cf{factor}", "13 A 2610 cf5"))
    assert order == (Melee(unit="17.fk-1", target="13-a") if attacks else TurnNext())


def test_player_shoots_at_the_best_target() -> None:
    stack = choose(at(Phase.FIRE, "17.FK 1 2510", "13 A 2610", "61 A 2609", "61 B 2609"))
    assert stack == Fire(unit="17.fk-1", target="61-a")


def test_player_passes_without_enemies_in_reach() -> None:
    assert choose(at(Phase.FIRE, "17.FK 1 2510", "13 A 3510")) == TurnNext()
    assert choose(at(Phase.MELEE, "17.FK 1 2510", "13 A 3510")) == TurnNext()


def test_player_rallies_units_in_the_rally_phase() -> None:
    broken = at(Phase.RALLY, "17.FK 1 2510 disrupted", "17.FK L 2510")
    ready = broken.with_unit(
        broken.unit("17.fk-1").model_copy(update={"ro": broken.unit("17.fk-1").at, "retreating": True})
    )
    assert choose(ready) == Rally(unit="17.fk-1")


def test_player_marches_each_unit_once_and_then_passes() -> None:
    state = at(Phase.MOVE, "17.FK 1 2510", "13 A 2410")
    order = choose(state)
    assert isinstance(order, Move)
    moved = state.with_unit(state.unit("17.fk-1").model_copy(update={"moved": 1}))
    assert choose(moved) == TurnNext()


@pytest.mark.parametrize("needed", [1, 2])
def test_player_keeps_the_nearest_hexes_that_deny_victory(needed: int) -> None:
    state = state_of("17.FK 1 2510", "13 A 3010", objectives={"european town": needed})
    board = board_of(state)
    hexes, station = board.victory_hexes["european town"], board.spec.station
    assert station is not None
    kept_hexes = hexes_to_keep(state)
    assert len(kept_hexes) == len(hexes) - needed + 1
    assert kept_hexes <= hexes
    other_hexes = hexes - kept_hexes
    assert max(hex_.distance(station) for hex_ in kept_hexes) <= min(
        (hex_.distance(station) for hex_ in other_hexes), default=99
    )
