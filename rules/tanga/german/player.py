"""A plain player of the Germans, made of rules: for trying the game out and weighing its scenarios.

It knows what the German side's view shows and no more. Hold the ground that decides; shoot whom one hits best; attack
where one is clearly the stronger; dig in and rally otherwise.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from rules.core.hexes import Hex
from rules.core.state import Action
from rules.tanga.field import board_of, hexes_of, leader_bonus, nearest, protection, reach_of, units_at
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState, TangaUnit
from rules.tanga.turn import TurnNext
from rules.tanga.victory import victory_hexes

from .fight import Fire, Melee, fire_legal, fire_odds, melee_legal
from .move import Move, reachable
from .orders import germans, phase_of
from .stand import improve_legal, rally_legal

MARGIN = 3
"""Factors by which it must be stronger to attack."""
KEEP_OFF = 2
"""Hexes it keeps from the British, if it can."""

T = TypeVar("T")


def best(found: Iterable[T], worth: Callable[[T], float]) -> T | None:
    """The one worth most, the first of equals; None of none."""
    return max(found, key=worth, default=None)


def choose(state: TangaState) -> Action:
    """The next order of a German turn; passing on when there is nothing better to do."""
    phase = phase_of(state)
    found: Action | None = None
    if phase is Phase.MOVE:
        found = _march(state)
    elif phase is Phase.FIRE:
        shots = (action for action in fire_legal(state, GERMAN) if isinstance(action, Fire))
        found = best(shots, partial(_shot, state))
    elif phase is Phase.MELEE:
        attacks = (action for action in melee_legal(state, GERMAN) if isinstance(action, Melee))
        attack = best(attacks, partial(_edge, state))
        found = attack if attack is not None and _edge(state, attack) >= MARGIN else None
    elif phase is Phase.RALLY:
        found = next(iter((*rally_legal(state, GERMAN), *improve_legal(state, GERMAN))), None)
    return found or TurnNext()


def _march(state: TangaState) -> Move | None:
    """The first unit that stands better elsewhere goes there; each goes once a turn."""
    for unit in germans(state):
        if unit.moved or not unit.is_good or unit.at is None or state.formation(unit.formation).collapsed:
            continue
        spot = best((unit.at, *reachable(state, (unit,))), partial(_ground, state, unit))
        if spot is not None and spot != unit.at:
            return Move(unit=unit.id, to=spot.label)
    return None


def _ground(state: TangaState, unit: TangaUnit, hex_: Hex) -> float:
    """What a hex is worth to a unit: the ground that decides, a field of fire, cover, and not being alone."""
    goals = victory_hexes(state)
    lost = [goal for goal in goals if any(one.side == BRITISH for one in units_at(state, goal))]
    british = hexes_of(state, BRITISH)
    worth = 3.0 * protection(state, hex_)
    if unit.is_leader:
        friends = [one for one in units_at(state, hex_) if one.formation == unit.formation and one.id != unit.id]
        return worth + 6.0 * bool(friends) + 2.0 * sum(one.is_disrupted for one in friends)
    if hex_ in goals:
        worth += 4.0
    towards = lost or (list(goals) if not british else [])
    if towards:
        worth -= 1.0 * min(hex_.distance(goal) for goal in towards)
    in_reach = [other for other in british if hex_.distance(other) <= reach_of(state, unit)]
    if any(board_of(state).sees(hex_, other) for other in in_reach):
        worth += 5.0
    distance = nearest(state, hex_, BRITISH)
    if distance is not None:
        worth -= 0.6 * max(distance - reach_of(state, unit), 0)
        worth -= 3.0 * (distance < KEEP_OFF) if hex_ not in goals else 0.0
    return worth


def _shot(state: TangaState, action: Fire) -> float:
    """The chance of a hit, a little more at a hex that decides or next to one."""
    chance = 1 - next(float(one.chance) for one in fire_odds(state, action).outcomes if one.good is False)
    target = state.unit(action.target).at
    return chance + 0.1 * (target in victory_hexes(state))


def _edge(state: TangaState, action: Melee) -> float:
    """By how much the attack is the stronger, in factors."""
    here, there = state.unit(action.unit).at, state.unit(action.target).at
    assert here is not None
    assert there is not None
    return _factor(state, here, there) - _factor(state, there, here)


def _factor(state: TangaState, here: Hex, there: Hex) -> int:
    units = units_at(state, here)
    strength = sum(unit.cf for unit in units if unit.is_good and unit.is_combat)
    return strength + leader_bonus(units) - protection(state, there)
