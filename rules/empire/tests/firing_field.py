"""Shots for the tests of fire: a firer “a”, its target “b”, no places unless given."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.empire.firing.fire import FIRE, Fire, FirePlan
from rules.empire.model import GUNS, EmpireState, EmpireUnit
from rules.empire.phases import Phase

from .field import BLUE, dice, field, unit

RIFLES = unit("european-regulars", name="Rifles")
TARGET = unit("zulus", "b", BLUE, name="Zulus")


def phase_of(shooter: EmpireUnit) -> Phase:
    """The phase in which the unit fires."""
    return Phase.ARTILLERY if shooter.weapon in GUNS else Phase.RIFLES


def table(shooter: EmpireUnit, target: EmpireUnit = TARGET, *others: EmpireUnit, **more: Any) -> EmpireState:
    """The two, and others, in the firer's phase."""
    return field(shooter, target, *others, **{"phase": phase_of(shooter), **more})


def order(*words: str, range_: float | None = 6, dice_: int | None = None) -> Fire:
    """The order to fire at the target."""
    return Fire(unit="a", target="b", range=range_, dice=dice_, circumstances=words)


def aimed(
    shooter: EmpireUnit,
    *words: str,
    target: EmpireUnit = TARGET,
    range_: float | None = 6,
    dice_: int | None = None,
    **more: Any,
) -> FirePlan:
    """The shot before the dice, at no range where the two are in contact."""
    range_ = None if "contacts" in more else range_
    return FIRE.plan(table(shooter, target, **more), order(*words, range_=range_, dice_=dice_))


def shot(
    shooter: EmpireUnit, *faces: int, words: tuple[str, ...] = (), target: EmpireUnit = TARGET, **more: Any
) -> tuple[EmpireState, Report]:
    """The shot with these dice, none left over; at no range where the two are in contact."""
    script = dice(*faces)
    more = {**({"range_": None} if "contacts" in more else {}), **more}
    of_order = {name: more.pop(name) for name in ("range_", "dice_") if name in more}
    told = FIRE.execute(table(shooter, target, **more), order(*words, **of_order), script)
    assert not script.left
    return told


def refusal(
    shooter: EmpireUnit,
    *words: str,
    target: EmpireUnit = TARGET,
    range_: float | None = 6,
    dice_: int | None = None,
    others: tuple[EmpireUnit, ...] = (),
    **more: Any,
) -> str:
    """Why the shot is refused, no die thrown."""
    with pytest.raises(Refused) as refused:
        FIRE.execute(table(shooter, target, *others, **more), order(*words, range_=range_, dice_=dice_), NoDice())
    return str(refused.value)


def on_each_die(found: FirePlan) -> dict[str, int]:
    """The modifiers by their reasons."""
    return {each.reason: int(each.value) for step in found.steps for each in step.modifiers}
