"""A recoil: straight back from the enemies in contact, through friends until there is room (BE-6, BE-M.5)."""

import math
from collections.abc import Iterable

from shapely.ops import nearest_points

from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.tabletop import table
from rules.core.tabletop.placement import placed, spoken
from rules.core.tabletop.table import Base
from rules.core.wording import in_a_row, inches
from rules.empire.fighting.effects import give_way
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.orders import remembering
from rules.empire.placement import GIVEN_UP, base, bases, with_pieces

RECOILS = Cite(rule="BE-6")
HOW = Cite(rule="BE-M.5", mark=Mark.HOUSE)


def recoil(play: Play[EmpireState], unit_id: str) -> None:
    """The unit goes back (option recoil), out of every contact, and those with it go along."""
    state = play.state
    unit, foes, back = state.unit(unit_id), state.opponents(unit_id), float(state.options.recoil)
    here, place, run = base(unit), unit.place, back
    cite, verdict = RECOILS, f"move the stands {inches(back)} straight back"
    if here is not None:
        halt = _halt(state, unit, here, way_back(here, bases(foes)), back)
        place, run = placed(halt), table.distance(here.at, halt.at)
        cite, verdict = RECOILS, f"at {spoken(place)}"
        if run > back + table.STRIDE:
            cite, verdict = HOW, f"{verdict}, where there is room"
        elif run < back - table.CONTACT:
            cite, verdict = HOW, f"{verdict}; there is no room further back"
    gone = unit.model_copy(update={"place": place, **(GIVEN_UP if run > 0 else {})})
    gone = remembering(gone, recoiled=True, moved=round(unit.this_turn.moved + run, 3))
    play.state = give_way(with_pieces(state, gone), unit_id)
    whom = f" from {in_a_row(foe.name for foe in foes)}" if foes else ""
    play.note(f"{unit:recoil} {inches(run)}{whom}", cite, verdict)


def way_back(here: Base, foes: Iterable[Base]) -> float:
    """The bearing straight back from the sides of the base that the enemies touch; from its front where none does."""
    sides, end = [_side(here, foe) for foe in foes] or [here.facing], here.at
    for side in sides:
        end = table.shifted(end, side + 180, 1.0)
    opposed = table.distance(here.at, end) <= table.CLOSE
    return (sides[0] + 180) % 360 if opposed else table.bearing(here.at, end)


def _side(here: Base, foe: Base) -> float:
    """The bearing in which the side of the base looks that an enemy touches; at a corner, its front or rear."""
    nearest, _ = nearest_points(foe.outline, here.outline)
    away = table.distance(here.at, (nearest.x, nearest.y))
    off = math.radians(table.bearing(here.at, (nearest.x, nearest.y)) - here.facing)
    ahead, aside = away * math.cos(off), away * math.sin(off)
    if abs(ahead) - here.depth / 2 >= abs(aside) - here.frontage / 2:
        return here.facing if ahead >= 0 else (here.facing + 180) % 360
    return (here.facing + math.copysign(90, aside)) % 360


def _halt(state: EmpireState, unit: EmpireUnit, here: Base, way: float, back: float) -> Base:
    """Where it stops: at its inches, past friends beyond, or else short; enemies bar it, but not those it leaves."""
    others = bases(other for other in state.fighters() if other.id != unit.id)
    enemies = bases(other for other in state.fighters() if other.side != unit.side)
    step, furthest = here.moved(table.shifted(here.at, way, table.STRIDE)), state.width + state.height
    beyond = [back + table.STRIDE * n for n in range(int(furthest / table.STRIDE))]
    short = [back - table.STRIDE * n for n in range(1, math.ceil(back / table.STRIDE))]
    for enemy in enemies:
        if not table.touching(here, enemy) or table.overlapping(step, enemy):
            furthest = min(furthest, table.free_run(here, way, furthest, enemy))
    for run in (*beyond, *short):
        there = here.moved(table.shifted(here.at, way, run))
        if run > furthest + table.CLOSE or not table.on_table(there, state.width, state.height):
            continue
        met = any(table.touching(there, enemy) for enemy in enemies)
        if not met and not any(table.overlapping(there, other) for other in others):
            return there
    return here
