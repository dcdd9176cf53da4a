"""What is counted of a position at Tanga for a side; much of it for the Germans alone, whom the bot can play."""

from rules.core.hexboard.stacks import units_at

from .estimates import outlook
from .field import VICTORY
from .model import GERMAN, Condition, Phase, TangaState, TangaUnit

SHARE = {Condition.GOOD: 1.0, Condition.DISRUPTED: 0.5, Condition.ELIMINATED: 0.0}
"""How much of a unit is left."""


def _strength(unit: TangaUnit) -> float:
    return SHARE[unit.condition] * (2 + unit.eb if unit.is_leader else unit.cf)


def _moves(state: TangaState, side: str) -> bool:
    """While the Germans move it counts what they could do from there; later only what is done."""
    return side == GERMAN and state.phase == Phase.MOVE


def strength(state: TangaState, side: str) -> float:
    """CF that it has left, of disrupted units half."""
    return sum(_strength(unit) for unit in state.units.values() if unit.side == side)


def breaking(state: TangaState, side: str) -> float:
    """How near its formations are to collapse."""
    lost = outlook(state).lost
    ours = (one for one in state.formations.values() if one.side == side)
    return sum(one.fbn * min(1.0, lost.get(one.id, 0) / one.fbn) ** 2 + 2 * one.collapsed for one in ours)


def ground(state: TangaState, side: str) -> float:
    """How near a side is to winning by the hexes that decide; it counts the more the nearer the end."""
    if side == GERMAN or not state.objectives:
        return 0.0
    shares = [len(VICTORY.held(state, kind)) / max(1, needed) for kind, needed in state.objectives.items()]
    least = min(shares)
    return (min(least, 1.0) + 0.3 * max(0.0, least - 1) + 0.1 * sum(shares)) * (0.2 + (state.turn / state.turns) ** 2)


def barred(state: TangaState, side: str) -> float:
    """Hexes that decide in which its units stand."""
    found = outlook(state)
    return len(found.victory & found.german.keys()) if side == GERMAN else 0.0


def fire(state: TangaState, side: str) -> float:
    """CF that its stacks may expect to hit with their best shots from where they move."""
    return outlook(state).shots if _moves(state, side) else 0.0


def danger(state: TangaState, side: str) -> float:
    """CF that the enemy's stacks may expect to hit when they have come up."""
    return outlook(state).threats if side == GERMAN else 0.0


def assaults(state: TangaState, side: str) -> float:
    """Enemies that its stacks move up to drive off."""
    return outlook(state).assaults if _moves(state, side) else 0.0


def together(state: TangaState, side: str) -> float:
    """Units that stand with others."""
    return sum(max(0, one.units - 1) for one in outlook(state).german.values()) if side == GERMAN else 0.0


def nearness(state: TangaState, side: str) -> float:
    """Hexes that its units have to go to where they are wanted."""
    found = outlook(state)
    return sum(one.units * found.way(one.hex) for one in found.german.values()) if _moves(state, side) else 0.0


def distance(state: TangaState, side: str) -> float:
    """Hexes that its units lack to have the enemy in range."""
    found = outlook(state)
    ours = found.german.values() if _moves(state, side) else ()
    return sum(one.units * found.lacking(one.hex, one.reach) for one in ours)


def cover(state: TangaState, side: str) -> float:
    """Protection that its stacks have."""
    return sum(one.protection for one in outlook(state).german.values()) if side == GERMAN else 0.0


def care(state: TangaState, side: str) -> float:
    """Units that its leaders are with, of disrupted ones twice as many."""
    leaders = (unit for unit in state.of_side(side) if unit.is_leader) if side == GERMAN else ()
    hexes = (units_at(state, unit.at) for unit in leaders if unit.at)
    return sum(min(3, sum(1 + one.is_disrupted for one in units if one.is_combat)) for units in hexes)


def used(state: TangaState, side: str) -> float:
    """Units that have fired, or tried to rally, this turn: what is not done is lost."""
    return sum(unit.fired + unit.tried_to_rally for unit in state.of_side(side)) if side == GERMAN else 0.0
