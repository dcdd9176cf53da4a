"""Countries of three Blue commands for the tests of dispatches: writing, riding, and what is told of them."""

from typing import Any

from rules.campaign.intelligence import Dispatch, EnemySize, Rider, Sighting
from rules.campaign.model import CampaignState
from rules.campaign.options import Knowledge
from rules.campaign.riders import move_riders
from rules.core.play import Play
from rules.core.report import Report
from rules.core.tests.scripted import ScriptedDice

from .country import country, hex_at
from .worlds import SYSTEM

BLUES = ("blue", "green", "grey")
WIDE = "\n".join([". " * 20] * 8)
"""Twenty columns of eight open hexes."""


def campaign(name: str, *lines: str, **fields: Any) -> CampaignState:
    """A country in which Blue has three commands, Blue being the chief, and each knows its own."""
    return country(name, *lines, blues=BLUES, **{"knowledge": Knowledge.OWN, **fields})


def write(
    state: CampaignState, side: str, to: str, text: str = "Come to the well.", *, with_sightings: bool = False
) -> tuple[CampaignState, Report]:
    """Write a dispatch; it throws no die."""
    arguments = {"side": side, "to": to, "text": text, "with_sightings": with_sightings}
    return SYSTEM.act(state, SYSTEM.parse("write_dispatch", arguments), ScriptedDice(()))


def end_day(state: CampaignState, *fell: int) -> tuple[CampaignState, Report]:
    """Have the umpire end the day, with these dice after the salts."""
    salts = (1,) * 8 * len(state.sides)
    dice = ScriptedDice((*salts, *fell))
    after, report = SYSTEM.act(state, SYSTEM.parse("turn_next", {}), dice)
    assert not dice.left, f"{dice.left} dice were not thrown"
    return after, report


def ride(state: CampaignState, *fell: int) -> tuple[CampaignState, Report]:
    """Have the riders ride at the day's end, with these dice."""
    dice = ScriptedDice(fell)
    play = Play(state, dice)
    move_riders(play)
    assert not dice.left, f"{dice.left} dice were not thrown"
    assert all(throw.sides == 6 for step in play.report.steps for throw in step.throws)
    return play.state, play.report


def rider_of(state: CampaignState) -> Rider:
    """Return the rider of the only dispatch."""
    (dispatch,) = state.dispatches
    assert dispatch.rider is not None
    return dispatch.rider


def told(report: Report | None, viewer: str) -> str:
    """Return what a viewer reads of dispatches in a report."""
    seen = report and report.view_for(viewer)
    steps = [] if seen is None else [step for step in seen.steps if step.cite.rule.startswith("CA-7")]
    return " ".join(f"{step.text}: {step.verdict}" for step in steps)


def known(state: CampaignState, viewer: str) -> list[Dispatch]:
    return [*SYSTEM.view(state, viewer).dispatches]


def seen_on(day: int, size: EnemySize = EnemySize.FORCE, distance: int = 2) -> Sighting:
    return Sighting(day=day, distance=distance, size=size)


def carrying(sightings: dict[str, Sighting], **fields: Any) -> Dispatch:
    """A dispatch from Blue to Green with these sightings, by number of the hex."""
    carried = {hex_at(label): sighting for label, sighting in sightings.items()}
    return Dispatch(day=3, sender="blue", to="green", text="News.", sightings=carried, **fields)
