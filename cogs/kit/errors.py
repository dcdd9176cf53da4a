"""What a user is told when a command could not be done: a sentence, privately; never silence, never a traceback."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
from discord import app_commands

from bot.errors import NoGame, UserError
from rules.core.ruleset import Refused

from . import answer, presenter
from .card import WARNING, Card, safe
from .interaction import Interaction, channel_of, has_table
from .refused import UNSENT, is_elsewhere, is_gone

log = logging.getLogger(__name__)

NO_TABLE = (
    "Games live in the channels of servers that Umpire is a member of, so none is here. What works here: `/roll`, "
    "`/rule`, `/ruling`, `/help`, and `/morale`, `/reaction`, `/fire`, `/melee`, `/conduct`, `/rally`, `/critical` and "
    "`/odds` of any troops instead of a unit, as `/morale rules: troop: losses:`."
)
"""Told where no game can be."""

CHANGED = (app_commands.TransformerError, app_commands.CommandSignatureMismatch, app_commands.CommandNotFound)
"""What comes of a command that Discord's app remembers otherwise than it is now."""

TOLD = (UserError, Refused)
"""Not faults: sentences for the user."""


async def on_command_error(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    """The tree's error handler: every command's errors end here. Of what is still typed nobody need hear."""
    if interaction.type is discord.InteractionType.autocomplete:
        log.info("interaction %s in channel %s: %s", interaction.id, interaction.channel_id, error)
        return
    await tell(interaction, error.original if isinstance(error, app_commands.CommandInvokeError) else error)


CLAIMED = "claimed"


def is_claimed(interaction: Interaction) -> bool:
    """Whether a button of ours answers it."""
    return CLAIMED in interaction.extras


@asynccontextmanager
async def told(interaction: Interaction) -> AsyncIterator[None]:
    """For buttons and forms, whose errors do not come to the tree."""
    interaction.extras[CLAIMED] = True
    try:
        yield
    except Exception as error:
        await tell(interaction, error)


async def tell(interaction: Interaction, error: Exception) -> None:
    """Tells the user privately what is wrong and what to do next."""
    if is_elsewhere(error) or is_gone(error):
        log.info("interaction %s in channel %s: %s", interaction.id, interaction.channel_id, error)
        return
    if isinstance(error, Refused):
        card = await refusal(interaction, error)
    elif isinstance(error, NoGame) and not has_table(interaction):
        card = Card(WARNING).text(NO_TABLE)
    elif isinstance(error, UserError):
        card = Card(WARNING).text(safe(str(error)))
    elif isinstance(error, CHANGED):
        card = Card(WARNING).text("This command has changed. Restart Discord (Ctrl+R) and give it again.")
    elif isinstance(error, app_commands.CheckFailure):
        card = Card(WARNING).text("You cannot use this here.")
    else:
        card = fault(interaction, error)
    try:
        await answer.send(interaction, card, private=True)
    except UNSENT as unsent:
        where = interaction.channel_id
        log.warning("interaction %s in channel %s could not be answered: %s", interaction.id, where, unsent)


async def refusal(interaction: Interaction, error: Refused) -> Card:
    """The rule that refuses, and a button for each debt that stands in the way."""
    card = Card(WARNING).text(safe(str(error)))
    if not error.owed:
        return card
    game = await interaction.client.games.running(channel_of(interaction))
    presenter.add_debts(card, game, game.viewer(interaction.user.id), error.owed)
    return card


def reference_of(interaction: Interaction) -> str:
    """By which a fault is found in the log."""
    return f"{interaction.id:x}"[-6:]


def fault(interaction: Interaction, error: Exception) -> Card:
    """Our own mistake: logged with its traceback under a reference the user can quote."""
    reference = reference_of(interaction)
    name = interaction.command.qualified_name if interaction.command else "a button"
    log.error("fault %s in %s, channel %s", reference, name, interaction.channel_id, exc_info=error)
    if answer.is_done(interaction):
        return Card(WARNING).text(
            "What you asked for is done, so do not give it again: only showing it went wrong. `/game log` has what "
            f"was done in a game. Tell whoever runs this bot the reference `{reference}`."
        )
    return Card(WARNING).text(
        f"Something went wrong on our side, and nothing was lost. Try again; if it happens again, "
        f"tell whoever runs this bot the reference `{reference}`."
    )
