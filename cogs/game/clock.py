"""`/game clock`: set the time for each turn, and show the deadlines of the sides that the game waits for."""

from collections.abc import Iterable

import discord
from discord import app_commands
from discord.ext import commands

from bot.games.clock import MOST_HOURS, NO_CLOCK, Clock, Deadline, describe_clock, format_hours
from bot.games.quiet_hours import time_zones
from bot.journal.game import Game
from cogs.kit import reply
from cogs.kit.cards.card import Card, safe
from cogs.kit.cards.report_card import until_words
from cogs.kit.lookup import completion
from cogs.kit.option_types import Name
from cogs.kit.request import Interaction, actor_of, channel_of, game_of, room_of
from rules.core.model import UMPIRE, Viewer

CANNOT_REMIND = "⚠ I may not write here by myself, so nobody is reminded: give me the right Send Messages."
USUAL_QUIET = "22-7"
NO_QUIET = "none"


@completion.never_fails
async def complete_quiet_hours(_interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `quiet` with the typed hours in every time zone."""
    hours, _, zone = current.strip().partition(" ")
    hours = hours if any(map(str.isdecimal, hours)) else USUAL_QUIET
    wanted = zone if zone or any(map(str.isdecimal, current)) else current
    found = completion.match_choices(wanted, ((name, name) for name in time_zones()))
    choices = [completion.choice(f"{hours} {one.value}", f"{hours} {one.value}") for one in found]
    return [*choices[: completion.MOST - 1], completion.choice("none: remind at any hour", NO_QUIET)]


class ClockCommand(commands.Cog):
    """The command `/game clock`."""

    @app_commands.command()
    @app_commands.describe(
        hours="Hours that each side has for its turn; 0 stops the clock. Leave both out to see it",
        quiet="Hours in which nobody is reminded, as 22-7 Europe/Berlin, or none",
    )
    @app_commands.autocomplete(quiet=complete_quiet_hours)
    async def clock(
        self,
        interaction: Interaction,
        hours: app_commands.Range[int, 0, MOST_HOURS] | None = None,
        quiet: Name | None = None,
    ) -> None:
        """For the umpire: give each turn a deadline, with reminders. For all: until when there is time."""
        games, channel = interaction.client.games, channel_of(interaction)
        if hours is None and quiet is None:
            game = await reply.wait_for(interaction, game_of(interaction), private=True)
            card = clock_card(game, await games.clocks.clock(game), await games.clocks.deadlines(game))
            await reply.send(interaction, card, private=True)
            return
        work = games.clocks.set_clock(channel, actor_of(interaction), hours, quiet, interaction=interaction.id)
        game = await reply.carry_out(interaction, work)
        clock = await games.clocks.clock(game)
        if clock is None:
            await reply.send(interaction, Card().text(f"**{safe(interaction.user.display_name)}** stops the clock."))
            return
        card = clock_card(game, clock, await games.clocks.deadlines(game))
        await reply.send(interaction, card.text("" if may_write(interaction) else CANNOT_REMIND))


def may_write(interaction: Interaction) -> bool:
    """Whether the bot may send messages to the game's channel. For a room, the right to send outside threads counts."""
    may, in_thread = interaction.app_permissions, isinstance(interaction.channel, discord.Thread)
    return may.send_messages_in_threads if in_thread and room_of(interaction) is None else may.send_messages


def clock_card(game: Game, clock: Clock | None, deadlines: Iterable[Deadline]) -> Card:
    """Return the card of the clock, with each side's deadline."""
    if clock is None:
        return Card().text(safe(NO_CLOCK))
    card = Card().text(f"**{format_hours(clock.hours)} for each turn.** {safe(describe_clock(clock))}")
    return card.text("\n".join(f"{safe(side_name(game, one.side))}: {until_words(one.ends)}" for one in deadlines))


def side_name(game: Game, side: Viewer) -> str:
    """Return the side's name, or `The umpire`."""
    return "The umpire" if side == UMPIRE else game.name_of(side)
