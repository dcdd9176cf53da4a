"""Scenarios of Battles for Empire: named troops, deployments (BE-S, house), and victory (BE-V)."""

from collections.abc import Iterable, Mapping

from typing_extensions import override

from rules.core.data_files import ScenarioFiles
from rules.core.faults import Fault
from rules.core.model import Cite, Mark
from rules.core.tabletop.battle_files import BattleFile
from rules.core.tabletop.leadership import Leadership
from rules.core.tabletop.victory import VictoryRules
from rules.empire.model import Cover, Defence, EmpireState, EmpireUnit
from rules.empire.options import EmpireOptions
from rules.empire.placement import PLACEMENT, WAYS
from rules.empire.tables import TROOPS

LISTS = Cite(rule="BE-S", mark=Mark.HOUSE)


class EmpireScenario(BattleFile[EmpireUnit, EmpireState]):
    """A scenario file. The options name the theatre; `first` is the side that moves first if no dice are thrown."""

    strength_fields, first_fields = ("stands",), ("first", "active")
    troops, state_type, ways, lists_rule = TROOPS, EmpireState, WAYS, LISTS
    leading = Leadership("leader", "attached_to", of_leader=True, is_piece=lambda unit: unit.is_piece)
    extra_line_fields = ("brigade",)

    options: EmpireOptions = EmpireOptions()

    @classmethod
    @override
    def reset_for_new_battle(cls, unit: EmpireUnit) -> EmpireUnit:
        """Return the unit as present from turn 1, without cover or defences."""
        return unit.model_copy(update={"reserve": None, "cover": Cover.NONE, "defending": Defence.NOTHING})

    @classmethod
    @override
    def is_saved(cls, unit: EmpireUnit) -> bool:
        """Whether a saved table includes the unit: units on the table and reserves."""
        return unit.on_table or (unit.reserve is not None and not unit.destroyed)

    def place_attached_units(self, units: Mapping[str, EmpireUnit]) -> Mapping[str, EmpireUnit]:
        """Return the units with each attached piece at the place, or in the reserve, of its host."""
        hosts = {unit.id: units.get(unit.attached_to or "", unit) for unit in units.values()}
        fields = {unit_id: {"place": host.place, "reserve": host.reserve} for unit_id, host in hosts.items()}
        return {unit_id: unit.model_copy(update=fields[unit_id]) for unit_id, unit in units.items()}

    def table_faults(self) -> Iterable[Fault]:
        """Yield faults of the table: reserves arriving off the table, impossible attachments, and general faults."""
        state = self.setup({})
        places = {line.id: at for at, line in enumerate(self.units)}
        for unit in state.units.values():
            at = places[unit.id]
            reserve, host = unit.reserve, state.host(unit)
            if reserve is not None and not self.is_on_table((reserve.x, reserve.y)):
                yield Fault(("units", at, "reserve"), f"unit {unit.id}: reserve: it arrives off the table")
            if host is not None and not unit.can_attach_to(host):
                why = f"unit {unit.id}: attached_to: {host.id!r} is a piece itself, or of the other side"
                yield Fault(("units", at, "attached_to"), why)
        yield from super().table_faults()

    def unit_faults(self, unit: EmpireUnit) -> Iterable[tuple[str, str]]:
        """Yield faults of the unit's position: none, more than one, or attached although the unit is no piece."""
        ways = sum(position is not None for position in (unit.place, unit.reserve, unit.attached_to))
        if ways != 1:
            why = "it has several places; keep one of" if ways else "it has no place; give one of"
            yield "at", f"{why} at, reserve and attached_to"
        if unit.attached_to is not None and not unit.is_piece:
            yield "attached_to", f"only commanders, leaders, mules and wagons are attached, not {unit.arm.value}"


BATTLES = ScenarioFiles("rules.empire", EmpireScenario)
VICTORY: VictoryRules[EmpireUnit] = VictoryRules(
    counts=lambda unit: not unit.is_piece,
    lost=lambda unit: unit.destroyed,
    holding=lambda unit: not unit.is_piece and unit.on_table and not unit.shaken,
    base=PLACEMENT.base,
    fate="destroyed",
)
"""Rules of victory: reserves do not count as lost, and shaken units hold no ground."""
