"""Refuse a second request for slow work that is already running in the channel."""

from contextlib import AbstractContextManager

from .request import Interaction, channel_of

FOR_ONE = "If somebody else asked for it, ask again in a moment."
FOR_ALL = "It will be shown here."


def for_user(interaction: Interaction, what: str) -> AbstractContextManager[None]:
    """Hold the slot for a private result. Raises UserError if the same work is already running in the channel."""
    return interaction.client.under_way.one(what, channel_of(interaction), then=FOR_ONE)


def for_everyone(interaction: Interaction, what: str, *details: str | None) -> AbstractContextManager[None]:
    """Hold the slot for a public result with these details. Raises UserError if the same work is already running."""
    return interaction.client.under_way.one(what, channel_of(interaction), *details, then=FOR_ALL)
