"""Answering in time: at once where the work is quick, after "thinking…" where it is not, privately where it must be."""

import asyncio
import logging
from collections.abc import Awaitable, Coroutine, Mapping
from typing import Any, TypeVar

import discord

from bot.games import Played
from rules.core.model import PUBLIC
from rules.core.report import Report

from . import naming, pictures, presenter
from .card import Card, Picture
from .interaction import Interaction, actor_of, channel_of

log = logging.getLogger(__name__)

ANSWER_WITHIN = 1.2
"""Seconds after which we say that we are thinking; Discord gives three."""

PLACEHOLDER = "placeholder"
T = TypeVar("T")


async def perform(
    interaction: Interaction,
    kind: str,
    args: Mapping[str, Any],
    *,
    private: bool = False,
) -> None:
    """Orders an action in the channel's game and answers with its report and the buttons of what is owed next.

    `args` are the command's options; units and targets may be given by name. Raises UserError and Refused, for the
    tree's error handler to tell.
    """
    private = private or bool(args.get("secret"))

    async def work() -> Played:
        games = interaction.client.games
        channel = channel_of(interaction)
        game = await games.running(channel)
        known = naming.resolved(game, game.viewer(interaction.user.id), args)
        return await games.order(channel, actor_of(interaction), kind, known, interaction=interaction.id)

    played = await in_time(interaction, work(), private=private)
    await show(interaction, played, private=private)


async def show(interaction: Interaction, played: Played, *, private: bool = False) -> None:
    """Shows what an action did: to everyone what is public, to the actor alone what only they may read.

    A picture of it is added once the answer stands.
    """
    game, seq = played.game, played.entry.seq
    public = played.entry.report.seen_by(PUBLIC)
    mine = played.entry.report.seen_by(game.viewer(interaction.user.id))

    def card(report: Report, drawn: Picture | None = None) -> Card:
        return presenter.report_card(report, game.state, game=game.id, seq=seq, picture=drawn)

    private = private or public is None
    shown = mine if private else public
    if shown is None:
        await send(interaction, Card().text("Done. The umpire alone sees what came of it."), private=True)
        return
    message = await send(interaction, card(shown), private=private)
    if not private and mine is not None and mine != public:
        own = mine.model_copy(update={"owed": (), "offers": ()})
        await send(interaction, card(own), private=True)
    if (drawn := await _drawn(played)) is not None:
        illustrated = card(shown, drawn)
        await message.edit(view=illustrated.view(), attachments=illustrated.files())


async def _drawn(played: Played) -> Picture | None:
    """The action is done and told: for want of its picture nobody should be asked to try again."""
    try:
        return await pictures.after(played)
    except Exception:
        log.exception("no picture of entry %s of game %s", played.entry.seq, played.game.id)
        return None


async def in_time(interaction: Interaction, work: Awaitable[T], *, private: bool = False, quietly: bool = False) -> T:
    """The work's result; when it takes long, says "thinking…" meanwhile (`quietly`: a button just shows it took)."""
    assert isinstance(work, Coroutine)
    task: asyncio.Task[T] = asyncio.create_task(work)
    if not await is_quick(task) and not interaction.response.is_done():
        if quietly:
            await interaction.response.defer()
        else:
            await think(interaction, private=private)
    return await task


async def is_quick(task: asyncio.Task[Any]) -> bool:
    """Whether the work is done before people must be told that we are thinking."""
    done, _ = await asyncio.wait({task}, timeout=ANSWER_WITHIN)
    return bool(done)


async def think(interaction: Interaction, *, private: bool = False) -> None:
    """Says "thinking…" at once, before work that is known to take its time."""
    await interaction.response.defer(thinking=True, ephemeral=private)
    interaction.extras[PLACEHOLDER] = private


async def send(interaction: Interaction, card: Card, *, private: bool = False) -> discord.Message:
    """Answers, or answers further. A "thinking…" of the other privacy is taken away first."""
    placeholder: bool | None = interaction.extras.pop(PLACEHOLDER, None)
    if not interaction.response.is_done():
        answered = await interaction.response.send_message(view=card.view(), files=card.files(), ephemeral=private)
        assert isinstance(answered.resource, discord.InteractionMessage)
        return answered.resource
    if placeholder is private:
        return await interaction.edit_original_response(view=card.view(), attachments=card.files())
    if placeholder is None:
        return await interaction.followup.send(view=card.view(), files=card.files(), ephemeral=private, wait=True)
    # What is sent while "thinking…" stands takes its place and its privacy: it is made a message, then taken away.
    await interaction.edit_original_response(view=Card().text("…").view())
    message = await interaction.followup.send(view=card.view(), files=card.files(), ephemeral=private, wait=True)
    await interaction.delete_original_response()
    return message
