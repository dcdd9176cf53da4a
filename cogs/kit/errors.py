"""Answer interactions that fail: tell the user privately, in a sentence, what is wrong."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
from discord import app_commands

from bot.errors import DatabaseUnavailable, NoGame, UserError
from bot.games.idle_turns import IdleTurnRefusal
from bot.journal.game import Game
from rules.core.refusal_with_map import RefusedWithSightLines
from rules.core.ruleset import Refused

from . import last_resort, reply
from .cards import idle_turn, pictures, report_card
from .cards.card import WARNING, Card, safe
from .discord_errors import REQUEST_ERRORS, is_answered_elsewhere, is_expired
from .request import Interaction, can_have_game, channel_of, fault_reference, load_room, request_of

log = logging.getLogger(__name__)

NO_TABLE = (
    "Games are played in channels of servers that Umpire is a member of, so there is none here. What works: `/game "
    "mine`, `/roll`, `/rule`, `/ruling`, `/help`, and `/morale`, `/reaction`, `/fire`, `/melee`, `/conduct`, `/rally`, "
    "`/critical` and `/odds` for any troops instead of a unit, as `/morale rules: troop: losses:`."
)
"""The answer in direct messages, where no game can be played."""


CHANGED = (app_commands.TransformerError, app_commands.CommandSignatureMismatch, app_commands.CommandNotFound)
"""Errors of a command that has changed since the user's Discord app loaded the commands."""

USER_ERRORS = (UserError, Refused)
"""Errors that are no faults of the bot. Their messages are sentences for the user."""


async def prepare_command(interaction: Interaction) -> bool:
    """Find the room of a command or completion. If that fails, tell the user and return False.

    This is the command tree's check. It also ensures that the command is answered.
    """
    last_resort.ensure_answer(interaction)
    try:
        await load_room(interaction)
    except Exception as error:
        await tell_error(interaction, error)
        return False
    return True


async def on_command_error(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    """Tell the user of an error of any command. This is the command tree's error handler."""
    await tell_error(interaction, error.original if isinstance(error, app_commands.CommandInvokeError) else error)


@asynccontextmanager
async def handle_errors(interaction: Interaction) -> AsyncIterator[None]:
    """Handle errors of a button, menu or form, and ensure an answer. The command tree does not see these errors."""
    request_of(interaction).is_handled = True
    timer = reply.start_acknowledgement_timer(interaction)
    try:
        try:
            yield
        except Exception as error:
            await tell_error(interaction, error)
        await last_resort.answer_if_unanswered(interaction)
    finally:
        timer.cancel()


async def tell_error(interaction: Interaction, error: Exception) -> None:
    """Tell the user privately what is wrong and what to do next. Never raises."""
    if is_answered_elsewhere(error) or is_expired(error):
        log_missing_answer(interaction, error)
    elif interaction.type is discord.InteractionType.autocomplete:
        await last_resort.answer_if_unanswered(interaction, error)
    else:
        await _send_error(interaction, error)


async def _send_error(interaction: Interaction, error: Exception) -> None:
    try:
        await reply.send(interaction, await error_card(interaction, error), private=True)
    except REQUEST_ERRORS as unsent:
        log_missing_answer(interaction, unsent)
    except Exception:
        log.exception("interaction %s: the error %r could not be told", interaction.id, error)
        await last_resort.report_fault(interaction)


def log_missing_answer(interaction: Interaction, error: Exception) -> None:
    """Close the request, and log that this process cannot answer: a warning, unless another process has answered."""
    request_of(interaction).is_closed = True
    level = logging.INFO if is_answered_elsewhere(error) else logging.WARNING
    log.log(level, "interaction %s in channel %s is not answered: %s", interaction.id, interaction.channel_id, error)


async def error_card(interaction: Interaction, error: Exception) -> Card:
    """Return the card that tells the user of an error."""
    if isinstance(error, Refused):
        return await refusal_card(interaction, error)
    if isinstance(error, NoGame) and not can_have_game(interaction):
        return Card(WARNING).text(NO_TABLE)
    if isinstance(error, DatabaseUnavailable) and request_of(interaction).is_done:
        return Card(WARNING).text(
            "What you asked for is done, so do not repeat it: the database stopped answering before it could be shown. "
            "`/game log` has it in a moment."
        )
    if isinstance(error, IdleTurnRefusal):
        return idle_turn.idle_turn_card(error, interaction.user.id)
    if isinstance(error, UserError):
        return Card(WARNING).text(safe(str(error)))
    if isinstance(error, CHANGED):
        return Card(WARNING).text("This command has changed. Restart Discord (Ctrl+R) and try again.")
    if isinstance(error, app_commands.CheckFailure):
        return Card(WARNING).text("You cannot use this here.")
    return fault_card(interaction, error)


async def refusal_card(interaction: Interaction, error: Refused, game: Game | None = None) -> Card:
    """Return the card of a refusal: its words, its picture, and buttons of prompts that must be settled first.

    If the picture or the buttons fail, the card has only the words.
    """
    try:
        return await _illustrated_refusal_card(interaction, error, game)
    except USER_ERRORS as refusal:
        log.info("interaction %s: the refusal is told in words alone: %s", interaction.id, refusal)
    except Exception:
        log.exception("interaction %s: the refusal is told in words alone", interaction.id)
    return _plain_refusal_card(error)


def _plain_refusal_card(error: Refused) -> Card:
    return Card(WARNING).text(safe(str(error)))


async def _illustrated_refusal_card(interaction: Interaction, error: Refused, game: Game | None) -> Card:
    card = _plain_refusal_card(error)
    if not error.prompts and not isinstance(error, RefusedWithSightLines):
        return card
    game = game or await interaction.client.games.running_game(channel_of(interaction))
    viewer = game.viewer(interaction.user.id)
    if isinstance(error, RefusedWithSightLines) and pictures.has_map(game, game.photograph):
        drawing = pictures.draw_sight_lines(interaction.client.workers, game, viewer, error.sight(), "refused.png")
        card.picture(await pictures.draw_if_possible(drawing, game))
    report_card.add_private_prompts(card, game, viewer, error.prompts)
    return card


def fault_card(interaction: Interaction, error: Exception) -> Card:
    """Log a fault of the bot under a reference. Return a card with the reference for the user to quote."""
    reference = fault_reference(interaction)
    name = interaction.command.qualified_name if interaction.command else "a button"
    log.error("fault %s in %s, channel %s", reference, name, interaction.channel_id, exc_info=error)
    if request_of(interaction).is_done:
        return Card(WARNING).text(
            "What you asked for is done, so do not repeat it: only showing it went wrong. `/game log` has what "
            f"was done in a game. Tell whoever runs this bot the reference `{reference}`."
        )
    return Card(WARNING).text(
        f"Something went wrong on our side, and nothing was lost. Try again; if it happens again, "
        f"tell whoever runs this bot the reference `{reference}`."
    )
