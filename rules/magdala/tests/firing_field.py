"""Volleys for tests of fire: `a` fires at `b`, without places by default."""

import pytest

from rules.core.dice import NoDice
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.model import MagdalaState

from .field import BLUE, dice, field, unit

BRITISH = "british-breechloaders"
TARGET = unit("mahdist-spears", "b", BLUE, figures=40)
FULL, HALF = "full effect", "half effect"


def fire_volley(
    shooter, *words: str, range_: float = 10, target=TARGET, faces=(), **fields
) -> tuple[MagdalaState, Report]:
    return FIRE.execute(
        field(shooter, target, **fields), Fire(unit="a", target="b", range=range_, circumstances=words), dice(*faces)
    )


def refusal(shooter, *words: str, range_: float | None = 10, target=TARGET, **fields) -> str:
    state = field(shooter, target, **fields)
    with pytest.raises(Refused) as refused:
        FIRE.execute(state, Fire(unit="a", target="b", range=range_, circumstances=words), NoDice())
    return str(refused.value)


def dice_of(shooter, *words: str, range_: float = 10, target=TARGET, **fields) -> int:
    state = field(shooter, target, **fields)
    return FIRE.plan(state, Fire(unit="a", target="b", range=range_, circumstances=words)).dice.dice
