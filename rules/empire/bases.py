"""How large a unit stands on the table, for measuring, contact and drawing, and with what symbol (house values)."""

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from rules.core.model import Model
from rules.core.scene import Symbol

from .model import CREWS, PIECES, Arm, EmpireUnit, Formation


class Stand(Model):
    """Frontage and depth in inches of a stand, and its symbol."""

    symbol: Symbol
    frontage: float
    depth: float


class DrawnUp(Model):
    """How a formation stands: ranks of stands, 0 for a square; what its frontage is times that of its stands."""

    ranks: int
    spacing: float


class Bases(Model):
    """The stand of every arm, and every formation."""

    stands: Mapping[Arm, Stand]
    formations: Mapping[Formation, DrawnUp]


@cache
def bases() -> Bases:
    """As the data has them. Raises ValidationError on an unknown key."""
    text = (files(__package__) / "data" / "bases.toml").read_text(encoding="utf-8")
    return Bases.model_validate(tomllib.loads(text))


def size(unit: EmpireUnit) -> tuple[float, float]:
    """Frontage and depth of a unit's base in inches; kills take no stands away (BE-2.3, ruling)."""
    return _size(unit.arm, unit.formation, 1 if unit.is_piece else unit.stands)


@cache
def _size(arm: Arm, formation: Formation, number: int) -> tuple[float, float]:
    stand, drawn_up = bases().stands[arm], bases().formations[formation]
    if arm in (*PIECES, *CREWS):
        return stand.frontage * number, stand.depth
    if not drawn_up.ranks:
        side = math.ceil(math.sqrt(number)) * max(stand.frontage, stand.depth)
        return side, side
    files_ = math.ceil(number / drawn_up.ranks)
    ranks = math.ceil(number / files_)
    return round(files_ * stand.frontage * drawn_up.spacing, 2), ranks * stand.depth
