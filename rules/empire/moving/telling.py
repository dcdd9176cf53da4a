"""A move as it is told (BE-M)."""

from rules.core.report import Step
from rules.core.tabletop import table
from rules.core.tabletop.place import WAYS, Course, Spot, Towards, Turn
from rules.core.tabletop.placement import spoken
from rules.core.tabletop.ways import stand
from rules.core.wording import in_a_row, inches, tenths
from rules.empire.model import EmpireState, EmpireUnit

from . import allowance, formation, ground
from .marching import March
from .travel import WAY

MOST_WORDS = 120
"""Characters of a player's own words for a place."""
DONE = {
    "column": "forms column",
    "massed": "masses",
    "deep massed": "masses in depth",
    "close order": "takes close order",
    "loose order": "takes loose order",
    "skirmish order": "takes skirmish order",
    "square": "forms square",
    "company square": "forms company square",
    formation.MOUNT: "mounts",
    formation.DISMOUNT: "dismounts",
    formation.LIMBER: "limbers up",
    formation.UNLIMBER: "unlimbers",
    ground.TO_GROUND: "goes to ground",
    ground.STAND_UP: "stands up",
    ground.WORKS: "lines the works",
    ground.SANGAR: "lines the sangar",
    ground.OBSTACLE: "lines the obstacle",
    ground.HOLD: "holds the ground",
    ground.LEAVE: "leaves the defences",
}


def where_to(march: March, unit: EmpireUnit, to: str | None) -> tuple[Step, ...]:
    """Where no place is kept, the player's own words for it."""
    if not march.marches or unit.place is not None or to is None:
        return ()
    return (Step(text=f"Moves {inches(march.run)}, {to[:MOST_WORDS]}", cite=WAY),)


def headline(state: EmpireState, march: March, unit: EmpireUnit, met: tuple[str, ...]) -> str:
    """What it did."""
    did = [DONE[word] for word in march.changes if word in formation.BEFORE]
    if march.marches:
        did.append(f"moves {inches(march.run)}")
    elif isinstance(march.destination, Turn):
        did.append(f"turns to face {tenths(march.destination.facing)}°")
    did.extend(DONE[word] for word in march.changes if word not in formation.BEFORE)
    if met:
        did.append(f"into contact with {in_a_row(state.unit(enemy).name for enemy in met)}")
    return f"{unit.name} {', '.join(did)}."


def outcome(state: EmpireState, march: March, unit: EmpireUnit, met: tuple[str, ...]) -> str:
    """Where it stands now, and what it has left."""
    left = allowance.left(state, unit)
    more = f" It has {inches(left)} left." if left > table.CONTACT and not met and not state.opponents(unit.id) else ""
    if unit.place is not None:
        return f"It stands at {spoken(unit.place)}.{more}"
    return (f"Move the stands {inches(march.run)}.{more}" if march.marches else more).strip()


def crowded(march: March) -> tuple[str, ...]:
    """The warning that friends stopped it short."""
    by = march.halt.crowded_by if march.halt else ()
    return (f"There was no room further on, where {stand(by)}: it halts after {inches(march.run)}.",) if by else ()


def goal(state: EmpireState, march: March, met: tuple[str, ...]) -> str:
    """What its button calls it: `Charge Zulu impi`, `Towards Zulu impi`, `Forward 6 inches`, `Square`."""
    match march.destination:
        case _ if met:
            return f"Charge {state.unit(met[0]).name}"
        case Towards(unit=other):
            return f"Towards {state.unit(other).name}"
        case Course(turn=turn, inches=run):
            way = next((word for word, degrees in WAYS.items() if degrees == turn), "ahead")
            return f"{way.capitalize()} {tenths(run)} inches"
        case Spot(at=(x, y)):
            return f"To {tenths(x)},{tenths(y)}"
        case Turn(facing=facing):
            return f"Face {tenths(facing)}°"
    return ", ".join(march.changes).capitalize() or f"Move {tenths(march.run)} inches"
