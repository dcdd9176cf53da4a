"""Small countries for the tests: a map in letters, columns in lines of text, everything else left as it is.

    country(OPEN, "blue foot 0203 to:0503 attack", "red horse 0603:36")

A line is a power, what the column is, its hex with its figures (24 unless said), and its orders: `to:` a goal, `via:`
hexes one by one, a stance, a task, `halt`, `back:` a hex to fall back to. The id is the line's first two words, with a
number where there are several. Blue is the first power.
"""

from collections.abc import Sequence
from itertools import count
from typing import Any

from rules.campaign.columns import Column, ColumnUnit, ConductOnSight, Orders, Pace, Stance, Task
from rules.campaign.day import begin_order_writing, play_day
from rules.campaign.ground import Board
from rules.campaign.maps import read_map
from rules.campaign.model import CampaignState, Point, PointKind, Power
from rules.campaign.options import CampaignOptions
from rules.campaign.ways import find_way
from rules.core.hexboard.hexes import Hex
from rules.core.play import Play
from rules.core.state import Side
from rules.core.tests.scripted import ScriptedDice

OPEN = "\n".join([". " * 10] * 8)
"""Ten columns of eight open hexes."""
BLUE, RED = "blue", "red"
PACES = {
    "foot": (Pace.FOOT,),
    "horse": (Pace.MOUNTED,),
    "guns": (Pace.WHEELED,),
    "mixed": (Pace.FOOT, Pace.MOUNTED),
}
STANCES = {stance.value: stance for stance in Stance}
TASKS = {"forced": Task.FORCE, "scout": Task.SCOUT, "dig": Task.DIG_IN, "rest": Task.REST, "wait": Task.WAIT}
MAPS: dict[str, Board] = {}
NUMBERS = count(1)


def hex_at(label: str) -> Hex:
    """Return the hex with this number."""
    return Hex.from_label(label)


def with_terrain(letter: str, *labels: str, on: str = OPEN) -> str:
    """Return the ground with a letter of terrain in some hexes."""
    rows = [line.split() for line in on.split("\n") if line.strip()]
    for label in labels:
        rows[hex_at(label).row][hex_at(label).column] = letter
    return "\n".join(" ".join(row) for row in rows)


def make_map(letters: str, *lines: str) -> str:
    """Store a map of these letters and further lines, and return its name."""
    rows = [line.split() for line in letters.split("\n") if line.strip()]
    text = [f"columns 00-{len(rows[0]) - 1:02}"]
    for number, row in enumerate(rows):
        text += [f"{number:02} {' '.join(row[0::2])}", f"{number:02} {' '.join(row[1::2])}"]
    name = f"country {next(NUMBERS)}"
    MAPS[name] = Board(read_map("\n".join([*text, *lines]), name))
    return name


def column(line: str, number: int) -> Column:
    """The column of a line, without its way."""
    power, kind, place, *words = line.split()
    label, _, figures = place.partition(":")
    size = int(figures or 24)
    name = f"{power} {kind}{f' {number}' if number > 1 else ''}"
    paces = PACES[kind]
    troops = tuple(ColumnUnit(name=pace.value, troop=pace.value, pace=pace, start=size, figures=size) for pace in paces)
    orders: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    for word in words:
        key, _, value = word.partition(":")
        if key in STANCES:
            orders["stance"] = STANCES[key]
        elif key in TASKS:
            orders |= {"task": TASKS[key], "until": int(value or 0)}
        elif key == "halt":
            orders["on_sight"] = ConductOnSight.HALT
        elif key == "back":
            orders |= {"on_sight": ConductOnSight.FALL_BACK, "refuge": hex_at(value)}
        elif key == "via":
            orders["way"] = tuple(map(hex_at, value.split(",")))
        elif key == "wagon":
            fields["has_wagon"] = True
        elif key == "supply":
            fields["supply"] = int(value)
        elif key == "came":
            fields["way_back"] = tuple(map(hex_at, value.split(",")))
    values = {"supply": 6, **fields}
    return Column(
        id=name.replace(" ", "-"),
        name=name,
        side=power,
        at=hex_at(label),
        troops=troops,
        orders=Orders(**orders),
        **values,
    )


def country(
    name: str,
    *lines: str,
    points: Sequence[str] = (),
    turn: int = 1,
    blues: Sequence[str] = (BLUE,),
    **fields: Any,
) -> CampaignState:
    """A day of two powers on a map: Blue with the commands `blues`, the chief first, and Red with one.

    A line of `points` is a name, hex, holder, kinds and value.
    """
    columns: dict[str, Column] = {}
    for place, line in enumerate(lines):
        power, kind, *_ = line.split()
        number = 1 + sum(column.name.startswith(f"{power} {kind}") for column in columns.values())
        new_column = column(line, number).model_copy(update={"listed": place})
        columns[new_column.id] = new_column
    options = {key: fields.pop(key) for key in tuple(fields) if key in CampaignOptions.model_fields}
    state = CampaignState(
        scenario="a country",
        sides=tuple(Side(id=command, name=command.title(), index=place) for place, command in enumerate((*blues, RED))),
        powers=(
            Power(id=BLUE, name="Blue", commands=tuple(blues), chief=BLUE, values=fields.pop("values", {})),
            Power(id=RED, name="Red", commands=(RED,), chief=RED),
        ),
        active=BLUE,
        map=name,
        battle_system="magdala",
        turn=turn,
        units=columns,
        points={point.name: point for point in map(_point, points)},
        options=CampaignOptions(**options),
        **fields,
    )
    for line, new_column in zip(lines, tuple(columns.values()), strict=True):
        goal = next((word.partition(":")[2] for word in line.split() if word.startswith("to:")), "")
        if goal and new_column.at is not None:
            way = find_way(state, new_column, new_column.at, hex_at(goal), frozenset())
            assert way is not None, f"no way to {goal}"
            state = state.changed(new_column.id, orders=new_column.orders.model_copy(update={"way": way}))
    play = Play(state, ScriptedDice(()))
    begin_order_writing(play)
    return play.state


def _point(line: str) -> Point:
    name, label, holder, kinds, *value = line.split()
    point_kinds = frozenset(PointKind(kind) for kind in kinds.split("+"))
    hex_ = hex_at(label)
    return Point(
        name=name, at=hex_, kinds=point_kinds, holder="" if holder == "-" else holder, value=int(*value or (1,))
    )


def ordered(state: CampaignState, column_id: str, **orders: Any) -> CampaignState:
    """Return the state with these changes in a column's orders."""
    return state.changed(column_id, orders=state.unit(column_id).orders.model_copy(update=orders))


def day(state: CampaignState, *fell: int) -> tuple[CampaignState, list[str]]:
    """Work a day out with these dice, all of which must be thrown; return the state and what the steps tell."""
    dice = ScriptedDice(fell)
    play = Play(state, dice)
    play_day(play)
    assert not dice.left, f"{dice.left} dice were not thrown"
    assert all(throw.sides == 6 for step in play.report.steps for throw in step.throws)
    return play.state, [f"{step.text}: {step.verdict} ({step.cite.rule})" for step in play.report.steps]


def at(state: CampaignState, column_id: str) -> str:
    """Return the number of the hex in which a column stands."""
    hex_ = state.unit(column_id).at
    assert hex_ is not None
    return hex_.label
