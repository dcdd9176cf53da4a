"""Helpers for tests: tables with units and terrain, actions with scripted dice, and refusals."""

from collections.abc import Sequence
from typing import Any

from rules.charge.figures import unit_size
from rules.charge.model import Arm, ChargeState, ChargeUnit, Formation
from rules.charge.options import ChargeOptions
from rules.charge.ruleset import Charge
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.scene import Feature, Point, TerrainPiece
from rules.core.state import Side
from rules.core.tabletop.battle import Place
from rules.core.tests.scripted import ScriptedDice

SYSTEM = Charge()
REDS, BLUES = "reds", "blues"
NORTH, EAST, SOUTH, WEST = 0.0, 90.0, 180.0, 270.0


def unit(name: str, side: str, at: Point | None = None, facing: float = NORTH, **changes: Any) -> ChargeUnit:
    """Return a unit: sixteen infantry in two ranks, unless `changes` say otherwise."""
    place = None if at is None else Place(x=at[0], y=at[1], facing=facing)
    fields = {"arm": Arm.INFANTRY, "figures": 16, **changes}
    return ChargeUnit(id=name.casefold(), name=name, side=side, place=place, **fields)


def red(name: str, at: Point | None = None, facing: float = NORTH, **fields: Any) -> ChargeUnit:
    """Return a unit of the Reds, whose turn it is."""
    return unit(name, fields.pop("side", REDS), at, facing, **fields)


def blue(name: str, at: Point | None = None, facing: float = SOUTH, **fields: Any) -> ChargeUnit:
    """Return a unit of the Blues."""
    return unit(name, BLUES, at, facing, **fields)


def horse(figures: int = 8, **fields: Any) -> dict[str, Any]:
    """Return the fields of a cavalry unit."""
    return {"arm": Arm.CAVALRY, "figures": figures, **fields}


def gun(crew: int = 5, **fields: Any) -> dict[str, Any]:
    """Return the fields of a gun with its crew."""
    return {"arm": Arm.GUN, "figures": crew, **fields}


def field(*units: ChargeUnit, phase: str = "fire", terrain: Sequence[TerrainPiece] = (), **fields: Any) -> ChargeState:
    """Return a state in a phase of the Reds' turn; `fields` are options and further fields of the state, by name."""
    options = {name: fields.pop(name) for name in tuple(fields) if name in ChargeOptions.model_fields}
    state = ChargeState(
        scenario="field",
        sides=(Side(id=REDS, name="Reds", index=0), Side(id=BLUES, name="Blues", index=1)),
        active=REDS,
        mover=REDS,
        first=REDS,
        phase=phase,
        units={unit.id: unit for unit in units},
        terrain=tuple(terrain),
        **fields,
    )
    return state.model_copy(update={"options": state.options.model_copy(update=options)})


def in_rear_of(away: float, men: int, formation: Formation = Formation.TWO_RANKS, **target: Any) -> ChargeState:
    """Return a table with `men` red infantry, `away` inches behind a long enemy line `foot`, which cannot answer."""
    line = red("Line", (36, 24), figures=men, formation=formation)
    enemy = blue("Foot", **{"figures": 60, "formation": Formation.LINE, **target})
    deep = (unit_size(line)[1] + unit_size(enemy)[1]) / 2
    return field(line, enemy.model_copy(update={"place": Place(x=36, y=24 - deep - away, facing=NORTH)}))


def ground(feature: Feature, west: float, north: float, east: float, south: float, name: str = "") -> TerrainPiece:
    """Return a rectangle of terrain, given by its sides in inches."""
    return TerrainPiece(feature=feature, points=((west, north), (east, north), (east, south), (west, south)), name=name)


def wall(start: Point, end: Point, feature: Feature = Feature.SANGAR, width: float = 0.5) -> TerrainPiece:
    """Return a straight wall or another line of works."""
    return TerrainPiece(feature=feature, points=(start, end), closed=False, width=width)


def act(state: ChargeState, kind: str, dice: Sequence[int] = (), **args: Any) -> tuple[ChargeState, Report]:
    """Do the action with exactly these dice."""
    scripted = ScriptedDice(dice)
    result = SYSTEM.act(state, SYSTEM.parse(kind, args), scripted)
    assert not scripted.left, f"{scripted.left} dice were not thrown"
    return result


def refusal(state: ChargeState, kind: str, **args: Any) -> str:
    """Return the text of the action's refusal."""
    try:
        SYSTEM.act(state, SYSTEM.parse(kind, args), ScriptedDice(()))
    except Refused as refused:
        return str(refused)
    raise AssertionError(f"{kind} {args} was allowed")


def text_of(report: Report) -> str:
    """Return the text of a report as one line, for searching."""
    steps = "; ".join(f"{step.text} {step.needed} {step.verdict}".strip() for step in report.steps)
    return f"{report.headline} {steps} {report.outcome}"


def fire_over(state: ChargeState, dice: Sequence[int] = ()) -> tuple[ChargeState, Report]:
    """Pass on until the turn's fire and answering fire are over. `dice` decide who falls."""
    while state.phase == "fire":
        state, report = SYSTEM.act(state, SYSTEM.parse("turn_next", {}), scripted := ScriptedDice(dice))
    if state.phase == "answering fire" and state.over is None:
        return act(state, "turn_next", dice)
    assert not scripted.left
    return state, report
