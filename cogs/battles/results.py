"""The umpire's buttons of an open battle: let the bot fight it, or enter its result in a form."""

from collections.abc import Mapping

from discord import ui

from bot.campaigns.campaign_games import require_campaign
from bot.campaigns.openings import has_column_in_battle
from bot.games.rights import require_umpire
from bot.journal.game import Game
from cogs.kit import reply
from cogs.kit.cards.card import shorten
from cogs.kit.cards.menu import MOST_LETTERS, make_option
from cogs.kit.controls.control import PersistentButton
from cogs.kit.controls.form import BETWEEN, Form, read_first_input
from cogs.kit.game_actions import perform_action
from cogs.kit.request import Interaction, actor_of
from rules.campaign.model import Battle
from rules.campaign.results import NOBODY, BattleResult, unit_names_by_key
from rules.core.automaton.levels import Level

from .opening import require_open_battle
from .post import BOT, ENTER, battle_name

FIELD, LOST = "field", "lost"
LONGEST_INPUT = 4000
"""Discord's limit for the text of an input."""


class LetBotFightButton(PersistentButton, action=BOT, fields=("game", "battle")):
    """The umpire's button that lets the bot fight both sides of a battle."""

    async def handle(self, interaction: Interaction) -> None:
        """Let the bot fight the battle. Raises UserError, and NotAllowed unless the user is the umpire."""
        game, battle = await require_open_battle(interaction, self.fields["game"], self.fields["battle"])
        require_umpire(game, actor_of(interaction), "have battles fought")
        await fight_battle(interaction, game, battle)


async def fight_battle(interaction: Interaction, game: Game, battle: Battle, level: Level = Level.EASY) -> None:
    """Let the bot fight both sides of a battle, and enter the result."""
    await reply.show_thinking(interaction)
    outcomes = interaction.client.games.battle_outcomes
    args = await outcomes.fight_for_umpire(game, actor_of(interaction), battle.at.label, level)
    await perform_action(interaction, BattleResult.kind, args)


class EnterResultButton(PersistentButton, action=ENTER, fields=("game", "battle")):
    """The button that opens the form for a battle's result."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the form. Raises UserError, and NotAllowed unless the user is the umpire."""
        game, battle = await require_open_battle(interaction, self.fields["game"], self.fields["battle"])
        require_umpire(game, actor_of(interaction), "enter the result of a battle")
        await ResultForm(game, battle, interaction.user.id).open(interaction)


class ResultForm(Form, action="battleresult", title="The result of a battle"):
    """The form for a battle's result: who held the field, and what each unit lost."""

    def __init__(self, game: Game, battle: Battle, user: int) -> None:
        super().__init__()
        state = require_campaign(game)
        tag = BETWEEN.join((game.id, battle.id))
        names = [*(power.name for power in state.powers), NOBODY]
        options = [make_option(name, name) for name in names]
        field: ui.Select[ResultForm] = ui.Select(custom_id=f"{FIELD}{BETWEEN}{tag}", options=options)
        title = shorten(battle_name(game, battle), MOST_LETTERS)
        self.add_item(ui.Label(text="Who held the field", description=title, component=field))
        hint = "The figures that each unit lost, or all. You may delete the lines of units without losses."
        key, label, losses = f"{LOST}{BETWEEN}{tag}", "Losses, one unit per line", prefilled_losses(game, battle, user)
        self.add_text(key, label, hint, most=LONGEST_INPUT, text=losses, is_long=True, is_required=False)

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Enter the result. Raises NotAllowed, and Refused for wrong input (the error says what is wrong)."""
        inputs = {key.partition(BETWEEN)[0]: text for key, text in words.items()}
        (_, game_id, battle_id), _ = read_first_input(words, 3)
        _, battle = await require_open_battle(interaction, game_id, battle_id)
        args = {"battle": battle.at.label, "field": inputs.get(FIELD, ""), "lost": inputs.get(LOST, "")}
        await perform_action(interaction, BattleResult.kind, args)


def prefilled_losses(game: Game, battle: Battle, user: int) -> str:
    """Return lines such as `Gordons 0` for the battle's units that the user may know, within the form's limit.

    A commander with a column in the battle knows all of them (CA-3.2).
    """
    lines, room = list[str](), LONGEST_INPUT
    state = require_campaign(game)
    view = state if has_column_in_battle(game, battle, user) else game.ruleset.view(state, game.viewer(user))
    for name in unit_names_by_key([view.units[column] for column in battle.columns if column in view.units]).values():
        line = f"{name} 0"
        room -= len(line) + 1
        if room >= 0:
            lines.append(line)
    return "\n".join(lines)
