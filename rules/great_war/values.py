"""What an opponent counts in The Great War, each with a word for it."""

from rules.core.hexboard.stacks import hex_of
from rules.core.worth import Worth

from .common import BATTLES, enemies
from .ground import terrain_of
from .model import Bogged, GreatWarState, GreatWarUnit
from .tables import dice_at, reach, spec


def figures(state: GreatWarState, side: str) -> float:
    """What is left of its units, a whole unit counting the medals that it would cost."""
    return sum(spec(unit.arm, "medals") * unit.figures / spec(unit.arm, "figures") for unit in state.of_side(side))


def medals(state: GreatWarState, side: str) -> float:
    """Medals that it has."""
    return state.medals.get(side, 0)


def tokens(state: GreatWarState, side: str) -> float:
    """HQ tokens that it has."""
    return min(state.tokens.get(side, 0), state.options.most_tokens)


def dice(state: GreatWarState, side: str) -> float:
    """Battle dice that its units bear on the nearest enemy; where they have none yet, nearness."""
    return sum(_bearing(state, unit) for unit in state.of_side(side))


def _bearing(state: GreatWarState, unit: GreatWarUnit) -> float:
    far = min((hex_of(unit).distance(hex_of(enemy)) for enemy in enemies(state, unit)), default=0)
    bears = dice_at(unit.arm, far) if far <= reach(unit.arm) else (reach(unit.arm) - far) / 3
    return bears * (0.3 if unit.is_stuck else 1.0)


def ordered(state: GreatWarState, side: str) -> float:
    """Orders given to units that can do something with them: those near the enemy, and those that are not stuck."""
    if state.phase == BATTLES or side != state.active:
        return 0.0
    given = (unit for unit in state.of_side(side) if unit.this_turn.is_ordered)
    return sum(4 + _bearing(state, unit) for unit in given)


def cover(state: GreatWarState, side: str) -> float:
    """Soldiers thrown that its soldiers ignore where they stand."""
    return sum(terrain_of(state, unit).ranged.soldiers for unit in state.of_side(side) if not unit.is_tank)


def stuck(state: GreatWarState, side: str) -> float:
    """Tanks of its own that are stuck."""
    return sum((1.5 if unit.bogged is Bogged.DITCHED else 1.0) for unit in state.of_side(side) if unit.is_stuck)


def flags(state: GreatWarState, side: str) -> float:
    """Flags that it has to answer."""
    return state.flags.flags if state.flags is not None and state.unit(state.flags.unit).side == side else 0.0


VALUES = (
    Worth("medals", 12, medals),
    Worth("strength", 10, figures),
    Worth("dice that bear", 0.6, dice),
    Worth("orders", 0.4, ordered),
    Worth("cover", 0.25, cover),
    Worth("HQ tokens", 0.4, tokens),
    Worth("stuck tanks", -4, stuck),
    Worth("flags", -1.5, flags),
)
