"""Errors of requests to Discord, and what they say about an answer."""

import aiohttp
import discord

EXPIRED = 10062
"""Discord's error code for an interaction that has expired."""
ANSWERED = 40060
"""Discord's error code for an answered interaction: another process of the bot answered first."""

REQUEST_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Errors of requests that Discord did not accept."""


def is_answered_elsewhere(error: Exception) -> bool:
    """Whether another process of the bot has answered the interaction. This process then says nothing more."""
    return isinstance(error, discord.HTTPException) and error.code == ANSWERED


def is_expired(error: Exception) -> bool:
    """Whether Discord says that the interaction has expired. No process can answer then."""
    return isinstance(error, discord.HTTPException) and error.code == EXPIRED
