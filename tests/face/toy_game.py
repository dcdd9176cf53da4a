"""A game of the toy system that one person plays against the bot. Several test modules share it."""

import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from bot.runtime import client
from bot.runtime.client import UmpireBot, make_bot
from bot.runtime.settings import Settings
from cogs import extension
from rules import registry
from tests.databases import create_database
from tests.solo_toy import ToyAlone
from tests.toy import Toy

from .table import Answer, Table

__all__ = ["new_bot", "new_bots"]


@pytest.fixture
def new_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Callable[[], UmpireBot]]:
    """A function that returns functions that make bots, each with its own database.

    The bots know only the toy systems.
    """
    systems = {"alone": ToyAlone(), "toy": Toy()}
    extension.import_modules()
    monkeypatch.setattr(registry, "rulesets", lambda: systems)
    for name, module in list(sys.modules.items()):
        if name.startswith("cogs.") and hasattr(module, "rulesets"):
            monkeypatch.setattr(module, "rulesets", lambda: systems)
    monkeypatch.setattr(client, "PAUSE", 0.001)
    numbers = count(1)

    def maker() -> Callable[[], UmpireBot]:
        url = create_database(tmp_path / f"umpire-{next(numbers)}.db", systems)
        settings = Settings.model_validate(
            {"UMPIRE_DATABASE_URL": url, "DISCORD_TOKEN": None, "UMPIRE_WORKERS": 0, "UMPIRE_GROUNDS": "none"}
        )
        return lambda: make_bot(settings, systems)

    return maker


@pytest.fixture
def new_bot(new_bots: Callable[[], Callable[[], UmpireBot]]) -> Callable[[], UmpireBot]:
    """A function that makes bots with the toy systems, on one database."""
    return new_bots()


async def begin(table: Table) -> Answer:
    """Start a game: Ursula and Bertie play Red against the bot, and Olga watches."""
    begun = await table.give(table.umpire, "game new", rules="alone", scenario="lane")
    await table.give(table.british, "game join", side="red")
    return begun
