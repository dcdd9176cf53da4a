"""Errors of requests to Discord, and tests of what an error means for the answer to an interaction."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import aiohttp
import discord

EXPIRED = 10062
"""Discord's error code for an interaction that has expired."""
ANSWERED = 40060
"""Discord's error code for an answered interaction: another process of the bot answered first."""

REQUEST_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Exceptions of a request that Discord refused or that did not reach Discord."""


@contextmanager
def log_request_errors(
    log: logging.Logger, words: str, *details: object, level: int = logging.WARNING
) -> Iterator[None]:
    """Suppress errors of requests to Discord. Log such an error with the format string `words` and its `details`."""
    try:
        yield
    except REQUEST_ERRORS as error:
        log.log(level, f"{words}: %s", *details, error)


def is_answered_elsewhere(error: Exception) -> bool:
    """Whether the error means that another process of the bot has answered. This process must then send nothing."""
    return isinstance(error, discord.HTTPException) and error.code == ANSWERED


def is_permanent_error(error: discord.HTTPException) -> bool:
    """Whether Discord refused the request, and would refuse it again, for example because the channel is deleted."""
    return error.status in range(400, 500) and error.status != HTTPStatus.TOO_MANY_REQUESTS


def is_expired(error: Exception) -> bool:
    """Whether the error means that the interaction has expired. No process can answer it then."""
    return isinstance(error, discord.HTTPException) and error.code == EXPIRED
