"""The umpire's menu of other candidates, which overrules the last decision of a side played by a printed card."""

from bot.errors import Stale
from bot.journal.game import Game
from cogs.kit import action_reply, game_actions
from cogs.kit.cards.card import Card
from cogs.kit.cards.menu import MOST_OPTIONS, make_menu, make_option
from cogs.kit.controls.control import PersistentMenu
from cogs.kit.request import Interaction, actor_of, channel_of
from rules.core.model import UMPIRE
from rules.core.refusal import Refused
from rules.core.ruleset import DecisionExplanation
from rules.core.state import Action

KIND = "overrule"
CANDIDATE_FIELD = "to"
"""The field of an overruling action that holds the candidate to do instead."""


def add_overrule_menu(card: Card, game: Game, user: int, explanation: DecisionExplanation) -> None:
    """Add the menu to the card of the newest decision, if the user is the umpire."""
    may_overrule = explanation.newest and game.is_umpire(user)
    actions = [*game.ruleset.legal_actions(game.state, UMPIRE, KIND)] if may_overrule else []
    if actions:
        options = [
            make_option(game.ruleset.label(game.state, action), str(getattr(action, CANDIDATE_FIELD)))
            for action in actions[:MOST_OPTIONS]
        ]
        card.menu(make_menu("Overrule this decision …", options, KIND, game.id, game.progress_for(game.viewer(user))))


class OverruleMenu(PersistentMenu, action=KIND, fields=("game", "seq")):
    """The menu of other candidates. The chosen candidate replaces the last decision."""

    async def handle(self, interaction: Interaction) -> None:
        """Replace the last decision by the chosen one. Raises NotAllowed, Refused, Stale if the game has moved on."""
        name, progress, (choice, *_) = self.fields["game"], self.fields["seq"], self.values
        user = interaction.user.id

        def make_overruling_action(game: Game) -> Action:
            if (game.id, game.progress_for(game.viewer(user))) != (name, progress):
                raise Stale("More has happened since. /british why shows what can be overruled now.")
            if KIND not in game.ruleset.actions:
                raise Refused(f"In {game.ruleset.title} nothing is overruled.")
            return game.ruleset.parse(KIND, {CANDIDATE_FIELD: choice})

        games, channel = interaction.client.games, channel_of(interaction)
        work = games.actions.act(channel, actor_of(interaction), make_overruling_action, interaction=interaction.id)
        played = await game_actions.await_action(interaction, work, sheets_follow=False)
        await action_reply.show_actions(interaction, *played)
