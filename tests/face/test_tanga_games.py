"""Games of Tanga in the chat: no byte sent tells which markers are dummies.

Two games run here, fifty in the soak.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.runtime import client
from bot.runtime.client import UmpireBot
from rules.core.state import Action
from rules.tanga.model import GERMAN, Phase
from rules.tanga.tests.player import choose
from tests import leaks

from .table import Table
from .test_tanga_leaks import REAL

FEW, MANY = 2, 50
TURNS = 1
CHECK_INTERVAL = 10
"""Number of games between two full checks of log, export, report and odds."""
MOST_ORDERS = 400
"""Maximum number of orders in a game."""
COMMANDS = {"fire": "fire", "melee": "melee", "move": "move", "turn_next": "turn next"}
"""Commands of these kinds of action. `/order` gives the other kinds."""


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Automatic play without pauses."""
    monkeypatch.setattr(client, "PAUSE", 0.001)


def as_command(action: Action) -> tuple[str, Mapping[str, Any]]:
    """Return the command of an action, and its options."""
    arguments = action.model_dump(mode="json", exclude_defaults=True)
    if action.kind in COMMANDS:
        return COMMANDS[action.kind], arguments
    return "order", {**arguments, "action": action.kind}


async def play(table: Table, channel: Any, turns: int) -> None:
    """Play this many turns: the British by the printed card, the Germans by a simple player, in commands."""
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault", channel=channel)
    for _ in range(MOST_ORDERS):
        game = await bot.games.running_or_last_game(channel.id)
        if game.state.over is not None or game.state.turn > turns:
            return
        if game.state.phase == Phase.BRITISH.value:
            await table.give(table.umpire, "british turn", channel=channel)
            await table.env.settle()
            continue
        command, options = as_command(choose(game.ruleset.view(game.state, GERMAN)))
        await table.give(table.umpire, command, channel=channel, **options)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("games", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
async def test_games_send_no_hidden_fact(table: Table, caplog: pytest.LogCaptureFixture, games: int) -> None:
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    for number in range(games):
        channel = table.guild.create_text_channel(f"game-{number}")
        await play(table, channel, TURNS)
        if number % CHECK_INTERVAL == 0:
            for command in ("game log", "game export", "game report", "game status", "dice verify", "british why"):
                await table.give(table.onlooker, command, channel=channel)
                await table.give(table.umpire, command, channel=channel)
    hidden = await leaks.find_hidden_patterns(bot.store, REAL)
    assert len(await leaks.find_hidden_throws(bot.store)) >= games
    assert leaks.find_leaks(leaks.collect_sent_texts(table.env, caplog.text), hidden) == []
