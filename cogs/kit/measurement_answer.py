"""Do an action with the answers of its form."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.errors import OVER, Stale
from bot.games import Game, Played
from rules.core.refused import NotSaid
from rules.core.state import Action

from . import acting, answer, buttons, measurement_form
from .interaction import Interaction, actor_of, channel_of
from .measurement_form import SAID, MeasurementForm
from .press import UNREADABLE


class MeasurementAnswer(MeasurementForm, action=SAID, title="Facts only you know"):
    """The submitted form."""

    @classmethod
    async def sent(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Do the action with the answers. Raises Stale, NotAllowed, Refused."""
        match measurement_form.carried_in(words):
            case [str(game_id), str(kind), dict(args)]:
                given = measurement_form.read_answers(words, args)
            case _:
                raise Stale(UNREADABLE)

        def action(game: Game) -> Action:
            if game.id != game_id or kind not in game.ruleset.actions:
                raise Stale(OVER)
            return game.ruleset.parse(kind, given)

        async def act() -> Played:
            games, channel = interaction.client.games, channel_of(interaction)
            return await games.act(channel, actor_of(interaction), action, interaction=interaction.id)

        if interaction.message is not None:
            await buttons.take(interaction, act)
            return
        await acting.show(interaction, *await answer.in_time(interaction, acting.done(interaction, act())))


async def perform(interaction: Interaction, kind: str | Callable[[Game], str], args: Mapping[str, Any]) -> None:
    """Do an action as `acting.perform`, or open the form for its missing facts. Raises UserError and Refused."""
    try:
        await acting.perform(interaction, kind, args)
    except NotSaid:
        game = await interaction.client.games.running(channel_of(interaction))
        named = kind(game) if callable(kind) else kind
        action = acting.action_of(game, interaction.user.id, named, args)
        if not await measurement_form.ask(interaction, game, action, needed_alone=True):
            raise
