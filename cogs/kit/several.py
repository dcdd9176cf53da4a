"""Several actions of one press: done, and shown in one message to everyone, with what is for the actor alone."""

from collections.abc import Awaitable, Sequence

from bot.games import Played
from bot.playing import Several
from rules.core.model import PUBLIC

from . import acting, answer, errors, going_on
from .interaction import Interaction
from .told import Told


async def perform(interaction: Interaction, work: Awaitable[Several]) -> None:
    """Waits for the work, which does several actions, and shows them. Raises as the first of them does."""
    games = interaction.client.games
    await show(interaction, await answer.in_time(interaction, acting.once_all(interaction, work, games.all_done, show)))


async def show(interaction: Interaction, several: Several) -> None:
    """Shows what was done; and to the user alone why there was no more."""
    shown = await acting.tell(interaction, *several.played)
    if several.refused is not None:
        await answer.send(interaction, await errors.card_of(interaction, several.refused), private=True)
    await illustrate(interaction, shown, several.played)


async def illustrate(interaction: Interaction, shown: acting.Shown | None, played: Sequence[Played]) -> None:
    """Adds the picture of all of it; then the turn message comes, and the game goes on by itself, where it does."""
    await acting.illustrate(interaction, shown, *Told.by(PUBLIC, played).played)
    await going_on.start(interaction, *played)
