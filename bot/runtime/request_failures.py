"""Record failed requests to Discord. Discord may have executed such a request nevertheless."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

import aiohttp

RequestFailures: TypeAlias = list[str]
"""Descriptions of failures, one line each."""

_failures: ContextVar[RequestFailures | None] = ContextVar("request failures", default=None)


@contextmanager
def note_failures(into: RequestFailures) -> Iterator[None]:
    """Record in `into` the failures of all requests made inside the context, including repeated requests."""
    token = _failures.set(into)
    try:
        yield
    finally:
        _failures.reset(token)


def make_trace_config() -> aiohttp.TraceConfig:
    """Create the trace configuration for an HTTP client whose failures are recorded."""
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
    if (failures := _failures.get()) is not None:
        failures.append(line)
