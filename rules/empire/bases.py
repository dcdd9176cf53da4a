"""How large a unit stands on the table: for measuring, contact and drawing (house values)."""

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pydantic import Field

from rules.core.model import Model

from .model import CREWS, PIECES, Arm, EmpireUnit, Formation


class Stand(Model):
    """Frontage and depth in inches of a stand of these arms."""

    arms: tuple[Arm, ...]
    frontage: float
    depth: float


class DrawnUp(Model):
    """How a formation stands: ranks of stands, 0 for a square; what its frontage is times that of its stands."""

    ranks: int
    spacing: float


class _Bases(Model):
    stands: tuple[Stand, ...] = Field(alias="stand")
    formations: Mapping[Formation, DrawnUp]


@cache
def _bases() -> _Bases:
    text = (files("rules.empire") / "data" / "bases.toml").read_text(encoding="utf-8")
    return _Bases.model_validate(tomllib.loads(text))


@cache
def stands() -> Mapping[Arm, Stand]:
    """The stand of every arm. Raises ValidationError on an unknown key, KeyError on an arm without one."""
    by_arm = {arm: stand for stand in _bases().stands for arm in stand.arms}
    return {arm: by_arm[arm] for arm in Arm}


def size(unit: EmpireUnit) -> tuple[float, float]:
    """Frontage and depth of a unit's base in inches; kills take no stands away (BE-2.3, ruling)."""
    return _size(unit.arm, unit.formation, 1 if unit.is_piece else unit.stands)


@cache
def _size(arm: Arm, formation: Formation, number: int) -> tuple[float, float]:
    stand, drawn_up = stands()[arm], _bases().formations[formation]
    if arm in (*PIECES, *CREWS):
        return stand.frontage * number, stand.depth
    if not drawn_up.ranks:
        side = math.ceil(math.sqrt(number)) * max(stand.frontage, stand.depth)
        return side, side
    files_ = math.ceil(number / drawn_up.ranks)
    ranks = math.ceil(number / files_)
    return round(files_ * stand.frontage * drawn_up.spacing, 2), ranks * stand.depth
