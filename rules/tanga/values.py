"""Values by which the bot opponent judges a position. Most are 0 for the British, whom the bot never plays."""

from rules.core.hexboard.stacks import units_at
from rules.core.value import Worth

from . import victory
from .estimates import outlook
from .model import GERMAN, Condition, Phase, TangaState, TangaUnit

SHARE = {Condition.GOOD: 1.0, Condition.DISRUPTED: 0.5, Condition.ELIMINATED: 0.0}
"""Share of a unit's strength that is left, by condition."""


def _strength(unit: TangaUnit) -> float:
    """Return the unit's strength by its condition."""
    return SHARE[unit.condition] * (2 + unit.eb if unit.is_leader else unit.cf)


def _is_moving(state: TangaState, side: str) -> bool:
    """Whether `side` is German and its movement phase is on. Only then do values of coming fire and assaults count."""
    return side == GERMAN and state.phase == Phase.MOVE


def strength(state: TangaState, side: str) -> float:
    """Return the side's remaining CF, plus 2 and his EB for each leader. Disrupted units count half."""
    return sum(_strength(unit) for unit in state.units.values() if unit.side == side)


def closeness_to_collapse(state: TangaState, side: str) -> float:
    """Return how close the side's formations are to collapse."""
    losses = outlook(state).lost
    formations = (formation for formation in state.formations.values() if formation.side == side)
    return sum(
        formation.fbn * min(1.0, losses.get(formation.id, 0) / formation.fbn) ** 2 + 2 * formation.collapsed
        for formation in formations
    )


def ground(state: TangaState, side: str) -> float:
    """Return how close the British are to winning by victory hexes; the weight grows towards the game's end."""
    if side == GERMAN or not state.objectives:
        return 0.0
    shares = [len(victory.hexes_held(state, kind)) / max(1, needed) for kind, needed in state.objectives.items()]
    least = min(shares)
    return (min(least, 1.0) + 0.3 * max(0.0, least - 1) + 0.1 * sum(shares)) * (0.2 + (state.turn / state.turns) ** 2)


def barred_victory_hexes(state: TangaState, side: str) -> float:
    """Return the number of victory hexes that hold German units."""
    estimates = outlook(state)
    return len(estimates.victory & estimates.german.keys()) if side == GERMAN else 0.0


def fire(state: TangaState, side: str) -> float:
    """Return the expected hits, in CF, of the Germans' best shots, while the Germans move."""
    return outlook(state).shots if _is_moving(state, side) else 0.0


def danger(state: TangaState, side: str) -> float:
    """Return the expected hits, in CF, of British fire and melee after the British have advanced."""
    return outlook(state).threats if side == GERMAN else 0.0


def assaults(state: TangaState, side: str) -> float:
    """Return how near the German stacks are to driving adjacent British away, while the Germans move."""
    return outlook(state).assaults if _is_moving(state, side) else 0.0


def stacked_units(state: TangaState, side: str) -> float:
    """Return the number of German units stacked with other units."""
    return sum(max(0, stack.units - 1) for stack in outlook(state).german.values()) if side == GERMAN else 0.0


def nearness(state: TangaState, side: str) -> float:
    """Return the distance in hexes from German units to the nearest victory hexes, summed over units."""
    estimates = outlook(state)
    return (
        sum(stack.units * estimates.way(stack.hex) for stack in estimates.german.values())
        if _is_moving(state, side)
        else 0.0
    )


def distance(state: TangaState, side: str) -> float:
    """Return the number of hexes by which German units are out of range of the British, summed over units."""
    estimates = outlook(state)
    stacks = estimates.german.values() if _is_moving(state, side) else ()
    return sum(stack.units * estimates.hexes_out_of_range(stack.hex, stack.reach) for stack in stacks)


def cover(state: TangaState, side: str) -> float:
    """Return the protection of all German stacks, summed."""
    return sum(stack.protection for stack in outlook(state).german.values()) if side == GERMAN else 0.0


def units_with_leaders(state: TangaState, side: str) -> float:
    """Return the number of units in hexes with German leaders, at most 3 a leader. Disrupted units count double."""
    leaders = (unit for unit in state.units_of(side) if unit.is_leader) if side == GERMAN else ()
    hexes = (units_at(state, unit.at) for unit in leaders if unit.at)
    return sum(min(3, sum(1 + unit.is_disrupted for unit in units if unit.is_combat)) for units in hexes)


def used_chances(state: TangaState, side: str) -> float:
    """Return the number of German shots and rally attempts this turn; unused chances are lost."""
    return sum(unit.fired + unit.tried_to_rally for unit in state.units_of(side)) if side == GERMAN else 0.0


VALUES = (
    Worth("strength", 1, strength),
    Worth("formations about to break", -3, closeness_to_collapse),
    Worth("hexes that decide", 30, ground),
    Worth("hexes barred", 0.5, barred_victory_hexes),
    Worth("standing together", 0.7, stacked_units),
    Worth("assaults to come", 1.5, assaults, ahead=True),
    Worth("fire to come", 0.4, fire),
    Worth("danger", -0.5, danger),
    Worth("way to the hexes that decide", -0.1, nearness),
    Worth("way to the enemy", -0.3, distance),
    Worth("chances used", 0.2, used_chances),
    Worth("cover", 0.3, cover),
    Worth("leaders' care", 0.3, units_with_leaders),
)
