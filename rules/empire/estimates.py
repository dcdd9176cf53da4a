"""Quick estimates of expected hits in the next fire and melee, for the bot opponent."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import product
from math import cos, hypot, radians, sin
from typing import NamedTuple

from rules.core.memo import cache_by_identity
from rules.core.tabletop.best_targets import BestFoeSearch, Foes, group_foes
from rules.core.tabletop.values import expected_hits, masking_loss

from .fighting.effects import effect_row, kills_to_destroy
from .fighting.engagement import CHARGE, MODIFIERS, melee_dice, melee_modifier_rows, melee_volley
from .firing import firepower
from .firing.targeting import ARTILLERY, LINES, SMALL_ARMS, effective_range, has_moved
from .model import FORMED, GUNS, MACHINE_GUNS, Arm, Blows, Contact, EmpireState, EmpireUnit, Formation, Shot, Weapon
from .options import EmpireOptions
from .tables import value

BURST_DICE = 4
"""Dice assumed for a machine gun."""
SILENT_FACTOR = 0.4
"""Factor on the expected hits of units that cannot fire this turn."""
MELEE_REACH = 48.0
"""Distance in inches beyond which an enemy is ignored as an opponent in melee."""
APPROACH_FACTOR = 0.5
"""Factor on expected melee hits of units without contact, and bonus if their nearest enemy is an easy target."""
ALL_ROUND = 180.0
TARGET_CASES = tuple((near, covered, deep) for near, covered, deep in product((False, True), repeat=3))
"""All combinations of whether a target is near, is covered, and is in depth."""
MOST_CACHED = 64
"""Maximum number of cached positions."""


class UnitForecast(NamedTuple):
    """A unit after pending hits have taken effect, and the hits that it is expected to score.

    `most` is the number of kills that destroy the unit.
    """

    unit: EmpireUnit
    most: int
    kills: int
    shaken: bool
    fire: float
    melee: float


class UnitProfile(NamedTuple):
    """A unit's weapons and position, for quick estimates.

    `hits` holds the expected hits of fire by whether the target is near, covered and in depth. `blow` is the expected
    hits of one round of melee.
    """

    unit: EmpireUnit
    here: bool
    most: int
    x: float
    y: float
    ahead: tuple[float, float]
    arc: float
    near: float
    far: float
    hits: Mapping[tuple[bool, bool, bool], float]
    covered: bool
    deep: bool
    easy: bool
    blow: float

    def expected_hits_at(self, foe: "UnitProfile") -> float:
        """Return the expected hits of fire at `foe`; 0 if `foe` is out of range or arc."""
        to_x, to_y = foe.x - self.x, foe.y - self.y
        far = hypot(to_x, to_y) - 1
        if far > self.far or to_x * self.ahead[0] + to_y * self.ahead[1] < far * self.arc:
            return 0.0
        return self.hits[far <= self.near, foe.covered, foe.deep]


def forecast_side(state: EmpireState, side: str) -> tuple[UnitForecast, ...]:
    """Return forecasts of the side's fighting units, including reserves, without units destroyed already."""
    return _forecast_armies(state.units, state.contacts, state.shots, state.blows, state.options).get(side, ())


def hits_lost_by_masking(state: EmpireState, side: str) -> float:
    """Return the expected hits that guns and machine guns lose because friends mask their best targets (BE-4.4)."""
    friends, across = state.units_of(side), LINES.is_friend_across
    guns = [unit_profile(unit, state.options) for unit in friends if unit.is_crew]
    foes = group_foes(unit_profile(foe, state.options) for foe in state.enemies(side) if not foe.is_piece)

    def is_masked(gun: UnitProfile, foe: UnitProfile) -> bool:
        return any(across(friend, gun.unit, foe.unit) for friend in friends)

    return sum(masking_loss(_best_target, gun, foes, is_masked) for gun in guns if gun.far) if guns and foes else 0.0


def dangerous_enemies(state: EmpireState, target: str) -> tuple[EmpireUnit, ...]:
    """Return the enemies whose next fire may hit the target, the most dangerous first."""
    unit = state.units[target]
    aim = unit_profile(unit, state.options)
    hopes = ((unit_profile(foe, state.options).expected_hits_at(aim), foe.id) for foe in state.foes(unit))
    return tuple(state.units[foe] for hits, foe in sorted(hopes, reverse=True) if hits)


@partial(cache_by_identity, most=MOST_CACHED)
def _forecast_armies(
    units: Mapping[str, EmpireUnit],
    contacts: tuple[Contact, ...],
    shots: tuple[Shot, ...],
    blows: tuple[Blows, ...],
    options: EmpireOptions,
) -> Mapping[str, tuple[UnitForecast, ...]]:
    """Return each side's units after pending hits, with their expected hits."""
    fighting = [unit_profile(unit, options) for unit in units.values() if not (unit.destroyed or unit.is_piece)]
    armies: dict[str, list[UnitForecast]] = {fighter.unit.side: [] for fighter in fighting}
    here = [fighter for fighter in fighting if fighter.here]
    foes = {side: group_foes(foe for foe in here if foe.unit.side != side) for side in armies}
    hurt = {shot.target for shot in shots if shot.hits}
    hurt.update(unit_id for melee in blows for unit_id in (*melee.units, *melee.against))
    contact_ids = {unit_id for contact in contacts for unit_id in (contact.attacker, contact.defender)}
    for fighter in fighting:
        unit, enemies = fighter.unit, foes[fighter.unit.side]
        lands = condition_after_pending_hits(unit, shots, blows) if unit.id in hurt else (unit.kills, unit.shaken)
        if not (fighter.here and enemies):
            hopes = (0.0, 0.0)
        elif unit.id in contact_ids:
            hopes = expected_hits_in_contact(fighter, units, contacts, options)
        else:
            hopes = _expected_hits_out_of_contact(fighter, enemies)
        armies[unit.side].append(UnitForecast(unit, fighter.most, *lands, *hopes))
    return {side: tuple(men) for side, men in armies.items()}


def condition_after_pending_hits(unit: EmpireUnit, shots: Iterable[Shot], blows: Iterable[Blows]) -> tuple[int, bool]:
    """Return the unit's kills after pending hits, and whether the unit is then shaken (BE-2)."""
    hits, kills, shaken = sum(shot.hits for shot in shots if shot.target == unit.id), unit.kills, unit.shaken
    if hits:
        row = effect_row(hits).label
        shakes = bool(value("combat-effects", row, "shaken"))
        kills += value("combat-effects", row, "kills") + (shakes and shaken)
        shaken = shaken or shakes
    for melee in blows:
        margin = melee.hits_against - melee.hits
        beaten = melee.units if margin > 0 else melee.against if margin < 0 else ()
        if unit.id in beaten:
            most, number = value("combat-effects", effect_row(abs(margin)).label, "kills of the loser"), len(beaten)
            kills += most // number + (beaten.index(unit.id) < most % number) + shaken
            shaken = True
    return kills, shaken


@cache_by_identity
def unit_profile(unit: EmpireUnit, options: EmpireOptions) -> UnitProfile:
    """Return the unit's weapons and position, with its expected hits."""
    place, guns = unit.place, unit.weapon in GUNS
    (x, y), way = (place.point, radians(place.facing)) if place is not None else ((0.0, 0.0), 0.0)
    half = min(options.fire_arc / 2, ALL_ROUND) if unit.formation in FORMED else ALL_ROUND
    skirmishes = unit.formation is Formation.SKIRMISH
    silent = unit.jammed or (guns and has_moved(unit) and not options.guns_fire_after_moving)
    part, charges = SILENT_FACTOR if silent else 1.0, unit.weapon is Weapon.NONE or unit.arm is Arm.MOUNTED
    armed = unit.weapon is not Weapon.NONE
    weapons = ARTILLERY if guns else SMALL_ARMS
    return UnitProfile(
        unit=unit,
        here=place is not None and unit.reserve is None,
        most=kills_to_destroy(unit, options),
        x=x,
        y=y,
        ahead=(sin(way), -cos(way)),
        arc=cos(radians(half)),
        near=float(value("fire-ranges", weapons, "short, to")),
        far=0.0 if not armed or unit.limbered or place is None else float(effective_range(unit)),
        hits={at: part * _expected_fire_hits(unit, options, *at) for at in TARGET_CASES} if armed else {},
        covered=bool(firepower.judge_cover_claims(unit)[0]),
        deep=unit.is_in_depth,
        easy=unit.is_crew or skirmishes,
        blow=0.0 if unit.shaken or unit.is_crew else _expected_melee_hits(unit, (), options, first=charges),
    )


def _expected_fire_hits(unit: EmpireUnit, options: EmpireOptions, near: bool, covered: bool, deep: bool) -> float:
    """Return the expected hits of the unit's next fire at a target that may be near, covered or deep (BE-3, BE-4)."""
    band = "short" if near else "effective"
    chart, rows = firepower.firer_modifier_rows(unit)
    rows = {**rows, firepower.COVERED: covered, firepower.depth_modifier_row(unit): deep}
    gains = sum(value(chart, row) for row, holds in rows.items() if holds)
    dice = BURST_DICE if unit.weapon in MACHINE_GUNS else firepower.count_fire_dice(unit, None, band)
    needed = value(*firepower.printed_score_cell(unit, band)) - gains
    volley = firepower.volley_left_to_throw(dice * firepower.count_firing_guns(options, unit), needed)
    return expected_hits(volley.dice, volley.needed)


def _expected_hits_out_of_contact(fighter: UnitProfile, foes: Foes[UnitProfile]) -> tuple[float, float]:
    """Return the unit's expected hits of fire at its best target, and of melee with the nearest enemy."""
    fire = _best_target.find_best_foe(fighter, foes)[0] if fighter.far else 0.0
    if not fighter.blow:
        return fire, 0.0
    nearness, nearest = _nearest.find_best_foe(fighter, foes)
    easy = nearest is not None and nearest.easy
    return fire, APPROACH_FACTOR * fighter.blow * (1 + easy * APPROACH_FACTOR) * max(1 + nearness / MELEE_REACH, 0.0)


_best_target = BestFoeSearch[UnitProfile](UnitProfile.expected_hits_at)
_nearest = BestFoeSearch[UnitProfile](lambda fighter, foe: -hypot(foe.x - fighter.x, foe.y - fighter.y))


def expected_hits_in_contact(
    fighter: UnitProfile, units: Mapping[str, EmpireUnit], contacts: tuple[Contact, ...], options: EmpireOptions
) -> tuple[float, float]:
    """Return the expected hits of a unit in contact: by fire at a touching enemy, and in this turn's melee."""
    unit = fighter.unit
    own_contacts = [contact for contact in contacts if unit.id in (contact.attacker, contact.defender)]
    foe = units[own_contacts[0].defender if own_contacts[0].attacker == unit.id else own_contacts[0].attacker]
    charged = any(contact.defender == unit.id for contact in own_contacts)
    first = not any(contact.rounds for contact in own_contacts)
    charges = (contact for contact in own_contacts if contact.attacker == unit.id and not contact.rounds)
    flank = any(charge.flank for charge in charges) and not foe.is_in_square
    earliest = next(contact for contact in contacts if foe.id in (contact.attacker, contact.defender))
    leads = unit.id in (earliest.attacker, earliest.defender)
    fire = fighter.hits[True, False, False] if fighter.far and not unit.this_turn.shot else 0.0
    blow = _expected_melee_hits(unit, (foe,), options, first=first, charged=charged, leads=leads)
    return fire, blow * (value("melee-dice", CHARGE) if flank and leads else 1)


def _expected_melee_hits(
    unit: EmpireUnit,
    foes: tuple[EmpireUnit, ...],
    options: EmpireOptions,
    *,
    first: bool,
    charged: bool = False,
    leads: bool = True,
) -> float:
    """Return the unit's expected hits in a round of melee (BE-5)."""
    rows = melee_modifier_rows(unit, foes, options, charged=charged, first=first)
    edge = sum(value(MODIFIERS, row) for row, holds in rows.items() if holds)
    volley = melee_volley(melee_dice(unit, "primary" if leads else "support"), edge)
    return expected_hits(volley.dice, volley.needed)
