"""Chromium measurements of the live map: first map, news, and frames of panning and zooming."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter
from typing import Any

from playwright.async_api import Browser, Page

from bot.journal.game import Actor
from tests.wire.world import GORDON

from .live_map_games import FIRST_ONLOOKER, LARGER, PLAIN, Bench, print_values

THROTTLE = 4
PHONE: Any = {"width": 390, "height": 844}
MAP_STANDS = """() => {
  const image = document.querySelector('image');
  const files = performance.getEntriesByType('resource');
  const loaded = files.some((one) => one.name.includes('/ground') && one.responseEnd);
  const drawn = document.querySelectorAll('[data-layer=units] > g, rect').length > 5;
  return image && loaded && drawn ? performance.now() : 0;
}"""
"""Milliseconds from the request of the page until its ground and units are drawn."""
WATCH_FRAMES = """() => {
  window.taken = [];
  let before = performance.now();
  const look = (now) => {
    window.taken.push(now - before);
    before = now;
    window.watching = requestAnimationFrame(look);
  };
  requestAnimationFrame((now) => { before = now; look(now); });
}"""
FRAMES = "() => { cancelAnimationFrame(window.watching); return window.taken; }"
STEPS = 60
"""Number of steps of a gesture of about one second."""


async def measure_first_map(browser: Browser, link: Callable[[], Awaitable[str]], rounds: int) -> list[float]:
    """Return, for each round, the milliseconds from an empty cache to the first map."""
    milliseconds = []
    for _ in range(rounds):
        context = await browser.new_context(viewport=PHONE, has_touch=True)
        page = await context.new_page()
        await page.goto(await link())
        milliseconds.append(float(await (await page.wait_for_function(MAP_STANDS)).json_value()))
        await context.close()
    return milliseconds


async def measure_news(bench: Bench, browser: Browser, rounds: int) -> None:
    """Measure the time from an entry in Discord to the picture on an open page."""
    page = await (await browser.new_context(viewport=PHONE, has_touch=True)).new_page()
    await page.goto(await bench.link(PLAIN, Actor(FIRST_ONLOOKER, "Olga")))
    await page.wait_for_function(MAP_STANDS)
    milliseconds = []
    for number in range(rounds * 3):
        at = await page.evaluate("() => document.querySelector('[data-unit=amarar]').outerHTML")
        await asyncio.sleep(0.1 * (number % 11))  # news are polled once a second
        start = perf_counter()
        place = f"{30 + number},20,180"
        await bench.discord.ask("umpire set", GORDON, PLAIN, unit="amarar", field="place", value=place).wait()
        await page.wait_for_function(
            "old => document.querySelector('[data-unit=amarar]').outerHTML !== old", arg=at, timeout=10_000
        )
        milliseconds.append((perf_counter() - start) * 1000)
    print_values("entry to picture on another page", milliseconds, "ms")
    print_values("the longest of them", max(milliseconds), "ms", "1500")
    await page.context.close()


async def measure_frames(bench: Bench, browser: Browser, rounds: int) -> None:
    """Measure the longest frame of panning and of zooming 150 units on a processor that is four times as slow.

    By the clock a frame is also as long as other programs make it. So the processor time of the page's longest task is
    measured too, times as many as the processor would be slower.
    """
    page = await (await browser.new_context(viewport=PHONE, has_touch=True)).new_page()
    await page.goto(await bench.link(LARGER))
    await page.wait_for_function(MAP_STANDS)
    talk = await page.context.new_cdp_session(page)
    for gesture, fingers in (("panned", get_pan_position), ("zoomed", get_pinch_positions)):
        tasks = [await measure_longest_task(browser, lambda: touch(talk, fingers)) for _ in range(rounds)]  # noqa: B023
        print_values(
            f"150 units {gesture}: longest task x {THROTTLE}, processor",
            [milliseconds * THROTTLE for milliseconds in tasks],
            "ms",
            "50",
        )
    await talk.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    frames_at_rest = [await measure_longest_frame(page, lambda: asyncio.sleep(1)) for _ in range(rounds)]
    print_values("150 units, nothing moved: longest frame by the clock", frames_at_rest, "ms")
    for gesture, fingers in (("panned", get_pan_position), ("zoomed", get_pinch_positions)):
        frames = [await measure_longest_frame(page, lambda: touch(talk, fingers)) for _ in range(rounds)]  # noqa: B023
        print_values(f"150 units {gesture}, slowed: longest frame by the clock", frames, "ms", "50")
    await page.context.close()


async def measure_longest_task(browser: Browser, do: Callable[[], Awaitable[None]]) -> float:
    """Return the milliseconds of processor time of the longest task of any page's main thread meanwhile."""
    talk, events, ended = await browser.new_browser_cdp_session(), list[Any](), asyncio.Event()
    talk.on("Tracing.dataCollected", lambda event: events.extend(event["value"]))
    talk.on("Tracing.tracingComplete", lambda _: ended.set())
    await talk.send("Tracing.start", {"categories": "toplevel", "transferMode": "ReportEvents"})
    await do()
    await talk.send("Tracing.end")
    await ended.wait()
    names = (event for event in events if event["name"] == "thread_name")
    threads = {(name["pid"], name["tid"]) for name in names if name["args"]["name"] == "CrRendererMain"}
    tasks = (event for event in events if event["name"].endswith("RunTask") and (event["pid"], event["tid"]) in threads)
    return float(max(task.get("tdur", 0) for task in tasks)) / 1000


async def measure_longest_frame(page: Page, do: Callable[[], Awaitable[None]]) -> float:
    """Return the milliseconds of the longest frame meanwhile."""
    await page.evaluate(WATCH_FRAMES)
    await do()
    return float(max((await page.evaluate(FRAMES))[1:]))


Fingers = Sequence[tuple[float, float]]


def get_pan_position(step: int) -> Fingers:
    """Return the position of one finger."""
    return [(195 + 90 * (step % 20) / 20, 300 + 4 * (step % 30))]


def get_pinch_positions(step: int) -> Fingers:
    """Return the positions of two fingers."""
    distance = 40 + 3 * min(step, 60 - step)
    return [(195 - distance, 300), (195 + distance, 320)]


async def touch(talk: Any, fingers: Callable[[int], Fingers], steps: int = STEPS) -> None:
    """Move fingers over the map, about 60 times a second."""
    for step in range(steps):
        points = [{"x": x, "y": y, "id": place} for place, (x, y) in enumerate(fingers(step))]
        kind = "touchMove" if step else "touchStart"
        await talk.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        await asyncio.sleep(0.016)
    await talk.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
