"""Every byte that the live map answers to a seat, for a comparison of two worlds."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp.test_utils import TestClient, TestServer

from bot.runtime.client import UmpireBot
from tests import leaks
from web.server import Address, LiveMap

from .live_page import HEADERS, ORIGIN, Browser, link
from .table import Table

VARYING_HEADERS = ("Date", "Set-Cookie")
NOBODY = "nobody"
SEAL = re.compile(r"(?<=hidden dice: )[0-9a-f]{64}")
REPLACEMENTS = ((leaks.MOMENTS, "<then>"), (leaks.IDS, "<id>"), (SEAL, "<seal>"))


@asynccontextmanager
async def pages(table: Table, *people: Any) -> AsyncIterator[Sequence["PageAnswers"]]:
    """Open a page for each person's seat."""
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    assert bot.channel_announcer is not None
    bot.live_map_url = ORIGIN
    served = LiveMap(
        bot.games, bot.store, bot.web_sessions, bot.workers, bot.channel_announcer, Address(ORIGIN, "127.0.0.1", 0)
    )
    async with TestClient(TestServer(served.make_app())) as client:
        opened = []
        for person in people:
            browser = Browser(client)
            assert await browser.open(await link(table, person)) == 200
            opened.append(PageAnswers(browser, served, len(opened)))
        yield opened
    await served.close()


class PageAnswers:
    """The recorded answers to one page."""

    def __init__(self, browser: Browser, served: LiveMap, number: int) -> None:
        self.browser, self._served, self._number = browser, served, number
        self.records: list[tuple[str, str]] = []

    async def ask_everything(self, own: str, hidden: str, hidden_name: str) -> None:
        """Send every request of a page, also about a hidden unit and an unknown unit."""
        view = json.loads(await self.get("view"))
        for unit in (own, hidden, NOBODY, f"{own},{hidden}"):
            for path in ("unit", "reach", "fields") if unit in (hidden, NOBODY) else ("unit", "reach"):
                await self.get(path, unit=unit)
        history = json.loads(await self.get("history"))
        for name in (*(entry["name"] for entry in history["entries"][-3:]), "1", "99", f"{hidden}-h1"):
            await self.get("step", name=name)
        for path in ("terrain", "undo"):
            await self.get(path)
        for number in ("1", "nope"):
            await self.get("rule", number=number)
        for size in ("small", "large"):
            await self._ask("GET", f"/ground/{view['map']['ground']}-{size}")
        await self.news()
        await self.write(view, own, hidden, hidden_name)

    async def write(self, view: Mapping[str, Any], own: str, hidden: str, hidden_name: str) -> None:
        """Draft and write orders, answer prompts, correct units."""
        for unit, target in ((own, hidden), (hidden, own), (own, NOBODY), (NOBODY, own)):
            await self.post("draft", {"units": [unit], "kind": "fire", "args": {"target": target}})
            await self.post("draft", {"units": [unit], "kind": "move", "args": {"to": f"towards {target}"}})
            change = {"kind": "set", "unit": unit, "field": "place", "value": "30,30"}
            await self.post("table/preview", {"change": change})
        for name in (hidden_name, NOBODY):
            revision = (view["sheet"] or {"revision": 0})["revision"]
            changed = await self.post("sheet", {"revision": revision, "lines": f"{name}: forward 1\nall: fire {name}"})
            view = json.loads(changed) if "sheet" in changed else view
            revision = (view.get("sheet") or {"revision": 0})["revision"]
            cleared = await self.post("sheet", {"revision": revision, "clear": True})
            view = json.loads(cleared) if "sheet" in cleared else view
        for key in (f"{hidden}", NOBODY):
            await self.post("answer", {"key": key, "offer": "0" * 16})

    async def news(self) -> None:
        """Record the newest event of the news stream."""
        seat = {"seat": self.browser.seat}
        async with self.browser.client.get("/api/news", params=seat) as stream:
            await self._served._news.check_games()
            line = await asyncio.wait_for(stream.content.readline(), 5)
            self.records.append((f"{self._number}: news", f"{self._headers(stream.headers)} {line.decode()}"))

    async def get(self, path: str, **params: str) -> str:
        """Send a GET request, record the answer and return its body."""
        return await self._ask("GET", f"/api/{path}", params)

    async def post(self, path: str, body: Any) -> str:
        """Send a POST request, record the answer and return its body."""
        return await self._ask("POST", f"/api/{path}", body=body)

    async def _ask(self, method: str, path: str, params: Mapping[str, str] | None = None, body: Any = None) -> str:
        data, heading = (
            json.dumps(body) if body is not None else None,
            f"{self._number}: {method} {path} {params} {body}",
        )
        headers = {**HEADERS, "X-Seat": self.browser.seat} if data else {}
        headers["Accept-Encoding"] = "identity"  # the size of compressed moments is another at each moment
        query = {"seat": self.browser.seat, **(params or {})}
        async with self.browser.client.request(method, path, params=query, data=data, headers=headers) as answer:
            text = (await answer.read()).decode("latin-1")
            record = f"{answer.status} {self._headers(answer.headers)} {text}"
        for pattern, veil in REPLACEMENTS:
            record = pattern.sub(veil, record)
        self.records.append((heading, record))
        return text

    @staticmethod
    def _headers(headers: Mapping[str, str]) -> Mapping[str, str]:
        return {name: value for name, value in headers.items() if name not in VARYING_HEADERS}
