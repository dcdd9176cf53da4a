"""Moves for tests: a unit with its allowed inches, the result of a move, and its refusal."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.moving.movement import Move
from rules.empire.phases import Phase

from .field import BLUE, field, unit, with_memory
from .field import act as move

FOE = unit("zulus", "b", BLUE, at=(36, 5, 180))


def movable(troops: str, inches: float = 9, at: tuple[float, ...] | None = (36, 40), **fields: Any) -> EmpireUnit:
    """Build a unit whose conduct allows it `inches`; `turn` adds to the memory of its turn."""
    turn = fields.pop("turn", {})
    remembered = {"tested": True, "allowed": float(inches), "result": "so far", **turn}
    return with_memory(unit(troops, fields.pop("unit_id", "a"), at=at, **fields), **remembered)


def march(
    mover: EmpireUnit, to: str | None = None, *words: str, others=(FOE,), phase=Phase.UNITS, **fields
) -> tuple[EmpireState, Report]:
    order = Move(unit=mover.id, to=to, circumstances=words)
    return move(field(mover, *others, phase=phase, **fields), order, NoDice())


def refusal(mover: EmpireUnit, to: str | None = None, *words: str, **fields) -> Refused:
    with pytest.raises(Refused) as refused:
        march(mover, to, *words, **fields)
    return refused.value


def after_march(mover: EmpireUnit, to: str | None = None, *words: str, **fields) -> EmpireUnit:
    """Return the unit after its move."""
    return march(mover, to, *words, **fields)[0].unit(mover.id)
