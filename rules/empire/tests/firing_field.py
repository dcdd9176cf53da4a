"""Shots for tests of fire: `a` fires at `b`, without places by default."""

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
    """Return the phase in which the unit fires."""
    return Phase.ARTILLERY if shooter.weapon in GUNS else Phase.RIFLES


def table(shooter: EmpireUnit, target: EmpireUnit = TARGET, *others: EmpireUnit, **fields: Any) -> EmpireState:
    """Return a table with firer and target in the firer's phase."""
    return field(shooter, target, *others, **{"phase": phase_of(shooter), **fields})


def fire_action(*words: str, range_: float | None = 6, dice_: int | None = None) -> Fire:
    """Return an action to fire at the target."""
    return Fire(unit="a", target="b", range=range_, dice=dice_, circumstances=words)


def plan_shot(
    shooter: EmpireUnit,
    *words: str,
    target: EmpireUnit = TARGET,
    range_: float | None = 6,
    dice_: int | None = None,
    **fields: Any,
) -> FirePlan:
    """Plan the shot. Units in contact need no range."""
    range_ = None if "contacts" in fields else range_
    return FIRE.plan(table(shooter, target, **fields), fire_action(*words, range_=range_, dice_=dice_))


def fire_shot(
    shooter: EmpireUnit, *faces: int, words: tuple[str, ...] = (), target: EmpireUnit = TARGET, **fields: Any
) -> tuple[EmpireState, Report]:
    """Fire with exactly these dice. Units in contact need no range."""
    script = dice(*faces)
    fields = {**({"range_": None} if "contacts" in fields else {}), **fields}
    of_order = {name: fields.pop(name) for name in ("range_", "dice_") if name in fields}
    result = FIRE.execute(table(shooter, target, **fields), fire_action(*words, **of_order), script)
    assert not script.left
    return result


def refusal(
    shooter: EmpireUnit,
    *words: str,
    target: EmpireUnit = TARGET,
    range_: float | None = 6,
    dice_: int | None = None,
    others: tuple[EmpireUnit, ...] = (),
    **fields: Any,
) -> str:
    """Return the reason for the shot's refusal, which throws no dice."""
    with pytest.raises(Refused) as refused:
        FIRE.execute(
            table(shooter, target, *others, **fields), fire_action(*words, range_=range_, dice_=dice_), NoDice()
        )
    return str(refused.value)


def die_modifiers(plan: FirePlan) -> dict[str, int]:
    """Return the values of the modifiers by reason."""
    return {modifier.reason: int(modifier.value) for step in plan.steps for modifier in step.modifiers}
