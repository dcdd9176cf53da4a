"""The army lists of the appendix as scenarios (MM-A): read from data, checked, and set on the table."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

from rules.core import scenario_files
from rules.core.model import Cite, Mark
from rules.core.tabletop.battle import Edge
from rules.core.tabletop.battle_files import BattleFile, ListedSide
from rules.core.tabletop.placement import Placement
from rules.core.tabletop.troops import Troops
from rules.magdala.arms import COMMANDERS, LEADERS
from rules.magdala.model import MagdalaState, MagdalaUnit, ThisTurn
from rules.magdala.options import MagdalaOptions
from rules.magdala.placement import PLACEMENT

from .roster import SINGLE_FIGURES
from .troops import TROOPS

LISTS = Cite(rule="MM-A", mark=Mark.TEXT)


class ScenarioSide(ListedSide):
    """A side, and the edge it retreats to."""

    home: Edge


class BattleScenario(BattleFile[MagdalaUnit, MagdalaState]):
    """A scenario file. A leader with a unit stands where the unit does and gives no place."""

    troops: ClassVar[Troops[Any]] = TROOPS
    state_type: ClassVar[type[Any]] = MagdalaState
    placement: ClassVar[Placement[Any]] = PLACEMENT
    lists: ClassVar[Cite] = LISTS

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

    def takes_ground(self, unit: MagdalaUnit) -> bool:
        """All but leaders, who stand among their troops."""
        return unit.troop not in LEADERS

    def unit_faults(self, unit: MagdalaUnit) -> Iterable[str]:
        """A general that there is not; no place."""
        if unit.general is not None and unit.general not in {line.id for line in self.units}:
            yield f"general: there is no unit {unit.general!r}"
        if unit.place is None and unit.troop not in SINGLE_FIGURES:
            yield "at: it stands nowhere"


def _led_wrongly(units: Sequence[MagdalaUnit]) -> Iterable[str]:
    """Units led by somebody who is no leader of their side."""
    leaders = {unit.id: unit.side for unit in units if unit.troop in LEADERS}
    for unit in units:
        if unit.general is not None and leaders.get(unit.general) != unit.side:
            yield f"unit {unit.id}: general: {unit.general!r} is no general of its side"


def read_scenario(text: str, name: str) -> BattleScenario:
    """The scenario of a TOML text. Raises ValueError naming the file and the place of the first fault."""
    return scenario_files.read(text, name, BattleScenario, BattleScenario.faults)


@cache
def scenarios() -> Mapping[str, BattleScenario]:
    """Every scenario by id, in the order of the appendix. Raises ValueError on the first fault of a file."""
    return scenario_files.read_all(files("rules.magdala") / "scenarios", read_scenario)
