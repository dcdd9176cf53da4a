"""The army lists of the appendix as scenarios (MM-A): named troops, deployments, and how a battle is won (house)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.core.model import Cite, Mark
from rules.core.scenario_files import ScenarioFiles
from rules.core.tabletop.battle import Edge
from rules.core.tabletop.battle_files import BattleFile, ListedSide
from rules.core.tabletop.troops import Troops
from rules.core.tabletop.victory import Reckoning
from rules.magdala.arms import COMMANDERS, LEADERS, is_fighter
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, ThisTurn
from rules.magdala.options import MagdalaOptions
from rules.magdala.placement import PLACEMENT, WAYS

TROOPS = Troops("rules.magdala", MagdalaUnit)
LISTS = Cite(rule="MM-A", mark=Mark.TEXT)


class ScenarioSide(ListedSide):
    """A side, and the edge it retreats to."""

    home: Edge


class BattleScenario(BattleFile[MagdalaUnit, MagdalaState]):
    """A scenario file. A leader with a unit stands where the unit does and gives no place."""

    troops, state_type, ways, lists = TROOPS, MagdalaState, WAYS, LISTS

    options: MagdalaOptions = MagdalaOptions()
    sides: tuple[ScenarioSide, ...]

    def drawn_up(self, unit: MagdalaUnit) -> MagdalaUnit:
        """With the figures and the ammunition that the game remembers it began with."""
        start = {"this_turn": ThisTurn(figures_at_start=unit.figures), "ammunition_full": unit.ammunition}
        return unit.model_copy(update=start)

    def together(self, units: Mapping[str, MagdalaUnit]) -> Mapping[str, MagdalaUnit]:
        """The units of a table, leaders at the places of theirs."""
        led = {unit.general: unit.place for unit in units.values() if unit.general is not None}
        moved = {leader: units[leader].model_copy(update={"place": place}) for leader, place in led.items()}
        return {**units, **moved}

    def further(self) -> Mapping[str, Any]:
        """The edges that sides retreat to."""
        return {"home_edges": {side.id: side.home for side in self.sides}}

    def table_faults(self) -> Iterable[str]:
        """More generals than an army may have (MM-1), whom they cannot lead, and what is wrong on the table."""
        made = [self.made(line) for line in self.units]
        yield from _led_wrongly(made)
        for side in self.sides:
            generals = [unit for unit in made if unit.side == side.id and unit.troop in COMMANDERS]
            most = self.options.most_generals
            if len(generals) > most:
                yield f"side {side.id}: generals: there are {len(generals)}, and an army has {most} at most"
        yield from super().table_faults()

    def unit_faults(self, unit: MagdalaUnit) -> Iterable[str]:
        """It stands nowhere."""
        if unit.place is None and unit.troop not in LEADERS:
            yield "at: it stands nowhere"


def _led_wrongly(units: Sequence[MagdalaUnit]) -> Iterable[str]:
    """Units led by somebody who is no leader of their side."""
    leaders = {unit.id: unit.side for unit in units if unit.troop in LEADERS}
    for unit in units:
        if unit.general is not None and leaders.get(unit.general) != unit.side:
            yield f"unit {unit.id}: general: {unit.general!r} is no general of its side"


BATTLES = ScenarioFiles("rules.magdala", BattleScenario)


def _is_lost(unit: MagdalaUnit) -> bool:
    """Destroyed, off the table, in rout or on its way off the field."""
    return not unit.on_table or unit.morale is Morale.ROUTED or unit.leaving


RECKONING: Reckoning[MagdalaUnit] = Reckoning(
    counts=lambda unit: is_fighter(unit) and not unit.is_detachment,
    lost=_is_lost,
    holding=lambda unit: is_fighter(unit) and not _is_lost(unit) and unit.morale is not Morale.RETREATING,
    base=PLACEMENT.base,
    fate="gone or flying",
)
