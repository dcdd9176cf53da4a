"""Start a game: by `/game new`, or by the buttons of an empty local table."""

from typing import Any

from bot.journal.game import Played
from cogs.kit import reply
from cogs.kit.cards.card import Card, safe, shorten
from cogs.kit.controls.control import PersistentButton
from cogs.kit.lookup import battles, name_lookup
from cogs.kit.lookup.battles import ListedBattle
from cogs.kit.request import Interaction, actor_of, channel_of
from rules.core.ruleset import Ruleset
from rules.core.tabletop.battle import KEPT, NONE
from rules.registry import rulesets

from . import opening_message, real_table

LONGEST_LABEL = 80
"""Maximum characters of a button's label."""


class StartBattleButton(PersistentButton, action="start", fields=("rules", "scenario")):
    """The button that starts a battle. The presser becomes the umpire, and may also play."""

    async def handle(self, interaction: Interaction) -> None:
        """Start the game. Raises UserError if a game runs in the channel."""
        await start_game(interaction, name_lookup.find_system_by_name(self.fields["rules"]), self.fields["scenario"])


def game_choice_card() -> Card:
    """Return the card for a channel without a game. It has a button for the first battle of each rule system."""
    card = Card().text(
        "### Start a game\nThe first battle of each rule system. `/game new` has all of them, and yours."
    )
    lines, buttons = [], []
    for system in rulesets().values():
        scenario = next(iter(system.scenarios.values()))
        lines.append(f"**{safe(scenario.title)}** · {safe(system.title)}")
        buttons.append(StartBattleButton(shorten(scenario.title, LONGEST_LABEL), rules=system.id, scenario=scenario.id))
    return card.text("\n".join(lines)).buttons(buttons)


async def start_game(
    interaction: Interaction,
    system: Ruleset[Any],
    scenario: str,
    side: str | None = None,
    name: str | None = None,
    positions: str = KEPT,
) -> None:
    """Start the channel's game with the user as umpire, and show its first message. Raises UserError."""

    async def find_and_start_battle() -> tuple[ListedBattle, Played]:
        battle = await battles.find_battle(interaction, scenario, system)
        return battle, await interaction.client.games.starter.start(
            channel_of(interaction),
            interaction.guild_id,
            actor_of(interaction),
            battle.system.id,
            battle.scenario.id,
            side,
            name,
            choices=real_table.scenario_choices_for_positions(positions),
            title=battle.scenario.title,
            document=await battles.load_uploaded_document(interaction, battle),
            interaction=interaction.id,
        )

    battle, played = await reply.carry_out(interaction, find_and_start_battle())
    words = [safe(battle.scenario.briefing), *([real_table.WORDS] if positions == NONE else [])]
    await opening_message.send_opening_message(interaction, played.game, "\n\n".join(filter(None, words)))
