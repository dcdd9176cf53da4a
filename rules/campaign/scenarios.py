"""Campaign files such as `scenarios/*.toml`: powers with commands and columns, and the points of a map."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from typing_extensions import override

from rules.core import naming
from rules.core.catalog import Scenario
from rules.core.data_files import ScenarioFile, ScenarioFiles
from rules.core.dice import Dice
from rules.core.documents import Name, Text, require_visible_signs
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.map_file import LineFault
from rules.core.model import Model, Path
from rules.core.play import Play
from rules.core.scene import Ground
from rules.core.state import Side
from rules.core.unit_lookup import new_unit_id

from .columns import Arrival, Column, ColumnUnit, Pace
from .day import begin_order_writing
from .file_faults import find_faults
from .ground import shipped_board, shipped_map_names
from .maps import CampaignMap, read_own_map
from .model import CampaignState, Point, PointKind, Power
from .options import CampaignOptions
from .supply import supply_capacity

FIGURES_OF_TROOP = r"^[1-9][0-9]{0,3} [a-z0-9-]{1,80}$"


Title = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80), AfterValidator(require_visible_signs)
]
Units = Mapping[Name, Annotated[str, StringConstraints(pattern=FIGURES_OF_TROOP)]]
"""Figures and troop of each unit, such as `18 british-breechloaders`, by the unit's name."""


class ColumnEntry(Model):
    """A column: its hex, its units by name in three tables, and the day of arrival of a reinforcement."""

    name: Name
    at: Hex
    wagon: bool = False
    arrives: int = Field(default=0, ge=0)
    foot: Units = Field(default_factory=dict)
    mounted: Units = Field(default_factory=dict)
    wheeled: Units = Field(default_factory=dict)

    def units(self) -> Iterator[ColumnUnit]:
        """Yield the column's units: those on foot, then the mounted, then the wheeled."""
        for pace, units in ((Pace.FOOT, self.foot), (Pace.MOUNTED, self.mounted), (Pace.WHEELED, self.wheeled)):
            for name, text in units.items():
                figures, troop = text.split()
                yield ColumnUnit(name=name, troop=troop, pace=pace, start=int(figures), figures=int(figures))


class CommandEntry(Model):
    """A command with its columns."""

    name: Name
    columns: tuple[ColumnEntry, ...] = ()


class PowerEntry(Model):
    """A power: commands (chief first), points for sudden victory, and its own option values."""

    name: Name
    commands: tuple[CommandEntry, ...] = Field(min_length=1, max_length=4)
    sudden: tuple[Name, ...] = ()
    values: Mapping[str, int] = Field(default_factory=dict)
    worth: float = Field(default=1.0, gt=0, le=10)
    """Fighting worth of one figure, in enemy figures, as the bot estimates it."""
    worths: Mapping[str, Annotated[float, Field(gt=0, le=10)]] = Field(default_factory=dict)
    """Fighting worth of a figure, by troop; `worth` holds for all other troops."""

    @property
    def id(self) -> str:
        """Return the power's id."""
        return _id_from_name(self.name)


class PointEntry(Model):
    """A point of the map."""

    name: Name
    at: Hex
    kinds: frozenset[PointKind] = frozenset()
    value: int = Field(default=0, ge=0, le=99)
    holder: Annotated[str, StringConstraints(max_length=40)] = ""
    """Name of the power that holds the point when the campaign begins."""


class CampaignScenario(ScenarioFile):
    """A campaign's file."""

    title: Title
    briefing: Text
    map: Annotated[str, StringConstraints(max_length=80)] = ""
    """Name of a shipped map; with `map_text`, a name without further meaning."""
    map_text: str = ""
    """The text of the campaign's own map."""
    battles: Annotated[str, StringConstraints(max_length=40)]
    """Id of the system by which battles are fought."""
    country: Ground = Ground.DESERT
    """The colour of open ground on the tables of battles."""
    days: int = Field(ge=1, le=60)
    margin: int = Field(ge=0, le=99)
    options: Mapping[str, int | str] = Field(default_factory=dict)
    powers: tuple[PowerEntry, ...] = Field(min_length=2, max_length=2)
    points: tuple[PointEntry, ...] = Field(max_length=80)

    @cached_property
    def own_map_with_faults(self) -> tuple[CampaignMap | None, Sequence[LineFault]]:
        """Return the map written in `map_text`, and the faults of the text. There is no map without a text."""
        return read_own_map(self.map_text) if self.map_text else (None, ())

    @property
    def campaign_map(self) -> CampaignMap | None:
        """Return the campaign's map; None if `map_text` is unreadable, or if no shipped map has the name `map`."""
        if self.map_text:
            return self.own_map_with_faults[0]
        return shipped_board(self.map).spec if self.map in shipped_map_names() else None

    @override
    def faults(self) -> Iterable[str]:
        """Yield the faults of the file's content in words."""
        yield from (fault.what for fault in find_faults(self, {}))

    def commands_with_paths(self) -> Iterator[tuple[Path, PowerEntry, CommandEntry]]:
        """Yield each command with its path in the file, and its power."""
        for place, power in enumerate(self.powers):
            for number, command in enumerate(power.commands):
                yield ("powers", place, "commands", number), power, command

    def columns_with_paths(self) -> Iterator[tuple[Path, CommandEntry, ColumnEntry]]:
        """Yield each column with its path in the file, and its command."""
        for path, _, command in self.commands_with_paths():
            for number, column in enumerate(command.columns):
                yield (*path, "columns", number), command, column

    def _sides(self) -> Iterator[Side]:
        """Yield each command as a side, such as `British under Graham`. Sides of one power share an index."""
        for index, power in enumerate(self.powers):
            for command in power.commands:
                name = f"{power.name} under {command.name}"
                yield Side(id=_id_from_name(command.name), name=name, index=index)

    @property
    def catalogue_entry(self) -> Scenario:
        """Return the campaign's entry in the list of scenarios."""
        fields = self.model_dump(include={"id", "title", "briefing"})
        return Scenario(sides=tuple(side.name for side in self._sides()), turns=self.days, **fields)

    def setup(self, dice: Dice) -> CampaignState:
        """Return the campaign's state at the beginning of the first day."""
        options = CampaignOptions.model_validate(self.options)
        sides = tuple(self._sides())
        state = CampaignState(
            scenario=self.id,
            sides=sides,
            active=sides[0].id,
            map=self.map,
            own_map=self.own_map_with_faults[0],
            battle_system=self.battles,
            country=self.country,
            powers=tuple(map(_make_power, self.powers)),
            days=self.days,
            margin=self.margin,
            points={_id_from_name(point.name): _make_point(point, options.days_held) for point in self.points},
            sudden={power.id: tuple(map(_id_from_name, power.sudden)) for power in self.powers},
            options=options,
        )
        for number, (_, command, entry) in enumerate(self.columns_with_paths()):
            state = _add_column(state, entry, _id_from_name(command.name), number)
        play = Play(state, dice)
        begin_order_writing(play)
        return play.state


def _id_from_name(name: str) -> str:
    return "-".join(naming.words_of(name))


def _make_power(entry: PowerEntry) -> Power:
    commands = tuple(_id_from_name(command.name) for command in entry.commands)
    columns = [column for command in entry.commands for column in command.columns if not column.arrives]
    figures = sum(unit.figures for column in columns for unit in column.units())
    return Power(
        id=entry.id,
        name=entry.name,
        commands=commands,
        chief=commands[0],
        began_with=figures,
        **entry.model_dump(include={"values", "worth", "worths"}),
    )


def _make_point(entry: PointEntry, days: int) -> Point:
    """Return the state's point for an entry of the file. A holder counts as if it had held the point for `days`."""
    fields = {"holder": _id_from_name(entry.holder), "held_days": days if entry.holder else 0}
    return Point.model_validate({**dict(entry), **fields})


def _add_column(state: CampaignState, entry: ColumnEntry, command: str, number: int) -> CampaignState:
    """Add a column of the file to the state, on the map or as a reinforcement."""
    column = Column(
        id=new_unit_id(state, entry.name),
        name=entry.name,
        side=command,
        at=None if entry.arrives else entry.at,
        arrives=Arrival(day=entry.arrives, at=entry.at) if entry.arrives else None,
        troops=tuple(entry.units()),
        listed=number,
        has_wagon=entry.wagon,
    )
    return state.with_unit(column.model_copy(update={"supply": supply_capacity(state, column)}))


SCENARIOS: ScenarioFiles[CampaignScenario] = ScenarioFiles("rules.campaign", CampaignScenario)
