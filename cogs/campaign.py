"""`/campaign`: open battles of a campaign, fought by the bot or entered by the umpire."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.campaigns.fights import campaign_of
from rules.campaign.ground import board_of
from rules.campaign.model import CampaignState
from rules.campaign.results import NOBODY
from rules.core.automaton.levels import Level

from .kit import reply
from .kit.cards.card import Card, safe
from .kit.command_traits import at_table, does, looks_up
from .kit.game_actions import perform
from .kit.lookup import completion
from .kit.option_types import Name, Words
from .kit.request import Interaction, actor_of, game_of

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot


@completion.never_fails
async def complete_battles(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `battle` with the places of the open battles."""
    state = campaign_of(await game_of(interaction))
    title = board_of(state).title
    return completion.match_choices(
        current, ((title(battle.at), title(battle.at)) for battle in state.battles.values())
    )


@completion.never_fails
async def complete_powers(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `field` with the powers, and nobody."""
    state = campaign_of(await game_of(interaction))
    names = [*(power.name for power in state.powers), NOBODY]
    return completion.match_choices(current, ((name, name) for name in names))


def open_battles(state: CampaignState, seen: CampaignState) -> str:
    """Return a line for each open battle, with the columns that the viewer of `seen` knows there."""
    lines = []
    for battle in state.battles.values():
        known = [seen.units[one].name for one in seen.battles[battle.id].columns if one in seen.units]
        columns = f": {', '.join(known)}" if known else ""
        lines.append(f"- **{safe(board_of(state).title(battle.at))}**, since day {battle.day}{safe(columns)}")
    return "\n".join(lines) or "No battle is open."


@at_table
class CampaignCog(commands.GroupCog, group_name="campaign", group_description="A campaign's battles and points"):
    """The commands `/campaign`."""

    @looks_up
    @app_commands.command()
    async def status(self, interaction: Interaction) -> None:
        """Open battles, and the points with their values and who holds them."""
        game = await reply.wait_for(interaction, game_of(interaction), private=True)
        state = campaign_of(game)
        seen = game.ruleset.view(state, game.viewer(interaction.user.id))
        names = {power.id: power.name for power in state.powers}
        points = "\n".join(
            f"- {safe(point.name)} ({board_of(state).title(point.at)[:4]}), {point.value}: "
            f"{safe(names.get(point.holder, 'nobody'))}"
            for point in sorted(state.points.values(), key=lambda one: -one.value)
        )
        card = Card().text(f"### {safe(state.turn_name_with_total)}").text(f"**Battles**\n{open_battles(state, seen)}")
        card.text(f"**Points**\n{points}")
        await reply.send(interaction, card, private=True)

    @does("battle_result")
    @app_commands.command()
    @app_commands.describe(
        battle="The place of the battle",
        field="The power that held the field, or nobody",
        lost="Units with the figures that they lost: Gordons 7, Artega all",
    )
    @app_commands.autocomplete(battle=complete_battles, field=complete_powers)
    async def result(self, interaction: Interaction, battle: Name, field: Name, lost: Words = "") -> None:
        """Enter how a battle ended, as the umpire."""
        await perform(interaction, "battle_result", {"battle": battle, "field": field, "lost": lost})

    @app_commands.command()
    @app_commands.describe(
        battle="The place of the battle", level="How well the bot plays both sides; hard takes longer"
    )
    @app_commands.autocomplete(battle=complete_battles)
    async def fight(self, interaction: Interaction, battle: Name, level: Level = Level.EASY) -> None:
        """Have the bot fight a battle on both sides, as the umpire."""
        await reply.think(interaction)
        game = await game_of(interaction)
        args = await interaction.client.games.fights.fight(game, actor_of(interaction), battle, level)
        await perform(interaction, "battle_result", args)


async def setup(bot: "UmpireBot") -> None:
    """Add the commands."""
    await bot.add_cog(CampaignCog())
