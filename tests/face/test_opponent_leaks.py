"""The bot plays the Germans at Tanga: neither its actions nor its reasons tell which MG markers are dummies.

The two worlds differ in one fact: the marker that holds the Pioneers' MG. This marker stays face down.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from bot.runtime.channel_loops import ChannelLoops
from bot.runtime.client import UmpireBot
from rules.core import sealed_dice
from tests import leaks

from .leak_check import carry_elsewhere, play_world
from .sheet import menus, options
from .table import Table, has_details
from .test_opponent import game_of
from .test_tanga_leaks import new_bots

pytestmark = [pytest.mark.usefixtures("real_maps"), pytest.mark.soak]

__all__ = ["new_bots"]

WORLDS = ({"13th Rajputs": 4, "61st Pioneers": 3}, {"13th Rajputs": 4, "61st Pioneers": 1})
"""The position of each battalion's MG among its markers, for each world. No German sees the differing MG."""
COMMANDS: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("game log", {"last": 50}), ("game status", {}), ("game since", {}), ("game report", {}), ("game replay", {})),
    *(("map", {}), ("unit list", {}), ("british why", {}), ("game export", {})),
)
OPEN_DICE = b"8"
"""Salt of the open dice, chosen so that no MG is revealed."""
LEAST_DECISIONS = 4
"""Number of the bot's decisions that the test asks about."""


def load_marker_dice(monkeypatch: pytest.MonkeyPatch, places: Mapping[str, int]) -> None:
    """Load the hidden dice that place the battalions' MGs. Other dice fall by their seed."""
    faces = sealed_dice.compute_faces

    def throw(seed: bytes, message: str, count: int, sides: int) -> tuple[int, ...]:
        place, _, about = message.split("|")[4].partition(": ")
        return (places[place],) if about == "MG markers" else faces(seed + OPEN_DICE, message, count, sides)

    monkeypatch.setattr(sealed_dice, "compute_faces", throw)


async def ask_why(table: Table) -> None:
    """Ask why about the newest decisions. The onlooker learns nothing, in the same words every time."""
    numbers = [int(number_) for number_ in await table.complete(table.umpire, "opponent why", "number")]
    assert len(numbers) >= LEAST_DECISIONS
    assert not await table.complete(table.onlooker, "opponent why", "number")
    for number in numbers[-LEAST_DECISIONS:]:
        await table.give(table.onlooker, "opponent why", number=str(number))
        answer = await table.give(table.umpire, "opponent why", number=str(number))
        assert "### Why the Germans decided so" in answer.private_text
    for placeholder, menu in menus(answer.private[0]).items():
        if not placeholder.startswith("Overrule"):
            last = [*options(answer.private[0], placeholder).values()][-1]
            await table.umpire.select(answer.private[0], [last], custom_id=menu["custom_id"])


class PlayedWorld:
    """A played world: its hidden markers at the end, and the journal as the Germans may read it."""

    def __init__(self) -> None:
        self.hidden: list[str] = []
        self.entries: list[str] = []

    async def play(self, table: Table) -> None:
        """Play the landing and the Germans' turns.

        Everyone asks why and reads everything; then import the game elsewhere.
        """
        await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
        await table.give(table.umpire, "game leave")
        await table.give(table.umpire, "opponent side", side="german", level="hard")
        for command in ("opponent turn", "opponent step", *("opponent turn", "british turn") * 2, "opponent turn"):
            await table.give(table.umpire, command)
            await table.env.settle()
        await ask_why(table)
        for actor in (table.umpire, table.onlooker):
            for command, arguments in COMMANDS:
                await table.give(actor, command, **arguments)
            for message in [message for message in table.channel.history() if has_details(message)]:
                await table.details(actor, message)
        game = await game_of(table)
        self.hidden = [marker.id for marker in game.state.markers.values() if marker.real]
        journal = await table.env.bot.games.readings.load_log(game, "german", 0)
        rows = ((entry.kind, entry.action, entry.report, entry.thought, entry.dice) for entry in journal)
        self.entries = [leaks.IDS.sub("<id>", repr(row)) for row in rows]
        elsewhere = await carry_elsewhere(table)
        await table.give(table.umpire, "game log", last=50, channel=elsewhere)


async def test_the_bots_germans_send_the_same_bytes_whichever_markers_are_dummies(
    new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChannelLoops, "start", lambda *_: None)  # it plays only when it is told to
    worlds, records_of_worlds = (PlayedWorld(), PlayedWorld()), []
    for world, places in zip(worlds, WORLDS, strict=True):
        with monkeypatch.context() as patched:
            load_marker_dice(patched, places)
            records_of_worlds.append((await play_world(1, new_bots(), patched, world.play))[0])
    first, second = worlds
    assert (len(first.hidden), len(second.hidden)) == (2, 2), "a German saw an MG, which differs between the worlds"
    assert first.hidden != second.hidden
    assert first.entries == second.entries
    of_games = [
        [record for record in all_of_it if not record[0].endswith("/commands")] for all_of_it in records_of_worlds
    ]
    difference = leaks.find_first_difference(*of_games)
    assert not difference, difference
    assert len(records_of_worlds[0]) > 80
