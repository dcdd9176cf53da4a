"""Quick estimates of volleys, melees and tests for the opponent."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache, partial
from math import prod
from typing import NamedTuple

from rules.core.ad_hoc import throwaway_state
from rules.core.memo import cache_by_identity
from rules.core.scene import TerrainPiece
from rules.core.tabletop.table import CLOSE
from rules.core.tabletop.values import expected_hits, inches_between, nearness
from rules.core.throws import ScoreThrow

from .arms import has_own_morale, is_british_infantry, is_riding_infantry, never_routs
from .engagement import melee_pairs
from .fighting.bouts import count_combat_results, count_combats
from .fighting.contact import ADJUSTMENTS, melee_adjustments
from .firing import firepower
from .model import Attack, MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test, Weapon
from .morale.flight import GONE_OR_GOING, HELD
from .morale.trials import make_trial
from .options import MagdalaOptions
from .placement import base_size
from .tables import SIDES, value

Terrain = tuple[TerrainPiece, ...]
ROUNDS = 2
"""Number of melee rounds that an estimate looks ahead."""
FULL_VALUE, HALF_VALUE = 12.0, 4.0
"""Values of a unit without losses, and of a unit just above half strength."""
DETACHMENT_VALUE = 1.0
"""Value of a detachment without losses; its loss breaks no army."""
UNREADY_FACTOR = 0.5
"""Factor on a unit's expected effect if the unit must first unlimber or dismount."""
TOUCHING_DISTANCE = 1.5
"""Approximate distance in inches between centres of touching bases."""
CHARGE_REACH = 30.0
"""Distance in inches within which enemies count as chargeable."""
MAX_REACH = 90.0
"""Distance in inches beyond which no fire is expected, whatever the weapon's range."""
CACHED_STATES = 16
"""Maximum number of states whose unengaged units are cached."""
OVERLAP_RATIO = 1.25
"""Ratio of strengths above which the stronger unit is assumed to overlap both flanks of the weaker unit."""


class MoraleRoll(NamedTuple):
    """A unit's morale test after a lost melee: `dice` D6 plus `adds`.

    A dice total of at least `always` passes regardless of `adds` (MM-5.3, MM-5.4).
    """

    dice: int
    adds: int
    always: int | None

    def chance_of_failing(self, casualties: int) -> float:
        """Return the chance of failing a test after `casualties` casualties in all (MM-5.6)."""
        return float(1 - ScoreThrow(self.dice, SIDES, casualties - self.adds, always=self.always).chance)


class MeleeStatistics(NamedTuple):
    """Melee statistics of a unit, independent of position."""

    figures: int
    casualties: int
    whole: float
    least: float
    frontage: float
    square: bool
    stands: bool
    test: MoraleRoll

    @property
    def strength(self) -> int:
        """Return the figures left."""
        return self.figures - self.casualties

    def value_after(self, losses: float) -> float:
        """Return the unit's value after it loses `losses` more figures. Half strength costs most of it (MM-5.9)."""
        share = 1 - 2 * (self.casualties + losses) / self.figures
        return self.least + (self.whole - self.least) * share if share > 0 else self.least * max(1 + share, 0.0)

    def chance_of_failing(self, losses: float) -> float:
        """Return the chance of failing a morale test after `losses` more figures (MM-5.6)."""
        casualties = self.casualties + int(losses)
        now, after_one_more = self.test.chance_of_failing(casualties), self.test.chance_of_failing(casualties + 1)
        return now + (after_one_more - now) * (losses - int(losses))


@cache_by_identity
def melee_statistics(unit: MagdalaUnit) -> MeleeStatistics:
    """Return a unit's melee statistics (MM-4.3) and value."""
    is_gone = not unit.on_table or unit.morale is Morale.ROUTED or unit.leaving
    whole, least = (0.0, 0.0) if is_gone else (1.0, 1.0) if not has_own_morale(unit) else (FULL_VALUE, HALF_VALUE)
    whole, least = (DETACHMENT_VALUE, 0.0) if unit.is_detachment and not is_gone else (whole, least)
    return MeleeStatistics(
        figures=unit.figures,
        casualties=unit.casualties,
        whole=whole,
        least=least,
        frontage=base_size(unit)[0],
        square=unit.in_square,
        stands=never_routs(unit),
        test=melee_morale_roll(unit),
    )


def melee_morale_roll(unit: MagdalaUnit) -> MoraleRoll:
    """Return the unit's morale test after a lost melee. Leaders and wagons, who do not test, count as failing."""
    if not has_own_morale(unit):
        return MoraleRoll(dice=0, adds=-1, always=None)
    alone = throwaway_state(MagdalaState, unit)
    test = make_trial(alone, StoredPrompt(key="", unit=unit.id, test=Test.MELEE_LOST)).test
    return MoraleRoll(test.dice, test.adjustment, test.always)


@cache_by_identity
def unit_value(unit: MagdalaUnit) -> float:
    """Return the unit's value after its casualties."""
    return melee_statistics(unit).value_after(0.0)


class Firepower(NamedTuple):
    """A unit's firepower: its dice in the open, not rounded (MM-3.2, MM-3.3), and its ranges in inches (MM-3.6)."""

    weapon: Weapon
    dice: float
    rounds_halves_up: bool
    bands: tuple[firepower.RangeBand, ...]
    least: float
    furthest: float


@cache_by_identity
def find_firepower(unit: MagdalaUnit, options: MagdalaOptions) -> Firepower | None:
    """Return the unit's firepower; None if it cannot fire soon: no weapon, ammunition or nerve (MM-3.1, MM-3.7)."""
    empty = unit.ammunition <= 0 and not unit.is_detachment
    if unit.weapon is Weapon.MELEE or unit.jammed or empty or unit.morale in GONE_OR_GOING:
        return None
    factors = (factor.value for factor in firepower.firing_factors(unit, options))
    exact = prod(factors, start=Fraction(unit.strength))
    most, least = firepower.maximum_range(unit, options), firepower.minimum_range(unit, options)
    ranges = firepower.range_bands(unit, options), least, MAX_REACH if most is None else min(most, MAX_REACH)
    return Firepower(unit.weapon, float(exact), firepower.rounds_half_dice_up(unit), *ranges)


@cache_by_identity
def make_state_without_units(terrain: Terrain, options: MagdalaOptions) -> MagdalaState:
    """Return a state with this terrain and these options, without units."""
    return throwaway_state(MagdalaState, terrain=terrain, options=options)


@cache_by_identity
def fire_reduction_factor(weapon: Weapon, foe: MagdalaUnit, terrain: Terrain, options: MagdalaOptions) -> float:
    """Return the product of the chart factors for cover, order and posture of `foe` (MM-3.4)."""
    factors = firepower.volley_reductions(make_state_without_units(terrain, options), weapon, foe)
    return float(prod(factor.value for factor in factors))


def expected_volley_hits(unit: MagdalaUnit, foe: MagdalaUnit, options: MagdalaOptions, terrain: Terrain) -> float:
    """Return the expected hits on `foe` by a volley of `unit` at full effect (MM-3)."""
    fires = find_firepower(unit, options)
    if fires is None or not has_own_morale(foe):
        return 0.0
    far = inches_between(unit, foe) - TOUCHING_DISTANCE
    if not fires.least <= far <= fires.furthest:
        return 0.0
    *nearer, last = fires.bands
    at = next((band for band in nearer if band.to is None or far < band.to), last)
    exact = fires.dice * fire_reduction_factor(fires.weapon, foe, terrain, options)
    return expected_hits(firepower.round_dice(exact + CLOSE, fires.rounds_halves_up), at.hits_from)


def value_lost_to_volley(unit: MagdalaUnit, foe: MagdalaUnit, options: MagdalaOptions, terrain: Terrain) -> float:
    """Return the value that `foe` is expected to lose by the next volley of `unit`."""
    hits = expected_volley_hits(unit, foe, options, terrain)
    if not hits:
        return 0.0
    at_half = unit.morale in HELD or unit.half_effect_next_fire
    ability = half_effect_factor() if at_half else UNREADY_FACTOR if unit.limbered else 1.0
    return (unit_value(foe) - melee_statistics(foe).value_after(hits)) * ability


@cache
def half_effect_factor() -> float:
    """Return the factor by which half effect reduces a volley (MM-3.4)."""
    return float(firepower.chart_factor(firepower.HALF_EFFECT).value)


cached_volley_loss = cache_by_identity(value_lost_to_volley)
"""`value_lost_to_volley`, with results cached by the identity of the arguments."""


def melee_gain(unit: MagdalaUnit, foe: MagdalaUnit, attack: Attack, options: MagdalaOptions) -> float:
    """Estimate the value that an attack destroys, less the value that it loses, over the next melee rounds."""
    difference = melee_modifier_difference(unit, foe, options)
    return _gain_in_melee_rounds(melee_statistics(unit), melee_statistics(foe), difference, attack is not Attack.FRONT)


def melee_modifier_difference(unit: MagdalaUnit, foe: MagdalaUnit, options: MagdalaOptions) -> int:
    """Return the modifiers of `unit` as attacker minus those of `foe` in the first round of a melee (MM-4.3)."""
    attacker, defender = unit_with_equal_modifiers(unit), unit_with_equal_modifiers(foe)
    return _melee_modifier(attacker, defender, options, True) - _melee_modifier(defender, attacker, options, False)


@cache_by_identity
def unit_with_equal_modifiers(unit: MagdalaUnit) -> MagdalaUnit:
    """Return one unit for all units with equal melee modifiers, so that they share cached results."""
    key = unit.nation, unit.troop, unit.fierce, unit.lancer, unit.works, is_british_infantry(unit)
    return _fighters.setdefault(key, unit)


_fighters: dict[tuple[object, ...], MagdalaUnit] = {}


@cache_by_identity
def _melee_modifier(unit: MagdalaUnit, foe: MagdalaUnit, options: MagdalaOptions, attacks: bool) -> int:
    rows = melee_adjustments(unit, foe, options, attacks=attacks, first=True)
    return sum(value(ADJUSTMENTS, row) for row, holds in rows.items() if holds)


@lru_cache(maxsize=1 << 14)
def _gain_in_melee_rounds(attacker: MeleeStatistics, defender: MeleeStatistics, difference: int, flank: bool) -> float:
    along = min(round(attacker.strength * min(defender.frontage / attacker.frontage, 1)) or 1, defender.strength)
    ours, theirs, _ = count_combat_results(difference)
    rounds, faces = ROUNDS * count_combats(defender.strength if flank and not defender.square else along), SIDES**2
    extra = 2 * (ROUNDS + 1) * count_combat_results(0)[0] / faces
    lost = rounds * ours / faces + extra * (defender.strength > OVERLAP_RATIO * attacker.strength)
    killed = rounds * theirs / faces + extra * (attacker.strength > OVERLAP_RATIO * defender.strength)
    return _value_lost_in_melee(defender, killed, lost) - _value_lost_in_melee(attacker, lost, killed)


def _value_lost_in_melee(unit: MeleeStatistics, lost: float, killed: float) -> float:
    """Estimate the value that the unit loses by casualties and subsequent flight (MM-5.8)."""
    loses, flies = lost / max(lost + killed, 1.0), 0.15 if unit.stands else 0.9
    return unit.value_after(0.0) - unit.value_after(lost) * (1 - flies * loses * unit.chance_of_failing(lost))


def charge_gain(unit: MagdalaUnit, foe: MagdalaUnit, options: MagdalaOptions, terrain: Terrain) -> float:
    """Estimate the gain if `unit` charges `foe`: more at a short distance; 0 if a charge is impossible or loses."""
    if unit.morale is not Morale.STEADY or not (has_own_morale(unit) and has_own_morale(foe)):
        return 0.0
    far = inches_between(unit, foe) - TOUCHING_DISTANCE
    won = melee_gain(unit, foe, Attack.FRONT, options) if far < CHARGE_REACH else 0.0
    if won <= 0:
        return 0.0
    ability = UNREADY_FACTOR if is_riding_infantry(unit) else 1.0
    gain = max(won - UNREADY_FACTOR * cached_volley_loss(foe, unit, options, terrain), 0.0)
    return gain * nearness(far, CHARGE_REACH) * ability


def prompt_cost(state: MagdalaState, prompt: StoredPrompt) -> float:
    """Estimate the value that a prompt costs its unit. Defensive fire is a gain, so its cost is negative."""
    unit = state.unit(prompt.unit)
    if prompt.test is Test.DEFENSIVE_FIRE:
        factor = half_effect_factor() if prompt.half_effect else 1.0
        return -cached_volley_loss(unit, state.unit(prompt.by), state.options, state.terrain) * factor
    if prompt.test in (Test.GENERAL_RISK, Test.RETREAT, Test.PURSUIT_MOVE, Test.WITNESS, Test.STRAY_ROCKETS):
        return 0.3
    misses = 1.0 if prompt.failed else float(1 - make_trial(state, prompt).test.chance)
    routs = prompt.test is Test.MELEE_LOST and not never_routs(unit)
    return misses * (unit_value(unit) if routs else 3.0)


@partial(cache_by_identity, most=CACHED_STATES)
def unengaged_units(state: MagdalaState) -> Mapping[str, tuple[tuple[MagdalaUnit, ...], tuple[MagdalaUnit, ...]]]:
    """Return a pair for each side: the side's units out of melee, and the enemies out of melee."""
    fighters = {unit.id for pair in melee_pairs(state) for unit in pair}
    free = [unit for unit in state.units.values() if unit.id not in fighters and unit_value(unit) > 1]
    own = {side.id: tuple(unit for unit in free if unit.side == side.id) for side in state.sides}
    return {side: (units, tuple(unit for unit in free if unit.side != side)) for side, units in own.items()}
