"""How large a unit stands on the table, for measuring, contact and drawing, and with what symbol (house values)."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pydantic import Field

from rules.core.model import Model
from rules.core.scene import Symbol

from .model import MagdalaUnit, Order, Troop


class Base(Model):
    """Frontage in inches a figure in close and in skirmish order, the least frontage, and the depth."""

    troops: tuple[Troop, ...]
    symbol: Symbol
    close: float = 0.0
    skirmish: float = 0.0
    least: float
    depth: float


class _Bases(Model):
    bases: tuple[Base, ...] = Field(alias="base")


@cache
def bases() -> Mapping[Troop, Base]:
    """The base of every troop type. Raises ValidationError on an unknown key, KeyError on a type without one."""
    text = (files(__package__) / "data" / "bases.toml").read_text(encoding="utf-8")
    by_troop = {troop: base for base in _Bases.model_validate(tomllib.loads(text)).bases for troop in base.troops}
    return {troop: by_troop[troop] for troop in Troop}


def size(unit: MagdalaUnit) -> tuple[float, float]:
    """Frontage and depth of a unit's base in inches; men who fell leave the ground covered as it was."""
    base = bases()[unit.troop]
    a_figure = base.skirmish if unit.order is Order.SKIRMISH else base.close
    return max(base.least, round(a_figure * unit.figures, 2)), base.depth
