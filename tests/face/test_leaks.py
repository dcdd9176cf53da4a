"""What the bot's side hides leaves the bot nowhere: not in a message, a picture, a file, a completion or the log."""

import logging
import re
from collections.abc import Callable

import pytest
import simcord

from bot.runtime.client import UmpireBot
from tests import leaks
from tests.toy_alone import AMBUSH, MARK

from .alone import begin, new_bot, new_bots
from .leaking import ask_everything, carry_elsewhere, require_alike
from .table import Table

pytestmark = pytest.mark.usefixtures("real_maps")

__all__ = ["new_bot", "new_bots"]

AMBUSHES = (re.escape(AMBUSH), rf"\b(?:{'|'.join(str(MARK + die) for die in range(1, 7))})\b")
OURS = {
    "unit": "r1",
    "target": "b1",
    "rules": "alone",
    "scenario": "lane",
    "action": "march",
    "field": "steps",
    "sides": ("red", "blue"),
}


async def play(table: Table, *everyone: simcord.MemberActor) -> None:
    """A turn of the bot's, then every command; some taken back; the game carried away, taken in again, gone on with."""
    await begin(table)
    await table.give(table.umpire, "british turn")
    await table.env.settle()
    await table.press(table.british, table.newest(table.british), "Hold")
    await table.env.settle()
    await ask_everything(table, OURS, *everyone)
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    elsewhere = await carry_elsewhere(table)
    await table.give(table.umpire, "british step", channel=elsewhere)
    await table.env.settle()
    await table.give(table.umpire, "game log", last=50, channel=elsewhere)


async def test_what_is_hidden_leaves_the_bot_nowhere(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await play(table, table.umpire, table.british, table.onlooker)
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    hidden = await leaks.find_hidden_patterns(bot.store, AMBUSHES)
    assert leaks.find_leaks(leaks.collect_sent_texts(table.env, caplog.text), hidden) == []
    assert len(await leaks.find_hidden_throws(bot.store)) >= 6, "there was something to hide"
    spring = await table.give(table.umpire, "order", unit="r1", action="spring")
    assert leaks.find_leaks([("here", spring.text)], hidden), "it would have been found"


async def test_worlds_that_differ_in_what_is_hidden_are_told_alike(
    new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    await require_alike(new_bots, monkeypatch, lambda table: play(table, table.umpire))
