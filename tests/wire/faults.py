"""What can befall a request of the bot: a limit, a refusal, a delay."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from aiohttp import web

Done = Callable[[], Awaitable[web.StreamResponse]]
"""Does what a request asks for."""


@dataclass
class Fault:
    """What befalls the next `times` requests that match: each comes `late`, and is `refused` where that is given.

    One that is `taken` was done all the same: only Discord's answer to it went wrong.
    """

    method: str
    path: re.Pattern[str]
    times: int = 1
    late: float = 0
    refused: Callable[[], web.Response] | None = None
    taken: bool = False


class Faults:
    """The faults to come, the oldest first."""

    def __init__(self) -> None:
        self.left: list[Fault] = []

    def limit(self, method: str, path: str, retry_after: float) -> None:
        """Refuses the next `method` request whose path matches, for `retry_after` seconds."""
        self.left.append(Fault(method, re.compile(path), refused=partial(limited, retry_after)))

    def refuse(
        self, method: str, path: str, status: int, code: int = 0, *, times: int = 1, taken: bool = False
    ) -> None:
        """Refuses the next `method` requests whose path matches; `taken`: having done what they ask all the same."""
        refusal = partial(refused, status, code, "An unlucky moment")
        self.left.append(Fault(method, re.compile(path), times, refused=refusal, taken=taken))

    def delay(self, method: str, path: str, seconds: float) -> None:
        """Takes so long to hear the next `method` request whose path matches."""
        self.left.append(Fault(method, re.compile(path), late=seconds))

    async def befall(self, method: str, path: str, done: Done) -> web.StreamResponse:
        """What a request comes to, with the fault that befalls it."""
        fault = next((one for one in self.left if one.method == method and one.path.search(path)), None)
        if fault is None:
            return await done()
        fault.times -= 1
        if not fault.times:
            self.left.remove(fault)
        await asyncio.sleep(fault.late)
        if fault.refused is None:
            return await done()
        if fault.taken:
            await done()
        return fault.refused()


def as_json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """The bot reads a body as JSON only when its type is given as Discord does: bare, without a character set."""
    body = json.dumps(value).encode()
    return web.Response(body=body, status=status, headers={"Content-Type": "application/json", **(headers or {})})


def refused(status: int, code: int, message: str) -> web.Response:
    """A refusal as Discord writes it."""
    return as_json({"code": code, "message": message}, status=status)


def limited(retry_after: float) -> web.Response:
    """A limit that Discord itself sets."""
    headers = {"Retry-After": str(retry_after), "Via": "1.1 loopback", "X-RateLimit-Scope": "user"}
    body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": False}
    return as_json(body, status=429, headers=headers)
