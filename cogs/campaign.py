"""`/campaign`: open battles of a campaign, fought by the bot or entered by the umpire."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from discord import ButtonStyle, app_commands
from discord.ext import commands

from bot.campaigns.fights import campaign_of
from bot.errors import UserError
from bot.journal.game import Game
from rules.campaign.ground import board_of
from rules.campaign.model import CampaignState
from rules.campaign.news import gazette, gazette_title, last_day, public_map
from rules.campaign.results import NOBODY
from rules.core.automaton.levels import Level
from rules.core.typed_text import fold

from .kit import reply
from .kit.cards import pictures
from .kit.cards.card import Card, Picture, button_of, safe
from .kit.command_traits import at_table, does, looks_up
from .kit.controls.button import PersistentButton
from .kit.game_actions import perform
from .kit.lookup import completion
from .kit.option_types import Name, Words
from .kit.request import Interaction, actor_of, channel_of, game_of, require_game

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot


DAY = re.compile(r"(?:day )?0*(?P<number>\d{1,2})\b.*", re.IGNORECASE)
"""A day as it is typed or was completed: `3`, `day 3`, `3: no news`."""


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


@completion.never_fails
async def complete_days(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `day` with the days that have ended, the last first, each with its first piece of news."""
    state = campaign_of(await game_of(interaction))
    days = (
        (str(day), f"{day}: {'; '.join(gazette(state, day)) or 'no news'}") for day in range(last_day(state), 0, -1)
    )
    return completion.match_choices(current, days)


class SealsButton(PersistentButton, action="seals", fields=("game", "day")):
    """The button that shows the seals of a day's orders."""

    async def handle(self, interaction: Interaction) -> None:
        """Send the seals to the user alone. Raises Stale in another game."""
        state = campaign_of(await require_game(interaction, self.fields["game"]))
        day = self.number("day", most=state.days)
        seals = [f"**{safe(state.side(one.command).name)}**\n`{one.seal}`" for one in state.seals if one.day == day]
        await reply.send(interaction, Card().text(f"### Seals of day {day}").text("\n".join(seals)), private=True)


def gazette_card(game: Game, day: int, picture: Picture | None) -> Card:
    """Return the card of a day's gazette: its news, the public map at the day's end, and *Details* with the seals."""
    state = campaign_of(game)
    card = Card().text(f"### {safe(gazette_title(state, day))}").picture(picture)
    card.text("\n".join(f"• {safe(line)}" for line in gazette(state, day)))
    return card.buttons([button_of("Details", ButtonStyle.secondary, SealsButton.action, game.id, day)])


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

    @looks_up
    @app_commands.command()
    @app_commands.describe(day="The day; without it the last one that has ended")
    @app_commands.autocomplete(day=complete_days)
    async def gazette(self, interaction: Interaction, day: Name = "") -> None:
        """What everyone knows of a day: points that changed hands, battles, and the map of that day."""

        async def work() -> Card:
            game = await interaction.client.games.latest(channel_of(interaction))
            state = campaign_of(game)
            last = last_day(state)
            if not last:
                raise UserError("The first day has not ended yet. Its gazette comes when all commands are ready.")
            said = DAY.fullmatch(fold(day).strip())
            shown = last if not day else int(said["number"]) if said is not None else 0
            if not 1 <= shown <= last:
                raise UserError(f"There is no gazette of “{safe(day[:20])}”. Days that have ended are 1 to {last}.")
            then = replace(game, state=public_map(state, shown))
            drawn = await pictures.draw_or_none(pictures.draw_table(interaction.client.workers, then), game)
            return gazette_card(game, shown, drawn)

        await reply.send(interaction, await reply.wait_for(interaction, work(), private=True), private=True)

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
    """Add the commands, and the buttons of their messages."""
    bot.add_dynamic_items(SealsButton)
    await bot.add_cog(CampaignCog())
