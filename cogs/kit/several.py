"""Several actions of one press: done, and shown in one message to everyone, with what is for the actor alone."""

import asyncio
from collections.abc import Awaitable, Sequence

import discord

from bot.games import Played
from bot.playing import Several
from rules.core.model import PUBLIC

from . import acting, answer, errors, going_on, newest, turn_message
from .interaction import Interaction
from .told import Told


async def perform(interaction: Interaction, work: Awaitable[Several]) -> None:
    """Waits for the work, which does several actions, and shows them. Raises as the first of them does."""
    games = interaction.client.games
    await show(interaction, await answer.in_time(interaction, acting.once_all(interaction, work, games.all_done, show)))


async def show(interaction: Interaction, several: Several) -> None:
    """Shows what was done; and to the user alone why there was no more."""
    shown = await tell(interaction, several.played)
    if several.refused is not None:
        await answer.send(interaction, await errors.card_of(interaction, several.refused), private=True)
    await illustrate(interaction, shown, several.played)


async def tell(interaction: Interaction, played: Sequence[Played]) -> acting.Shown | None:
    """Tells everyone what is public of it in one message, one action alone as ever; and the actor what is his."""
    if len(played) == 1:
        return await acting.tell(interaction, played[0])
    answer.mark_done(interaction)
    told = await asyncio.to_thread(Told.by, PUBLIC, played)
    again = None
    message: discord.Message | None = None
    if told.done:
        call = await turn_message.called(interaction, *played)
        again = await asyncio.to_thread(turn_message.for_everyone, call, *played)
        message = await answer.send(interaction, again(None))
        newest.stands(interaction.client, told.game.id, told.game.channel, message)
    for one in played:
        telling = await asyncio.to_thread(acting.Telling.of, one, interaction.user.id)
        alone = telling.card if telling.private else telling.own
        if alone is not None:
            await answer.send(interaction, alone, private=True)
    return None if message is None or again is None else (message, again)


async def illustrate(interaction: Interaction, shown: acting.Shown | None, played: Sequence[Played]) -> None:
    """Adds the picture of all of it; then the turn message comes, and the game goes on by itself, where it does."""
    await acting.illustrate(interaction, shown, *Told.by(PUBLIC, played).played)
    await going_on.start(interaction, *played)
