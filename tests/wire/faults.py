"""Faults that a test gives to requests of the bot: a rate limit, a refusal, a delay."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from aiohttp import web

Work = Callable[[], Awaitable[web.StreamResponse]]
"""Executes a request and returns the response."""


@dataclass
class Fault:
    """A fault for the next `times` matching requests: a delay in seconds, a refusal, or both.

    With `executed`, Discord executes the request all the same; only its answer is the refusal.
    """

    method: str
    path: re.Pattern[str]
    times: int = 1
    delay: float = 0
    make_refusal: Callable[[], web.Response] | None = None
    executed: bool = False


class Faults:
    """The faults still to come, oldest first."""

    def __init__(self) -> None:
        self.pending: list[Fault] = []

    def limit(self, method: str, path: str, retry_after: float) -> None:
        """Answer the next matching request with a rate limit of `retry_after` seconds."""
        self.pending.append(Fault(method, re.compile(path), make_refusal=partial(make_rate_limit, retry_after)))

    def refuse(
        self, method: str, path: str, status: int, code: int = 0, *, times: int = 1, executed: bool = False
    ) -> None:
        """Refuse the next `times` matching requests; with `executed`, execute them all the same."""
        refusal = partial(make_refusal, status, code, "An unlucky moment")
        self.pending.append(Fault(method, re.compile(path), times, make_refusal=refusal, executed=executed))

    def delay(self, method: str, path: str, seconds: float) -> None:
        """Delay the next matching request by `seconds`."""
        self.pending.append(Fault(method, re.compile(path), delay=seconds))

    async def respond(self, method: str, path: str, execute: Work) -> web.StreamResponse:
        """Execute a request and return the response, or apply the oldest fault that matches."""
        fault = next(
            (candidate for candidate in self.pending if candidate.method == method and candidate.path.search(path)),
            None,
        )
        if fault is None:
            return await execute()
        fault.times -= 1
        if not fault.times:
            self.pending.remove(fault)
        await asyncio.sleep(fault.delay)
        if fault.make_refusal is None:
            return await execute()
        if fault.executed:
            await execute()
        return fault.make_refusal()


def as_json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """Return a JSON response.

    Its content type has no character set, as in Discord's responses: otherwise discord.py does not parse the body.
    """
    body = json.dumps(value).encode()
    return web.Response(body=body, status=status, headers={"Content-Type": "application/json", **(headers or {})})


def make_refusal(status: int, code: int, message: str) -> web.Response:
    """Return an error response in Discord's format."""
    return as_json({"code": code, "message": message}, status=status)


def make_rate_limit(retry_after: float) -> web.Response:
    """Return the response of a rate limit per user."""
    headers = {"Retry-After": str(retry_after), "Via": "1.1 loopback", "X-RateLimit-Scope": "user"}
    body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": False}
    return as_json(body, status=429, headers=headers)
