"""Record failed requests to Discord. Discord may have executed them nevertheless."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

import aiohttp

RequestFailures: TypeAlias = list[str]
"""Descriptions of failures, one line each."""

_failures: ContextVar[RequestFailures | None] = ContextVar("request failures", default=None)


@contextmanager
def record_request_failures(failures: RequestFailures) -> Iterator[None]:
    """Add to `failures` every failed request inside the context, including retries."""
    token = _failures.set(failures)
    try:
        yield
    finally:
        _failures.reset(token)


def make_trace_config() -> aiohttp.TraceConfig:
    """Return the configuration with which an HTTP client records its failed requests."""
    config = aiohttp.TraceConfig()
    config.on_request_end.append(_record_server_error)
    config.on_request_exception.append(_record_exception)
    return config


async def _record_server_error(
    _session: aiohttp.ClientSession, _context: Any, request: aiohttp.TraceRequestEndParams
) -> None:
    if request.response.status >= 500:
        _record_failure(f"{request.response.status}")


async def _record_exception(
    _session: aiohttp.ClientSession, _context: Any, request: aiohttp.TraceRequestExceptionParams
) -> None:
    _record_failure(type(request.exception).__name__)


def _record_failure(line: str) -> None:
    if (failures := _failures.get()) is not None:
        failures.append(line)
