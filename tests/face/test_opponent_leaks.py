"""Of the Germans whom the bot plays at Tanga, nothing tells which MG markers are dummies: not what it does, nor why.

The worlds differ in one thing alone: under which marker of the Pioneers their MG lies, of those that stay face down.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from bot.runtime.channel_loops import ChannelLoops
from bot.runtime.client import UmpireBot
from rules.core import sealed_dice
from tests import leaks

from .leaking import carry_elsewhere, play_world
from .sheet import menus, options
from .table import Table, has_details
from .test_opponent import game_of
from .test_tanga_leaks import new_bots

pytestmark = [pytest.mark.usefixtures("real_maps"), pytest.mark.soak]

__all__ = ["new_bots"]

WORLDS = ({"13th Rajputs": 4, "61st Pioneers": 3}, {"13th Rajputs": 4, "61st Pioneers": 1})
"""Under which marker of a battalion, by its place, its MG lies: of those that no German sees in these turns."""
LOOKED: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("game log", {"last": 50}), ("game status", {}), ("game since", {}), ("game report", {}), ("game replay", {})),
    *(("map", {}), ("unit list", {}), ("british why", {}), ("game export", {})),
)
OPEN_DICE = b"8"
"""Makes them fall so that no MG is seen in the end."""
LEAST = 4
"""Decisions of the bot's that are asked about."""


def dealt(monkeypatch: pytest.MonkeyPatch, places: Mapping[str, int]) -> None:
    """The hidden throw that says where a battalion's MG lies falls so; every other as it does."""
    faces = sealed_dice.faces

    def fallen(seed: bytes, message: str, count: int, sides: int) -> tuple[int, ...]:
        whose, _, about = message.split("|")[4].partition(": ")
        return (places[whose],) if about == "MG markers" else faces(seed + OPEN_DICE, message, count, sides)

    monkeypatch.setattr(sealed_dice, "faces", fallen)


async def ask_why(table: Table) -> None:
    """Why of the newest decisions, and of one by the menu; the onlooker is told nothing, and always the same."""
    numbers = [int(one) for one in await table.complete(table.umpire, "opponent why", "number")]
    assert len(numbers) >= LEAST
    assert not await table.complete(table.onlooker, "opponent why", "number")
    for number in numbers[-LEAST:]:
        await table.give(table.onlooker, "opponent why", number=str(number))
        shown = await table.give(table.umpire, "opponent why", number=str(number))
        assert "### Why the Germans decided so" in shown.private_text
    for named, menu in menus(shown.private[0]).items():
        if not named.startswith("Overrule"):
            last = [*options(shown.private[0], named).values()][-1]
            await table.umpire.select(shown.private[0], [last], custom_id=menu["custom_id"])


class Played:
    """What a world hides to the end, and what its journal lets the side read that may not know it."""

    def __init__(self) -> None:
        self.hidden: list[str] = []
        self.entries: list[str] = []

    async def play(self, table: Table) -> None:
        """The British land and move, so do the bot's Germans; everyone asks why, and looks; it is carried elsewhere."""
        await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
        await table.give(table.umpire, "game leave")
        await table.give(table.umpire, "opponent side", side="german", level="hard")
        for command in ("opponent turn", "opponent step", *("opponent turn", "british turn") * 2, "opponent turn"):
            await table.give(table.umpire, command)
            await table.env.settle()
        await ask_why(table)
        for actor in (table.umpire, table.onlooker):
            for command, given in LOOKED:
                await table.give(actor, command, **given)
            for message in [one for one in table.channel.history() if has_details(one)]:
                await table.details(actor, message)
        game = await game_of(table)
        self.hidden = [one.id for one in game.state.markers.values() if one.real]
        journal = await table.env.bot.games.readings.log(game, "german", 0)
        kept = ((one.kind, one.action, one.report, one.thought, one.dice) for one in journal)
        self.entries = [leaks.IDS.sub("<id>", repr(one)) for one in kept]
        elsewhere = await carry_elsewhere(table)
        await table.give(table.umpire, "game log", last=50, channel=elsewhere)


async def test_where_the_bot_plays_the_germans_worlds_that_differ_in_the_markers_are_told_alike(
    new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChannelLoops, "start", lambda *_: None)  # it plays only when it is told to
    worlds, told = (Played(), Played()), []
    for world, places in zip(worlds, WORLDS, strict=True):
        with monkeypatch.context() as patched:
            dealt(patched, places)
            told.append((await play_world(1, new_bots(), patched, world.play))[0])
    one, other = worlds
    assert (len(one.hidden), len(other.hidden)) == (2, 2), "an MG was seen, which the other world knows nothing of"
    assert one.hidden != other.hidden
    assert one.entries == other.entries
    of_games = [[each for each in all_of_it if not each[0].endswith("/commands")] for all_of_it in told]
    difference = leaks.find_first_difference(*of_games)
    assert not difference, difference
    assert len(told[0]) > 80
