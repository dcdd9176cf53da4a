"""The battles of the empire (BE-S, house): named troops, deployments, and how one is won (BE-V)."""

from collections.abc import Iterable, Mapping
from typing import Any

from typing_extensions import override

from rules.core.data_files import ScenarioFiles
from rules.core.faults import Fault
from rules.core.model import Cite, Mark
from rules.core.tabletop.battle_files import BattleFile
from rules.core.tabletop.leadership import Leading
from rules.core.tabletop.victory import Reckoning
from rules.empire.model import Cover, Defence, EmpireState, EmpireUnit
from rules.empire.options import EmpireOptions
from rules.empire.placement import PLACEMENT, WAYS
from rules.empire.tables import TROOPS

LISTS = Cite(rule="BE-S", mark=Mark.HOUSE)


class EmpireScenario(BattleFile[EmpireUnit, EmpireState]):
    """A scenario file: its options name the theatre; `first` is who moves first without a throw."""

    counted = ("stands",)
    troops, state_type, ways, lists = TROOPS, EmpireState, WAYS, LISTS
    leading, of_its_own = Leading("leader", "attached_to", of_leader=True), ("brigade",)

    options: EmpireOptions = EmpireOptions()

    @classmethod
    @override
    def enlisted(cls, unit: EmpireUnit) -> EmpireUnit:
        """Return the unit as present from turn 1, without cover."""
        return unit.model_copy(update={"reserve": None, "cover": Cover.NONE, "defending": Defence.NOTHING})

    @classmethod
    @override
    def may_be_with(cls, leader: EmpireUnit, unit: EmpireUnit) -> bool:
        """A piece with those who fight (BE-M.6)."""
        return leader.goes_with(unit)

    @classmethod
    @override
    def has_strength(cls, unit: EmpireUnit) -> bool:
        """Not a piece: commanders, leaders, mules and wagons are no stands of troops."""
        return not unit.is_piece

    @classmethod
    @override
    def keeps(cls, unit: EmpireUnit) -> bool:
        """Whether a saved table includes the unit: reserves too."""
        return unit.on_table or (unit.reserve is not None and not unit.destroyed)

    @classmethod
    @override
    def gives_place(cls, unit: EmpireUnit) -> bool:
        """Whether a place is saved: not for attached pieces or reserves."""
        return unit.attached_to is None and unit.reserve is None

    @classmethod
    @override
    def begins(cls, state: EmpireState) -> str:
        """The side that moves first."""
        return state.first

    def together(self, units: Mapping[str, EmpireUnit]) -> Mapping[str, EmpireUnit]:
        """The units of a table, attached pieces at the places of their units."""
        hosts = {unit.id: units.get(unit.attached_to or "", unit) for unit in units.values()}
        there = {each: {"place": host.place, "reserve": host.reserve} for each, host in hosts.items()}
        return {each: unit.model_copy(update=there[each]) for each, unit in units.items()}

    def further(self) -> Mapping[str, Any]:
        """The side that moves first."""
        return {"first": self.first}

    def table_faults(self) -> Iterable[Fault]:
        """Yield reserves arriving off the table, impossible attachments, and table faults."""
        state = self.setup({})
        places = {line.id: at for at, line in enumerate(self.units)}
        for unit in state.units.values():
            at = places[unit.id]
            there, host = unit.reserve, state.host(unit)
            if there is not None and not self.on_the_table((there.x, there.y)):
                yield Fault(("units", at, "reserve"), f"unit {unit.id}: reserve: it arrives off the table")
            if host is not None and not unit.goes_with(host):
                why = f"unit {unit.id}: attached_to: {host.id!r} is a piece itself, or of the other side"
                yield Fault(("units", at, "attached_to"), why)
        yield from super().table_faults()

    def unit_faults(self, unit: EmpireUnit) -> Iterable[tuple[str, str]]:
        """It stands nowhere, or in two ways; it goes with somebody and is no piece."""
        ways = sum(each is not None for each in (unit.place, unit.reserve, unit.attached_to))
        if ways != 1:
            stands = "in two ways; give one of" if ways else "nowhere; give one of"
            yield "at", f"it stands {stands} at, reserve and attached_to"
        if unit.attached_to is not None and not unit.is_piece:
            yield "attached_to", f"only commanders, leaders, mules and wagons are attached, not {unit.arm.value}"


BATTLES = ScenarioFiles("rules.empire", EmpireScenario)
RECKONING: Reckoning[EmpireUnit] = Reckoning(
    counts=lambda unit: not unit.is_piece,
    lost=lambda unit: unit.destroyed,
    holding=lambda unit: not unit.is_piece and unit.on_table and not unit.shaken,
    base=PLACEMENT.base,
    fate="destroyed",
)
"""Those still to arrive stand; the shaken hold no ground."""
