"""A simple player of Charge!, for games that measure the balance of a scenario.

The attackers move to the objective. The defenders wait near the objective and retake it at the end. Units fire
whenever they can, fire before they charge, and charge enemies that they outweigh.
"""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from rules.charge.figures import PLACEMENT
from rules.charge.fire import FIRING
from rules.charge.model import Arm, ChargeState, ChargeUnit, Formation
from rules.charge.moving import full_move_inches
from rules.core.dice import Dice
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.tabletop import table

from .field import SYSTEM

OUTWEIGHS = 1.3
"""Superiority in weight needed to charge, as a factor."""
HORSE = 2
"""Infantrymen to which a cavalryman is equal."""
CLOSE, FAR = 3.0, 6.0
"""Short and long range of infantry in inches."""
GUN_HALTS = 18.0
"""Distance in inches to the nearest enemy at which a gun stops advancing."""
WATCH = 16.0
"""Distance in inches from the objective within which defenders advance against an enemy."""
LAST = 3
"""Number of last turns in which the objective matters most."""
ENOUGH = 600


def play_game(scenario: str, seed: int, dice: Dice) -> ChargeState:
    """Play a whole game with this player on both sides; return the final state."""
    chance, state = random.Random(seed), SYSTEM.setup(scenario, {}, dice)
    for _ in range(ENOUGH):
        if state.over is not None:
            return state
        if state.phase == "moves":
            for unit in sorted(state.units_of(state.active), key=lambda unit: (_to_goal(state, unit), unit.id)):
                if state.over is None and state.fight_of(unit.id) is None:
                    state = _move_unit(state, unit, chance, dice)
        elif state.phase in {"fire", "answering fire"}:
            state = _fire_all(state, dice)
        if state.over is None:
            state = perform(state, dice, "turn_next") or state
    raise AssertionError(f"{scenario} of seed {seed} has no end")


def perform(state: ChargeState, dice: Dice, kind: str, **args: Any) -> ChargeState | None:
    with suppress(Refused):
        return SYSTEM.act(state, SYSTEM.parse(kind, args), dice)[0]
    return None


def _fire_all(state: ChargeState, dice: Dice) -> ChargeState:
    """Fire with all units that can fire, each at the target with the highest expected casualties."""
    while shots := [*SYSTEM.legal_actions(state, state.active, "fire")]:
        state = SYSTEM.act(state, max(shots, key=lambda action: _worth(state, action)), dice)[0]
        if state.over is not None or state.phase not in {"fire", "answering fire"}:
            break
    return state


def _worth(state: ChargeState, fire: Action) -> float:
    plan = FIRING.plan_if_allowed(state, fire)  # type: ignore[arg-type]
    return 0.0 if plan is None else float(sum(men * chance for men, chance in plan.volley.distribution))


def _move_unit(state: ChargeState, unit: ChargeUnit, chance: random.Random, dice: Dice) -> ChargeState:
    """Return the state after the first wished move that is allowed, or unchanged."""
    for args in _wishes(state, unit, chance):
        if (after := perform(state, dice, "move", unit=unit.id, **args)) is not None:
            return after
    return state


def _wishes(state: ChargeState, unit: ChargeUnit, chance: random.Random) -> Iterator[dict[str, Any]]:
    """Yield the arguments of the moves that the unit wishes to make, most wanted first."""
    foes = sorted(state.enemies(unit.side), key=lambda foe: (PLACEMENT.gap(unit, foe), foe.id))
    near = foes[0] if foes else None
    if near is None or unit.place is None:
        return
    gap, full = PLACEMENT.gap(unit, near), full_move_inches(state, unit)
    goal, attacks = state.objectives[0], unit.side == state.objectives[0].side
    hurry = state.turn_limit is not None and state.turn > state.turn_limit - LAST
    if unit.arm is Arm.GUN:
        if gap > GUN_HALTS and attacks:
            yield from _way(state, unit, near.place.point, full)
        elif abs(_angle_off(unit, near)) > 30:
            yield {"to": f"face {_quarter(unit, near)}"}
        return
    for foe in foes:
        if PLACEMENT.gap(unit, foe) <= full + 1 and (
            _outweighs(state, unit, foe) or (hurry and _is_on_objective(state, foe))
        ):
            yield {"to": f"towards {foe.id}"}
    if unit.arm is Arm.CAVALRY:
        if hurry or (attacks and gap > full * 1.5):
            yield from _to_ground(state, unit, chance, full)
        return
    if not hurry and gap <= FAR:
        if gap > CLOSE:
            yield {"to": f"towards {near.id} {gap - CLOSE + 0.1:.1f}"}
        yield {"to": f"face {_quarter(unit, near)}"}
        return
    if hurry and gap <= CLOSE and not attacks:
        return
    if attacks or hurry:
        yield from _to_ground(state, unit, chance, full)
    elif table.distance(near.place.point, goal.at) <= WATCH:
        yield {"to": f"towards {near.id} {min(full, gap - CLOSE):.1f}"}


def _to_ground(state: ChargeState, unit: ChargeUnit, chance: random.Random, full: float) -> Iterator[dict[str, Any]]:
    """Yield moves to a random point of the objective, or to its middle, also in column for narrow passages."""
    goal = state.objectives[0]
    if _is_on_objective(state, unit, goal.within - 1):
        return
    wide = goal.within / 2
    spot = (goal.at[0] + chance.uniform(-wide, wide), goal.at[1] + chance.uniform(-wide, wide))
    yield from _way(state, unit, spot, full)
    if unit.arm is Arm.INFANTRY and unit.formation is not Formation.COLUMN:
        yield from ({**args, "with": "column"} for args in _way(state, unit, goal.at, full / 2))
    yield from _way(state, unit, goal.at, full)


def _way(state: ChargeState, unit: ChargeUnit, to: tuple[float, float], full: float) -> Iterator[dict[str, Any]]:
    """Yield moves towards `to`: straight and to both sides, each for all or part of the full move."""
    point = unit.place.point
    bearing, far = table.bearing(point, to), table.distance(point, to)
    for degrees in (0, 25, -25, 50, -50):
        for part in (full, full / 2, full / 3):
            x, y = table.shift_point(point, bearing + degrees, min(part, far))
            if 0 < x < state.width and 0 < y < state.height:
                yield {"to": f"{x:.1f},{y:.1f}"}


def _outweighs(state: ChargeState, unit: ChargeUnit, foe: ChargeUnit) -> bool:
    """Whether the unit and its engaged friends greatly outweigh the engaged enemies."""
    friends = state.enemies_in_contact(foe)
    against = [foe, *(state.enemies_in_contact(friends[0]) if friends else ())]
    theirs = {enemy.id: enemy for enemy in against}.values()
    horsed = all(enemy.arm is Arm.CAVALRY for enemy in theirs)
    ours = sum(ally.figures * (HORSE if ally.arm is Arm.CAVALRY and not horsed else 1) for ally in (unit, *friends))
    foot = all(ally.arm is not Arm.CAVALRY for ally in (unit, *friends))
    heavy = sum(enemy.figures * (HORSE if enemy.arm is Arm.CAVALRY and foot else 1) for enemy in theirs)
    return ours >= OUTWEIGHS * heavy


def _is_on_objective(state: ChargeState, unit: ChargeUnit, within: float | None = None) -> bool:
    """Whether the unit stands on the objective, or `within` so many inches of its middle."""
    return _to_goal(state, unit) <= (state.objectives[0].within if within is None else within)


def _to_goal(state: ChargeState, unit: ChargeUnit) -> float:
    return table.distance(unit.place.point, state.objectives[0].at)


def _angle_off(unit: ChargeUnit, foe: ChargeUnit) -> float:
    return (table.bearing(unit.place.point, foe.place.point) - unit.place.facing + 180) % 360 - 180


def _quarter(unit: ChargeUnit, foe: ChargeUnit) -> str:
    way = table.bearing(unit.place.point, foe.place.point)
    return ("N", "NE", "E", "SE", "S", "SW", "W", "NW")[round(way / 45) % 8]
