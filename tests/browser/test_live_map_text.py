"""Text that people write stands on the live map as text: HTML and SVG in names, labels, rules, events and lines."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.face.test_army import PUT, written
from tests.face.test_terrain import put

from .live_map import LiveTable, telephone

pytestmark = pytest.mark.soak

IMAGE = "<img src=x onerror=hit()>"
DRAWN = "<svg onload=hit()></svg>"
SCRIPT = "<script>hit()</script>"
MADE = "img, iframe, object, embed, #side svg, #panel svg, script:not([src]), [onerror], [onload], a[href]"
"""Elements that no part of the page makes."""


@pytest.fixture
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTable]:
    table = LiveTable(tmp_path_factory.mktemp("live"))
    yield table
    table.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = telephone(browser)
    yield context
    context.close()


def test_html_and_svg_in_whatever_people_write_are_shown_and_not_run(live: LiveTable, phone: BrowserContext) -> None:
    channel = live.channel(0)
    channel.start("magdala", "suakin-1885", "mahdists", "british", name=f"Game {IMAGE}")
    for name, x in ((f"Own {IMAGE}", 20.0), (f"Own {DRAWN}", 30.0)):
        channel.give("umpire", "unit add", troop="british-breechloaders", side="mahdists", name=name, x=x, y=40.0)
    shown = live.run(written(channel.chat, f"24 British regulars, breechloaders: Line {IMAGE}"))
    live.run(channel.chat.press(channel.chat.umpire, shown.private[0], PUT))
    channel.give("umpire", "umpire event", text=f"Rain {IMAGE} {SCRIPT}")
    channel.give("first", "roll", dice="2d6", label=f"Label {IMAGE}")
    channel.give("umpire", "ruling record", text=f"House {IMAGE} {DRAWN}")
    hill = {"kind": "hill", "shape": "ellipse", "at": "C2", "size": "12 x 8", "name": f"Hill {IMAGE}"}
    live.run(put(channel.chat, "terrain add", **hill))
    channel.give("first", "turn orders", text=f"Nobody {SCRIPT}: forward 3")
    for who in ("first", "umpire", "onlooker"):
        look_everywhere(phone, channel.link(who), who)


def look_everywhere(phone: BrowserContext, link: str, who: str) -> None:
    """Open all parts of a page. Fails if anything that was written was run, or became an element."""
    page = phone.new_page()
    hits: list[str] = []
    page.expose_function("hit", lambda: hits.append("run"))
    page.on("dialog", lambda dialog: (hits.append(dialog.message), dialog.dismiss()))
    page.goto(link)
    page.locator("#turn").filter(has_not_text="Umpire").wait_for()
    expect(page).to_have_title(f"Game {IMAGE}: {page.locator('#turn').inner_text()}")
    page.locator("#open-units").tap()
    for name in (f"Own {IMAGE}", f"Own {DRAWN}", f"Line {IMAGE}"):
        expect(page.locator("#side").get_by_text(name).first).to_be_visible()
    unhurt(page, hits)
    if who == "first":
        page.locator("#side").get_by_text(f"Own {IMAGE}").first.tap()
        expect(page.locator("#panel-body h2")).to_have_text(f"Own {IMAGE}")
        page.keyboard.press("Escape")
        expect(page.locator("#panel-body").get_by_text(SCRIPT).first).to_be_visible()
        page.locator("#write summary").tap()
        page.locator("#write-lines").fill(f"Nothing {DRAWN}: forward 3")
        page.locator("#write-add").tap()
        expect(page.locator("#panel-body").get_by_text(DRAWN).first).to_be_visible()
        unhurt(page, hits)
    else:
        page.locator("#side").get_by_role("button", name="Close", exact=True).tap()
    page.locator("#open-news").tap()
    expect(page.locator("#panel-body h3").first).to_contain_text(f"Hill {IMAGE}")
    unhurt(page, hits)
    page.get_by_role("button", name="List", exact=True).tap()
    for words in (f"Rain {IMAGE}", f"Label {IMAGE}"):
        expect(page.get_by_text(words).first).to_be_attached()
    unhurt(page, hits)
    page.close()


def unhurt(page: Page, hits: list[str]) -> None:
    """Fail if anything was run, or is an element."""
    page.wait_for_timeout(300)
    assert hits == []
    assert page.locator(MADE).count() == 0
