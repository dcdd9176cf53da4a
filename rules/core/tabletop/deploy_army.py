"""An army put on the table as a whole: drawn up in rows before its side's edge, with its leaders."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, TypeVar

from pydantic import Field
from typing_extensions import override

from rules.core.model import UMPIRE, Viewer
from rules.core.refusal import Refused
from rules.core.report import Report, Step
from rules.core.state import Action
from rules.core.typed_text import exact_form
from rules.core.umpire import BY_UMPIRE, ByHand
from rules.core.unit_lookup import fresh_id
from rules.core.wording import inches

from . import table
from .army_lines import ArmyLines, ArmyUnit, numbered_name
from .battle import Edge, Place, TableState
from .battle_files import MOST_CHOICES, BattleFile
from .battle_writer import FACING
from .hidden_units import in_secret
from .leadership import Leading
from .validation import MOST_UNITS

S = TypeVar("S", bound=TableState[Any])

LONGEST_ARMY = 4000
"""Characters of an army's lines."""
ROW = 1.0
"""Inches between two rows, and from place to place along one."""
FROM_EDGE = 3.0
DEEPEST = 24.0
"""Inches from its edge at which an army's first and last rows stand."""
ACROSS = (Edge.NORTH, Edge.SOUTH)
NUMBERED = re.compile(r"(.*\S) ([0-9]{1,3})")
"""A name that ends with its number."""


class Muster(Action):
    """Puts an army on the table: what its lines say, or the printed list of that side of a battle."""

    by_unit = False

    side: str
    lines: str = Field(default="", max_length=LONGEST_ARMY)
    battle: str = ""
    choices: Mapping[str, str] = Field(default_factory=dict, max_length=MOST_CHOICES)
    """Of a printed list that leaves something to choose: what is taken; of what is not named, the usual."""


class Mustering(ByHand[S]):
    """The umpire puts an army on; before the battle begins each side its own."""

    @override
    def side(self, state: S, action: Muster) -> Viewer:
        """Return the umpire's, in the set-up the side's."""
        return UMPIRE if state.setting_up is None else action.side


def muster_type(file_type: type[BattleFile[Any, Any]], battles: Callable[[], Mapping[str, Any]]) -> Mustering[Any]:
    """Return the kind of action of a system."""
    army_lines = ArmyLines(file_type)

    def muster(state: S, action: Muster) -> tuple[S, Report]:
        sides = {side.id: side for side in state.sides}
        if action.side not in sides:
            raise Refused(f"There is no side “{action.side[:40]}”. The sides: {', '.join(sides)}.")
        if action.battle:
            made = _of_battle(battles(), action)
        else:
            units, doubts = army_lines.read(action.lines)
            if doubts:
                said = "\n".join(f"- line {one.number}, “{one.text[:60]}”: {one.why}" for one in doubts)
                raise Refused(f"Some lines are not clear:\n{said}")
            made = _of_lines(army_lines, units, action.side)
        after = _put_on(file_type, state, made, action.side)
        new = [unit for unit in after.units.values() if unit.id not in state.units]
        steps = tuple(Step(text=f"{unit.name}: {_where(after, unit)}", cite=BY_UMPIRE) for unit in new)
        words, verb = ("units", "are") if len(new) > 1 else ("unit", "is")
        where = "on the table" if after.keeps_positions else "on the list: their figures are on your own table"
        headline = f"{len(new)} {words} of {sides[action.side]:the} {verb} put {where}."
        return after, Report(headline=headline, steps=steps, side=action.side)

    return Mustering(Muster, muster)


def _where(state: TableState[Any], unit: Any) -> str:
    if not state.keeps_positions:
        return "on the list"
    return unit.place.spoken if unit.place is not None else "off the table"


def _of_battle(battles: Mapping[str, Any], action: Muster) -> Sequence[Any]:
    """Return the units of a printed list, of the side of that name in its battle. Raises Refused."""
    battle_id, _, side = action.battle.partition(" ")
    battle = battles.get(battle_id)
    if battle is None or side not in {one.id for one in battle.sides}:
        raise Refused(f"There is no list “{action.battle[:40]}”. /army list shows those there are.")
    choices = battle.choose(action.choices)
    lines = [line for line in battle.units if line.side == side and line.chosen(choices)]
    made = (battle.enlisted(battle.made(line)) for line in lines)
    return [unit.model_copy(update={"side": action.side, "place": None}) for unit in made]


def _of_lines(army_lines: ArmyLines, units: Iterable[ArmyUnit], side: str) -> Sequence[Any]:
    """Return the units of those lines, each leader behind his unit. Raises Refused."""
    made: list[Any] = []
    for number, one in enumerate(units):
        unit = army_lines.made(one, f"of-line-{number}", side)
        leaders = [
            army_lines.made(army_lines.leader(leader), f"leader-{number}-{at}", side)
            for at, leader in enumerate(one.leaders)
        ]
        made += _together(unit, leaders, army_lines.leading)
    return made


def _together(unit: Any, leaders: Sequence[Any], leading: Leading | None) -> Sequence[Any]:
    """Return a unit together with its leaders."""
    if leading is None or not leaders:
        return [unit]
    if leading.of_leader:
        return [unit, *(leader.model_copy(update={leading.field: unit.id}) for leader in leaders)]
    return [unit.model_copy(update={leading.field: leaders[0].id}), *leaders]


def _put_on(file_type: type[BattleFile[Any, Any]], state: S, made: Sequence[Any], side: str) -> S:
    """Return the state with new units deployed in rows. Raises Refused without room.

    Where each side puts its units on unseen, only its own count for names and room.
    """
    secretly = in_secret(state)
    seen, most = (_of_one_side(state, side), MOST_UNITS // len(state.sides)) if secretly else (state, MOST_UNITS)
    if len(seen.every_unit) + len(made) > most:
        where = "of the side" if secretly else "on the table"
        raise Refused(f"There would be more than {most} units {where}. Put fewer on.")
    fresh = _with_fresh_names(state, seen, made)
    if not state.keeps_positions:
        return state.with_unit(*fresh)
    hosts = dict(_hosts(fresh, file_type.leading))
    there, spots = seen, _Spots(file_type, seen)
    for unit in fresh:
        if unit.id not in hosts:
            there = there.with_unit(spots.stood(there, unit) if unit.on_table else unit)
    for unit in fresh:
        if unit.id in hosts:
            there = there.with_unit(unit.model_copy(update={"place": there.units[hosts[unit.id]].place}))
    return state.with_unit(*(there.units[unit.id] for unit in fresh))


def _of_one_side(state: S, side: str) -> S:
    return state.model_copy(update={"units": {unit.id: unit for unit in state.of_side(side)}})


def _with_fresh_names(state: TableState[Any], seen: TableState[Any], made: Sequence[Any]) -> Sequence[Any]:
    """Return the units with fresh ids, and names unused among visible units; ids reveal nothing about hidden units."""
    ids: dict[str, str] = {}
    taken = {exact_form(each.name) for each in seen.every_unit.values() if each.side == made[0].side}
    taken |= {exact_form(each.name) for each in seen.units.values()}
    among = state
    named: list[Any] = []
    for unit in made:
        free = (name for name in _names(unit.name) if exact_form(name) not in taken)
        name = next(name for name in free if not state.is_reserved(name))
        taken.add(exact_form(name))
        ids[unit.id] = fresh_id(among, f"{unit.side} {name}" if state.may_hide else name)
        named.append(unit.model_copy(update={"id": ids[unit.id], "name": name}))
        among = among.with_unit(named[-1])
    return [_renamed(unit, ids) for unit in named]


def _hosts(units: Sequence[Any], leading: Leading | None) -> Iterator[tuple[str, str]]:
    """Yield attached units with their hosts."""
    for unit in units:
        other = getattr(unit, leading.field, None) if leading is not None else None
        if leading is not None and other is not None:
            yield (unit.id, other) if leading.of_leader else (other, unit.id)


def _names(name: str) -> Iterator[str]:
    """Yield the name, then numbered variants: `Zulu impi 2`, `Zulu impi 3`."""
    yield name
    found = NUMBERED.fullmatch(name)
    stem, number = (found[1], int(found[2])) if found else (name, 1)
    yield from (numbered_name(stem, each) for each in count(number + 1))


def _renamed(unit: Any, ids: Mapping[str, str]) -> Any:
    """Return the unit with references changed to new ids."""
    referred = {field: ids.get(getattr(unit, field) or "") for field in unit.refers_to}
    return unit.model_copy(update=referred)


class _Spots:
    """Deployment places before the sides' edges, taken in order."""

    def __init__(self, file_type: type[BattleFile[Any, Any]], state: TableState[Any]) -> None:
        self._ways = file_type.ways
        self._state = state
        self._left: dict[tuple[str, float, float], Iterator[Place]] = {}

    def stood(self, state: TableState[Any], unit: Any) -> Any:
        """Return the unit at the first place clear of everyone, friends included. Raises Refused if there is none."""
        frontage, depth = self._ways.placement.size(unit)
        key = (unit.side, round(frontage, 1), round(depth, 1))
        places = self._left.setdefault(key, self._before_edge(unit.side, depth))
        for place in places:
            placed = unit.model_copy(update={"place": place})
            try:
                self._ways.has_room(state, placed)
            except Refused:
                continue
            if self._is_clear(state, placed):
                return placed
        most = inches(self._deepest(self._edge(unit.side)))
        raise Refused(f"There is no room for {unit.name} within {most} of its edge. Put fewer on at once.")

    def _is_clear(self, state: TableState[Any], unit: Any) -> bool:
        """Whether the unit overlaps no friends, including friends without ground."""
        here = self._ways.placement.base(unit)
        friends = self._ways.placement.bases(each for each in state.of_side(unit.side) if each.on_table)
        return here is None or not any(table.overlapping(here, there) for there in friends)

    def _before_edge(self, side: str, depth: float) -> Iterator[Place]:
        """From the middle of the edge outwards, row behind row towards the middle of the table."""
        edge = self._edge(side)
        length = self._state.width if edge in ACROSS else self._state.height
        rows = int((self._deepest(edge) - FROM_EDGE) / ROW) + 1
        for row in range(rows):
            inwards = FROM_EDGE + depth / 2 + row * ROW
            for at in range(int(length / 2 / ROW)):
                for along in (length / 2 + at * ROW, length / 2 - at * ROW):
                    yield _place(edge, along, inwards, self._state)

    def _edge(self, side: str) -> Edge:
        sides = [one.id for one in self._state.sides]
        return self._state.home_edges.get(side, (Edge.SOUTH, Edge.NORTH)[sides.index(side) % 2])

    def _deepest(self, edge: Edge) -> float:
        """Inches from an edge at which the last row stands: in its own half of the table."""
        return min(DEEPEST, (self._state.height if edge in ACROSS else self._state.width) / 2)


def _place(edge: Edge, along: float, inwards: float, state: TableState[Any]) -> Place:
    from_start = inwards if edge in (Edge.NORTH, Edge.WEST) else None
    if edge in ACROSS:
        x, y = along, inwards if from_start is not None else state.height - inwards
    else:
        x, y = (inwards if from_start is not None else state.width - inwards), along
    return Place(x=x, y=y, facing=FACING[edge])
