"""What the live map's benchmark measures in Chromium: the first map, news, and the frames of panning and zooming."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import perf_counter
from typing import Any

from playwright.async_api import Browser, Page

from bot.journal.game import Actor
from tests.wire.world import GORDON

from .live_map_games import FIRST_ONLOOKER, LARGER, PLAIN, Bench, show

THROTTLE = 4
PHONE: Any = {"width": 390, "height": 844}
MAP_STANDS = """() => {
  const image = document.querySelector('image');
  const files = performance.getEntriesByType('resource');
  const loaded = files.some((one) => one.name.includes('/ground') && one.responseEnd);
  const drawn = document.querySelectorAll('[data-layer=units] > g, rect').length > 5;
  return image && loaded && drawn ? performance.now() : 0;
}"""
"""Milliseconds since the page was asked for, once its ground and units are there."""
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
"""Steps of a gesture, about a second."""


async def first_map(browser: Browser, link: Callable[[], Awaitable[str]], rounds: int) -> list[float]:
    """Return the milliseconds from an empty cache to the first map, of each round."""
    took = []
    for _ in range(rounds):
        context = await browser.new_context(viewport=PHONE, has_touch=True)
        page = await context.new_page()
        await page.goto(await link())
        took.append(float(await (await page.wait_for_function(MAP_STANDS)).json_value()))
        await context.close()
    return took


async def measure_news(bench: Bench, browser: Browser, rounds: int) -> None:
    """Measure from an entry in the chat to the picture on another page."""
    page = await (await browser.new_context(viewport=PHONE, has_touch=True)).new_page()
    await page.goto(await bench.link(PLAIN, Actor(FIRST_ONLOOKER, "Olga")))
    await page.wait_for_function(MAP_STANDS)
    took = []
    for number in range(rounds * 3):
        at = await page.evaluate("() => document.querySelector('[data-unit=amarar]').outerHTML")
        await asyncio.sleep(0.1 * (number % 11))  # news are looked for once a second
        began = perf_counter()
        place = f"{30 + number},20,180"
        await bench.discord.ask("umpire set", GORDON, PLAIN, unit="amarar", field="place", value=place).done()
        await page.wait_for_function(
            "old => document.querySelector('[data-unit=amarar]').outerHTML !== old", arg=at, timeout=10_000
        )
        took.append((perf_counter() - began) * 1000)
    show("entry to picture on another page", took, "ms")
    show("the longest of them", max(took), "ms", "1500")
    await page.context.close()


async def measure_frames(bench: Bench, browser: Browser, rounds: int) -> None:
    """Measure the longest frame of panning and of zooming 150 units on a processor that is four times as slow."""
    page = await (await browser.new_context(viewport=PHONE, has_touch=True)).new_page()
    await page.goto(await bench.link(LARGER))
    await page.wait_for_function(MAP_STANDS)
    talk = await page.context.new_cdp_session(page)
    await talk.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    still, panned, zoomed = [], [], []
    for _ in range(rounds):
        still.append(await longest_frame(page, lambda: asyncio.sleep(1)))
        panned.append(await longest_frame(page, lambda: touch(talk, pan)))
        zoomed.append(await longest_frame(page, lambda: touch(talk, pinch)))
    show("longest frame with nothing moved, 150 units", still, "ms")
    show(f"longest frame panned, processor {THROTTLE} times as slow", panned, "ms", "50")
    show(f"longest frame zoomed, processor {THROTTLE} times as slow", zoomed, "ms", "50")
    await page.context.close()


async def longest_frame(page: Page, do: Callable[[], Awaitable[None]]) -> float:
    """Return the milliseconds of the longest frame meanwhile."""
    await page.evaluate(WATCH_FRAMES)
    await do()
    return float(max((await page.evaluate(FRAMES))[1:]))


Fingers = Sequence[tuple[float, float]]


def pan(step: int) -> Fingers:
    """Return where one finger is."""
    return [(195 + 90 * (step % 20) / 20, 300 + 4 * (step % 30))]


def pinch(step: int) -> Fingers:
    """Return where two fingers are."""
    apart = 40 + 3 * min(step, 60 - step)
    return [(195 - apart, 300), (195 + apart, 320)]


async def touch(talk: Any, fingers: Callable[[int], Fingers], steps: int = STEPS) -> None:
    """Move fingers over the map, about 60 times a second."""
    for step in range(steps):
        points = [{"x": x, "y": y, "id": place} for place, (x, y) in enumerate(fingers(step))]
        kind = "touchMove" if step else "touchStart"
        await talk.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        await asyncio.sleep(0.016)
    await talk.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
