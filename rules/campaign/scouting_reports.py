"""Dispatches by the bot that report new sightings to other commands of its power."""

from collections.abc import Iterator

from rules.core.hexboard.hexes import Hex
from rules.core.wording import join_with_and

from .dispatches import WriteDispatch, fellows_of
from .ground import board_of
from .intelligence import Size
from .model import CampaignState
from .options import Knowledge

NEAR, DAYS = 2, 2
"""Distance in hexes, and number of days, within which two sightings count as one force."""
WORTH = 0.2
"""Worth of a report of new enemies to another command."""
MOST_NAMED = 3
"""Maximum number of sightings named in the text of a report."""


def write_reports(state: CampaignState, command: str) -> Iterator[WriteDispatch]:
    """Yield a dispatch to each other command of the power that lacks a report of enemies sighted today."""
    for to in fellows_of(state, command):
        hexes = new_enemies(state, command, to)
        if hexes:
            yield WriteDispatch(side=command, to=to, text=_words(state, command, hexes), with_sightings=True)


def new_enemies(state: CampaignState, command: str, to: str) -> list[Hex]:
    """Return hexes where `command` sighted a force or an army today that it has not lately reported to `to`."""
    if state.options.knowledge is Knowledge.SHARED:
        return []
    lately = [
        dispatch
        for dispatch in state.dispatches
        if (dispatch.sender, dispatch.to) == (command, to) and dispatch.day > state.turn - DAYS
    ]
    told_hexes = {
        hex_ for dispatch in lately for hex_, sighting in dispatch.sightings.items() if sighting.size is not Size.PARTY
    }
    return [
        hex_
        for hex_, sighting in state.sightings.get(command, {}).items()
        if sighting.day == state.turn
        and sighting.size is not Size.PARTY
        and all(hex_.distance(told_hex) > NEAR for told_hex in told_hexes)
    ]


def value_of_reports(state: CampaignState, command: str) -> float:
    """Return the worth of reports already sent: a negative amount for each command of the power without a report."""
    if state.options.knowledge is Knowledge.SHARED:
        return 0.0
    return -WORTH * sum(bool(new_enemies(state, command, to)) for to in fellows_of(state, command))


def _words(state: CampaignState, command: str, hexes: list[Hex]) -> str:
    sightings = state.sightings[command]
    largest = sorted(hexes, key=lambda hex_: (-(sightings[hex_].figures or 0), hex_))[:MOST_NAMED]
    title = board_of(state).title
    return f"We see {join_with_and(f'{sightings[hex_].in_words} in {title(hex_)}' for hex_ in largest)}."
