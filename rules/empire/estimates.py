"""What is to be expected of the next fire and the next melee, quickly reckoned: for the opponent to weigh with."""

from collections.abc import Iterable, Mapping
from math import cos, hypot, radians, sin
from typing import NamedTuple

from rules.core.memo import remembered
from rules.core.tabletop.best_targets import Best, Foes, shared_group

from .fighting.effects import effect, most_kills
from .fighting.engagement import dice_of
from .firing.targeting import has_moved
from .model import (
    FORMED,
    GUNS,
    MACHINE_GUNS,
    Arm,
    Blows,
    Contact,
    Cover,
    Defence,
    EmpireState,
    EmpireUnit,
    Formation,
    Rate,
    Shot,
    Weapon,
)
from .options import EmpireOptions
from .tables import value

SIDES = 6
NEAR, FAR = {True: 12.0, False: 9.0}, {True: 36.0, False: 24.0}
"""Ranges, of guns or not (BE-4.1)."""
BURST = 4
"""Dice that a machine gun is reckoned with."""
SILENT = 0.4
"""Weight of fire for units unable to fire this turn."""
COMES_NEAR = 48.0
"""Distance in inches beyond which enemies are ignored."""
TO_COME = 0.5
"""Weight of melee before contact."""
ALL_ROUND = 180.0
LATEST = 64
"""Number of cached positions."""


class Man(NamedTuple):
    """A unit after pending hits: maximum kills, kills, shaken; and expected hits by fire and melee.

    Hits it may hope for, that is, of fire and of melee.
    """

    unit: EmpireUnit
    most: int
    kills: int
    shaken: bool
    fire: float
    melee: float


class Arms(NamedTuple):
    """A unit's weapons and position: expected hits by range and cover, and by melee.

    `hits` are those of fire by whether it is near and by how well the target is covered; `blow` those of melee.
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
    hits: tuple[tuple[float, ...], ...]
    covered: int
    easy: bool
    blow: float

    def fire_at(self, foe: "Arms") -> float:
        """Hits to be hoped for of fire at that enemy."""
        to_x, to_y = foe.x - self.x, foe.y - self.y
        far = hypot(to_x, to_y) - 1
        if far > self.far or to_x * self.ahead[0] + to_y * self.ahead[1] < far * self.arc:
            return 0.0
        return self.hits[far <= self.near][foe.covered]


def survivors(state: EmpireState, side: str) -> tuple[Man, ...]:
    """Return a side's surviving fighting units, including reserves."""
    return _armies(state.units, state.contacts, state.shots, state.blows, state.options).get(side, ())


def dangers(state: EmpireState, target: str) -> tuple[EmpireUnit, ...]:
    """The enemies of a unit who may hope to hit it with their next fire, the most dangerous first."""
    unit = state.units[target]
    hopes = ((arms(foe, state.options).fire_at(arms(unit, state.options)), foe.id) for foe in state.foes(unit))
    return tuple(state.units[foe] for hits, foe in sorted(hopes, reverse=True) if hits)


def _reckoned(
    units: Mapping[str, EmpireUnit],
    contacts: tuple[Contact, ...],
    shots: tuple[Shot, ...],
    blows: tuple[Blows, ...],
    options: EmpireOptions,
) -> Mapping[str, tuple[Man, ...]]:
    """The armies by side."""
    fighting = [arms(unit, options) for unit in units.values() if not (unit.destroyed or unit.is_piece)]
    armies: dict[str, list[Man]] = {one.unit.side: [] for one in fighting}
    foes = {side: shared_group(one for one in fighting if one.here and one.unit.side != side) for side in armies}
    hurt = {shot.target for shot in shots if shot.hits}
    hurt.update(each for thrown in blows for each in (*thrown.units, *thrown.against))
    met = {each for contact in contacts for each in (contact.attacker, contact.defender)}
    for one in fighting:
        unit, others = one.unit, foes[one.unit.side]
        lands = _landed(unit, shots, blows) if unit.id in hurt else (unit.kills, unit.shaken)
        hopes = (0.0, 0.0)
        if one.here and others:
            hopes = _in_contact(one, units, contacts) if unit.id in met else _hopes(one, others)
        armies[unit.side].append(Man(unit, one.most, *lands, *hopes))
    return {side: tuple(men) for side, men in armies.items()}


_armies = remembered(_reckoned, LATEST)


def _landed(unit: EmpireUnit, shots: Iterable[Shot], blows: Iterable[Blows]) -> tuple[int, bool]:
    """Return kills and shaken status after pending hits (BE-2)."""
    hits, kills, shaken = sum(shot.hits for shot in shots if shot.target == unit.id), unit.kills, unit.shaken
    if hits:
        row = effect(hits).label
        again = bool(value("combat-effects", row, "shaken"))
        kills += value("combat-effects", row, "kills") + (again and shaken)
        shaken = shaken or again
    for thrown in blows:
        lost = thrown.hits_against - thrown.hits
        beaten = thrown.units if lost > 0 else thrown.against if lost < 0 else ()
        if unit.id in beaten:
            most, number = value("combat-effects", effect(abs(lost)).label, "kills of the loser"), len(beaten)
            kills += most // number + (beaten.index(unit.id) < most % number) + shaken
            shaken = True
    return kills, shaken


def _arms(unit: EmpireUnit, options: EmpireOptions) -> Arms:
    place, guns = unit.place, unit.weapon in GUNS
    (x, y), way = (place.point, radians(place.facing)) if place is not None else ((0.0, 0.0), 0.0)
    half = min(options.fire_arc / 2, ALL_ROUND) if unit.formation in FORMED else ALL_ROUND
    skirmishes = unit.formation is Formation.SKIRMISH
    silent = unit.jammed or (guns and has_moved(unit) and not options.guns_fire_after_moving)
    part, charges = SILENT if silent else 1.0, unit.weapon is Weapon.NONE or unit.arm is Arm.MOUNTED
    return Arms(
        unit=unit,
        here=place is not None and unit.reserve is None,
        most=most_kills(unit, options),
        x=x,
        y=y,
        ahead=(sin(way), -cos(way)),
        arc=cos(radians(half)),
        near=NEAR[guns],
        far=0.0 if unit.weapon is Weapon.NONE or unit.limbered or place is None else FAR[guns],
        hits=tuple(tuple(part * _hits(unit, cover, near=near) for cover in (0, 1, -1)) for near in (False, True)),
        covered=(skirmishes or unit.gone_to_ground or unit.cover is not Cover.NONE) - unit.in_depth,
        easy=unit.is_crew or skirmishes,
        blow=0.0 if unit.shaken or unit.is_crew else _blow(unit, _edge(unit, first=charges)),
    )


arms = remembered(_arms)


def _hits(unit: EmpireUnit, cover: int, *, near: bool) -> float:
    """Hits that the next fire of a unit may hope for at a target with so much cover (BE-3, BE-4)."""
    if unit.weapon in GUNS:
        dice, needed = {Rate.FIRST: 4, Rate.SECOND: 3, Rate.THIRD: 2}[unit.rate] + near, 4
    elif unit.weapon in MACHINE_GUNS:
        dice, needed = BURST, 5 - near - (unit.weapon is Weapon.MAXIM)
    else:
        dice, needed = 1, {Rate.FIRST: 4, Rate.SECOND: 5, Rate.THIRD: 6}[unit.rate] - near
    needed += unit.shaken + (unit.weapon not in GUNS and has_moved(unit)) + unit.low_ammo + cover
    return max(dice * unit.stands - max(needed - SIDES, 0), 0) * (SIDES + 1 - min(max(needed, 1), SIDES)) / SIDES


def _hopes(one: Arms, foes: Foes[Arms]) -> tuple[float, float]:
    """Hits that a unit may hope for of fire, at the enemy it bears on best, and of melee with the nearest."""
    fire = _bears_on.of(one, foes)[0] if one.far else 0.0
    if not one.blow:
        return fire, 0.0
    nearness, nearest = _nearest.of(one, foes)
    easy = nearest is not None and nearest.easy
    return fire, TO_COME * one.blow * (1 + easy * TO_COME) * max(1 + nearness / COMES_NEAR, 0.0)


_bears_on = Best[Arms](Arms.fire_at)
_nearest = Best[Arms](lambda one, foe: -hypot(foe.x - one.x, foe.y - one.y))


def _in_contact(one: Arms, units: Mapping[str, EmpireUnit], contacts: tuple[Contact, ...]) -> tuple[float, float]:
    """Return hits for engaged units: fire only at touching enemies, and this turn's melee."""
    unit, mine = one.unit, [each for each in contacts if one.unit.id in (each.attacker, each.defender)]
    foe = units[mine[0].defender if mine[0].attacker == unit.id else mine[0].attacker]
    edge = _edge(unit, first=not any(each.rounds for each in mine)) - unit.shaken
    edge += 2 * (foe.is_crew or foe.formation is Formation.SKIRMISH)
    edge += unit.defending is not Defence.NOTHING and any(each.defender == unit.id for each in mine)
    flank = any(each.attacker == unit.id and each.flank and not each.rounds for each in mine)
    first = next(each for each in contacts if foe.id in (each.attacker, each.defender))
    leads = unit.id in (first.attacker, first.defender)
    fire = one.hits[1][0] if one.far and not unit.this_turn.shot else 0.0
    return fire, _blow(unit, edge, leads=leads) * (2 if flank and leads else 1)


def _edge(unit: EmpireUnit, *, first: bool) -> int:
    """What each of its dice gains: mounted or massed in the first round, and in fanatic charge (BE-5)."""
    massed = unit.arm is Arm.MOUNTED or (unit.arm is Arm.FOOT and unit.is_massed)
    return (massed and first and not unit.shaken) + unit.this_turn.fanatic


def _blow(unit: EmpireUnit, edge: int, *, leads: bool = True) -> float:
    return dice_of(unit, "primary" if leads else "support") * (SIDES + 1 - min(max(4 - edge, 2), SIDES)) / SIDES
