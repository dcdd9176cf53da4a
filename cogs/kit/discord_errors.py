"""Errors of requests to Discord, and tests of what an error means for the answer to an interaction."""

import aiohttp
import discord

EXPIRED = 10062
"""Discord's error code for an interaction that has expired."""
ANSWERED = 40060
"""Discord's error code for an answered interaction: another process of the bot answered first."""

REQUEST_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Exceptions of a request that Discord refused or that did not reach Discord."""


def is_answered_elsewhere(error: Exception) -> bool:
    """Whether the error means that another process of the bot has answered. This process must then send nothing."""
    return isinstance(error, discord.HTTPException) and error.code == ANSWERED


def is_expired(error: Exception) -> bool:
    """Whether the error means that the interaction has expired. No process can answer then."""
    return isinstance(error, discord.HTTPException) and error.code == EXPIRED
