"""Faults in the content of a campaign's file, each with its path in the file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from rules.core import naming
from rules.core.faults import Fault
from rules.core.hexboard.hexes import Hex
from rules.core.model import PUBLIC, UMPIRE, Path
from rules.core.parsing import error_in_words

from .battles import battle_system_ids
from .ground import shipped_map_names
from .options import CampaignOptions

if TYPE_CHECKING:
    from .scenarios import CampaignScenario

MOST_COLUMNS, MOST_UNITS, MOST_FIGURES = 60, 400, 9999
"""Maximum number of columns in all, of units in all, and of figures of each power, reinforcements included."""
SHARED_OPTIONS = ("open_battles", "battle_days")
"""Options that hold for the whole campaign, and that a single power cannot change."""
SEPARATORS = ",;:"
"""Characters that separate names in orders and lists."""
TroopsBySystem = Mapping[str, Iterable[str]]
"""Ids of the troops of each battle system. The troops of a missing system are not checked."""


def find_faults(file: "CampaignScenario", armies: TroopsBySystem) -> Iterator[Fault]:
    """Yield every fault of a file's content: names, numbers, options, troops, and hexes on the map."""
    yield from _map_faults(file)
    yield from _name_faults(file)
    yield from _find_exceeded_limits(file)
    yield from _option_faults(("options",), "options", file.options)
    for place, power in enumerate(file.powers):
        values = ("powers", place, "values")
        yield from _option_faults(values, power.name, power.values)
        for option in sorted({*power.values} & {*SHARED_OPTIONS}):
            yield Fault((*values, option), f"{power.name}: {option} holds for both powers: write it into options")
    yield from _point_faults(file)
    yield from _troop_faults(file, armies)
    yield from _hex_faults(file)


def _map_faults(file: "CampaignScenario") -> Iterator[Fault]:
    """Yield faults of the map. The path of a fault in the map's text is `map_text` and the line number."""
    if file.map_text:
        yield from (Fault(("map_text", line), why) for line, why in file.own_map_with_faults[1])
    elif file.map not in shipped_map_names():
        names = ", ".join(shipped_map_names())
        yield Fault(("map",), f"map: there is no map {file.map!r}; the maps are {names}. Write your own into map_text")


def _name_faults(file: "CampaignScenario") -> Iterator[Fault]:
    powers = [(("powers", place, "name"), power.name) for place, power in enumerate(file.powers)]
    commands = [((*path, "name"), command.name) for path, _, command in file.commands_with_paths()]
    placed = list(file.columns_with_paths())
    columns = [((*path, "name"), column.name) for path, _, column in placed]
    units = [((*path, unit.pace.value, unit.name), unit.name) for path, _, column in placed for unit in column.units()]
    points = [(("points", place, "name"), point.name) for place, point in enumerate(file.points)]
    yield from _repeated_name_faults("power", powers)
    yield from _repeated_name_faults("name", [*commands, *columns, *units])
    yield from _repeated_name_faults("point", points)
    for path, name in (*powers, *commands, *columns, *units, *points):
        if not naming.words_of(name):
            yield Fault(path, f"{name}: a name has a letter or a digit")
        if set(name) & set(SEPARATORS):
            yield Fault(path, f"{name}: comma, semicolon and colon separate names; leave them out")
    for path, name in commands:
        if "-".join(naming.words_of(name)) in (UMPIRE, PUBLIC):
            yield Fault(path, f"{name}: no command may have this name")


def _repeated_name_faults(kind: str, names: Iterable[tuple[Path, str]]) -> Iterator[Fault]:
    """Yield a fault for each name with the same words as an earlier name."""
    seen = set[tuple[str, ...]]()
    for path, name in names:
        words = naming.words_of(name)
        if words in seen:
            yield Fault(path, f"{name}: the {kind} appears twice")
        seen.add(words)


def _find_exceeded_limits(file: "CampaignScenario") -> Iterator[Fault]:
    columns = list(file.columns_with_paths())
    units = sum(len([*column.units()]) for _, _, column in columns)
    if len(columns) > MOST_COLUMNS:
        yield Fault(("powers",), f"there are {len(columns)} columns; the limit is {MOST_COLUMNS}")
    if units > MOST_UNITS:
        yield Fault(("powers",), f"there are {units} units; the limit is {MOST_UNITS}")
    for place, power in enumerate(file.powers):
        own = [column for path, _, column in columns if path[1] == place]
        figures = sum(unit.figures for column in own for unit in column.units())
        if figures > MOST_FIGURES:
            yield Fault(("powers", place), f"{power.name}: {figures:,} figures; the limit is {MOST_FIGURES:,}")
        if all(column.arrives for column in own):
            yield Fault(("powers", place), f"{power.name}: no column stands on the map when the campaign begins")
    for path, _, command in file.commands_with_paths():
        if not command.columns:
            yield Fault(path, f"{command.name}: it has no columns")
    for path, _, column in columns:
        if not [*column.units()]:
            yield Fault(path, f"{column.name}: it has no units")
        if column.arrives > file.days:
            yield Fault((*path, "arrives"), f"{column.name}: arrives: the last day is day {file.days}")


def _option_faults(path: Path, name: str, values: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each unknown option, suggesting similar names, and for each value that is not allowed."""
    fields = CampaignOptions.model_fields
    for option in values.keys() - fields.keys():
        near = ", ".join(naming.most_similar_names(option, {field: field for field in fields}))
        yield Fault((*path, option), f"{name}: there is no option {option}; the nearest: {near}")
    try:
        CampaignOptions.model_validate({option: value for option, value in values.items() if option in fields})
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            why = error_in_words(detail).removesuffix(".")
            yield Fault((*path, *detail["loc"][:1]), f"{name}: {detail['loc'][0]}: {why[:1].lower()}{why[1:]}")


def _point_faults(file: "CampaignScenario") -> Iterator[Fault]:
    powers, points = {power.name for power in file.powers}, {point.name for point in file.points}
    times = Counter(point.at for point in file.points)
    for place, point in enumerate(file.points):
        if times[point.at] > 1:
            yield Fault(("points", place, "at"), f"{point.name}: at: there is another point in {point.at}")
        if point.holder not in {*powers, ""}:
            why = f"{point.name}: holder: there is no power {point.holder}; there are {', '.join(sorted(powers))}"
            yield Fault(("points", place, "holder"), why)
    for place, power in enumerate(file.powers):
        for name in power.sudden:
            if name not in points:
                near = ", ".join(naming.most_similar_names(name, {point: point for point in points}))
                hint = f"; the nearest: {near}" if near else ""
                yield Fault(("powers", place, "sudden"), f"{power.name}: sudden: there is no point {name}{hint}")


def _troop_faults(file: "CampaignScenario", armies: TroopsBySystem) -> Iterator[Fault]:
    """Yield a fault for an unknown battle system, or for each troop that the battle system does not have."""
    if file.battles not in battle_system_ids():
        there_are = ", ".join(battle_system_ids())
        yield Fault(("battles",), f"battles: no battles are fought by {file.battles!r}; there are {there_are}")
        return
    troops = {troop: troop for troop in armies.get(file.battles, ())}
    for path, _, column in file.columns_with_paths() if troops else ():
        for unit in column.units():
            if unit.troop not in troops:
                near = ", ".join(naming.most_similar_names(unit.troop, troops))
                why = f"{unit.name}: {file.battles} has no troop {unit.troop!r}; the nearest: {near}"
                yield Fault((*path, unit.pace.value, unit.name), why)


def _hex_faults(file: "CampaignScenario") -> Iterator[Fault]:
    """Yield a fault for each column or point off the land, and for each hex where both powers get reinforcements."""
    ground = file.campaign_map
    names = {} if ground is None else {terrain.id: terrain.name for terrain in ground.terrains}
    points = [(("points", place, "at"), point.name, point.at) for place, point in enumerate(file.points)]
    columns = [((*path, "at"), column.name, column.at) for path, _, column in file.columns_with_paths()]
    for path, name, hex_ in (*points, *columns) if ground is not None else ():
        if ground is not None and hex_ not in ground.land:
            terrain = ground.hexes.get(hex_)
            yield Fault(path, f"{name}: at: {hex_} is {'off the map' if terrain is None else names[terrain]}")
    first: dict[Hex, tuple[object, str]] = {}
    for path, _, column in file.columns_with_paths():
        if column.arrives:
            power, name = first.setdefault(column.at, (path[1], column.name))
            if power != path[1]:
                yield Fault((*path, "at"), f"{column.name}: at: {name} of the other power arrives there")
