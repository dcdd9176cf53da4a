"""Values by which the bot judges a position as German player. Most are 0 for the British, whom it never plays."""

from rules.core.hexboard.stacks import units_at
from rules.core.value import SideValue

from . import victory
from .estimates import estimates_of
from .model import GERMAN, Condition, Phase, TangaState

SHARE = {Condition.GOOD: 1.0, Condition.DISRUPTED: 0.5, Condition.ELIMINATED: 0.0}
"""Share of a unit's strength that is left, by condition."""


def _is_german_movement(state: TangaState, side: str) -> bool:
    """Whether `side` is German and this is its movement phase. Only then do later fire and assaults count."""
    return side == GERMAN and state.phase == Phase.MOVE


def remaining_strength(state: TangaState, side: str) -> float:
    """Return the side's remaining CF, plus 2 and his EB for each leader. Disrupted units count half."""
    units = (unit for unit in state.units.values() if unit.side == side)
    return sum(SHARE[unit.condition] * (2 + unit.eb if unit.is_leader else unit.cf) for unit in units)


def closeness_to_collapse(state: TangaState, side: str) -> float:
    """Return how close the side's formations are to collapse, summed over formations."""
    losses = estimates_of(state).losses_by_formation
    formations = (formation for formation in state.formations.values() if formation.side == side)
    return sum(
        formation.fbn * min(1.0, losses.get(formation.id, 0) / formation.fbn) ** 2 + 2 * formation.collapsed
        for formation in formations
    )


def progress_to_victory(state: TangaState, side: str) -> float:
    """Return how close the British are to victory by hexes held; the value grows towards the game's end."""
    if side == GERMAN or not state.objectives:
        return 0.0
    shares = [len(victory.held_hexes(state, kind)) / max(1, needed) for kind, needed in state.objectives.items()]
    least = min(shares)
    return (min(least, 1.0) + 0.3 * max(0.0, least - 1) + 0.1 * sum(shares)) * (0.2 + (state.turn / state.turns) ** 2)


def german_held_victory_hexes(state: TangaState, side: str) -> float:
    """Return the number of victory hexes that hold German units."""
    estimates = estimates_of(state)
    return len(estimates.victory & estimates.german.keys()) if side == GERMAN else 0.0


def expected_german_hits(state: TangaState, side: str) -> float:
    """Return the expected hits, in CF, of the Germans' best shots in the next fire phase."""
    return estimates_of(state).expected_german_hits if _is_german_movement(state, side) else 0.0


def expected_british_hits(state: TangaState, side: str) -> float:
    """Return the expected hits, in CF, of British fire and melee after the British have advanced."""
    return estimates_of(state).expected_british_hits if side == GERMAN else 0.0


def progress_of_assaults(state: TangaState, side: str) -> float:
    """Return how near German stacks are to driving adjacent British away in the next melee phase."""
    return estimates_of(state).assault_progress if _is_german_movement(state, side) else 0.0


def stacked_units(state: TangaState, side: str) -> float:
    """Return the number of German units stacked with other units."""
    return sum(max(0, stack.units - 1) for stack in estimates_of(state).german.values()) if side == GERMAN else 0.0


def distance_to_victory_hexes(state: TangaState, side: str) -> float:
    """Return the distances in hexes from German units to their nearest victory hexes, summed over units."""
    estimates = estimates_of(state)
    stacks = estimates.german.values() if _is_german_movement(state, side) else ()
    return sum(stack.units * estimates.distance_to_victory(stack.hex) for stack in stacks)


def hexes_out_of_firing_range(state: TangaState, side: str) -> float:
    """Return how many hexes each German unit is short of having British in range, summed over units."""
    estimates = estimates_of(state)
    stacks = estimates.german.values() if _is_german_movement(state, side) else ()
    return sum(stack.units * estimates.hexes_out_of_range(stack.hex, stack.reach) for stack in stacks)


def protection_of_stacks(state: TangaState, side: str) -> float:
    """Return the protection of German stacks, summed over stacks."""
    return sum(stack.protection for stack in estimates_of(state).german.values()) if side == GERMAN else 0.0


def units_with_leaders(state: TangaState, side: str) -> float:
    """Return the number of units stacked with German leaders, at most 3 per leader. Disrupted units count double."""
    leaders = (unit for unit in state.units_of(side) if unit.is_leader) if side == GERMAN else ()
    hexes = (units_at(state, unit.at) for unit in leaders if unit.at)
    return sum(min(3, sum(1 + unit.is_disrupted for unit in units if unit.is_combat)) for units in hexes)


def used_shots_and_rallies(state: TangaState, side: str) -> float:
    """Return the number of German shots and rally attempts this turn; unused chances are lost."""
    return sum(unit.fired + unit.tried_to_rally for unit in state.units_of(side)) if side == GERMAN else 0.0


VALUES = (
    SideValue("strength", 1, remaining_strength),
    SideValue("formations about to break", -3, closeness_to_collapse),
    SideValue("hexes that decide", 30, progress_to_victory),
    SideValue("hexes barred", 0.5, german_held_victory_hexes),
    SideValue("standing together", 0.7, stacked_units),
    SideValue("assaults to come", 1.5, progress_of_assaults, ahead=True),
    SideValue("fire to come", 0.4, expected_german_hits),
    SideValue("danger", -0.5, expected_british_hits),
    SideValue("way to the hexes that decide", -0.1, distance_to_victory_hexes),
    SideValue("way to the enemy", -0.3, hexes_out_of_firing_range),
    SideValue("chances used", 0.2, used_shots_and_rallies),
    SideValue("cover", 0.3, protection_of_stacks),
    SideValue("leaders' care", 0.3, units_with_leaders),
)
