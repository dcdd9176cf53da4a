"""Start games without positions (`/game new positions:none`): the figures stand on a real table."""

from collections.abc import Mapping

from rules.core.tabletop.battle import NONE, POSITIONS

ON_HEXES = "{title} is played on hexes, whose places are part of its rules. Leave “positions” out."
WORDS = (
    "**No positions are kept.** The figures stand on your table: measure there, and say it as "
    "`/fire unit: target: range:9` or `/move unit: to:forward 6`. What is missing is asked in a small form. "
    "`/help topic:miniatures` has more."
)
NEXT = (
    "**Set-up.** No positions are kept: figures and ground are on your own table. `/army add` or `/army write` puts a "
    "whole army on the list, `/unit add` a unit; `/unit remove` and `/army remove` take them off, `/game undo` takes "
    "back. Players sit down by the buttons. `/turn next` looks over both sides and begins the battle."
)


def scenario_choices_for_positions(positions: str) -> Mapping[str, str]:
    """Return the scenario choice `positions: none`, or no choice if the game keeps positions."""
    return {POSITIONS: NONE} if positions == NONE else {}
