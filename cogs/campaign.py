"""`/campaign`: open battles of a campaign (fought as games, by the bot, or entered by the umpire), and dispatches."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import discord
from discord import ButtonStyle, app_commands
from discord.ext import commands

from bot.campaigns import status
from bot.campaigns.campaign_games import require_campaign
from bot.campaigns.openings import may_open_battle
from bot.errors import UserError
from bot.games.rights import require_umpire
from bot.journal.game import Game
from rules.campaign.intelligence import MOST_LETTERS
from rules.campaign.knowledge import view
from rules.campaign.model import CampaignState
from rules.campaign.news import gazette_lines, gazette_title, last_ended_day, state_for_public_map
from rules.campaign.results import find_open_battle
from rules.core.automaton.levels import Level
from rules.core.model import Viewer
from rules.core.typed_text import simplify_signs

from .battles import break_off, lookup, opening, results
from .battles.post import battle_buttons
from .dispatch_list import complete_receivers, dispatches_in_words, require_own_command
from .kit import reply
from .kit.cards import pictures
from .kit.cards.card import Card, make_button, safe
from .kit.command_traits import mark_action_kinds, mark_as_look_up, offer_in_servers
from .kit.controls.control import PersistentButton
from .kit.game_actions import perform_action
from .kit.lookup import completion
from .kit.option_types import Name, Words
from .kit.request import Interaction, actor_of, channel_of, game_of, require_game

PEOPLE, BOT = "people", "the bot"
"""Values of the option `by`: people fight the battle in a game, or the bot fights it."""


DAY = re.compile(r"(?:day )?0*(?P<number>\d{1,2})\b.*", re.IGNORECASE)
"""A typed or completed day: `3`, `day 3`, `3: no news`."""


@completion.game_completer
def complete_days(game: Game) -> completion.NamedValues:
    """Complete `day` with the days that have ended, the last day first. Each choice shows the day's first news."""
    state = require_campaign(game)
    days = range(last_ended_day(state), 0, -1)
    return ((str(day), f"{day}: {'; '.join(gazette_lines(state, day)) or 'no news'}") for day in days)


def status_card(state: CampaignState, viewer: Viewer, links: Mapping[str, str]) -> Card:
    """Return the card of a campaign's state. `links` maps the ids of battles to links to their games."""
    known_state = view(state, viewer)
    ready_lines = "\n".join(map(safe, status.describe_ready_commands(state, viewer)))
    card = Card().text(f"### {safe(known_state.turn_name_with_total)}\n{ready_lines}")
    battles = [
        f"- {safe(line)}" + (f" It is fought in {links[battle.id]}" if battle.id in links else "")
        for battle, line in status.describe_open_battles(state, viewer)
    ]
    card.text("\n".join(["**Battles**", *(battles or ["No battle is open."])]))
    if own := [f"- **{safe(name)}**: {safe(line)}" for name, line in status.describe_own_columns(state, viewer)]:
        card.text("**Your columns**\n" + "\n".join(own))
    if dispatch_line := status.describe_recent_dispatches(state, viewer):
        card.text(f"**Dispatches**\n{dispatch_line}")
    points = "\n".join(f"- {safe(line)}" for line in status.describe_map_points(known_state))
    return card.text(f"**Points**\n{points}\n-# {safe(status.describe_score(state, viewer))}")


class SealsButton(PersistentButton, action="seals", fields=("game", "day")):
    """The button that shows the seals of a day's orders."""

    async def handle(self, interaction: Interaction) -> None:
        """Send the seals to the user alone. Raises Stale if another game runs now."""
        state = require_campaign(await require_game(interaction, self.fields["game"]))
        day = self.number_field("day", most=state.days)
        seals = [f"**{safe(state.side(seal.command).name)}**\n`{seal.seal}`" for seal in state.seals if seal.day == day]
        await reply.send(interaction, Card().text(f"### Seals of day {day}").text("\n".join(seals)), private=True)


@offer_in_servers
class CampaignCog(
    commands.GroupCog, group_name="campaign", group_description="A campaign's battles, points and dispatches"
):
    """The commands `/campaign`."""

    @mark_as_look_up
    @app_commands.command()
    async def status(self, interaction: Interaction) -> None:
        """The day, who is ready, open battles, points with their holders, and your own columns."""
        game = await reply.wait_for(interaction, game_of(interaction), private=True)
        state, viewer = require_campaign(game), game.viewer(interaction.user.id)
        card = status_card(state, viewer, links := await lookup.load_battle_links(interaction, game))
        for battle in state.battles.values():
            if battle.id not in links and may_open_battle(game, battle, interaction.user.id):
                card.buttons(battle_buttons(game, battle, names_place=len(state.battles) > 1))
        await reply.send(interaction, card, private=True)

    @mark_as_look_up
    @app_commands.command()
    @app_commands.describe(day="The day; by default the last one that has ended")
    @app_commands.autocomplete(day=complete_days)
    async def gazette(self, interaction: Interaction, day: Name = "") -> None:
        """What everyone knows of a day: points that changed hands, battles, and the map of that day."""

        async def make_gazette_card() -> Card:
            game = await interaction.client.games.running_or_last_game(channel_of(interaction))
            state = require_campaign(game)
            last = last_ended_day(state)
            if not last:
                raise UserError("The first day has not ended yet. Its gazette comes when all commands are ready.")
            match = DAY.fullmatch(simplify_signs(day).strip())
            number = last if not day else int(match["number"]) if match is not None else 0
            if not 1 <= number <= last:
                raise UserError(f"There is no gazette of “{safe(day[:20])}”. Days that have ended are 1 to {last}.")
            past_game = replace(game, state=state_for_public_map(state, number))
            picture = await pictures.draw_if_possible(pictures.draw_table(interaction.client.workers, past_game), game)
            card = Card().text(f"### {safe(gazette_title(state, number))}").picture(picture)
            card.text("\n".join(f"• {safe(line)}" for line in gazette_lines(state, number)))
            return card.buttons([make_button("Details", ButtonStyle.secondary, SealsButton.action, game.id, number)])

        await reply.send_privately_when_ready(interaction, make_gazette_card())

    @mark_action_kinds("write_dispatch")
    @app_commands.command()
    @app_commands.describe(
        to="Another command of your power",
        text="What the dispatch says",
        with_sightings="Attach the enemies that you have seen, with the days; by default none",
    )
    @app_commands.autocomplete(to=complete_receivers)
    async def dispatch(
        self,
        interaction: Interaction,
        to: Name,
        text: app_commands.Range[str, 1, MOST_LETTERS],
        with_sightings: bool = False,
    ) -> None:
        """Write privately to another command of your power. Each command knows only what its columns see."""

        def make_dispatch_args(game: Game) -> Mapping[str, Any]:
            side = require_own_command(game, interaction.user.id)
            return {"side": side, "to": to, "text": text, "with_sightings": with_sightings}

        await perform_action(interaction, "write_dispatch", make_dispatch_args, private=True)

    @mark_as_look_up
    @app_commands.command()
    @app_commands.describe(day="Only dispatches written on that day")
    async def dispatches(self, interaction: Interaction, day: app_commands.Range[int, 1, 99] = 0) -> None:
        """Read the dispatches again that you have written, received or caught."""
        work = interaction.client.games.running_or_last_game(channel_of(interaction))
        game = await reply.wait_for(interaction, work, private=True)
        words = dispatches_in_words(require_campaign(game), game.viewer(interaction.user.id), day)
        await reply.send(interaction, Card().text(f"### Dispatches\n{words}"), private=True)

    @mark_action_kinds("battle_result")
    @app_commands.command()
    @app_commands.describe(
        battle="The place of the battle",
        field="The power that held the field, or nobody",
        lost="Units with the figures that they lost: Gordons 7, Artega all",
    )
    @app_commands.autocomplete(battle=lookup.complete_open_battles, field=lookup.complete_field_holders)
    async def result(self, interaction: Interaction, battle: Name, field: Name, lost: Words = "") -> None:
        """Enter how a battle ended, as the umpire."""
        await perform_action(interaction, "battle_result", {"battle": battle, "field": field, "lost": lost})

    @app_commands.command()
    @app_commands.describe(
        battle="The place of the battle; by default the only one",
        by="The players whose columns are in it, in a game of its own, or the bot for both sides",
        channel="For the umpire: the channel of its game; by default a private thread",
        table="For the umpire: another table than the one the die picked",
        level="How well the bot plays both sides; hard takes longer",
    )
    @app_commands.choices(by=[app_commands.Choice(name=f"by {value}", value=value) for value in (PEOPLE, BOT)])
    @app_commands.autocomplete(battle=lookup.complete_open_battles, table=lookup.complete_battle_tables)
    async def fight(
        self,
        interaction: Interaction,
        battle: Name = "",
        by: str = PEOPLE,
        channel: discord.TextChannel | discord.Thread | None = None,
        table: Name | None = None,
        level: Level = Level.EASY,
    ) -> None:
        """Fight a battle in a separate game, or let the bot fight both sides."""
        game = await game_of(interaction)
        chosen = find_open_battle(require_campaign(game), battle)
        if by == BOT:
            require_umpire(game, actor_of(interaction), "have battles fought")
            await results.fight_battle(interaction, game, chosen, level)
            return
        number = None if table is None else table.partition(":")[0].strip()  # completion shows `1: hill C3`
        if number is not None and not (number.isascii() and number.isdecimal()):
            raise UserError("Give the number of a table.")
        await opening.open_battle(interaction, game, chosen, channel, None if number is None else int(number[:3]))

    @app_commands.command(name="break-off")
    @app_commands.describe(side="For the umpire: the side that breaks off; by default your own")
    @app_commands.autocomplete(side=completion.complete_sides)
    async def break_off(self, interaction: Interaction, side: Name | None = None) -> None:
        """Break off the campaign's battle that is fought in this channel, after a confirmation."""
        await break_off.ask_to_break_off(interaction, side)
