"""The story of a game for one viewer: each entry in words, and its units and arrows on the map."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from bot.journal.game import Entry
from bot.services import Games
from rules.core import glance
from rules.core.report import Step
from rules.core.state import State

from .map_json import arrows_json, attack_lines_json, units_json
from .sessions import PageSeat

Json = Mapping[str, Any]
MOST_ENTRIES = 60
"""Maximum number of entries on the page, newest first."""


async def load_story(games: Games, seat: PageSeat) -> Json:
    """Return the newest entries that the viewer may read, oldest first."""
    entries = await games.load_entries(seat.game, MOST_ENTRIES, seat.viewer)
    return {"progress": seat.progress, "entries": [entry_json(entry) for entry in entries]}


async def load_entry_map(games: Games, seat: PageSeat, name: str) -> Json | None:
    """Return the map's units and arrows for an entry, as the viewer sees them.

    Return None for an unknown entry, or for a game without a map.
    """
    entries = await games.load_entries(seat.game, MOST_ENTRIES, seat.viewer)
    entry = next((candidate for candidate in entries if candidate.name == name), None)
    if entry is None or not seat.state.keeps_positions:
        return None
    after = await games.catch_up.load_state_after(seat.game, entry.seq)
    before = await games.catch_up.load_state_after(seat.game, entry.base) if entry.acts and entry.base else None
    return None if after is None else await asyncio.to_thread(entry_map_json, seat, before, after, entry.action)


def entry_map_json(
    seat: PageSeat, before: State | None, after: State, action: Mapping[str, Any] = MappingProxyType({})
) -> Json:
    """Return the map's units after an entry, with arrows for moves and for the attack in `action`.

    Without the state `before` the entry, there are no arrows.
    """
    system = seat.game.ruleset
    if before is None:
        return {"units": units_json(system.scene(after, seat.viewer)), "arrows": ()}
    scene = system.scene(after, seat.viewer, before)
    units = units_json(scene)
    attack = str(action.get("unit", "")), str(action.get("target", ""))
    return {"units": units, "arrows": [*arrows_json(scene), *attack_lines_json([attack], units)]}


def entry_json(entry: Entry) -> Json:
    """Return an entry that the viewer may read: short lines, and details with every throw."""
    report = entry.report
    return {
        "name": entry.name,
        "number": entry.shown_number,
        "at": entry.at.isoformat(timespec="seconds"),
        "by": entry.actor.name,
        "headline": report.headline,
        "outcome": report.whole_outcome,
        "lines": [_step_line_json(step) for step in glance.short_steps(report)],
        "details": [_step_line_json(step) for step in report.steps],
        "thrown": bool(report.throws),
        "undone": entry.undone,
    }


def _step_line_json(step: Step) -> Json:
    """Return a step in words, with dice and modifiers, and its rule apart for the page's link."""
    rule = glance.short_citation(step.cite)
    return {"text": glance.step_in_words(step).removesuffix(f" · {rule}"), "rule": step.cite.rule, "cite": rule}
