"""Errors of requests to Discord, and what they say about an answer."""

import aiohttp
import discord

EXPIRED = 10062
"""Discord's error code for an interaction that has expired."""
ANSWERED = 40060
"""Discord's error code for an interaction that was answered already: here, by another process of the bot."""

REQUEST_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError)
"""The errors of a request that Discord did not accept."""


def is_answered_elsewhere(error: Exception) -> bool:
    """Whether another process of the bot has answered the interaction. This process then says nothing more."""
    return isinstance(error, discord.HTTPException) and error.code == ANSWERED


def is_expired(error: Exception) -> bool:
    """Whether the interaction has expired, so that no process can answer it."""
    return isinstance(error, discord.HTTPException) and error.code == EXPIRED
