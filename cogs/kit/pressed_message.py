"""The message whose button was pressed: acknowledge the press, and remove buttons that can no longer be used."""

import logging
from collections.abc import Collection

from discord import ui

from . import reply
from .cards.button_removal import remove_buttons_from, replace_picture_addresses
from .discord_errors import REQUEST_ERRORS, is_answered_elsewhere
from .request import Interaction

log = logging.getLogger(__name__)


async def acknowledge_press(interaction: Interaction) -> bool:
    """Acknowledge the press if it has no answer yet. Return whether Discord has accepted an answer.

    Raises HTTPException 40060 if another process of the bot has answered.
    """
    try:
        if not reply.is_answered(interaction):
            await reply.defer(interaction)
    except REQUEST_ERRORS as error:
        if is_answered_elsewhere(error):
            raise
        log.warning("interaction %s could not be held: %s", interaction.id, error)
    return reply.is_answered(interaction)


async def remove_buttons(interaction: Interaction, custom_ids: Collection[str] | None = None) -> None:
    """Remove the buttons with these custom ids from the pressed message, or by default all buttons."""
    view = read_pressed_message(interaction)
    all_ids = {getattr(item, "custom_id", "") for item in view.walk_children()} - {""}
    await replace_pressed_message(interaction, view, all_ids if custom_ids is None else custom_ids)


def read_pressed_message(interaction: Interaction) -> ui.LayoutView:
    """Return the content of the pressed message."""
    assert interaction.message is not None
    return ui.LayoutView.from_message(interaction.message, timeout=None)


async def replace_pressed_message(interaction: Interaction, view: ui.LayoutView, custom_ids: Collection[str]) -> None:
    """Answer the press: edit the pressed message to `view`, without the buttons in `custom_ids`.

    If the message was deleted or locked, do nothing. Raises HTTPException 40060 if another process of the bot has
    answered.
    """
    assert interaction.message is not None
    cache = interaction.client.message_cache
    cache.forget(interaction.message.id)
    remove_buttons_from(view, custom_ids)
    replace_picture_addresses(view)
    view.stop()
    try:
        if (message := await reply.edit_pressed_message(interaction, view=view)) is not None:
            cache.store(message)
    except REQUEST_ERRORS as error:
        if is_answered_elsewhere(error):
            raise
        log.warning("the message pressed in interaction %s stays as it is: %s", interaction.id, error)
