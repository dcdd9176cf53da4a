"""Do an action with the answers of its form."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.games.games import Game, Played
from bot.runtime.errors import OVER, Stale
from cogs.kit import answer, game_actions
from cogs.kit.controls.button import UNREADABLE
from cogs.kit.interaction import Interaction, actor_of, channel_of
from rules.core.refusal import NotSaid
from rules.core.state import Action

from . import measurement_form, offer_press
from .measurement_form import SAID, MeasurementForm


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
            await offer_press.take(interaction, act)
            return
        await game_actions.show(interaction, *await answer.in_time(interaction, game_actions.done(interaction, act())))


async def perform(interaction: Interaction, kind: str | Callable[[Game], str], args: Mapping[str, Any]) -> None:
    """Do an action as `acting.perform`, or open the form for its missing facts. Raises UserError and Refused."""
    try:
        await game_actions.perform(interaction, kind, args)
    except NotSaid:
        game = await interaction.client.games.running(channel_of(interaction))
        named = kind(game) if callable(kind) else kind
        action = game_actions.action_of(game, interaction.user.id, named, args)
        if not await measurement_form.ask(interaction, game, action, needed_alone=True):
            raise
