"""Named troops of data/troops.toml: what lists, ad hoc questions and `/unit add` are made of."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rules.core.tabletop.troops import NamedTroop, Troops
from rules.empire.model import EmpireUnit


class EmpireTroop(NamedTroop[EmpireUnit]):
    """A kind of troops: its further keys are fields of a unit, `stands` the usual size."""

    unit_type: ClassVar[type[Any]] = EmpireUnit


TROOPS = Troops("rules.empire", EmpireTroop)
troop_of = TROOPS.named


def troops() -> Mapping[str, EmpireTroop]:
    """Every named troop by id."""
    return TROOPS.all
