"""Latency of replies in the pages of the local table, and their cost for the program.

    python -m benchmarks.table [TABS] [MESSAGES] [ANSWERS] [profile]

The bot runs in this process. A separate thread drives the tabs, and each tab records when a reply appeared. The event
loop's processor time is printed beside the seconds: it depends less on other programs.
"""

import asyncio
import cProfile
import pstats
import sys
import threading
import time
from collections.abc import Callable
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from bot.local.table import SEATS, LocalTable
from bot.runtime.client import make_bot
from bot.runtime.settings import Settings
from tests.browser.table import CHROMIUM, FLAGS, Tab

TABS, MESSAGES, ANSWERS = 3, 300, 20
REPLIES_PER_MAP = 5
"""Number of messages and replies per map."""
QUIET = 1.5
"""Seconds before a command is typed, and before it is sent, as people read and think."""
REST = 5.0
"""Seconds of observation of the idle table."""
PROFILE_LINES = 40
"""Number of lines of a profile."""

WATCH = """() => {
  window.stood = {};
  const list = document.querySelector('#channel-message-list');
  const note = (what) => { if (!(what in window.stood)) window.stood[what] = Date.now(); };
  const look = () => {
    for (const article of list.querySelectorAll('article')) {
      const label = /throw \\d+/.exec(article.textContent);
      if (label) note(label[0]);
      const shown = [...article.querySelectorAll('img')].some((one) => one.complete && one.naturalWidth > 300);
      if (shown) note('picture ' + article.dataset.messageId);
    }
  };
  window.pictures = () => Object.keys(window.stood).filter((one) => one.startsWith('picture'));
  look();
  new MutationObserver(look).observe(list, { childList: true, subtree: true, characterData: true });
  list.addEventListener('load', look, true);
}"""
"""Script that records in a tab when each throw and picture appeared."""
THROW = "label => window.stood[label]"
NEW_PICTURE = "old => window.stood[window.pictures().find((one) => !old.includes(one))]"
SEND = "() => { document.querySelector('#send-message').click(); return Date.now() }"


class Work:
    """Processor time of this thread's event loop, in seconds."""

    def __init__(self) -> None:
        self._clock = time.pthread_getcpuclockid(threading.get_ident())

    def seconds(self) -> float:
        """Return the seconds so far."""
        return time.clock_gettime(self._clock)


class Tabs:
    """Tabs of a channel, each of another user; the first sends commands."""

    def __init__(self, browser: Any, url: str, count: int) -> None:
        self._tabs = [Tab(browser, url) for _ in range(count)]
        for tab, seat in zip(self._tabs[1:], SEATS[1:], strict=False):
            tab.sit(seat)
        time.sleep(QUIET)
        for tab in self._tabs:
            tab.page.evaluate(WATCH)

    def throw(self, number: int) -> list[float]:
        """Return the seconds until a throw appears in each tab."""
        start = self._ask("roll", dice="2d6", label=f"throw {number}")
        return [self._stood(tab, THROW, f"throw {number}") - start for tab in self._tabs]

    def map(self, _number: int) -> list[float]:
        """Return the seconds until a map is drawn and loaded in each tab."""
        before = [tab.page.evaluate("window.pictures()") for tab in self._tabs]
        start = self._ask("map")
        return [self._stood(tab, NEW_PICTURE, old) - start for tab, old in zip(self._tabs, before, strict=True)]

    def _ask(self, command: str, **options: str) -> float:
        time.sleep(QUIET)
        self._tabs[0].write(command, **options)
        time.sleep(QUIET)
        return float(self._tabs[0].page.evaluate(SEND)) / 1000

    @staticmethod
    def _stood(tab: Tab, script: str, argument: Any) -> float:
        return float(tab.page.wait_for_function(script, arg=argument, timeout=60_000).json_value()) / 1000


async def fill_channel(table: LocalTable, messages: int) -> None:
    """Start a game and fill the channel."""
    umpire, channel = table.seats[0], table.channels[0]
    await umpire.slash(channel, "game new", rules="magdala", scenario="suakin-1885")
    for number in range(messages):
        if number % REPLIES_PER_MAP:
            await umpire.slash(channel, "roll", dice="2d6", label=f"filling {number}")
        else:
            await umpire.slash(channel, "map")


def measure(title: str, work: Work, times: int, ask: Callable[[int], list[float]]) -> None:
    """Measure and print the times in the sender's tab and the others, and the event loop's work."""
    seconds_by_part: dict[str, list[float]] = {"who asked": [], "the others": [], "the loop works, typing included": []}
    own, other_tabs, cost = seconds_by_part.values()
    for number in range(times):
        start = work.seconds()
        first, *rest = ask(number)
        own.append(first)
        other_tabs.extend(rest)
        cost.append(work.seconds() - start)
    for name, seconds in seconds_by_part.items():
        if seconds:
            print(f"{title}, {name:33} median {median(seconds):5.2f} s, longest {max(seconds):5.2f} s", flush=True)


def drive_tabs(url: str, count: int, answers: int, work: Work) -> None:
    """Open the tabs and send commands."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tabs = Tabs(browser, url, count)
        start = work.seconds()
        time.sleep(REST)
        print(f"at rest the loop works {(work.seconds() - start) / REST:.1%} of the time")
        measure("throw", work, answers, tabs.throw)
        measure("map", work, answers // REPLIES_PER_MAP, tabs.map)
        browser.close()


async def main(count: int = TABS, messages: int = MESSAGES, answers: int = ANSWERS, *, profiled: bool = False) -> None:
    """Open the table, fill it, and measure."""
    with TemporaryDirectory() as home:
        table = LocalTable(make_bot(Settings(database_url=f"sqlite+aiosqlite:///{home}/umpire.db", _env_file=None)))
        await table.open(0)
        profile = cProfile.Profile()
        try:
            await fill_channel(table, messages)
            print(f"{len(table.env.backend.messages[table.channels[0].id])} messages, {count} tabs")
            if profiled:
                profile.enable()
            await asyncio.to_thread(drive_tabs, table.pages[0].url, count, answers, Work())
            profile.disable()
        finally:
            await table.close()
        if profiled:
            pstats.Stats(profile).sort_stats("cumulative").print_stats(PROFILE_LINES)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    asyncio.run(main(*numbers, profiled="profile" in sys.argv))
