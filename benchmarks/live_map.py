"""The live map in a browser and under 200 open pages, beside a bare aiohttp page in the same run.

    python -m benchmarks.live_map [ROUNDS]

The bot is a process of its own. Prints each figure with its goal, and how many times the bare page's it is. Of what is
measured several times the best counts too: other programs on the machine only make it longer.
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
from .live_map_games import FIRST_ONLOOKER, LARGE, PLAIN, Bench, rolls, show, timed
from .live_map_screen import first_map, measure_frames, measure_news

PAGES = 200
ROUNDS = 7
VIEWS, ROLLS, REPEATED = 50, 150, 6
REST = 10.0
"""Seconds that the bot is watched at rest."""
WINDOW = 21
"""Seconds after which a session may read again."""


async def measure_views(bench: Bench) -> tuple[bytes, bytes]:
    """Measure the view of 120 units. Return its bytes and the picture of its ground, for the bare page."""
    client, seat = await bench.client(LARGE)
    async with client:

        async def view() -> bytes:
            async with client.get(f"{bench.url}/api/view", params={"seat": seat}) as answer:
                assert answer.status == 200, await answer.text()
                return await answer.read()

        body = await view()
        found = json.loads(body)
        units = len([unit for unit in found["units"] if "at" in unit])
        async with client.get(f"{bench.url}/ground/{found['map']['ground']}-small", params={"seat": seat}) as answer:
            ground = await answer.read()
        bare = BarePage(body, ground)
        await bare.start()
        async with aiohttp.ClientSession() as plain:

            async def bare_view() -> None:
                async with plain.get(f"{bare.url}/view") as answer:
                    await answer.read()

            least = await timed(bare_view, VIEWS)
        await bare.close()
        show(f"view of {units} units, gzip", len(gzip.compress(body)) / 1000, "KB", "60")
        took = await timed_politely(view)
        show(f"view of {units} units, nothing changed, asked to answered", took, "ms", "10", min(least))
    return body, ground


async def timed_politely(ask: Callable[[], Awaitable[Any]]) -> list[float]:
    """Return the milliseconds of answers, with no more in a window than a session may read."""
    took = []
    for _ in range(2):
        await asyncio.sleep(WINDOW)
        took += await timed(ask, VIEWS)
    return took


async def measure_open_pages(bench: Bench, pid: int) -> None:
    """Measure another channel's `/roll` beside open pages, first of a quiet game, then of one that goes on."""
    await rolls(bench.discord, 50)
    show("processor time of the bot at rest", await worked(pid), "ms/s")
    async with AsyncExitStack() as stack:
        clients = []
        for number in range(PAGES):
            client, seat = await bench.client(PLAIN, Actor(FIRST_ONLOOKER + 1 + number, f"Onlooker {number}"))
            await stack.enter_async_context(client)
            clients.append((client, seat))
        for what, goal, moves in (("quiet", "1.2", False), ("goes on", "", True)):
            alone, beside = [], []
            for _ in range(REPEATED):
                alone += await rolls(bench.discord, ROLLS)
                reading = [asyncio.create_task(read_along(bench, client, seat)) for client, seat in clients]
                reading += [asyncio.create_task(go_on(bench))] if moves else []
                await asyncio.sleep(3)
                if not beside:
                    show(f"processor time with {PAGES} pages of a game that is {what}", await worked(pid), "ms/s")
                beside += await rolls(bench.discord, ROLLS)
                for task in reading:
                    task.cancel()
                await asyncio.gather(*reading, return_exceptions=True)
                await asyncio.sleep(1)
            show("another channel's /roll, no page open", alone, "ms")
            show(f"another channel's /roll, {PAGES} pages of a game that is {what}", beside, "ms")
            show("times as slow, by the fastest tenth", fast(beside) / fast(alone), "x", goal)
            show("times as slow, by the median", statistics.median(beside) / statistics.median(alone), "x")


async def worked(pid: int) -> float:
    """Return how many milliseconds of processor time a process takes a second."""
    before, began = _processor_time(pid), perf_counter()
    await asyncio.sleep(REST)
    return (_processor_time(pid) - before) / (perf_counter() - began)


def _processor_time(pid: int) -> float:
    """Return the milliseconds that a process has worked."""
    told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def fast(took: Sequence[float]) -> float:
    """Return the longest of the fastest tenth: what other programs on the machine change least."""
    return statistics.quantiles(took, n=10)[0]


async def read_along(bench: Bench, client: aiohttp.ClientSession, seat: str) -> None:
    """Listen to the news, and load the view with each, as a page does."""
    async with client.get(f"{bench.url}/api/news", params={"seat": seat}) as news:
        assert news.status == 200
        async for line in news.content:
            if line.startswith(b"data: "):
                async with client.get(f"{bench.url}/api/view", params={"seat": seat}) as answer:
                    await answer.read()


async def go_on(bench: Bench) -> None:
    """Do something every two seconds that all onlookers see."""
    for number in count(1):
        place = f"{20 + number % 30},20,180"
        await bench.discord.ask("umpire set", GORDON, PLAIN, unit="amarar", field="place", value=place).wait()
        await asyncio.sleep(2)


def measure_scripts() -> None:
    """Measure our own scripts."""
    folder = Path(__file__).parents[1] / "web" / "page"
    scripts = b"".join(file.read_bytes() for file in sorted(folder.glob("*.js")))
    show("our own scripts, gzip", len(gzip.compress(scripts)) / 1000, "KB", "60")


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
        umpire = await Process(discord, Path(home), anew=True, **settings).start()
        print(f"{'':58}{'best':>9}{'median':>9} {'':4}{'goal':>8}")
        measure_scripts()
        try:
            body, ground = await measure_views(bench)
            bare = BarePage(body, ground)
            await bare.start()
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

                async def bare_link() -> str:
                    return bare.url

                least = await first_map(browser, bare_link, rounds)
                show("a bare page to its first map", least, "ms")
                own = await first_map(browser, lambda: bench.link(LARGE), rounds)
                show("empty cache to the first map, 120 units", own, "ms", "1000", min(least))
                await measure_news(bench, browser, rounds)
                await measure_frames(bench, browser, rounds)
                await browser.close()
            await bare.close()
            await measure_open_pages(bench, umpire.pid)
        finally:
            await umpire.stop()
            await discord.close()
        if "Traceback" in umpire.log:
            sys.exit(umpire.log[-3000:])


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
