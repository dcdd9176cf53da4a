"""The scenarios of `scenarios/*.toml`: armies on a map, medals and turns."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field, StringConstraints
from typing_extensions import override

from rules.core.catalog import Scenario
from rules.core.data_files import ScenarioFile, ScenarioFiles
from rules.core.hexboard.hexes import Hex
from rules.core.model import Model
from rules.core.state import Named, Side
from rules.core.unit_lookup import new_unit_id

from .ground import board_named, can_enter_terrain
from .model import Arm, GreatWarState, GreatWarUnit
from .options import GreatWarOptions
from .tables import chart_number


class Army(Model):
    """A side's army: its name, its HQ tokens, and by arm its units with their hexes (`"1st Essex" = "0304"`)."""

    name: Named
    tokens: int = Field(default=0, ge=0, le=20)
    units: Mapping[Arm, Mapping[Named, Hex]]


class GreatWarScenario(ScenarioFile):
    """A scenario file. The first army retreats to the west edge, the second to the east."""

    title: Named
    briefing: Annotated[str, StringConstraints(strip_whitespace=True)]
    map: Named
    turns: int = Field(ge=1, le=200)
    medals: int = Field(ge=1, le=30)
    orders: int = Field(ge=1, le=30)
    first: int = Field(default=0, ge=0, le=1)
    """Index of the army that begins."""
    armies: tuple[Army, Army]

    @override
    def faults(self) -> Iterable[str]:
        """Yield a fault for each unit on ground closed to it, in a taken hex, or with a name used twice."""
        board, taken_hexes, names = board_named(self.map), set[Hex](), set[str]()
        for army in self.armies:
            for arm, units in army.units.items():
                for name, hex_ in units.items():
                    if not can_enter_terrain(board.terrain.get(hex_), arm):
                        yield f"{name}: {hex_} is no ground for it"
                    if hex_ in taken_hexes or name.casefold() in names:
                        yield f"{name}: {hex_}, or the name, appears twice"
                    taken_hexes.add(hex_)
                    names.add(name.casefold())

    @property
    def catalogue_entry(self) -> Scenario:
        """Return the scenario's entry in lists: title, briefing, sides and number of turns."""
        return Scenario(
            id=self.id,
            title=self.title,
            briefing=self.briefing,
            sides=tuple(army.name for army in self.armies),
            turns=self.turns,
        )

    def setup(self) -> GreatWarState:
        """Return the state with which the game begins."""
        sides = tuple(Side(id=army.name.lower(), name=army.name, index=at) for at, army in enumerate(self.armies))
        state = GreatWarState(
            scenario=self.id,
            sides=sides,
            active=sides[self.first].id,
            phase="orders",
            map=self.map,
            west=sides[0].id,
            wire=frozenset(board_named(self.map).spec.wire),
            turns=self.turns,
            medals_to_win=self.medals,
            tokens={side.id: army.tokens for side, army in zip(sides, self.armies, strict=True) if army.tokens},
            options=GreatWarOptions(orders=self.orders),
        )
        for side, army in zip(sides, self.armies, strict=True):
            for arm, units in army.units.items():
                for name, hex_ in units.items():
                    unit_id = new_unit_id(state, name)
                    figures = chart_number(arm, "figures")
                    unit = GreatWarUnit(id=unit_id, name=name, side=side.id, arm=arm, figures=figures, at=hex_)
                    state = state.with_unit(unit)
        return state


SCENARIOS: ScenarioFiles[GreatWarScenario] = ScenarioFiles("rules.great_war", GreatWarScenario)
