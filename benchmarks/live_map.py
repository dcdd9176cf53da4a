"""The live map in a browser and with 200 open pages, compared with a bare aiohttp page in the same run.

    python -m benchmarks.live_map [ROUNDS]

The bot runs in its own process. Prints each figure with its goal, and its ratio to the bare page's figure. For repeated
measurements the best counts too: other programs only add time.
"""

import asyncio
import gzip
import json
import os
import statistics
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import aiohttp
from playwright.async_api import async_playwright

from bot.journal.game import Actor
from tests.browser.table import CHROMIUM, FLAGS, find_free_ports
from tests.wire.loopback import Loopback
from tests.wire.process import Process
from tests.wire.world import GORDON

from .bare_page import BarePage
from .live_map_games import FIRST_ONLOOKER, LARGE, PLAIN, Bench, print_values, time_replies, time_rolls
from .live_map_screen import measure_first_map, measure_frames, measure_news

PAGES = 200
ROUNDS = 7
VIEWS, ROLLS, REPEATED = 50, 150, 6
REST = 10.0
"""Seconds of observation of the idle bot."""
WINDOW = 21
"""Seconds of a session's rate limit window, with a margin."""


async def measure_views(bench: Bench) -> tuple[bytes, bytes]:
    """Measure the view of 120 units. Return its bytes and the picture of its ground, for the bare page."""
    client, seat = await bench.client(LARGE)
    async with client:

        async def view() -> bytes:
            async with client.get(f"{bench.url}/api/view", params={"seat": seat}) as answer:
                assert answer.status == 200, await answer.text()
                return await answer.read()

        body = await view()
        content = json.loads(body)
        units = len([unit for unit in content["units"] if "at" in unit])
        async with client.get(f"{bench.url}/ground/{content['map']['ground']}-small", params={"seat": seat}) as answer:
            ground = await answer.read()
        bare_page = BarePage(body, ground)
        await bare_page.start()
        async with aiohttp.ClientSession() as plain:

            async def bare_view() -> None:
                async with plain.get(f"{bare_page.url}/view") as answer:
                    await answer.read()

            bare_times = await time_replies(bare_view, VIEWS)
        await bare_page.close()
        print_values(f"view of {units} units, gzip", len(gzip.compress(body)) / 1000, "KB", "60")
        milliseconds = await time_within_limits(view)
        print_values(
            f"view of {units} units, nothing changed, asked to answered", milliseconds, "ms", "10", min(bare_times)
        )
    return body, ground


async def time_within_limits(ask: Callable[[], Awaitable[Any]]) -> list[float]:
    """Return the milliseconds of replies, within the session's rate limit."""
    milliseconds = []
    for _ in range(2):
        await asyncio.sleep(WINDOW)
        milliseconds += await time_replies(ask, VIEWS)
    return milliseconds


async def measure_open_pages(bench: Bench, pid: int) -> None:
    """Measure another channel's `/roll` beside open pages of a quiet game, then of an active one."""
    await time_rolls(bench.discord, 50)
    print_values("processor time of the bot at rest", await measure_processor_time(pid), "ms/s")
    async with AsyncExitStack() as stack:
        clients = []
        for number in range(PAGES):
            client, seat = await bench.client(PLAIN, Actor(FIRST_ONLOOKER + 1 + number, f"Onlooker {number}"))
            await stack.enter_async_context(client)
            clients.append((client, seat))
        for pace, goal, moves in (("quiet", "1.2", False), ("goes on", "", True)):
            alone, beside = [], []
            for _ in range(REPEATED):
                alone += await time_rolls(bench.discord, ROLLS)
                reading = [asyncio.create_task(read_news(bench, client, seat)) for client, seat in clients]
                reading += [asyncio.create_task(act_publicly(bench))] if moves else []
                await asyncio.sleep(3)
                if not beside:
                    print_values(
                        f"processor time with {PAGES} pages of a game that is {pace}",
                        await measure_processor_time(pid),
                        "ms/s",
                    )
                beside += await time_rolls(bench.discord, ROLLS)
                for task in reading:
                    task.cancel()
                await asyncio.gather(*reading, return_exceptions=True)
                await asyncio.sleep(1)
            print_values("another channel's /roll, no page open", alone, "ms")
            print_values(f"another channel's /roll, {PAGES} pages of a game that is {pace}", beside, "ms")
            print_values(
                "times as slow, by the fastest tenth", find_fast_tenth(beside) / find_fast_tenth(alone), "x", goal
            )
            print_values("times as slow, by the median", statistics.median(beside) / statistics.median(alone), "x")


async def measure_processor_time(pid: int) -> float:
    """Return a process's milliseconds of processor time per second."""
    before, start = _processor_time(pid), perf_counter()
    await asyncio.sleep(REST)
    return (_processor_time(pid) - before) / (perf_counter() - start)


def _processor_time(pid: int) -> float:
    """Return the processor time of a process in milliseconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def find_fast_tenth(milliseconds: Sequence[float]) -> float:
    """Return the longest of the fastest tenth, which other programs affect least."""
    return statistics.quantiles(milliseconds, n=10)[0]


async def read_news(bench: Bench, client: aiohttp.ClientSession, seat: str) -> None:
    """Listen to the news and reload the view after each, as a page does."""
    async with client.get(f"{bench.url}/api/news", params={"seat": seat}) as news:
        assert news.status == 200
        async for line in news.content:
            if line.startswith(b"data: "):
                async with client.get(f"{bench.url}/api/view", params={"seat": seat}) as answer:
                    await answer.read()


async def act_publicly(bench: Bench) -> None:
    """Act publicly every two seconds."""
    for number in count(1):
        place = f"{20 + number % 30},20,180"
        await bench.discord.ask("umpire set", GORDON, PLAIN, unit="amarar", field="place", value=place).wait()
        await asyncio.sleep(2)


def measure_scripts() -> None:
    """Measure our own scripts."""
    folder = Path(__file__).parents[1] / "web" / "page"
    scripts = b"".join(file.read_bytes() for file in sorted(folder.glob("*.js")))
    print_values("our own scripts, gzip", len(gzip.compress(scripts)) / 1000, "KB", "60")


async def main(rounds: int) -> None:
    """Measure everything and print it."""
    discord = Loopback(check_bodies=False)
    await discord.start()
    with TemporaryDirectory() as home:
        port = find_free_ports(1)
        url = f"sqlite+aiosqlite:///{home}/umpire.db"
        bench = Bench(discord, url, port)
        await bench.lay()
        settings = {"UMPIRE_WEB_URL": bench.url, "UMPIRE_WEB_PORT": str(port), "UMPIRE_DATABASE_URL": url}
        umpire = await Process(discord, Path(home), fresh=True, **settings).start()
        print(f"{'':58}{'best':>9}{'median':>9} {'':4}{'goal':>8}")
        measure_scripts()
        try:
            body, ground = await measure_views(bench)
            bare_page = BarePage(body, ground)
            await bare_page.start()
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

                async def bare_link() -> str:
                    return bare_page.url

                bare_times = await measure_first_map(browser, bare_link, rounds)
                print_values("a bare page to its first map", bare_times, "ms")
                own = await measure_first_map(browser, lambda: bench.link(LARGE), rounds)
                print_values("empty cache to the first map, 120 units", own, "ms", "1000", min(bare_times))
                await measure_news(bench, browser, rounds)
                await measure_frames(bench, browser, rounds)
                await browser.close()
            await bare_page.close()
            await measure_open_pages(bench, umpire.pid)
        finally:
            await umpire.stop()
            await discord.close()
        if "Traceback" in umpire.log:
            sys.exit(umpire.log[-3000:])


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
