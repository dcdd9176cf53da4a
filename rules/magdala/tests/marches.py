"""Moves of one unit, for the tests."""

import pytest

from rules.core.dice import NoDice
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.magdala.model import MagdalaState, MagdalaUnit
from rules.magdala.moving.marching import Move
from rules.magdala.orders.movement import MOVE

from .field import BLUE, dice, field, unit

BRITISH = "british-breechloaders"
FOE = unit("mahdist-spears", "b", BLUE, at=(36, 5, 180))


def march(
    mover: MagdalaUnit, to: str | None = None, *words: str, faces=(), others=(FOE,), **fields
) -> tuple[MagdalaState, Report]:
    return MOVE.execute(field(mover, *others, **fields), Move(unit="a", to=to, circumstances=words), dice(*faces))


def refusal(mover: MagdalaUnit, to: str | None = None, *words: str, others=(FOE,), **fields) -> str:
    with pytest.raises(Refused) as refused:
        MOVE.execute(field(mover, *others, **fields), Move(unit="a", to=to, circumstances=words), NoDice())
    return str(refused.value)


def inches_marched(mover: MagdalaUnit, to: str | None = None, *words: str, **fields) -> float:
    return march(mover, to, *words, **fields)[0].unit("a").this_turn.moved
