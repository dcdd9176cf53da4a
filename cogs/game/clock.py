"""`/game clock`: set the time for each turn, and show the deadlines of the sides that the game waits for."""

from collections.abc import Iterable
from itertools import islice

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.games.clock import MOST_HOURS, NO_CLOCK, Clock, Deadline, describe_clock, format_hours
from bot.games.quiet_hours import begun_hours, lacks_zone, parse_quiet_hours
from bot.games.time_zones import cities, offsets_begun, zones_begun
from bot.journal.game import Game
from cogs.kit import reply
from cogs.kit.cards.card import Card, safe
from cogs.kit.cards.report_card import until_words
from cogs.kit.lookup import completion
from cogs.kit.option_types import Name
from cogs.kit.request import Interaction, actor_of, channel_of, game_of, room_of
from rules.core.refusal import Refused

from .remedies import add_remedies, side_name

CANNOT_REMIND = "⚠ I may not write here by myself, so nobody is reminded: give me the right Send Messages."
NO_ZONE = "-# No time zone was given: those are hours of UTC. Write it behind, as 22-7 Europe/Berlin."
NO_QUIET, NO_QUIET_NAME = "none", "none: remind at any hour"


@completion.never_fails
async def complete_quiet_hours(_interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `quiet` with the typed hours in the zones that the words may name. Each choice can be typed as well."""
    hours, words = begun_hours(current)
    zones = offsets_begun(words)
    if not zones:
        found = completion.match_choices(words, ((name, name) for name in cities()))
        zones = tuple(dict.fromkeys((*zones_begun(words), *(one.value for one in found))))
    values = filter(is_readable, (f"{hours} {zone}" for zone in zones))
    choices = [completion.choice(value, value) for value in islice(values, completion.MOST - 1)]
    return [*choices, completion.choice(NO_QUIET_NAME, NO_QUIET)]


def is_readable(words: str) -> bool:
    """Whether the words are quiet hours."""
    try:
        return parse_quiet_hours(words) is not None
    except (UserError, Refused):
        return False


class ClockCommand(commands.Cog):
    """The command `/game clock`."""

    @app_commands.command()
    @app_commands.describe(
        hours="Hours that each side has for its turn; 0 stops the clock. Leave both out to see it",
        quiet="Hours in which nobody is reminded, as 22-7 Europe/Berlin or 10pm-7am New York, or none",
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
            await reply.send(interaction, await own_clock_card(interaction, game), private=True)
            return
        work = games.clocks.set_clock(channel, actor_of(interaction), hours, quiet, interaction=interaction.id)
        game = await reply.carry_out(interaction, work)
        clock = await games.clocks.clock(game)
        if clock is None:
            await reply.send(interaction, Card().text(f"**{safe(interaction.user.display_name)}** stops the clock."))
            return
        card = clock_card(game, clock, await games.clocks.deadlines(game))
        card.text(NO_ZONE if quiet is not None and lacks_zone(quiet) else "")
        await reply.send(interaction, card.text("" if may_write(interaction) else CANNOT_REMIND))


async def own_clock_card(interaction: Interaction, game: Game) -> Card:
    """Return the clock's card for the user, with remedies for overdue sides."""
    clocks = interaction.client.games.clocks
    clock, deadlines = await clocks.clock(game), await clocks.deadlines(game)
    card = clock_card(game, clock, deadlines)
    add_remedies(card, game, deadlines, clocks.now(), interaction.user.id)
    return card.text("" if clock is None or may_write(interaction) else CANNOT_REMIND)


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
