"""The live map: gestures on a telephone, a turn by keyboard, and the news since the last look."""

import math
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from .finger import Finger
from .live_map import LiveTable, open_telephone

UNIT = "amarar"


@pytest.fixture(scope="module")
def live(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTable]:
    """A live table for all tests of this file. Each test uses its own channel."""
    table = LiveTable(tmp_path_factory.mktemp("live"))
    yield table
    table.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = open_telephone(browser)
    yield context
    context.close()


def test_fingers_select_move_turn_zoom_and_cancel(live: LiveTable, phone: BrowserContext) -> None:
    channel = live.get_channel(0)
    channel.start("magdala", "suakin-1885", "mahdists")
    page = channel.open(phone, "first")
    finger = Finger(page)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    add = page.get_by_role("button", name="Add to orders")
    heading = page.locator("#panel-body h2")
    scale = "document.querySelector('#world').getCTM().a"

    x, y = finger.locate(UNIT)
    finger._send("touchStart", [(x, y)])
    page.wait_for_timeout(150)
    expect(heading).to_have_text("No orders yet")  # nothing on touch-down
    finger._send("touchEnd", [])
    expect(heading).to_have_text("Amarar")
    handle = page.locator("[data-handle=turn]")
    expect(handle).to_be_visible()

    before = page.evaluate(scale)
    for _ in range(5):  # a busy machine may take too long between the two taps
        for _ in range(2):
            finger.tap((x + 8, y + 70))
        page.wait_for_timeout(500)
        if page.evaluate(scale) > before:
            break
    assert page.evaluate(scale) > before, "a double tap zooms"
    expect(add).to_be_hidden()

    x, y = finger.locate(UNIT)
    finger.drag((x, y), (x, y + 20), (x + 4, y + 60), second_finger=(x + 80, y + 90))
    page.wait_for_timeout(400)
    expect(add).to_be_hidden()  # the second finger cancelled
    finger.drag((x, y), (x, y + 20), (x + 4, y + 60))
    expect(add).to_be_visible()
    assert re.fullmatch(r"Amarar: [\d.]+,[\d.]+", heading.inner_text())

    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger.drag((x, y), (x - 15, y - 10), (x - 60, y - 45))
    expect(heading).to_have_text(re.compile("facing 2[0-9]{2}|facing 270"))
    page.keyboard.press("Escape")
    expect(heading).to_have_text("Amarar")
    box = handle.bounding_box()
    assert box is not None
    finger.drag((box["x"] + 8, box["y"] + 8), (box["x"] - 20, box["y"] - 20), (box["x"] - 80, box["y"] - 40))
    expect(heading).to_have_text(re.compile("Amarar: face 2"))
    add.tap()
    expect(page.get_by_text("Your orders")).to_be_visible()
    page.get_by_role("button", name="Remove order 1").tap()
    expect(page.get_by_text("No orders yet")).to_be_visible()
    assert faults == []


def test_a_turn_by_keyboard_without_touching_the_map(live: LiveTable, browser: Browser) -> None:
    channel = live.get_channel(1)
    channel.start("magdala", "suakin-1885", "mahdists", "british")
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = channel.open(context, "first")
    keys = page.keyboard

    def focus() -> str:
        label = page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.textContent")
        return str(label).strip()

    page.locator("#open-units").focus()
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Units")).to_be_focused()
    while not focus().startswith("Amarar"):
        keys.press("ArrowDown")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Amarar")).to_be_focused()
    expect(page.get_by_role("button", name="Forward 4")).to_be_visible()
    while not focus().startswith("Forward"):
        keys.press("ArrowDown")
    keys.press("Enter")
    expect(page.get_by_role("button", name="Add to orders")).to_be_visible()
    assert "Amarar: forward" in focus(), "the new heading has the focus, and is read out"
    keys.press("Tab")
    assert focus() == "Add to orders"
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Your orders")).to_be_focused()
    while focus() != "Do all and end my turn":
        keys.press("Tab")
    keys.press("Enter")
    expect(page.locator("#waiting")).to_have_text("Waiting for the British.")
    expect(page.locator("#panel-body")).to_have_attribute("aria-live", "polite")
    assert any("Amarar" in text for text in channel.read()), "the channel has a report"
    context.close()


@pytest.mark.soak
def test_news_since_the_last_look_are_shown_step_by_step(live: LiveTable, phone: BrowserContext) -> None:
    channel = live.get_channel(2)
    channel.start("magdala", "suakin-1885", "mahdists", "british")
    page = channel.open(phone, "second")
    unseen = page.locator("#unseen")
    expect(unseen).to_be_hidden()
    finger = Finger(page)
    start = finger.locate(UNIT)
    channel.give("first", "move", unit="Amarar", to="forward 4")
    channel.give("first", "move", unit="Ashraf", to="forward 4")
    expect(unseen).to_have_text("2")
    page.get_by_role("button", name="What happened since you looked (2)").tap()
    title = page.locator("#panel-body h3").first
    expect(title).to_have_text(re.compile("Amarar move"))
    expect(unseen).to_be_hidden()
    arrows = page.locator("[data-layer=arrows] .arrow-head")
    expect(arrows).to_have_count(1)
    page.get_by_role("button", name="Play").tap()
    expect(title).to_have_text(re.compile("Ashraf move"), timeout=15_000)
    for _ in range(2):
        page.get_by_role("button", name="Back").tap()
    page.wait_for_timeout(300)
    assert finger.locate(UNIT) == start, "the unit is back at its place"
    page.get_by_role("button", name="Next").tap()
    rule = page.get_by_role("button", name="MM-2.5").first
    rule.tap()
    expect(page.locator("#side")).to_contain_text("MM-2.5")
    page.locator("#side").get_by_role("button", name="Close").tap()
    page.get_by_role("button", name="Done").tap()
    expect(title).to_be_hidden()
    assert finger.locate(UNIT) != start
    page.reload()
    expect(page.locator("#turn")).not_to_have_text("Umpire")
    expect(unseen).to_be_hidden()


@pytest.mark.soak
def test_umpire_moves_a_unit_undoes_the_move_and_draws_a_hill(live: LiveTable, phone: BrowserContext) -> None:
    channel = live.get_channel(3)
    channel.start("magdala", "suakin-1885")
    page = channel.open(phone, "umpire")
    finger = Finger(page)

    x, y = finger.locate(UNIT)
    finger.drag((x, y), (x + 10, y + 20), (x + 30, y + 70))
    expect(page.get_by_role("heading", name="Move Amarar from D1 SW facing south to")).to_be_visible()
    finger.press("Do it")
    expect(page.get_by_role("button", name="Turn left")).to_be_visible()
    finger.press("Close")
    finger.press("Undo")
    finger.press("Take it back")
    expect(page.get_by_text("Drag a unit")).to_be_visible()

    finger.press("Ground")
    finger.press("hill")
    page.get_by_label("Its name").fill("Kop")
    turns = (step / 4 for step in range(25))
    finger.drag(*[(200 + 70 * math.cos(turn), 300 + 50 * math.sin(turn)) for turn in turns])
    expect(page.get_by_role("heading", name="Kop: hill")).to_be_visible()
    finger.press("Put it on the table")
    expect(page.locator(".piece-name", has_text="Kop")).to_be_visible()
    for words in ("The umpire corrects Amarar: place.", "takes back:", "The umpire puts terrain on the table: Kop."):
        for _ in range(100):
            if any(words in text for text in channel.read()):
                break
            page.wait_for_timeout(50)
        else:
            pytest.fail(f"the channel has no message: {words}")
