"""Named troops of data/troops.toml: what lists, ad hoc questions and `/unit add` are made of."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rules.core.tabletop.troops import NamedTroop, Troops
from rules.magdala.model import MagdalaUnit


class MagdalaTroop(NamedTroop[MagdalaUnit]):
    """A kind of troops: its further keys are fields of a unit, `figures` the usual size (MM-1)."""

    unit_type: ClassVar[type[Any]] = MagdalaUnit


TROOPS = Troops("rules.magdala", MagdalaTroop)
read_troops, troop_of = TROOPS.read, TROOPS.named


def troops() -> Mapping[str, MagdalaTroop]:
    """Every named troop by id."""
    return TROOPS.all
