"""Several actions of one press: done, and shown in one message to everyone, with what is for the actor alone."""

from collections.abc import Awaitable

from bot.playing import Several

from . import acting, answer, errors
from .interaction import Interaction


async def perform(interaction: Interaction, work: Awaitable[Several]) -> None:
    """Waits for the work, which does several actions, and shows them. Raises as the first of them does."""
    games = interaction.client.games
    await show(interaction, await answer.in_time(interaction, acting.once_all(interaction, work, games.all_done, show)))


async def show(interaction: Interaction, several: Several) -> None:
    """Shows what was done; and to the user alone why there was no more."""
    shown = await acting.tell(interaction, *several.played)
    if several.refused is not None:
        await answer.send(interaction, await errors.card_of(interaction, several.refused), private=True)
    await acting.finish(interaction, shown, *several.played)
