"""What Discord does not take, and what that means for an answer."""

import aiohttp
import discord

EXPIRED = 10062
"""Discord's error code for an interaction it no longer knows."""
ANSWERED = 40060
"""Discord's error code for an interaction that was answered already: here, by another process of ours."""

UNSENT = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What a request comes to that Discord does not take."""


def is_elsewhere(error: Exception) -> bool:
    """Whether another process of ours has answered, so that this one has nothing more to say."""
    return isinstance(error, discord.HTTPException) and error.code == ANSWERED


def is_gone(error: Exception) -> bool:
    """Whether Discord knows the interaction no longer, so that nobody can answer it."""
    return isinstance(error, discord.HTTPException) and error.code == EXPIRED
