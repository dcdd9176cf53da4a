"""A table at which someone plays toys alone against the bot: what the tests of such games share."""

import importlib
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from bot.runtime import client
from bot.runtime.client import UmpireBot, cog_names, make_bot
from bot.runtime.settings import Settings
from rules import registry
from tests.databases import ready
from tests.toy import Toy
from tests.toy_alone import ToyAlone

from .table import Answer, Table

__all__ = ["new_bot", "new_bots"]


@pytest.fixture
def new_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Callable[[], UmpireBot]]:
    """Makes makers of bots that know toys alone, each maker with a database of its own."""
    systems = {"alone": ToyAlone(), "toy": Toy()}
    for name in cog_names():
        importlib.import_module(name)
    monkeypatch.setattr(registry, "rulesets", lambda: systems)
    for name, module in list(sys.modules.items()):
        if name.startswith("cogs.") and hasattr(module, "rulesets"):
            monkeypatch.setattr(module, "rulesets", lambda: systems)
    monkeypatch.setattr(client, "PAUSE", 0.001)
    numbers = count(1)

    def maker() -> Callable[[], UmpireBot]:
        url = ready(tmp_path / f"umpire-{next(numbers)}.db", systems)
        settings = Settings.model_validate(
            {"UMPIRE_DATABASE_URL": url, "DISCORD_TOKEN": None, "UMPIRE_WORKERS": 0, "UMPIRE_GROUNDS": "none"}
        )
        return lambda: make_bot(settings, systems)

    return maker


@pytest.fixture
def new_bot(new_bots: Callable[[], Callable[[], UmpireBot]]) -> Callable[[], UmpireBot]:
    """Makes bots that know toys alone, on one and the same database."""
    return new_bots()


async def begin(table: Table) -> Answer:
    """Ursula plays Red against the bot, with Bertie beside her; Olga looks on."""
    begun = await table.give(table.umpire, "game new", rules="alone", scenario="lane")
    await table.give(table.british, "game join", side="red")
    return begun
