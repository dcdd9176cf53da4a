"""No byte sent tells which MG markers are dummies before a German unit sees them."""

import logging
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
import simcord

from bot.runtime import client
from bot.runtime.client import UmpireBot, make_bot
from bot.runtime.settings import Settings
from rules.registry import rulesets
from tests import leaks
from tests.databases import create_database

from .leak_check import ask_everything, carry_elsewhere, require_alike
from .table import Table

pytestmark = pytest.mark.usefixtures("real_maps")

GAME_VALUES = {
    "unit": "17-fk-1",
    "target": "13-rajputs-a",
    "rules": "tanga",
    "scenario": "initial-assault",
    "action": "move",
    "field": "cf",
    "to": "2610",
    "sides": ("german", "british"),
    "not_given": ("british turn", "british step", "british resume"),
}
REAL = (r"real\W{1,4}(?:[Tt]rue|[Ff]alse)",)
"""Patterns of a marker's secret in JSON or Python."""


@pytest.fixture
def new_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Callable[[], UmpireBot]]:
    """A function that returns functions that make bots, each with its own database."""
    monkeypatch.setattr(client, "PAUSE", 0.001)
    numbers = count(1)

    def maker() -> Callable[[], UmpireBot]:
        url = create_database(tmp_path / f"umpire-{next(numbers)}.db", rulesets())
        settings = Settings.model_validate(
            {"UMPIRE_DATABASE_URL": url, "DISCORD_TOKEN": None, "UMPIRE_WORKERS": 0, "UMPIRE_GROUNDS": "none"}
        )
        return lambda: make_bot(settings)

    return maker


async def play_landing(table: Table, *actors: simcord.MemberActor, step: str = "decision") -> None:
    """Play the British landing, before any marker is seen. Give every command, then export and import the game."""
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    await table.give(table.umpire, "british step", much=step)
    await table.env.settle()
    await ask_everything(table, GAME_VALUES, *actors)
    elsewhere = await carry_elsewhere(table)
    for command in ("game status", "unit list", "game log", "game export", "map"):
        await table.give(table.umpire, command, channel=elsewhere)


async def test_no_byte_sent_tells_which_markers_are_dummies(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await play_landing(table, table.umpire, table.onlooker, step="formation")
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    hidden = await leaks.find_hidden_patterns(bot.store, REAL)
    assert leaks.find_leaks(leaks.collect_sent_texts(table.env, caplog.text), hidden) == []
    assert await leaks.find_hidden_throws(bot.store), "the game must have hidden facts"
    game = await bot.games.running_game(table.channel.id)
    assert leaks.find_leaks([("the state", game.state.model_dump_json())], hidden), (
        "the search must find a leaked state"
    )


async def test_worlds_with_different_markers_send_the_same_bytes(
    new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    await require_alike(new_bots, monkeypatch, lambda table: play_landing(table, table.umpire))
