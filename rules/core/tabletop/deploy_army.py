"""Put a whole army with its leaders on the table, in rows before its side's edge."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from pydantic import Field
from typing_extensions import override

from rules.core.data_files import ScenarioFiles
from rules.core.model import UMPIRE, Viewer
from rules.core.refusal import Refused
from rules.core.report import Report, Step
from rules.core.state import Action
from rules.core.typed_text import normalize_text
from rules.core.umpire import BY_UMPIRE, UmpireActionType
from rules.core.unit_lookup import find_side, new_unit_id

from .army_entries import ArmyUnit, numbered_name
from .army_lines import ArmyLineReader
from .battle import Place, S, TableState
from .battle_files import MOST_CHOICES, BattleFile
from .deployment_spots import DeploymentSpots
from .doubts import require_no_doubts
from .hidden_units import is_secret_set_up
from .leadership import Leadership
from .table_places import locate
from .validation import MOST_UNITS

LONGEST_ARMY = 4000
"""Maximum number of characters in the lines of an army."""
NUMBERED = re.compile(r"(.*\S) ([0-9]{1,3})")
"""Matches a name that ends in a number."""


class Muster(Action):
    """Put an army of `side` on the table: the units of `lines`, or of the army list with the key `battle`."""

    is_unit_action = False

    side: str
    lines: str = Field(default="", max_length=LONGEST_ARMY)
    battle: str = ""
    choices: Mapping[str, str] = Field(default_factory=dict, max_length=MOST_CHOICES)
    """Chosen option for each choice of the army list. Missing choices take their default."""


class MusterType(UmpireActionType[S]):
    """The action type of `Muster`. The umpire may use it at any time; during set-up, each side for its own army."""

    @override
    def side(self, state: S, action: Muster) -> Viewer:
        """Return the umpire, or during set-up the army's side."""
        return UMPIRE if state.setting_up is None else action.side


def make_muster_type(battles: ScenarioFiles[Any]) -> MusterType[Any]:
    """Return the type of the action `Muster` for the system with these battle files."""
    file_type: type[BattleFile[Any, Any]] = battles.file_type
    army_lines = ArmyLineReader(file_type)

    def muster(state: S, action: Muster) -> tuple[S, Report]:
        """Put the army on the table. Raises Refused for doubtful lines, unknown names, and units without clearance."""
        side = find_side(state, action.side)
        if action.battle:
            units = _make_listed_units(battles.all, action)
        else:
            entries, doubts = army_lines.read(action.lines)
            require_no_doubts(doubts)
            units = make_units_of_lines(army_lines, entries, action.side, state)
        after = _deploy_units(file_type, state, units, action.side)
        new = [unit for unit in after.units.values() if unit.id not in state.units]
        steps = tuple(Step(text=f"{unit.name}: {_describe_place(after, unit)}", cite=BY_UMPIRE) for unit in new)
        words, verb = ("units", "are") if len(new) > 1 else ("unit", "is")
        place_words = "on the table" if after.keeps_positions else "on the list: their figures are on your own table"
        headline = f"{len(new)} {words} of {side:the} {verb} put {place_words}."
        return after, Report(headline=headline, steps=steps, side=action.side)

    return MusterType(Muster, muster)


def _describe_place(state: TableState[Any], unit: Any) -> str:
    if not state.keeps_positions:
        return "on the list"
    return unit.place.spot_in_words if unit.place is not None else "off the table"


def _make_listed_units(battles: Mapping[str, Any], action: Muster) -> Sequence[Any]:
    """Return the units of the action's army list, without places. Raises Refused on an unknown list or choice."""
    battle_id, _, side = action.battle.partition(" ")
    battle = battles.get(battle_id)
    if battle is None or side not in {battle_side.id for battle_side in battle.sides}:
        raise Refused(f"There is no list “{action.battle[:40]}”. /army list shows those there are.")
    choices = battle.choices_with_defaults(action.choices)
    lines = [line for line in battle.units if line.side == side and line.is_chosen_by(choices)]
    units = (battle.reset_for_new_battle(battle.make_unit(line)) for line in lines)
    return [unit.model_copy(update={"side": action.side, "place": None}) for unit in units]


def make_units_of_lines(
    army_lines: ArmyLineReader, entries: Iterable[ArmyUnit], side: str, state: TableState[Any]
) -> Sequence[Any]:
    """Return the units that army lines describe, each followed by its leaders.

    Raises Refused if a field has an invalid value, or if a line gives a place although the game keeps no positions.
    """
    units: list[Any] = []
    for number, entry in enumerate(entries):
        unit = army_lines.make_unit(entry, f"of-line-{number}", side)
        if entry.at:
            if not state.keeps_positions:
                raise Refused(f"This table keeps no places. Leave “at {entry.at}” out.")
            unit = unit.model_copy(update={"place": Place(**locate(state, entry.at, side))})
        leaders = [
            army_lines.make_unit(army_lines.leader_as_unit(leader), f"leader-{number}-{at}", side)
            for at, leader in enumerate(entry.leaders)
        ]
        units += _link_leaders(unit, leaders, army_lines.leading)
    return units


def _link_leaders(unit: Any, leaders: Sequence[Any], leading: Leadership | None) -> Sequence[Any]:
    """Return the unit and its leaders, linked by the field that the system uses for leaders."""
    if leading is None or not leaders:
        return [unit]
    if leading.of_leader:
        return [unit, *(leader.model_copy(update={leading.field: unit.id}) for leader in leaders)]
    return [unit.model_copy(update={leading.field: leaders[0].id}), *leaders]


def _deploy_units(file_type: type[BattleFile[Any, Any]], state: S, units: Sequence[Any], side: str) -> S:
    """Return the state with the new units, deployed in rows unless they have a place.

    Raises Refused for too many units, or for a unit without clearance. In a secret set-up, names and places ignore
    other sides' units, so that they reveal nothing.
    """
    secret = is_secret_set_up(state)
    view, most = state, MOST_UNITS
    if secret:
        own_units = {unit.id: unit for unit in state.units_of(side)}
        view, most = state.model_copy(update={"units": own_units}), MOST_UNITS // len(state.sides)
    if len(view.every_unit) + len(units) > most:
        place_words = "of the side" if secret else "on the table"
        raise Refused(f"There would be more than {most} units {place_words}. Put fewer on.")
    new_units = assign_unique_names(state, view, units)
    if not state.keeps_positions:
        return state.with_unit(*new_units)
    hosts = {} if file_type.leading is None else dict(file_type.leading.leader_and_unit_ids(new_units))
    deployed, spots = view, DeploymentSpots(file_type.ways, view)
    for unit in new_units:
        if unit.place is not None:
            file_type.ways.require_clearance(deployed, unit)
            deployed = deployed.with_unit(unit)
    for unit in new_units:
        if unit.id not in hosts and unit.place is None:
            deployed = deployed.with_unit(spots.place_unit(deployed, unit) if unit.on_table else unit)
    for unit in new_units:
        if unit.id in hosts:
            deployed = deployed.with_unit(unit.model_copy(update={"place": deployed.units[hosts[unit.id]].place}))
    return state.with_unit(*(deployed.units[unit.id] for unit in new_units))


def assign_unique_names(state: TableState[Any], view: TableState[Any], units: Sequence[Any]) -> Sequence[Any]:
    """Return the units with new ids, and with names that no unit in the side's `view` has.

    References between these units get the new ids; other references become None. If units may be hidden, an id begins
    with the side. Otherwise its number could reveal another side's hidden unit.
    """
    ids: dict[str, str] = {}
    taken_names = {normalize_text(unit.name) for unit in view.every_unit.values() if unit.side == units[0].side}
    taken_names |= {normalize_text(unit.name) for unit in view.units.values()}
    with_new_units = state
    named_units: list[Any] = []
    for unit in units:
        free = (name for name in _iterate_numbered_names(unit.name) if normalize_text(name) not in taken_names)
        name = next(name for name in free if not state.is_reserved(name))
        taken_names.add(normalize_text(name))
        ids[unit.id] = new_unit_id(with_new_units, f"{unit.side} {name}" if state.can_have_hidden_units else name)
        named_units.append(unit.model_copy(update={"id": ids[unit.id], "name": name}))
        with_new_units = with_new_units.with_unit(named_units[-1])
    return [
        unit.model_copy(update={field: ids.get(getattr(unit, field) or "") for field in unit.refers_to})
        for unit in named_units
    ]


def _iterate_numbered_names(name: str) -> Iterator[str]:
    """Yield the name, then endlessly the name with the next numbers: `Zulu impi 2`, `Zulu impi 3`."""
    yield name
    match = NUMBERED.fullmatch(name)
    stem, number = (match[1], int(match[2])) if match else (name, 1)
    yield from (numbered_name(stem, next_number) for next_number in count(number + 1))
