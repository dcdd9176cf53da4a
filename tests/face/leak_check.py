"""A game against the bot, in which everyone gives every command. Compare two worlds to find leaks of hidden facts."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest
import simcord

from bot.games import importer, new_game, reveal_seeds
from bot.runtime.client import UmpireBot
from rules.core import sealed_dice
from tests import leaks

from .env import Env
from .table import Table, has_details
from .test_every_command import MAGDALA, plan_commands

EXCLUDED_COMMANDS = (
    "game new",
    "game end",
    "game import",
    "game leave",
    "game join",
    "umpire appoint",
    "umpire reveal",
)
"""Commands that end the game, change its seats or reveal hidden dice."""


async def ask_everything(table: Table, values: Mapping[str, Any], *actors: simcord.MemberActor) -> None:
    """Let each person give every command with valid values, show maps, complete options and open *Details*."""
    for actor in actors:
        for name, options in plan_commands(table, MAGDALA, everything=False):
            if name not in (*EXCLUDED_COMMANDS, *values.get("not_given", ())):
                arguments = {option: values.get(option, value) for option, value in options.items()}
                await table.give(actor, name, **arguments)
        for side in ("umpire", *values["sides"]):
            await table.give(actor, "map", side=side)
        unit = {"unit": values["unit"]}
        await table.give(actor, "unit show", **unit)
        await table.complete(actor, "unit show", "unit")
        await table.complete(actor, "umpire set", "value", field=values["field"], **unit)
        for option in ("action", "target", "to"):
            await table.complete(actor, "order", option, **unit)
        for message in [message for message in table.channel.history() if has_details(message)]:
            await table.details(actor, message)


async def carry_elsewhere(table: Table) -> simcord.ChannelHandle:
    """Import the umpire's export into another channel."""
    exported = await table.give(table.umpire, "game export")
    (file,) = exported.private[0].attachments
    channel = table.guild.create_text_channel("elsewhere")
    data = table.env.backend.cdn.get(file.url)
    imported = await table.give(table.umpire, "game import", file=("game.json", data), channel=channel)
    assert imported.public, imported.text
    return channel


async def play_world(
    world: int,
    new_bot: Callable[[], UmpireBot],
    monkeypatch: pytest.MonkeyPatch,
    play: Callable[[Table], Awaitable[None]],
) -> tuple[leaks.SentTexts, list[list[int]]]:
    """Play a game with the hidden dice of this world. Return all messages sent, and the faces of the hidden dice."""
    with monkeypatch.context() as patched:
        for module in (new_game, importer, reveal_seeds):
            patched.setattr(module, "make_seed_row", leaks.seed_maker(world))
        patched.setattr(sealed_dice, "compute_faces", leaks.ignore_interaction(sealed_dice.compute_faces))
        ids = iter(range(1, 100))
        patched.setattr(secrets, "token_hex", lambda size=8: f"{next(ids):0{2 * size}x}")
        env = Env(new_bot(), check_errors=False, settle_timeout=60.0)
        await env.start()
        try:
            await play(Table.create(env, new_bot))
            assert isinstance(env.bot, UmpireBot)
            store = env.bot.store
            dice = [throw["throw"]["dice"] for throw in await leaks.find_hidden_throws(store)]
            return await leaks.collect_comparable_texts(env, store), dice
        finally:
            await env.shutdown()
            await env.bot.store.close()


async def require_alike(
    new_bots: Callable[[], Callable[[], UmpireBot]],
    monkeypatch: pytest.MonkeyPatch,
    play: Callable[[Table], Awaitable[None]],
) -> None:
    """Fail if the bot sends different bytes in two worlds with different hidden dice."""
    (first, dice), (second, other_dice) = [await play_world(world, new_bots(), monkeypatch, play) for world in (1, 2)]
    assert len(first) > 60
    assert dice != other_dice, "the hidden dice must differ"
    difference = leaks.find_first_difference(first, second)
    assert not difference, difference
