"""The last resort: answer an interaction that has no answer after a failure."""

import asyncio
import logging

import discord

from . import reply
from .cards.card import WARNING, Card
from .discord_errors import REQUEST_ERRORS
from .request import Interaction, fault_reference

log = logging.getLogger(__name__)

WORDS = (
    "Something went wrong on our side. Before you try again, check with `/game log` or `/turn status` whether it was "
    "done. If it happens again, tell whoever runs this bot the reference `{reference}`."
)


def ensure_answer(interaction: Interaction) -> None:
    """Acknowledge the interaction in time, and answer it when the current task ends without an answer."""
    task = asyncio.current_task()
    assert task is not None, "interactions are handled in tasks"
    timer = reply.start_acknowledgement_timer(interaction)
    task.add_done_callback(lambda done_task: _answer_after_task(interaction, done_task, timer))


def _answer_after_task(interaction: Interaction, task: asyncio.Task[None], timer: asyncio.TimerHandle) -> None:
    timer.cancel()
    if task.cancelled() or reply.needs_no_answer(interaction):
        return
    answering = answer_if_unanswered(interaction, task.exception())
    interaction.client.background_tasks.run("last resort", interaction.id, answering)


async def answer_if_unanswered(interaction: Interaction, error: BaseException | None = None) -> None:
    """Answer the interaction with one sentence if nothing else has answered it. Never raises."""
    if reply.needs_no_answer(interaction):
        return
    level = logging.INFO if interaction.type is discord.InteractionType.autocomplete else logging.ERROR
    fault = "interaction %s (%s) ended without an answer"
    log.log(level, fault, interaction.id, fault_reference(interaction), exc_info=error)
    await report_fault(interaction)


async def report_fault(interaction: Interaction) -> None:
    """Say on a card that something went wrong. If the card fails, send a plain message. Never raises.

    A completion cannot show words, and is answered without choices.
    """
    words = WORDS.format(reference=fault_reference(interaction))
    completes = interaction.type is discord.InteractionType.autocomplete
    for way in (_send_no_choices,) if completes else (_send_card, _send_words):
        try:
            await way(interaction, words)
        except REQUEST_ERRORS as error:
            log.warning("interaction %s is not answered: %s", interaction.id, error)
        except Exception:
            log.exception("interaction %s is not answered", interaction.id)
        else:
            return


async def _send_no_choices(interaction: Interaction, _: str) -> None:
    await interaction.response.autocomplete([])


async def _send_card(interaction: Interaction, words: str) -> None:
    await reply.send(interaction, Card(WARNING).text(words), private=True)


async def _send_words(interaction: Interaction, words: str) -> None:
    if reply.is_answered(interaction):
        await interaction.followup.send(words, ephemeral=True)
    else:
        await reply.send_first_answer(interaction, interaction.response.send_message(words, ephemeral=True))
