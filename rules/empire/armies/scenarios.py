"""The battles of the empire (BE-S, house): named troops, deployments, and how one is won (BE-V)."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from rules.core.model import Cite, Mark
from rules.core.tabletop.battle_files import BattleFile, Battles, ListedUnit
from rules.core.tabletop.placement import Placement
from rules.core.tabletop.troops import Troops
from rules.core.tabletop.victory import Reckoning
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.options import EmpireOptions
from rules.empire.placement import PLACEMENT

TROOPS = Troops("rules.empire", EmpireUnit)
LISTS = Cite(rule="BE-S", mark=Mark.HOUSE)


class EmpireScenario(BattleFile[EmpireUnit, EmpireState]):
    """A scenario file: its options name the theatre; `first` is who moves first without a throw."""

    troops: ClassVar[Troops[Any]] = TROOPS
    state_type: ClassVar[type[Any]] = EmpireState
    placement: ClassVar[Placement[Any]] = PLACEMENT
    lists: ClassVar[Cite] = LISTS

    options: EmpireOptions = EmpireOptions()

    def together(self, units: Mapping[str, EmpireUnit]) -> Mapping[str, EmpireUnit]:
        """The units of a table, attached pieces at the places of their units."""
        return {unit_id: _beside(unit, units) for unit_id, unit in units.items()}

    def further(self) -> Mapping[str, Any]:
        """The side that moves first."""
        return {"first": self.first}

    def table_faults(self) -> Iterable[str]:
        """Reserves that arrive off the table, and what is wrong on it."""
        yield from _arrivals_off(self.setup({}))
        yield from super().table_faults()

    def unit_faults(self, unit: EmpireUnit) -> Iterable[str]:
        """It stands nowhere, or in two ways; it goes with nobody it can go with."""
        ways = [unit.place is not None, unit.reserve is not None, unit.attached_to is not None]
        if not any(ways):
            yield "at: it stands nowhere; give at, reserve or attached_to"
        elif sum(ways) > 1:
            yield "at: it stands in two ways; give one of at, reserve and attached_to"
        if unit.attached_to is not None:
            yield from self._attachment_faults(unit, unit.attached_to)

    def _attachment_faults(self, unit: EmpireUnit, host_id: str) -> Iterable[str]:
        host = next((line for line in self.units if line.id == host_id), None)
        if not unit.is_piece:
            yield f"attached_to: only commanders, leaders, mules and wagons are attached, not {unit.arm.value}"
        elif host is None or host.side != unit.side:
            yield f"attached_to: there is no unit {host_id!r} of its side"
        elif self._is_piece(host):
            yield f"attached_to: {host_id!r} is a piece itself"

    def _is_piece(self, line: ListedUnit) -> bool:
        return line.troops in self.troops.all and self.made(line).is_piece


def _beside(unit: EmpireUnit, units: Mapping[str, EmpireUnit]) -> EmpireUnit:
    if unit.attached_to is None:
        return unit
    host = units[unit.attached_to]
    return unit.model_copy(update={"place": host.place, "reserve": host.reserve})


def _arrivals_off(state: EmpireState) -> Iterable[str]:
    """Reserves whose point of arrival lies off the table."""
    for unit in state.units.values():
        there = unit.reserve
        if there is not None and not (0 <= there.x <= state.width and 0 <= there.y <= state.height):
            yield f"unit {unit.id}: reserve: it arrives off the table"


BATTLES = Battles("rules.empire", EmpireScenario)
RECKONING: Reckoning[EmpireUnit] = Reckoning(
    counts=lambda unit: not unit.is_piece,
    lost=lambda unit: unit.destroyed,
    holding=lambda unit: not unit.is_piece and unit.on_table and not unit.shaken,
    base=PLACEMENT.base,
    fate="destroyed",
)
"""Those still to arrive stand; the shaken hold no ground."""
