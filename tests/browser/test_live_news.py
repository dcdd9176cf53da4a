"""News on the live map: typed text and questions stay, lost news are requested again, a lost seat ends the page."""

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from web import streams

from .live_map import LiveChannel, LiveTable, open_telephone

NEWS, VIEW, UNIT, SHEET = (re.compile(rf"/api/{name}\b") for name in ("news", "view", "unit", "sheet"))


@pytest.fixture(scope="module")
def live(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTable]:
    """A live table for all tests of this file."""
    table = LiveTable(tmp_path_factory.mktemp("live"))
    yield table
    table.close()


@pytest.fixture(scope="module")
def suakin(live: LiveTable) -> LiveChannel:
    """A channel with a game whose first player commands the Army of Osman Digna."""
    channel = live.get_channel(0)
    channel.start("magdala", "suakin-1885", "mahdists")
    return channel


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = open_telephone(browser)
    yield context
    context.close()


def announce_event(channel: LiveChannel, page: Page) -> None:
    """Announce an event as the umpire, and wait until the page has loaded its view again."""
    with page.expect_response(VIEW):
        channel.give("umpire", "umpire event", text="A dust storm rises")


def fall_silent(page: Page, button: Locator) -> None:
    """Advance the page's clock until silence disables the button. News that were under way may end a silence."""
    for _ in range(5):
        page.clock.fast_forward(31_000)
        with suppress(AssertionError):
            expect(button).to_be_disabled(timeout=2_000)
            return


def test_typed_orders_stay_when_news_arrive_and_while_offline(
    suakin: LiveChannel, phone: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT", 3600)  # no sign of life ends the silence
    page = suakin.open(phone, "first")
    page.clock.install()
    page.reload()
    expect(page.get_by_text("No orders yet")).to_be_visible()
    page.get_by_text("More", exact=True).tap()
    lines = page.get_by_label("Orders, one a line")
    lines.tap()
    lines.press_sequentially("Amarar: forw")
    announce_event(suakin, page)
    lines.press_sequentially("ard 4")  # the cursor has not moved
    expect(lines).to_have_value("Amarar: forward 4")

    page.route(NEWS, lambda route: route.abort())
    add, end = (page.get_by_role("button", name=name, exact=True) for name in ("Add", "End my turn"))
    fall_silent(page, add)
    expect(page.get_by_text("no connection")).to_be_visible()
    for button in (add, end):
        expect(button).to_be_disabled()
    expect(lines).to_have_value("Amarar: forward 4")
    page.unroute(NEWS)
    suakin.give("umpire", "umpire event", text="The dust settles")
    expect(page.get_by_text("no connection")).to_be_hidden()
    expect(end).to_be_enabled()
    add.tap()
    expect(page.get_by_text("Your orders")).to_be_visible()
    expect(lines).to_have_value("")
    page.get_by_role("button", name="Clear").tap()
    expect(page.get_by_text("No orders yet")).to_be_visible()


def test_an_old_revision_keeps_the_draft(suakin: LiveChannel, phone: BrowserContext) -> None:
    page = suakin.open(phone, "first")
    page.get_by_role("button", name="Units").tap()
    page.get_by_role("button", name="Amarar").first.tap()
    page.get_by_role("button", name="Forward 4").tap()
    add = page.get_by_role("button", name="Add to orders")
    expect(add).to_be_visible()
    refused = {"error": "Your orders have changed."}
    page.route(SHEET, lambda route: route.fulfill(status=409, json=refused), times=1)
    with page.expect_response(VIEW):
        add.tap()
    expect(page.locator("#note")).to_have_text("Your orders have changed.")
    expect(add).to_be_visible()
    add.tap()
    expect(page.get_by_text("Your orders")).to_be_visible()
    page.get_by_role("button", name="Clear").tap()
    expect(page.get_by_text("No orders yet")).to_be_visible()


@pytest.mark.soak
def test_unreadable_lines_are_cleared_and_carry_on_is_stored(suakin: LiveChannel, phone: BrowserContext) -> None:
    page = suakin.open(phone, "first")
    page.get_by_text("More", exact=True).tap()
    page.get_by_label("Orders, one a line").fill("Amarar: xyzzy")
    page.get_by_role("button", name="Add", exact=True).tap()
    wrong = page.get_by_text("✎ “Amarar: xyzzy”")
    expect(wrong).to_be_visible()
    page.get_by_role("button", name="Clear").tap()
    expect(wrong).to_be_hidden()
    carry_on = page.get_by_label("Carry on without asking me")
    for checked in (True, False):
        with page.expect_response(SHEET):
            carry_on.set_checked(checked)
        page.reload()
        expect(page.get_by_text("No orders yet")).to_be_visible()
        page.get_by_text("More", exact=True).tap()
        expect(carry_on).to_be_checked(checked=checked)


@pytest.mark.soak
def test_an_onlooker_may_keep_a_unit_selected(suakin: LiveChannel, phone: BrowserContext) -> None:
    page = suakin.open(phone, "onlooker")
    expect(page.get_by_text("You are looking on")).to_be_visible()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url) if UNIT.search(request.url) else None)
    page.get_by_role("button", name="Units").tap()
    page.get_by_role("button", name="Amarar").first.tap()
    expect(page.get_by_role("heading", name="Amarar")).to_be_visible()
    announce_event(suakin, page)
    expect(page.get_by_role("heading", name="Amarar")).to_be_visible()
    expect(page.locator("#note")).to_be_hidden()
    assert requests == []


@pytest.mark.soak
def test_question_about_an_idle_turn_stays_when_news_arrive(live: LiveTable, phone: BrowserContext) -> None:
    channel = live.get_channel(1)
    channel.start("magdala", "suakin-1885", "mahdists")
    page = channel.open(phone, "first")
    page.get_by_role("button", name="End my turn", exact=True).tap()
    anyway = page.get_by_role("button", name="End it anyway")
    expect(anyway).to_be_visible()
    announce_event(channel, page)
    expect(anyway).to_be_visible()
    anyway.tap()
    expect(page.locator("#waiting")).to_contain_text("Waiting for the British")
    expect(anyway).to_be_hidden()


@pytest.mark.soak
def test_a_table_without_a_map_has_lists_and_orders(live: LiveTable, phone: BrowserContext) -> None:
    channel = live.get_channel(2)
    channel.start("magdala", "suakin-1885", "mahdists", positions="none")
    page = channel.open(phone, "first")
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    expect(page.get_by_text("This table has no map here")).to_be_visible()
    expect(page.locator("#map")).to_be_hidden()
    page.get_by_role("button", name="Units").tap()
    page.get_by_role("button", name="Amarar").first.tap()
    expect(page.get_by_role("heading", name="Amarar")).to_be_visible()
    page.get_by_role("button", name="Detach 10").tap()
    page.get_by_role("button", name="Add to orders").tap()
    expect(page.get_by_text("Your orders")).to_be_visible()
    page.get_by_role("button", name="What happened").tap()
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == page.evaluate("innerWidth")
    assert faults == []


@pytest.mark.soak
def test_news_are_requested_again_until_the_seat_is_lost(live: LiveTable, phone: BrowserContext) -> None:
    channel = live.get_channel(3)
    channel.start("magdala", "suakin-1885", "mahdists")
    page = phone.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url) if NEWS.search(request.url) else None)
    page.route(NEWS, lambda route: route.fulfill(status=502, body="Bad gateway"))
    page.goto(channel.make_link("first"))
    expect(page.get_by_text("No orders yet")).to_be_visible()
    page.wait_for_timeout(7_000)
    assert len(requests) >= 3, "the page tries again after an error of a proxy"
    with page.expect_response(VIEW):
        page.unroute(NEWS)
    announce_event(channel, page)

    channel.give("first", "game leave")
    expect(page.locator("#stale")).to_contain_text("You no longer have this seat")
    count = len(requests)
    page.wait_for_timeout(7_000)
    assert len(requests) == count, "the page sends no more requests"
