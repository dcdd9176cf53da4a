"""The bot's hidden plans appear nowhere: in no message, picture, file, completion or log line."""

import logging
import re
from collections.abc import Callable

import pytest
import simcord

from bot.runtime.client import UmpireBot
from tests import leaks
from tests.solo_toy import AMBUSH, AMBUSH_OFFSET

from .leak_check import ask_everything, carry_elsewhere, require_alike
from .table import Table
from .toy_game import begin, new_bot, new_bots

pytestmark = pytest.mark.usefixtures("real_maps")

__all__ = ["new_bot", "new_bots"]

AMBUSHES = (re.escape(AMBUSH), rf"\b(?:{'|'.join(str(AMBUSH_OFFSET + die) for die in range(1, 7))})\b")
GAME_VALUES = {
    "unit": "r1",
    "target": "b1",
    "rules": "alone",
    "scenario": "lane",
    "action": "march",
    "field": "steps",
    "sides": ("red", "blue"),
}


async def play_and_ask(table: Table, *actors: simcord.MemberActor) -> None:
    """Let the bot play a turn and everyone give every command. Then undo, export, import and play on."""
    await begin(table)
    await table.give(table.umpire, "british turn")
    await table.env.settle()
    await table.press(table.british, table.newest(table.british), "Hold")
    await table.env.settle()
    await ask_everything(table, GAME_VALUES, *actors)
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    elsewhere = await carry_elsewhere(table)
    await table.give(table.umpire, "british step", channel=elsewhere)
    await table.env.settle()
    await table.give(table.umpire, "game log", last=50, channel=elsewhere)


async def test_hidden_facts_are_in_no_byte_sent(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await play_and_ask(table, table.umpire, table.british, table.onlooker)
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    hidden = await leaks.find_hidden_patterns(bot.store, AMBUSHES)
    assert leaks.find_leaks(leaks.collect_sent_texts(table.env, caplog.text), hidden) == []
    assert len(await leaks.find_hidden_throws(bot.store)) >= 6, "the game must have hidden facts"
    spring = await table.give(table.umpire, "order", unit="r1", action="spring")
    assert leaks.find_leaks([("here", spring.text)], hidden), "the search must find a leaked state"


async def test_worlds_with_different_secrets_send_the_same_bytes(
    new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    await require_alike(new_bots, monkeypatch, lambda table: play_and_ask(table, table.umpire))
