"""Answering in time: at once where the work is quick, after "thinking…" where it is not, privately where it must be."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeAlias, TypeVar

import discord

from bot.games import Game, Played
from rules.core.model import PUBLIC
from rules.core.report import Report

from . import going_on, naming, pictures, presenter
from .card import Card, Picture
from .interaction import Interaction, actor_of, channel_of

log = logging.getLogger(__name__)

ANSWER_WITHIN = 1.2
"""Seconds after which we say that we are thinking; Discord gives three."""

PLACEHOLDER = "placeholder"
DONE = "done"
EXPIRED = 10062
"""Discord's error code for an interaction it no longer knows."""
ANSWERED = 40060
"""Discord's error code for an interaction that was answered already."""

T = TypeVar("T")
Shown: TypeAlias = tuple[discord.Message, Callable[[Picture], Card]]
"""The message of a report, and its card with a picture."""


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

    async def work() -> Played:
        games = interaction.client.games
        channel = channel_of(interaction)
        game = await games.running(channel)
        known = naming.resolved(game, game.viewer(interaction.user.id), args)
        return await games.order(channel, actor_of(interaction), kind, known, interaction=interaction.id)

    thinks_aside = private or bool(args.get("secret"))
    await show(interaction, await in_time(interaction, work(), private=thinks_aside))


async def show(interaction: Interaction, played: Played) -> None:
    """Shows what an action did, and where; then the game goes on by itself, where it does."""
    await illustrate(await tell(interaction, played), played)
    going_on.start(interaction, played)


async def tell(interaction: Interaction, played: Played) -> Shown | None:
    """Tells everyone what is public of an action, and the actor alone what only they may read.

    Who may read it follows from the report, not from what was asked for.
    """
    mark_done(interaction)
    game, seq = played.game, played.entry.seq
    public = played.entry.report.seen_by(PUBLIC)
    mine = played.entry.report.seen_by(game.viewer(interaction.user.id))

    def card(shown: Report, drawn: Picture | None = None) -> Card:
        return presenter.report_card(shown, game.state, game=game.id, seq=seq, picture=drawn)

    shown = mine if public is None else public
    if shown is None:
        alone = "The umpire alone sees" if game.ruleset.played_by_bot is None else "Nobody sees for now"
        await send(interaction, Card().text(f"Done. {alone} what came of it."), private=True)
        return None
    message = await send(interaction, card(shown), private=public is None)
    if public is not None and mine is not None and mine != public:
        own = mine.model_copy(update={"owed": (), "offers": ()})
        await send(interaction, card(own), private=True)
    return message, lambda drawn: card(shown, drawn)


async def illustrate(shown: Shown | None, played: Played) -> None:
    """Adds the picture of an action to its answer, which stands without it too."""
    drawn = await if_drawn(pictures.after(played), played.game) if shown is not None else None
    if shown is None or drawn is None:
        return
    message, card = shown
    illustrated = card(drawn)
    try:
        await message.edit(view=illustrated.view(), attachments=illustrated.files())
    except discord.HTTPException:
        log.warning("message %s of game %s stays without its picture", message.id, played.game.id, exc_info=True)


async def if_drawn(picture: Awaitable[Picture | None], game: Game) -> Picture | None:
    """The picture of something done: for want of it nobody should be asked to try again."""
    try:
        return await picture
    except Exception:
        log.exception("no picture of game %s at %s", game.id, game.seq)
        return None


async def do(interaction: Interaction, work: Awaitable[T], *, private: bool = False, quietly: bool = False) -> T:
    """The result of work that changes something: once it is done nobody is told to try again."""
    result = await in_time(interaction, work, private=private, quietly=quietly)
    mark_done(interaction)
    return result


def mark_done(interaction: Interaction) -> None:
    """What was asked for is done: whatever fails now is only in the telling."""
    interaction.extras[DONE] = True


def is_done(interaction: Interaction) -> bool:
    """Whether what was asked for is done."""
    return DONE in interaction.extras


async def in_time(interaction: Interaction, work: Awaitable[T], *, private: bool = False, quietly: bool = False) -> T:
    """The work's result; when it takes long, says "thinking…" meanwhile (`quietly`: a button just shows it took)."""
    assert isinstance(work, Coroutine)
    task: asyncio.Task[T] = asyncio.create_task(work)
    if not await is_quick(task) and not interaction.response.is_done():
        try:
            await (interaction.response.defer() if quietly else think(interaction, private=private))
        except discord.HTTPException:
            log.warning("interaction %s could not be told to wait", interaction.id, exc_info=True)
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
    """Answers, or answers further. What Discord does not take the first time is sent once more."""
    try:
        return await _send(interaction, card, private=private)
    except discord.HTTPException as error:
        if error.code == EXPIRED:
            raise
        log.warning("interaction %s: the answer is sent once more", interaction.id, exc_info=True)
        return await _send(interaction, card, private=private, answered=error.code == ANSWERED)


async def _send(interaction: Interaction, card: Card, *, private: bool, answered: bool = False) -> discord.Message:
    if not answered and not interaction.response.is_done():
        sent = await interaction.response.send_message(view=card.view(), files=card.files(), ephemeral=private)
        assert isinstance(sent.resource, discord.InteractionMessage)
        return sent.resource
    placeholder: bool | None = interaction.extras.get(PLACEHOLDER)
    if placeholder is private:
        message: discord.Message = await interaction.edit_original_response(view=card.view(), attachments=card.files())
        del interaction.extras[PLACEHOLDER]
        return message
    if placeholder is not None:
        await _take_away_placeholder(interaction)
    return await interaction.followup.send(view=card.view(), files=card.files(), ephemeral=private, wait=True)


async def _take_away_placeholder(interaction: Interaction) -> None:
    """Takes a "thinking…" of the other privacy away.

    What is sent while it stands takes its place and its privacy, so it is made a message first.
    """
    await interaction.edit_original_response(view=Card().text("…").view())
    del interaction.extras[PLACEHOLDER]
    try:
        await interaction.delete_original_response()
    except discord.HTTPException:
        log.warning("interaction %s: its placeholder stays", interaction.id, exc_info=True)
