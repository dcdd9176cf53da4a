"""Markers in systems with inches: other users receive the same bytes, whichever marker hides troops."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import simcord

from bot.runtime.client import UmpireBot
from rules.core.tabletop.battle import TableState
from rules.core.tabletop.squares import GRID
from rules.registry import rulesets
from tests import leaks
from tests.daily_choice import one_a_day

from .table import labels
from .test_hidden_leaks import ASKED, SYSTEMS, World, told_in
from .test_tanga_leaks import new_bots

__all__ = ["new_bots"]

CLEAR_DISTANCE = 8.0
"""Minimum distance in inches between a unit and a new marker."""
BY_DICE = "initiative_by_dice"
"""Name of an option: while it is on, each turn waits for the initiative's winner."""
LONG_COMMANDS = ("game since", "game status", "turn status", "turn orders", "dice luck", "dice verify", "terrain list")
"""Commands that are given only in the exhaustive test."""
MOST_PHASES = 6
"""Maximum number of phases or turns until the markers may move."""


def clear_places(state: TableState[Any]) -> list[str]:
    """Return two centres of squares without a unit nearby."""
    stand = [unit.place.point for unit in state.units.values() if unit.place is not None]
    across, down = int(state.width // GRID), int(state.height // GRID)
    middles = [((x + 0.5) * GRID, (y + 0.5) * GRID) for x in range(across) for y in range(down)]
    free = [middle for middle in middles if all(math.dist(middle, at) > CLEAR_DISTANCE for at in stand)]
    return [f"{x:g},{y:g} facing 270" for x, y in (free[0], free[-1])]


class MarkedWorld(World):
    """Two markers of the second side. The busy world has other troops, and under the other marker."""

    is_exhaustive = False
    """Whether everyone gives every command repeatedly."""

    async def play(self) -> None:
        """Place and move the markers, while the other side plays, asks and undoes actions."""
        table, system = self.table, rulesets()[self.system]
        await self.give(table.umpire, "game new", rules=self.system, scenario=next(iter(system.scenarios)))
        game = await table.env.bot.games.running_game(table.channel.id)
        ours, theirs = (side.id for side in game.state.sides)
        await self.give(table.british, "game join", side=ours)
        await self.give(table.mahdist, "game join", side=theirs)
        await self.give(table.umpire, "umpire option", name="hidden troops", value="yes")
        if BY_DICE in system.option_fields:
            await self.give(table.umpire, "umpire option", name=BY_DICE, value="no")
        unit = next(unit_ for unit_ in game.state.units_of(theirs) if unit_.place is not None)
        mine = next(unit_ for unit_ in game.state.units_of(ours) if unit_.place is not None)
        await self.unseen(table.umpire, "unit hide", unit=unit.name)
        await self.place_markers(unit, theirs, clear_places(game.state))
        if self.is_exhaustive:
            await self.ask(mine)
        await self.give(table.british, "move", unit=mine.name, to="forward 1")
        for _ in range(MOST_PHASES):
            await self.give(table.mahdist, "move", unit="Marker A", to="left 2")
            await self.give(table.mahdist, "move", unit="Marker B", to="right 2")
            await self.give(table.mahdist, "move", unit="Marker B", to="forward 30")
            await self.give(table.umpire, "turn next")
            moved = (await table.env.bot.games.running_game(table.channel.id)).state.markers
            if all(unit_.moved_in for unit_ in moved.values()):
                break
        else:
            raise AssertionError("the markers never moved")
        await self.ask(mine)
        if not self.is_exhaustive:
            return
        preview = await table.give(table.british, "game undo")
        if "Ask the table" in labels(preview.private[0]):
            await table.press(table.british, preview.private[0], "Ask the table")
        await self.give(table.umpire, "umpire set", unit="Marker A", field="place", value="36,24")
        await self.give(table.umpire, "unit remove", unit="Marker B")
        await self.ask(mine)

    async def place_markers(self, unit: Any, side: str, places: list[str]) -> None:
        """Move the hidden unit to its place, then place both markers in order."""
        own = int(self.busy)
        await self.unseen(self.table.umpire, "umpire set", unit=unit.name, field="place", value=places[own])
        if self.busy:
            await self.unseen(self.table.umpire, "umpire set", unit=unit.name, field="name", value="The Other Guard")
        name = "The Other Guard" if self.busy else unit.name
        for number, place in enumerate(places):
            if number == own:
                await self.give(self.table.umpire, "unit hide", unit=name, marker=True)
            else:
                await self.give(self.table.umpire, "unit dummy", side=side, at=place)
        await self.unseen(self.table.mahdist, "unit show", unit="Marker A")

    async def ask(self, mine: Any) -> None:
        """Give every command as the other side; in the exhaustive test also as the onlooker."""
        for actor in (self.table.british, self.table.onlooker) if self.is_exhaustive else (self.table.british,):
            await self.ask_all(actor)
            for name in ("Marker A", "Marker B"):
                await self.give(actor, "unit show", unit=name)
                await self.give(actor, "fire", unit=mine.name, target=name)
                if name == "Marker A" or self.is_exhaustive:
                    await self.give(actor, "map", area=name)
                    await self.give(actor, "odds", test="fire", unit=mine.name, target=name)
                    await self.give(actor, "move", unit=name, to="forward 1")
                    await self.give(actor, "unit unhide", unit=name)

    async def ask_all(self, actor: simcord.MemberActor) -> None:
        """Give the commands of any game, and complete options."""
        for command, options in ASKED:
            if self.is_exhaustive or command not in LONG_COMMANDS:
                await self.give(actor, command, **options)
        for command, option in (("unit show", "unit"), ("fire", "target"), ("map", "area"), ("unit unhide", "unit")):
            await self.table.complete(actor, command, option)


class ExhaustiveWorld(MarkedWorld):
    """The exhaustive version."""

    is_exhaustive = True


@pytest.mark.parametrize("system", one_a_day(SYSTEMS))
async def test_others_receive_the_same_bytes_whichever_marker_hides_troops(
    system: str, new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    await require_same_bytes(system, new_bots, monkeypatch, MarkedWorld)


@pytest.mark.soak
@pytest.mark.usefixtures("real_maps")
@pytest.mark.parametrize("system", SYSTEMS)
async def test_pictures_and_repeated_commands_do_not_leak_markers(
    system: str, new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    await require_same_bytes(system, new_bots, monkeypatch, ExhaustiveWorld)


async def require_same_bytes(
    system: str,
    new_bots: Callable[[], Callable[[], UmpireBot]],
    monkeypatch: pytest.MonkeyPatch,
    of: type[MarkedWorld],
) -> None:
    """Fail if other users receive different bytes in two worlds."""
    worlds = [await told_in(system, new_bots(), monkeypatch, busy=busy, of=of) for busy in (False, True)]
    assert not leaks.find_first_difference(*worlds), leaks.find_first_difference(*worlds)
    assert len(worlds[0]) > 50
    assert sum("Marker A" in place for _, place in worlds[0]) > 20
