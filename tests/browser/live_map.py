"""The local table in a thread of the test, with commands in its chat and its live map in a browser."""

import asyncio
import json
import re
import threading
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import Browser, BrowserContext, Page, expect

from bot.local import table as local_table
from bot.runtime.client import UmpireBot, make_bot
from bot.runtime.settings import Settings
from rules.registry import rulesets
from tests.databases import create_database
from tests.face.table import Answer, Table

T = TypeVar("T")
PHONE = (390, 844)
"""Width and height of a telephone's screen in CSS pixels."""
PATIENCE = 60.0
"""Seconds to wait for an answer to a command, long enough for a busy machine."""
SEATS = ("umpire", "first", "second", "onlooker")


class LiveTable:
    """A local table with its live map. Each channel has a game of its own."""

    def __init__(self, home: Path) -> None:
        self._patience = local_table._PATIENCE
        local_table._PATIENCE = PATIENCE
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="live table")
        self._thread.start()
        url = create_database(home / "live.db", rulesets())
        settings = {"DISCORD_TOKEN": None, "UMPIRE_WORKERS": 0, "UMPIRE_GROUNDS": "none", "UMPIRE_WEB_PORT": 0}
        self._bot: UmpireBot = make_bot(Settings.model_validate(settings).model_copy(update={"database_url": url}))
        self._channels = local_table.LocalTable(self._bot)
        self.run(self._open())

    async def _open(self) -> None:
        await self._channels.open(0)
        await self._bot.start_live_map("http://127.0.0.1:0")

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run the coroutine in the table's thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def close(self) -> None:
        """Close the table and its thread."""
        self.run(self._channels.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
        local_table._PATIENCE = self._patience

    def get_channel(self, number: int) -> "LiveChannel":
        """Return the channel with this number, counted from 0."""
        channels = self._channels
        table = Table(channels.env, lambda: self._bot, None, channels.channels[number], *channels.seats)  # type: ignore[arg-type]
        return LiveChannel(self, table)

    @property
    def bot(self) -> UmpireBot:
        """The bot of the table."""
        return self._bot


class LiveChannel:
    """One channel of a live table, with an umpire, two players and an onlooker."""

    def __init__(self, table: LiveTable, chat: Table) -> None:
        self.table, self.chat = table, chat
        self.people = dict(zip(SEATS, (chat.umpire, chat.british, chat.mahdist, chat.onlooker), strict=True))

    def give(self, person: str, command: str, **options: Any) -> Answer:
        """Give a command in the chat."""
        return self.table.run(self.chat.give(self.people[person], command, **options))

    def end_turn(self, person: str) -> None:
        """End a person's turn in the chat without an action."""
        self.table.run(self.chat.pass_on(self.people[person]))

    def start(self, rules: str, scenario: str, *sides: str, **options: Any) -> None:
        """Start a game. The first player takes the first side, the second player the second."""
        self.give("umpire", "game new", rules=rules, scenario=scenario, **options)
        for person, side in zip(("first", "second"), sides, strict=False):
            self.give(person, "game join", side=side)

    def make_link(self, person: str) -> str:
        """Ask in the chat for a link to the live map; return its address."""
        answer = self.give(person, "page open")
        return str(re.findall(r'"(http://[^"]+/#[\w-]{20,})"', json.dumps(answer.private[0].components))[0])

    def open(self, context: BrowserContext, person: str) -> Page:
        """Open a person's page in a browser."""
        page = context.new_page()
        page.goto(self.make_link(person))
        page.locator("#turn").filter(has_not_text="Umpire").wait_for()
        return page

    def read(self, person: str = "onlooker") -> Sequence[str]:
        """Return the messages of the channel that a person can read."""

        async def messages() -> Sequence[str]:
            return [*self.chat.read_by(self.people[person])]

        return self.table.run(messages())


def open_telephone(browser: Browser, width: int = PHONE[0], height: int = PHONE[1]) -> BrowserContext:
    """Return a browser context with the screen of a telephone, or of the given size, and touch."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, is_mobile=True, device_scale_factor=2
    )
    context.set_default_timeout(20_000)
    expect.set_options(timeout=20_000)
    return context
