"""What the bot's side hides leaves the bot nowhere: not in a message, a picture, a file, a completion or the log."""

import logging
import re
import secrets
from collections.abc import Callable

import pytest
import simcord

from bot import fairness, imported, opening
from bot.client import UmpireBot
from tests import leaks
from tests.toy_alone import AMBUSH, MARK

from .alone import begin, new_bot, new_bots
from .table import Table
from .test_every_command import plans

__all__ = ["new_bot", "new_bots"]

AMBUSHES = (re.escape(AMBUSH), rf"\b(?:{'|'.join(str(MARK + die) for die in range(1, 7))})\b")


async def play(table: Table, *everyone: simcord.MemberActor) -> None:
    """A turn of the bot's, then every command, by each of those; the game carried away and taken in again."""
    await begin(table)
    await table.give(table.umpire, "british turn")
    await table.env.settle()
    await table.press(table.british, table.newest(table.british), "Hold")
    await table.env.settle()
    for actor in everyone:
        for name, options in plans(table, everything=False):
            if name not in ("game new", "game end", "game import", "game leave", "game join", "umpire appoint"):
                await table.give(actor, name, **{**options, **alone(options)})
        for command, option in (("order", "action"), ("order", "target"), ("british answer", "answer"), ("do", "more")):
            await table.complete(actor, command, option, **({"unit": "r1"} if command == "order" else {}))
        for side in ("red", "blue", "umpire"):
            await table.give(actor, "map", side=side)
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    exported = await table.give(table.umpire, "game export")
    (file,) = exported.private[0].attachments
    elsewhere = table.guild.create_text_channel("elsewhere")
    data = table.env.backend.cdn.get(file.url)
    await table.give(table.umpire, "game import", file=("game.json", data), channel=elsewhere)
    await table.give(table.umpire, "british step", channel=elsewhere)
    await table.env.settle()
    await table.give(table.umpire, "game log", last=50, channel=elsewhere)


def alone(options: dict[str, object]) -> dict[str, object]:
    """Values of this system in place of those of another, for the options given."""
    ours = {"unit": "r1", "target": "b1", "rules": "alone", "scenario": "lane", "action": "march", "field": "steps"}
    return {name: value for name, value in ours.items() if name in options}


async def test_what_is_hidden_leaves_the_bot_nowhere(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await play(table, table.umpire, table.british, table.onlooker)
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    hidden = await leaks.hidden_of(bot.store, AMBUSHES)
    assert leaks.found(leaks.told(table.env, caplog.text), hidden) == []
    assert len(await leaks.hidden_throws(bot.store)) >= 6, "there was something to hide"
    spring = await table.give(table.umpire, "order", unit="r1", action="spring")
    assert leaks.found([("here", spring.said)], hidden), "it would have been found"


async def told_in(
    world: int, new_bot: Callable[[], UmpireBot], monkeypatch: pytest.MonkeyPatch
) -> tuple[leaks.Told, list[list[int]]]:
    """All that is told of the same play in a world whose hidden dice are its own, and how those fell."""
    with monkeypatch.context() as patched:
        for module in (opening, imported, fairness):
            patched.setattr(module, "new_seed", leaks.seeds_of(world))
        ids = iter(range(1, 100))
        patched.setattr(secrets, "token_hex", lambda size=8: f"{next(ids):0{2 * size}x}")
        env = simcord.Env(new_bot(), check_errors=False, settle_timeout=20.0)
        await env.start()
        try:
            table = Table.laid(env, new_bot)
            await play(table, table.umpire)
            assert isinstance(env.bot, UmpireBot)
            store = env.bot.store
            dice = [sealed["throw"]["dice"] for sealed in await leaks.hidden_throws(store)]
            return await leaks.alike(env, store), dice
        finally:
            await env.shutdown()
            await env.bot.store.close()


async def test_worlds_that_differ_in_what_is_hidden_are_told_alike(
    new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (one, dice), (other, otherwise) = [await told_in(world, new_bots(), monkeypatch) for world in (1, 2)]
    assert len(one) > 80
    assert dice != otherwise, "the worlds are not the same"
    assert leaks.first_difference(one, other) == ""
