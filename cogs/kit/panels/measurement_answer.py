"""Do an action with the facts that its form asked for."""

from collections.abc import Mapping

from bot.games.games import Game, Played
from bot.runtime.errors import OVER, Stale
from cogs.kit import game_actions
from cogs.kit.action_reply import show
from cogs.kit.controls import measurement_form
from cogs.kit.controls.button import UNREADABLE
from cogs.kit.controls.measurement_form import SAID, MeasurementForm
from cogs.kit.request import Interaction, actor_of, channel_of
from rules.core.state import Action

from . import offer_press


class MeasurementAnswer(MeasurementForm, action=SAID, title="Facts only you know"):
    """The submitted form."""

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Do the action with the answers. Raises Stale, NotAllowed, Refused."""
        match measurement_form.carried_in(words):
            case [str(game_id), str(kind), dict(args)]:
                given = measurement_form.read_answers(words, args)
            case _:
                raise Stale(UNREADABLE)

        def make(game: Game) -> Action:
            if game.id != game_id or kind not in game.ruleset.actions:
                raise Stale(OVER)
            return game.ruleset.parse(kind, given)

        async def act() -> Played:
            games, channel = interaction.client.games, channel_of(interaction)
            return await games.act(channel, actor_of(interaction), make, interaction=interaction.id)

        if interaction.message is None:
            await show(interaction, *await game_actions.do_action(interaction, act()))
        else:
            await offer_press.show_taken(interaction, *await offer_press.do_or_refresh(interaction, act()))
