"""One of a kind for each channel: whoever asks again for what is being made is told so, privately."""

from contextlib import AbstractContextManager

from .request import Interaction, channel_of

FOR_ONE = "If somebody else asked for it, ask again in a moment."
FOR_ALL = "It will be shown here."


def for_user(interaction: Interaction, what: str) -> AbstractContextManager[None]:
    """While something is made that its asker alone sees. Raises UserError where another of its kind is on its way."""
    return interaction.client.under_way.one(what, channel_of(interaction), then=FOR_ONE)


def for_everyone(interaction: Interaction, what: str, *details: str | None) -> AbstractContextManager[None]:
    """While something is made for everyone, as asked for in detail. Raises UserError where it is on its way."""
    return interaction.client.under_way.one(what, channel_of(interaction), *details, then=FOR_ALL)
