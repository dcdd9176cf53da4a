"""Dispatches in which the bot reports new sightings to other commands of its power."""

from collections.abc import Iterator

from rules.core.hexboard.hexes import Hex
from rules.core.wording import join_with_and

from .dispatches import WriteDispatch, other_command_names
from .ground import board_of
from .intelligence import EnemySize
from .model import CampaignState
from .options import Knowledge

SAME_WITHIN, SAME_DAYS = 2, 2
"""Maximum distance in hexes, and number of days, at which two sightings count as the same enemies."""
WORTH = 0.2
"""Value that the bot loses for each command of its power to which it has not reported new enemies."""
MOST_NAMED = 3
"""Maximum number of sightings named in the text of a report."""


def suggest_scouting_reports(state: CampaignState, command: str) -> Iterator[WriteDispatch]:
    """Yield a dispatch to each allied command that `command` has not told of today's enemies."""
    sightings, title = state.sightings.get(command, {}), board_of(state).title
    for to in other_command_names(state, command):
        hexes = unreported_enemy_hexes(state, command, to)
        if hexes:
            largest = sorted(hexes, key=lambda hex_: (-(sightings[hex_].figures or 0), hex_))[:MOST_NAMED]
            seen = join_with_and(f"{sightings[hex_].in_words} in {title(hex_)}" for hex_ in largest)
            yield WriteDispatch(side=command, to=to, text=f"We see {seen}.", with_sightings=True)


def unreported_enemy_hexes(state: CampaignState, command: str, to: str) -> list[Hex]:
    """Return the hexes of large enemy forces that `command` saw today and has not lately reported to `to`."""
    if state.options.knowledge is Knowledge.SHARED:
        return []
    told_hexes = {
        hex_
        for dispatch in state.dispatches
        if (dispatch.sender, dispatch.to) == (command, to) and dispatch.day > state.turn - SAME_DAYS
        for hex_, sighting in dispatch.sightings.items()
        if sighting.size is not EnemySize.PARTY
    }
    sightings = state.sightings.get(command, {}).items()
    today = [hex_ for hex_, seen in sightings if seen.day == state.turn and seen.size is not EnemySize.PARTY]
    return [hex_ for hex_ in today if all(hex_.distance(told_hex) > SAME_WITHIN for told_hex in told_hexes)]


def value_of_missing_reports(state: CampaignState, command: str) -> float:
    """Return a penalty, below 0, for each allied command that `command` has not told of new enemies."""
    if state.options.knowledge is Knowledge.SHARED:
        return 0.0
    return -WORTH * sum(bool(unreported_enemy_hexes(state, command, to)) for to in other_command_names(state, command))
