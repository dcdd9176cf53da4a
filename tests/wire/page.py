"""A client of the live map, which sends a page's requests to a bot in another process."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any

import aiohttp

from tests.browser.table import find_free_ports

from .gateway import Session
from .loopback import Loopback
from .world import Person

KEY = re.compile(r"/#([\w-]{20,})")
ORIGIN = "http://127.0.0.1:8430"
"""Public address of the map. As behind a proxy, every process has the same address and its own port."""


def make_map_settings(port: int) -> dict[str, str]:
    """Return the settings of a bot that serves the map on this port."""
    return {"UMPIRE_WEB_URL": ORIGIN, "UMPIRE_WEB_PORT": str(port)}


def find_free_port() -> int:
    """Return a free port."""
    return find_free_ports(1)


async def ask_for_key(discord: Loopback, person: Person, channel: int, heard_by: Session | None = None) -> str:
    """Ask for a link in the chat as `person`; return its key."""
    interaction = await discord.ask("page open", person, channel, heard_by=heard_by).wait()
    assert interaction.is_private, interaction.text
    (key,) = KEY.findall(json.dumps([message["components"] for message in interaction.messages]))
    return str(key)


class Page:
    """A page of one seat, with its cookies. Tests may change `port` to send to another process."""

    def __init__(self, port: int) -> None:
        self.port, self.seat = port, ""
        self._client = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def __aenter__(self) -> "Page":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()

    def _url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    async def open(self, key: str) -> "Page":
        """Open a session by a link's key."""
        status, body = await self.post("/api/session", {"key": key})
        assert status == 200, body
        self.seat = body["seat"]
        return self

    async def get(self, path: str, **params: str) -> tuple[int, Any]:
        """Send a GET request; return its status and JSON body."""
        async with self._client.get(self._url(path), params={"seat": self.seat, **params}) as answer:
            return answer.status, await answer.json()

    async def post(self, path: str, body: Any) -> tuple[int, Any]:
        """Send a POST request; return its status and JSON body."""
        headers = {"Origin": ORIGIN, "Content-Type": "application/json", "X-Seat": self.seat}
        async with self._client.post(self._url(path), data=json.dumps(body), headers=headers) as answer:
            return answer.status, await answer.json()

    async def read_view(self) -> Any:
        """Return the seat's view."""
        status, view = await self.get("/api/view")
        assert status == 200, view
        return view

    async def write_orders(self, *lines: str) -> Any:
        """Write the orders on the seat's empty sheet; return the new view."""
        view = await self.read_view()
        status, view = await self.post("/api/sheet", {"revision": view["sheet"]["revision"], "lines": "\n".join(lines)})
        assert status == 200, view
        return view

    @asynccontextmanager
    async def open_news(self) -> AsyncIterator["asyncio.Queue[str]"]:
        """Open the stream of news; yield a queue of the news received."""
        news: asyncio.Queue[str] = asyncio.Queue()

        async def listen(answer: aiohttp.ClientResponse) -> None:
            async for line in answer.content:
                if line.startswith(b"data: "):
                    news.put_nowait(line.decode().removeprefix("data: ").strip())

        async with self._client.get(self._url("/api/news"), params={"seat": self.seat}) as answer:
            assert answer.status == 200
            listening = asyncio.create_task(listen(answer))
            yield news
            listening.cancel()
