"""A browser with the live map, without a screen: it opens links, and reads and sends the same data as the page."""

import asyncio
import json
import re
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient

from .table import Answer, Table

ORIGIN = "http://map.test"
HEADERS = {"Origin": ORIGIN, "Content-Type": "application/json"}
Client = TestClient[web.Request, web.Application]


class Browser:
    """A browser's cookies, and the seat of its page."""

    def __init__(self, client: Client) -> None:
        self.client, self.seat = client, ""

    async def open(self, key: str) -> int:
        """Open a link; return the status."""
        answer = await self.client.post("/api/session", data=json.dumps({"key": key}), headers=HEADERS)
        body = await answer.json()
        self.seat = body.get("seat", "")
        return answer.status

    async def get(self, path: str, **params: str) -> tuple[int, Any]:
        """Send a GET request of the page. Return status and body."""
        answer = await self.client.get(path, params={"seat": self.seat, **params})
        return answer.status, await answer.json()

    async def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        """Send a POST request of the page. Return status and body."""
        all_headers = {**HEADERS, "X-Seat": self.seat, **headers}
        answer = await self.client.post(path, data=json.dumps(body), headers=all_headers)
        return answer.status, await answer.json()

    async def view(self) -> Any:
        """Return the seat's view."""
        status, view = await self.get("/api/view")
        assert status == 200, view
        return view


async def link(table: Table, player: Any) -> str:
    """Give the player a link to the live map and return its key."""
    return key_of(await table.give(player, "page open"))


def key_of(answer: Answer) -> str:
    """Return the key of the link in a private answer."""
    assert answer.private_text
    return str(re.findall(r"#([\w-]{20,})", json.dumps(answer.private[0].components))[0])


async def open_page(table: Table, player: Any, browser: Browser) -> Browser:
    """Open a player's page."""
    assert await browser.open(await link(table, player)) == 200
    return browser


async def read(table: Table, words: str) -> None:
    """Wait until the onlooker can read the words in the channel."""
    for _ in range(200):
        if any(words in text_read for text_read in table.read_by(table.onlooker)):
            return
        await asyncio.sleep(0.02)  # settling does not wait for the loop of a channel
    pytest.fail(f"the channel is not told: {words}")
