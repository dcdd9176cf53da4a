"""Refuse a second request for slow work that is already running in the channel."""

from contextlib import AbstractContextManager

from .request import Interaction, channel_of

FOR_ONE = "If somebody else asked for it, ask again in a moment."
FOR_ALL = "It will be shown here."


def reserve_private_work(interaction: Interaction, work: str) -> AbstractContextManager[None]:
    """Return a context manager that lets `work` run only once at a time in the channel, for a private result.

    Entering the context raises UserError if the work is already running.
    """
    return interaction.client.single_flight.mark_running(work, channel_of(interaction), ending=FOR_ONE)


def reserve_public_work(interaction: Interaction, work: str, *details: str | None) -> AbstractContextManager[None]:
    """Return a context manager that lets `work` run only once at a time in the channel, for a public result.

    Entering the context raises UserError if the same work with equal `details` is already running.
    """
    return interaction.client.single_flight.mark_running(work, channel_of(interaction), *details, ending=FOR_ALL)
