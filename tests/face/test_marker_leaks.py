"""Markers of the systems in inches: others are sent the same to the last byte, whichever has troops under it."""

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
from tests.daily import one_a_day

from .table import labels
from .test_hidden_leaks import ASKED, SYSTEMS, World, told_in
from .test_tanga_leaks import new_bots

__all__ = ["new_bots"]

CLEAR = 8.0
"""Inches from any unit to where markers are put."""
BY_DICE = "initiative_by_dice"
"""The option with which a turn waits for who has won the initiative."""
LONG = ("game since", "game status", "turn status", "turn orders", "dice luck", "dice verify", "terrain list")
"""What is asked only where everything is."""
TURNS = 6
"""Phases or turns that pass, in one of which the markers may move."""


def clear_places(state: TableState[Any]) -> list[str]:
    """Two middles of squares on which nobody stands near."""
    stand = [unit.place.point for unit in state.units.values() if unit.place is not None]
    across, down = int(state.width // GRID), int(state.height // GRID)
    middles = [((x + 0.5) * GRID, (y + 0.5) * GRID) for x in range(across) for y in range(down)]
    free = [middle for middle in middles if all(math.dist(middle, at) > CLEAR for at in stand)]
    return [f"{x:g},{y:g} facing 270" for x, y in (free[0], free[-1])]


class Marked(World):
    """Two markers of the second side; in a busy world other troops than else lie under the other one."""

    often = False
    """Whether everybody asks everything again and again."""

    async def play(self) -> None:
        """Markers are put on and move; the other side plays, asks, takes back and carries away."""
        table, system = self.table, rulesets()[self.system]
        await self.give(table.umpire, "game new", rules=self.system, scenario=next(iter(system.scenarios)))
        game = await table.env.bot.games.running(table.channel.id)
        ours, theirs = (side.id for side in game.state.sides)
        await self.give(table.british, "game join", side=ours)
        await self.give(table.mahdist, "game join", side=theirs)
        await self.give(table.umpire, "umpire option", name="hidden troops", value="yes")
        if BY_DICE in system.option_fields:
            await self.give(table.umpire, "umpire option", name=BY_DICE, value="no")
        unit = next(one for one in game.state.of_side(theirs) if one.place is not None)
        mine = next(one for one in game.state.of_side(ours) if one.place is not None)
        await self.unseen(table.umpire, "unit hide", unit=unit.name)
        await self.put_on(unit, theirs, clear_places(game.state))
        if self.often:
            await self.ask(mine)
        await self.give(table.british, "move", unit=mine.name, to="forward 1")
        for _ in range(TURNS):
            await self.give(table.mahdist, "move", unit="Marker A", to="left 2")
            await self.give(table.mahdist, "move", unit="Marker B", to="right 2")
            await self.give(table.mahdist, "move", unit="Marker B", to="forward 30")
            await self.give(table.umpire, "turn next")
            moved = (await table.env.bot.games.running(table.channel.id)).state.markers
            if all(one.moved_in for one in moved.values()):
                break
        else:
            raise AssertionError("the markers never moved")
        await self.ask(mine)
        if not self.often:
            return
        preview = await table.give(table.british, "game undo")
        if "Ask the table" in labels(preview.private[0]):
            await table.press(table.british, preview.private[0], "Ask the table")
        await self.give(table.umpire, "umpire set", unit="Marker A", field="place", value="36,24")
        await self.give(table.umpire, "unit remove", unit="Marker B")
        await self.ask(mine)

    async def put_on(self, unit: Any, side: str, places: list[str]) -> None:
        """The unit, hidden, is put where it is to lie; then the markers are, in their order."""
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
        """Everything that the others can ask."""
        for actor in (self.table.british, self.table.onlooker) if self.often else (self.table.british,):
            await self.ask_all(actor)
            for name in ("Marker A", "Marker B"):
                await self.give(actor, "unit show", unit=name)
                await self.give(actor, "fire", unit=mine.name, target=name)
                if name == "Marker A" or self.often:
                    await self.give(actor, "map", area=name)
                    await self.give(actor, "odds", test="fire", unit=mine.name, target=name)
                    await self.give(actor, "move", unit=name, to="forward 1")
                    await self.give(actor, "unit unhide", unit=name)

    async def ask_all(self, actor: simcord.MemberActor) -> None:
        """What can be asked of any game, and what is completed."""
        for command, options in ASKED:
            if self.often or command not in LONG:
                await self.give(actor, command, **options)
        for command, option in (("unit show", "unit"), ("fire", "target"), ("map", "area"), ("unit unhide", "unit")):
            await self.table.complete(actor, command, option)


class Often(Marked):
    """The same, at length."""

    often = True


@pytest.mark.parametrize("system", one_a_day(SYSTEMS))
async def test_nobody_else_is_sent_a_byte_of_what_lies_under_a_marker(
    system: str, new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    await alike(system, new_bots, monkeypatch, Marked)


@pytest.mark.soak
@pytest.mark.usefixtures("real_maps")
@pytest.mark.parametrize("system", SYSTEMS)
async def test_nor_in_pictures_and_whatever_is_asked(
    system: str, new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    await alike(system, new_bots, monkeypatch, Often)


async def alike(
    system: str,
    new_bots: Callable[[], Callable[[], UmpireBot]],
    monkeypatch: pytest.MonkeyPatch,
    of: type[Marked],
) -> None:
    """Whether others are sent the same in two worlds."""
    worlds = [await told_in(system, new_bots(), monkeypatch, busy=busy, of=of) for busy in (False, True)]
    assert not leaks.find_first_difference(*worlds), leaks.find_first_difference(*worlds)
    assert len(worlds[0]) > 50
    assert sum("Marker A" in what for _, what in worlds[0]) > 20
