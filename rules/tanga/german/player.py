"""A plain player of the Germans, made of rules: for trying the game out and weighing its scenarios.

It knows what the German side's view shows and no more. Hold the ground that decides; shoot whom one hits best; attack
where one is clearly the stronger; dig in and rally otherwise.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from rules.core.hexes import Hex
from rules.core.state import Action
from rules.tanga.field import board_of, hexes_of, leader_bonus, protection, reach_of, units_at
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
COVER, GOAL, TARGETS, COMPANY, TOO_NEAR, DISTANCE = 3.0, 4.0, 5.0, 6.0, 3.0, 0.6
"""What it weighs the points of a hex with."""

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
    ground = Ground.of(state)
    for unit in germans(state):
        if unit.moved or not unit.is_good or unit.at is None or state.formation(unit.formation).collapsed:
            continue
        spot = best((unit.at, *reachable(state, (unit,))), partial(ground.worth, unit))
        if spot is not None and spot != unit.at:
            return Move(unit=unit.id, to=spot.label)
    return None


@dataclass(frozen=True)
class Ground:
    """What is weighed of the map: the hexes that decide, those to make for, and where the British are."""

    state: TangaState
    goals: frozenset[Hex]
    towards: tuple[Hex, ...]
    british: tuple[Hex, ...]

    @classmethod
    def of(cls, state: TangaState) -> "Ground":
        """The ground as it lies: what the British have taken is made for first."""
        goals, british = victory_hexes(state), hexes_of(state, BRITISH)
        lost = goals & british
        return cls(state, goals, tuple(lost or ([] if british else goals)), tuple(british))

    def worth(self, unit: TangaUnit, hex_: Hex) -> float:
        """What a hex is worth to a unit: the ground that decides, a field of fire, cover, and not being alone."""
        worth = COVER * protection(self.state, hex_)
        if unit.is_leader:
            friends = [one for one in units_at(self.state, hex_) if one.formation == unit.formation]
            return worth + COMPANY * any(one.id != unit.id for one in friends)
        if hex_ in self.goals:
            worth += GOAL
        worth -= min((hex_.distance(goal) for goal in self.towards), default=0)
        if self.british:
            far = [hex_.distance(other) for other in self.british]
            worth += self._facing(unit, hex_, far)
        return worth

    def _facing(self, unit: TangaUnit, hex_: Hex, far: Sequence[int]) -> float:
        """What the British are to it there: targets, too far to be any, or too near."""
        sees, reach, nearest = board_of(self.state).sees, reach_of(self.state, unit), min(far)
        shoots = any(there <= reach and sees(hex_, other) for there, other in zip(far, self.british, strict=True))
        too_near = nearest < KEEP_OFF and hex_ not in self.goals
        return TARGETS * shoots - DISTANCE * max(nearest - reach, 0) - TOO_NEAR * too_near


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
