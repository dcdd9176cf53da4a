"""Gaining ground after a successful close combat, and the bonus combat it brings (GW-6)."""

from rules.core.hexboard.hex_scene import Track
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex
from rules.core.model import Cite, Mark

from .ground import board_of, can_enter_terrain, last_entered_terrain
from .model import GreatWarPlay, GreatWarState, GreatWarUnit
from .moving import enter_hex, roll_to_bog

GAINING = Cite(rule="GW-6.1")
BONUS = Cite(rule="GW-6.3")
NO_ADVANCE = Cite(rule="GW-6.4", mark=Mark.HOUSE)


def why_no_ground_gained(state: GreatWarState, unit: GreatWarUnit) -> str:
    """Return why an ordered tank gains no ground by its close combat; empty if it may gain (GW-6.1)."""
    if unit.this_turn.by_first_strike:
        return "it was ordered by First Strike"
    if unit.is_stuck:
        return "it is bogged"
    onto = last_entered_terrain(state, unit)
    return f"{onto.name} ended its move" if onto is not None and onto.stops else ""


def gain_ground(play: GreatWarPlay, unit_id: str, hex_: Hex) -> None:
    """Move the tank into the hex, and roll to bog. A tank that is not stuck may battle once more (GW-6.1 to GW-6.4)."""
    state, unit, board = play.state, play.state.unit(unit_id), board_of(play.state)
    title, terrain = board.title(hex_), board.terrain[hex_]
    if not can_enter_terrain(terrain, unit.arm):
        play.note(f"{unit:do} not gain {title}: {terrain.name}", NO_ADVANCE)
        return
    play.set(tracks=(*state.tracks, Track(hexes=(unit_hex(unit), hex_), side=unit.side)))
    play.note(f"{unit:gain} ground: to {title}", GAINING)
    enter_hex(play, unit_id, hex_)
    stuck = roll_to_bog(play, unit_id)
    play.remember(unit_id, bonus=not stuck and terrain.tanks_battle and not unit.this_turn.had_bonus)
    if not stuck and not terrain.tanks_battle:
        play.note(f"{unit:have} no bonus combat: {terrain.name}", NO_ADVANCE)
