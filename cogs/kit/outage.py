"""After a database outage, find out whether an action was stored, and tell the user."""

import asyncio
import logging
from collections.abc import Sequence

from bot.errors import DatabaseUnavailable, OutcomeUnknown
from bot.journal.game import Played

from . import reply
from .action_reply import show_actions
from .cards.card import WARNING, Card
from .discord_errors import REQUEST_ERRORS, log_request_errors
from .request import Interaction, channel_of

log = logging.getLogger(__name__)

SEARCH_INTERVAL = 5.0
"""Seconds between two searches for the action."""
MOST_SEARCHES = 150
"""Maximum number of searches. Discord accepts no answer after a quarter of an hour."""
SEARCHES_UNTIL_SURE = 2
"""Searches without a result after which the action has failed. After one search, a late write is still possible."""
NOT_DONE = "The database answers again, and what you asked for was not done. Repeat the command."

_running: set[asyncio.Task[None]] = set()


async def find_result_elsewhere(interaction: Interaction, error: Exception, *, all_entries: bool) -> Sequence[Played]:
    """Return the entries if another process has done the action that failed here. Otherwise, raise `error`.

    If the database failed during the write, a task tells the user later whether the action was done.
    """
    if isinstance(error, DatabaseUnavailable):
        if isinstance(error, OutcomeUnknown):
            waiting = _wait_for_stored_entries(interaction, all_entries=all_entries)
            task = asyncio.create_task(waiting, name=f"finding out about {interaction.id}")
            _running.add(task)
            task.add_done_callback(_running.discard)
        raise error
    played = await find_stored_entries(interaction, all_entries=all_entries)
    if not played:
        raise error
    return played


async def find_stored_entries(interaction: Interaction, *, all_entries: bool) -> Sequence[Played]:
    """Return the first entry that the interaction wrote in any process; with `all_entries`, all of them."""
    games, channel = interaction.client.games, channel_of(interaction)
    if all_entries:
        several = await games.actions.find_batch_result(channel, interaction.id)
        return several.played if several is not None else ()
    played = await games.find_played_action(channel, interaction.id)
    return (played,) if played is not None else ()


async def _wait_for_stored_entries(interaction: Interaction, *, all_entries: bool) -> None:
    """Search for the action's entries. Then show them, or tell the user that nothing was done."""
    attempts = 0
    for _ in range(MOST_SEARCHES):
        await asyncio.sleep(SEARCH_INTERVAL)
        try:
            if played := await find_stored_entries(interaction, all_entries=all_entries):
                await show_actions(interaction, *played)
                return
        except DatabaseUnavailable:
            continue
        except REQUEST_ERRORS as error:
            log.warning("interaction %s: what was done is not shown: %s", interaction.id, error)
            return
        attempts += 1
        if attempts == SEARCHES_UNTIL_SURE:
            with log_request_errors(log, "interaction %s: nobody was told that it was not done", interaction.id):
                await reply.send(interaction, Card(WARNING).text(NOT_DONE), private=True)
            return
