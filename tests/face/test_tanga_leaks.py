"""Which MG markers are dummies nobody learns before a German sees them: not in a byte of what the bot sends."""

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

from .leaking import ask_everything, carry_elsewhere, require_alike
from .table import Table

pytestmark = pytest.mark.usefixtures("real_maps")

OURS = {
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
"""A marker's secret, however it would be written in JSON or Python."""


@pytest.fixture
def new_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Callable[[], UmpireBot]]:
    """Makes makers of bots, each maker with a database of its own."""
    monkeypatch.setattr(client, "PAUSE", 0.001)
    numbers = count(1)

    def maker() -> Callable[[], UmpireBot]:
        url = create_database(tmp_path / f"umpire-{next(numbers)}.db", rulesets())
        settings = Settings.model_validate(
            {"UMPIRE_DATABASE_URL": url, "DISCORD_TOKEN": None, "UMPIRE_WORKERS": 0, "UMPIRE_GROUNDS": "none"}
        )
        return lambda: make_bot(settings)

    return maker


async def land(table: Table, *everyone: simcord.MemberActor, much: str = "decision") -> None:
    """The British begin, nobody has seen a marker yet: every command; the game carried away and taken in again."""
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    await table.give(table.umpire, "british step", much=much)
    await table.env.settle()
    await ask_everything(table, OURS, *everyone)
    elsewhere = await carry_elsewhere(table)
    for command in ("game status", "unit list", "game log", "game export", "map"):
        await table.give(table.umpire, command, channel=elsewhere)


async def test_which_markers_are_dummies_leaves_the_bot_nowhere(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await land(table, table.umpire, table.onlooker, much="formation")
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    hidden = await leaks.find_hidden_patterns(bot.store, REAL)
    assert leaks.find_leaks(leaks.collect_sent_texts(table.env, caplog.text), hidden) == []
    assert await leaks.find_hidden_throws(bot.store), "there was something to hide"
    game = await bot.games.running(table.channel.id)
    assert leaks.find_leaks([("the state", game.state.model_dump_json())], hidden), "it would have been found"


async def test_worlds_that_differ_in_the_markers_are_told_alike(
    new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    await require_alike(new_bots, monkeypatch, lambda table: land(table, table.umpire))
