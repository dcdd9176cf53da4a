"""How many men a unit may hope to cost an enemy, by fire, by a charge, and in a mêlée: quickly, not exactly."""

from fractions import Fraction
from functools import lru_cache

from rules.core.ad_hoc import throwaway
from rules.core.memo import remembered
from rules.core.scene import TerrainPiece
from rules.core.tabletop.values import angle_off_facing, nearness

from .aim import reach
from .bouts import Man, paired
from .figures import PLACEMENT
from .ground import cover
from .model import Arm, ChargeState, ChargeUnit, Fight
from .options import ChargeOptions
from .shared import FIRE, MOVES
from .tables import SIDES, limit
from .volley import Volley, groups, halvings, needed

OUT_OF_ARC, OUT_OF_REACH = 0.5, 0.5
"""What is left of the hope of fire where the unit must turn, or come nearer, first."""
MARCH, RIDE = 12.0, 24.0
"""Inches within which a charge of foot, and of horse, may be hoped for."""


def mans_its_gun(unit: ChargeUnit) -> bool:
    """Whether the unit is a gun able to fire."""
    return unit.arm is Arm.GUN and not unit.gun_destroyed and unit.figures >= limit("crew that man a gun")


@lru_cache(maxsize=1 << 8)
def _mean(whole: int, odd: bool, to_hit: int = 1) -> float:
    """Return the expected casualties of a volley whose pips each cost a man."""
    return float(Volley(whole, odd, Fraction(1), to_hit).mean)


@remembered
def bare_table(terrain: tuple[TerrainPiece, ...], options: ChargeOptions) -> ChargeState:
    """Return the table without units."""
    return throwaway(ChargeState, terrain=terrain, options=options)


def fire(unit: ChargeUnit, foe: ChargeUnit, table: ChargeState) -> float:
    """Men that a unit's fire may cost an enemy as both stand, or once it has turned and come nearer."""
    if unit.arm is Arm.CAVALRY or (unit.arm is Arm.GUN and not mans_its_gun(unit)):
        return 0.0
    gap = PLACEMENT.gap_within(unit, foe, reach(unit) + RIDE)
    if gap is None or unit.place is None or foe.place is None:
        return 0.0
    covered = cover(table, unit, foe) if gap <= reach(unit) else ""
    far = min(gap, reach(unit))
    hope = _mean(1, False, needed(far) or SIDES) if unit.arm is Arm.GUN else _mean(*groups(unit.figures))
    for halved in halvings(unit, foe, far, covered):
        hope *= float(halved.value)
    if gap > reach(unit):
        hope *= OUT_OF_REACH * nearness(gap - reach(unit), RIDE)
    turned = angle_off_facing(unit.place, foe.place.point) > limit("degrees right or left of the facing")
    return min(hope, foe.figures) * (OUT_OF_ARC if turned else 1.0)


def charge(unit: ChargeUnit, foe: ChargeUnit) -> float:
    """Estimate surplus enemy losses by charging, larger when close."""
    within = RIDE if unit.arm is Arm.CAVALRY else MARCH
    gap = None if unit.arm is Arm.GUN else PLACEMENT.gap_within(unit, foe, within)
    near = 0.0 if gap is None else nearness(gap, within)
    if not near:
        return 0.0
    shot = _fire_in_contact(foe, unit)
    left = max(unit.figures - shot, 0.0)
    return (
        max(_won((unit,), (left,), (foe,), (foe.figures,)) - _won((foe,), (foe.figures,), (unit,), (left,)) - shot, 0.0)
        * near
    )


def _fire_in_contact(unit: ChargeUnit, foe: ChargeUnit) -> float:
    """Men that a unit's fire costs one who has come into contact with it."""
    if unit.arm is Arm.CAVALRY or (unit.arm is Arm.GUN and not mans_its_gun(unit)):
        return 0.0
    hope = _mean(1, False) if unit.arm is Arm.GUN else _mean(*groups(unit.figures))
    for halved in halvings(unit, foe, 0.0, ""):
        hope *= float(halved.value)
    return min(hope, foe.figures)


def melee(state: ChargeState, side: str) -> float:
    """Estimate enemy losses in current mêlées and preceding fire."""
    return sum(_expected_dead(state, fight, side) for fight in state.fights)


def _expected_dead(state: ChargeState, fight: Fight, side: str) -> float:
    units = [unit for each in fight.units if (unit := state.units[each]).on_table]
    ours, theirs = ([one for one in units if (one.side == side) is mine] for mine in (True, False))
    if not ours or not theirs:
        return 0.0
    shot, shot_at = _volleys(state, fight, ours, theirs), _volleys(state, fight, theirs, ours)
    left, their_left = _men_left(ours, shot_at), _men_left(theirs, shot)
    return shot + _won(tuple(ours), left, tuple(theirs), their_left)


def _volleys(state: ChargeState, fight: Fight, units: list[ChargeUnit], foes: list[ChargeUnit]) -> float:
    """Return what the fire of those who were attacked will cost before the mêlée."""
    attacked = (units[0].side == state.mover) is (fight.since < state.began)
    over = fight.since < state.began and state.phase not in (MOVES, FIRE)
    if not attacked or over:
        return 0.0
    able = (unit for unit in units if fight.since == state.began or not unit.this_turn.has_fired)
    return min(sum(_fire_in_contact(unit, foes[0]) for unit in able), sum(foe.figures for foe in foes))


def _men_left(units: list[ChargeUnit], shot: float) -> tuple[float, ...]:
    """Return men remaining in each unit after pending and estimated fire."""
    left = [max(unit.figures - float(unit.to_fall), 0.0) for unit in units]
    part = max(1 - shot / (sum(left) or 1.0), 0.0)
    return tuple(each * part for each in left)


def _won(
    ours: tuple[ChargeUnit, ...], left: tuple[float, ...], theirs: tuple[ChargeUnit, ...], their_left: tuple[float, ...]
) -> float:
    """Estimate enemy men killed."""
    return _fall(*_foot_and_horse(ours, left), *_foot_and_horse(theirs, their_left))


def _foot_and_horse(units: tuple[ChargeUnit, ...], left: tuple[float, ...]) -> tuple[int, int]:
    horse = sum(men for unit, men in zip(units, left, strict=True) if unit.arm is Arm.CAVALRY)
    return round(sum(left) - horse), round(horse)


@lru_cache(maxsize=1 << 14)
def _fall(foot: int, horse: int, their_foot: int, their_horse: int) -> float:
    bouts = paired(_men(foot, horse), _men(their_foot, their_horse))
    return sum(float(bout.spread[1]) for bout in bouts)


def _men(foot: int, horse: int) -> tuple[Man, ...]:
    return tuple(Man("", number, number < horse) for number in range(foot + horse))
