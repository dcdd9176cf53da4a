"""The campaigns of `scenarios/*.toml`: powers with their commands and columns, and the points of a map."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from pydantic import Field, StringConstraints, ValidationError
from typing_extensions import override

from rules.core import naming
from rules.core.catalog import Scenario
from rules.core.data_files import ScenarioFile, ScenarioFiles
from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
from rules.core.model import Model
from rules.core.play import Play
from rules.core.state import Named, Side
from rules.core.unit_lookup import new_unit_id

from .battles import battle_system
from .day import begin_orders
from .ground import board_named
from .model import Arrival, CampaignState, Column, Pace, Point, PointKind, Power, Troops
from .options import CampaignOptions
from .supply import most_supply

FigureOfTroop = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,3} [a-z0-9-]+$")]
"""A unit's figures and its troop in the battle system: `18 british-breechloaders`."""


class ColumnEntry(Model):
    """A column: hex, units by name in three tables, and arrival day of a reinforcement."""

    name: Named
    at: Hex
    wagon: bool = False
    arrives: int = Field(default=0, ge=0)
    foot: Mapping[Named, FigureOfTroop] = Field(default_factory=dict)
    mounted: Mapping[Named, FigureOfTroop] = Field(default_factory=dict)
    wheeled: Mapping[Named, FigureOfTroop] = Field(default_factory=dict)

    def units(self) -> Iterator[Troops]:
        """Yield the column's units: those on foot, then the mounted, then the wheeled."""
        for pace, units in ((Pace.FOOT, self.foot), (Pace.MOUNTED, self.mounted), (Pace.WHEELED, self.wheeled)):
            for name, said in units.items():
                figures, troop = said.split()
                yield Troops(name=name, troop=troop, pace=pace, start=int(figures), figures=int(figures))


class CommandEntry(Model):
    """A command with its columns."""

    name: Named
    columns: tuple[ColumnEntry, ...]


class PowerEntry(Model):
    """A power: commands (chief first), points for sudden victory, and its own option values."""

    name: Named
    commands: tuple[CommandEntry, ...] = Field(min_length=1, max_length=4)
    sudden: tuple[Named, ...] = ()
    values: Mapping[str, int] = Field(default_factory=dict)
    worth: float = Field(default=1.0, gt=0, le=10)
    """Fighting worth of one figure, in enemy figures, as the bot estimates it."""

    @property
    def id(self) -> str:
        """Return the power's id."""
        return _id(self.name)


class PointEntry(Model):
    """A point of the map."""

    name: Named
    at: Hex
    kinds: frozenset[PointKind] = frozenset()
    value: int = Field(default=0, ge=0, le=99)
    holder: Named = ""
    """The name of the power that holds it as the campaign begins."""


class CampaignScenario(ScenarioFile):
    """A campaign's file."""

    title: Named
    briefing: Annotated[str, StringConstraints(strip_whitespace=True)]
    map: Named
    battles: Named
    """Id of the system by which battles are fought."""
    days: int = Field(ge=1, le=60)
    margin: int = Field(ge=0, le=99)
    options: Mapping[str, int | str] = Field(default_factory=dict)
    powers: tuple[PowerEntry, PowerEntry]
    points: tuple[PointEntry, ...]

    @override
    def faults(self) -> Iterable[str]:
        """Yield a fault for each name used twice or unknown, and each hex that is no land of the map."""
        land = board_named(self.map).land
        powers, points = {power.name for power in self.powers}, {point.name for point in self.points}
        names = [column.name for column in self._columns()] + [command.name for command in self._commands()]
        names += [unit.name for column in self._columns() for unit in column.units()]
        yield from (f"{name}: the name comes twice" for name in _repeated(names))
        yield from (f"{name}: a comma or semicolon separates names" for name in names if {",", ";"} & {*name})
        yield from (f"{point.name}: the point comes twice" for point in self.points if _count(self.points, point) > 1)
        places = [(point.name, point.at) for point in self.points] + [(one.name, one.at) for one in self._columns()]
        yield from (f"{name}: {hex_} is no land of the map" for name, hex_ in places if hex_ not in land)
        yield from (
            f"{one.name}: there is no power {one.holder}" for one in self.points if one.holder not in {*powers, ""}
        )
        for power in self.powers:
            yield from (f"{power.name}: there is no point {name}" for name in power.sudden if name not in points)
            unknown = power.values.keys() - CampaignOptions.model_fields.keys()
            yield from (f"{power.name}: there is no option {name}" for name in sorted(unknown))
            known = {name: value for name, value in power.values.items() if name not in unknown}
            yield from (f"{power.name}: {fault}" for fault in _wrong_options({**self.options, **known}))
        yield from (f"{one.name}: it has no units" for one in self._columns() if not [*one.units()])

    def _commands(self) -> Iterator[CommandEntry]:
        for power in self.powers:
            yield from power.commands

    def _columns(self) -> Iterator[ColumnEntry]:
        for command in self._commands():
            yield from command.columns

    def _sides(self) -> Iterator[tuple[str, str]]:
        """Yield the id and the name of each command as a side: `graham`, `British under Graham`."""
        for power in self.powers:
            yield from ((_id(one.name), f"{power.name} under {one.name}") for one in power.commands)

    @property
    def listed(self) -> Scenario:
        """Return the campaign's entry in the list of scenarios."""
        return Scenario(
            id=self.id,
            title=self.title,
            briefing=self.briefing,
            sides=tuple(name for _, name in self._sides()),
            turns=self.days,
        )

    def setup(self, dice: Dice) -> CampaignState:
        """Return the state in which the first day's orders are written."""
        battle_system(self.battles)
        options = CampaignOptions.model_validate(self.options)
        sides = tuple(Side(id=side, name=name, index=at) for at, (side, name) in enumerate(self._sides()))
        state = CampaignState(
            scenario=self.id,
            sides=sides,
            active=sides[0].id,
            map=self.map,
            battle_system=self.battles,
            powers=tuple(map(_power, self.powers)),
            days=self.days,
            margin=self.margin,
            points={_id(point.name): _point(point, options.days_held) for point in self.points},
            sudden={power.id: tuple(map(_id, power.sudden)) for power in self.powers},
            options=options,
        )
        listed = 0
        for command in self._commands():
            for entry in command.columns:
                state = _with_column(state, entry, _id(command.name), listed)
                listed += 1
        play = Play(state, dice)
        begin_orders(play)
        return play.state


def _wrong_options(values: Mapping[str, int | str]) -> Iterator[str]:
    """Yield a fault for each option whose value is not allowed."""
    try:
        CampaignOptions.model_validate(values)
    except ValidationError as error:
        yield from (f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors())


def _id(name: str) -> str:
    return "-".join(naming.words_of(name))


def _repeated(names: list[str]) -> Iterator[str]:
    folded = [name.casefold() for name in names]
    yield from dict.fromkeys(name for name, form in zip(names, folded, strict=True) if folded.count(form) > 1)


def _count(points: Iterable[PointEntry], point: PointEntry) -> int:
    return sum(_id(other.name) == _id(point.name) or other.at == point.at for other in points)


def _power(entry: PowerEntry) -> Power:
    commands = tuple(_id(command.name) for command in entry.commands)
    columns = [column for command in entry.commands for column in command.columns if not column.arrives]
    figures = sum(unit.figures for column in columns for unit in column.units())
    return Power(
        id=entry.id,
        name=entry.name,
        commands=commands,
        chief=commands[0],
        began_with=figures,
        values=entry.values,
        worth=entry.worth,
    )


def _point(entry: PointEntry, days: int) -> Point:
    """Return a point of the file; its holder has held it for so many days' ends."""
    return Point(
        name=entry.name,
        at=entry.at,
        kinds=entry.kinds,
        value=entry.value,
        holder=_id(entry.holder),
        held_days=days if entry.holder else 0,
    )


def _with_column(state: CampaignState, entry: ColumnEntry, command: str, listed: int) -> CampaignState:
    """Return the state with a listed column, on the map or as a reinforcement."""
    column = Column(
        id=new_unit_id(state, entry.name),
        name=entry.name,
        side=command,
        at=None if entry.arrives else entry.at,
        arrives=Arrival(day=entry.arrives, at=entry.at) if entry.arrives else None,
        troops=tuple(entry.units()),
        listed=listed,
        has_wagon=entry.wagon,
    )
    return state.with_unit(column.model_copy(update={"supply": most_supply(state, column)}))


SCENARIOS: ScenarioFiles[CampaignScenario] = ScenarioFiles("rules.campaign", CampaignScenario)
