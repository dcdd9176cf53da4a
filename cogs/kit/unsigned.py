"""What is told in the channel, and not as the answer to a command whose name would tell more than everyone may know."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.games.act import Several
from bot.games.games import Game, Played
from rules.core.model import PUBLIC
from rules.core.state import Action

from . import answer, automatic_play, game_actions, turn_message, untold
from .cards import stale_buttons
from .cards.action_list import Told
from .cards.card import Card, safe
from .interaction import Interaction, actor_of, channel_of

MOST_KEY = 25
"""Letters of what names a message to Discord."""
DONE = "Done."


async def perform(interaction: Interaction, actions: Callable[[Game], Sequence[Action]]) -> None:
    """Does all of the actions or none; answers the user alone, and tells the channel what is public of them.

    Raises UserError and Refused.
    """
    games = interaction.client.games
    work = games.act_all(
        channel_of(interaction), actor_of(interaction), actions, or_none=True, interaction=interaction.id
    )
    done = game_actions.once_all(interaction, work, games.all_done, show)
    await show(interaction, await answer.in_time(interaction, done, private=True))


async def show(interaction: Interaction, done: Several) -> None:
    """Tell the user their private part and everyone the public part; then let the game go on."""
    answer.mark_done(interaction)
    last = done.played[-1].game
    mine = Told.by(last.viewer(interaction.user.id), done.played)
    card = Card().text("\n".join(safe(report.headline) for _, report in mine.done) or DONE)
    await answer.send(interaction, card, private=True)
    public = [replace(one, game=last) for one in Told.by(PUBLIC, done.played).played]
    if public:
        await _tell_all(interaction, public)
    automatic_play.go_on(interaction, last)


async def _tell_all(interaction: Interaction, public: Sequence[Played]) -> None:
    game = public[-1].game
    call = await turn_message.called(interaction, *public, present=interaction.user.id)
    told = turn_message.for_everyone(call, *public)
    picture = await turn_message.picture_of(interaction, *public, tells_turn=told.tells_turn)
    message = await untold.post(interaction, told.card(picture), f"{game.id}-{public[-1].entry.name} m"[:MOST_KEY])
    stale_buttons.stands(interaction.client, game.id, game.channel, message)
