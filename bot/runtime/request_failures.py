"""Failed requests: Discord may have executed them anyway."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

import aiohttp

Stumbles: TypeAlias = list[str]
"""What went wrong, a line each."""

_noted: ContextVar[Stumbles | None] = ContextVar("stumbles", default=None)


@contextmanager
def noted(into: Stumbles) -> Iterator[None]:
    """Notes in `into` whatever goes wrong with the requests made inside, repeated ones included."""
    token = _noted.set(into)
    try:
        yield
    finally:
        _noted.reset(token)


def trace() -> aiohttp.TraceConfig:
    """To be given to the client whose requests are watched."""
    config = aiohttp.TraceConfig()
    config.on_request_end.append(_note_server_error)
    config.on_request_exception.append(_note_exception)
    return config


async def _note_server_error(
    _session: aiohttp.ClientSession, _context: Any, request: aiohttp.TraceRequestEndParams
) -> None:
    if request.response.status >= 500:
        _note(f"{request.response.status}")


async def _note_exception(
    _session: aiohttp.ClientSession, _context: Any, request: aiohttp.TraceRequestExceptionParams
) -> None:
    _note(type(request.exception).__name__)


def _note(line: str) -> None:
    if (noted_there := _noted.get()) is not None:
        noted_there.append(line)
