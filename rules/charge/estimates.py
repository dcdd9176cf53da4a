"""Quick, inexact estimates of the men that an enemy loses by fire, by a charge, and in a mêlée."""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import prod

from rules.core.ad_hoc import throwaway_state
from rules.core.memo import cache_by_identity
from rules.core.scene import TerrainPiece
from rules.core.tabletop.values import angle_off_facing, nearness

from .aim import maximum_range
from .bouts import Man, pair_men
from .figures import PLACEMENT
from .ground import find_cover
from .model import Arm, ChargeState, ChargeUnit, Fight
from .options import ChargeOptions
from .shared import FIRE, MOVES
from .tables import SIDES, limit
from .volley import Volley, count_infantry_dice, halving_modifiers, score_to_hit

OUT_OF_ARC, OUT_OF_REACH = 0.5, 0.5
"""Factors on expected fire if the unit must first turn, or come nearer."""
MARCH, RIDE = 12.0, 24.0
"""Inches within which a charge of infantry, and of cavalry, is likely."""


def is_gun_able_to_fire(unit: ChargeUnit) -> bool:
    """Whether the unit is a gun able to fire."""
    return unit.arm is Arm.GUN and not unit.gun_destroyed and unit.figures >= limit("crew that man a gun")


@lru_cache(maxsize=1 << 8)
def _mean_casualties(whole_dice: int, odd: bool, to_hit: int = 1) -> float:
    """Return the expected casualties of a volley if each pip costs one man."""
    return float(Volley(whole_dice, odd, Fraction(1), to_hit).expected_casualties)


def _estimate_casualties(unit: ChargeUnit, foe: ChargeUnit, far: float, cover: str) -> float:
    """Return the expected casualties if `unit` fires at `foe` from `far` inches; `cover` names the foe's cover."""
    dice = (1, False, score_to_hit(far) or SIDES) if unit.arm is Arm.GUN else count_infantry_dice(unit.figures)
    return _mean_casualties(*dice) * prod(float(half.value) for half in halving_modifiers(unit, foe, far, cover))


@cache_by_identity
def make_table_without_units(terrain: tuple[TerrainPiece, ...], options: ChargeOptions) -> ChargeState:
    """Return a table with this terrain and these options, but no units."""
    return throwaway_state(ChargeState, terrain=terrain, options=options)


def estimate_fire_losses(unit: ChargeUnit, foe: ChargeUnit, table: ChargeState) -> float:
    """Estimate the men that `foe` loses by the fire of `unit`.

    The estimate is lower if the unit must first turn or come nearer. `table` has the terrain and no units.
    """
    if unit.arm is Arm.CAVALRY or (unit.arm is Arm.GUN and not is_gun_able_to_fire(unit)):
        return 0.0
    gap = PLACEMENT.gap_within(unit, foe, maximum_range(unit) + RIDE)
    if gap is None or unit.place is None or foe.place is None:
        return 0.0
    cover = find_cover(table, unit, foe) if gap <= maximum_range(unit) else ""
    far = min(gap, maximum_range(unit))
    hope = _estimate_casualties(unit, foe, far, cover)
    if gap > maximum_range(unit):
        hope *= OUT_OF_REACH * nearness(gap - maximum_range(unit), RIDE)
    turned = angle_off_facing(unit.place, foe.place.point) > limit("degrees right or left of the facing")
    return min(hope, foe.figures) * (OUT_OF_ARC if turned else 1.0)


def estimate_charge_gain(unit: ChargeUnit, foe: ChargeUnit) -> float:
    """Estimate how many more men `foe` loses than `unit` by a charge of `unit`. Distance lowers the estimate."""
    within = RIDE if unit.arm is Arm.CAVALRY else MARCH
    gap = None if unit.arm is Arm.GUN else PLACEMENT.gap_within(unit, foe, within)
    near = 0.0 if gap is None else nearness(gap, within)
    if not near:
        return 0.0
    shot = _estimate_fire_in_contact(foe, unit)
    ours = _count_foot_and_horse((unit,), (max(unit.figures - shot, 0.0),))
    theirs = _count_foot_and_horse((foe,), (foe.figures,))
    kills, deaths = _estimate_kills(*ours, *theirs), _estimate_kills(*theirs, *ours)
    return max(kills - deaths - shot, 0.0) * near


def _estimate_fire_in_contact(unit: ChargeUnit, foe: ChargeUnit) -> float:
    """Estimate the men that `foe` loses by the fire of `unit` once both are in contact."""
    if unit.arm is Arm.CAVALRY or (unit.arm is Arm.GUN and not is_gun_able_to_fire(unit)):
        return 0.0
    return min(_estimate_casualties(unit, foe, 0.0, ""), foe.figures)


def estimate_melee_gain(state: ChargeState, side: str) -> float:
    """Estimate how many enemies the side kills in the present fights, and by its fire before the mêlées."""
    return sum(_estimate_fight_gain(state, fight, side) for fight in state.fights)


def _estimate_fight_gain(state: ChargeState, fight: Fight, side: str) -> float:
    units = [unit for unit_id in fight.units if (unit := state.units[unit_id]).on_table]
    ours, theirs = ([unit for unit in units if (unit.side == side) is mine] for mine in (True, False))
    if not ours or not theirs:
        return 0.0
    shot = _estimate_return_fire(state, fight, ours, theirs)
    shot_at = _estimate_return_fire(state, fight, theirs, ours)
    our_men = _count_foot_and_horse(ours, _estimate_men_left(ours, shot_at))
    their_men = _count_foot_and_horse(theirs, _estimate_men_left(theirs, shot))
    return shot + _estimate_kills(*our_men, *their_men)


def _estimate_return_fire(state: ChargeState, fight: Fight, units: list[ChargeUnit], foes: list[ChargeUnit]) -> float:
    """Estimate the men that `foes` lose by the fire of `units` before the mêlée.

    The estimate is 0 if `units` began the fight, or if they may no longer fire before the mêlée.
    """
    were_attacked = (units[0].side == state.mover) is (fight.since < state.began)
    fire_is_over = fight.since < state.began and state.phase not in (MOVES, FIRE)
    if not were_attacked or fire_is_over:
        return 0.0
    firing_units = (unit for unit in units if fight.since == state.began or not unit.this_turn.has_fired)
    return min(sum(_estimate_fire_in_contact(unit, foes[0]) for unit in firing_units), sum(foe.figures for foe in foes))


def _estimate_men_left(units: list[ChargeUnit], shot: float) -> tuple[float, ...]:
    """Return the expected men left in each unit after pending hits and `shot` more casualties."""
    men_left = [max(unit.figures - float(unit.pending_casualties), 0.0) for unit in units]
    part = max(1 - shot / (sum(men_left) or 1.0), 0.0)
    return tuple(men * part for men in men_left)


def _count_foot_and_horse(units: Iterable[ChargeUnit], men_left: tuple[float, ...]) -> tuple[int, int]:
    """Return the rounded numbers of men on foot and on horseback. `men_left` are the men left in each unit."""
    horse = sum(men for unit, men in zip(units, men_left, strict=True) if unit.arm is Arm.CAVALRY)
    return round(sum(men_left) - horse), round(horse)


@lru_cache(maxsize=1 << 14)
def _estimate_kills(foot: int, horse: int, their_foot: int, their_horse: int) -> float:
    """Return the expected number of enemies killed in a mêlée."""
    bouts = pair_men(_make_men(foot, horse), _make_men(their_foot, their_horse))
    return sum(float(bout.distribution[1]) for bout in bouts)


def _make_men(foot: int, horse: int) -> tuple[Man, ...]:
    return tuple(Man("", number, number < horse) for number in range(foot + horse))
