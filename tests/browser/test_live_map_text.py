"""Users' texts appear on the live map as plain text: HTML and SVG in names, labels, rulings, events and orders."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.face.test_army import PUT, write_army
from tests.face.test_terrain import put_terrain

from .live_map import LiveTable, open_telephone

pytestmark = pytest.mark.soak

IMAGE = "<img src=x onerror=hit()>"
SVG = "<svg onload=hit()></svg>"
SCRIPT = "<script>hit()</script>"
INJECTED = "img, iframe, object, embed, #side svg, #panel svg, script:not([src]), [onerror], [onload], a[href]"
"""Selector of elements that the page itself never creates."""


@pytest.fixture
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTable]:
    table = LiveTable(tmp_path_factory.mktemp("live"))
    yield table
    table.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = open_telephone(browser)
    yield context
    context.close()


def test_html_and_svg_in_users_texts_are_shown_and_not_run(live: LiveTable, phone: BrowserContext) -> None:
    channel = live.get_channel(0)
    channel.start("magdala", "suakin-1885", "mahdists", "british", name=f"Game {IMAGE}")
    for name, x in ((f"Own {IMAGE}", 20.0), (f"Own {SVG}", 30.0)):
        channel.give("umpire", "unit add", troop="british-breechloaders", side="mahdists", name=name, x=x, y=40.0)
    reply = live.run(write_army(channel.chat, f"24 British regulars, breechloaders: Line {IMAGE}"))
    live.run(channel.chat.press(channel.chat.umpire, reply.private[0], PUT))
    channel.give("umpire", "umpire event", text=f"Rain {IMAGE} {SCRIPT}")
    channel.give("first", "roll", dice="2d6", label=f"Label {IMAGE}")
    channel.give("umpire", "ruling record", text=f"House {IMAGE} {SVG}")
    hill = {"kind": "hill", "shape": "ellipse", "at": "C2", "size": "12 x 8", "name": f"Hill {IMAGE}"}
    live.run(put_terrain(channel.chat, "terrain add", **hill))
    channel.give("first", "turn orders", text=f"Nobody {SCRIPT}: forward 3")
    for person in ("first", "umpire", "onlooker"):
        check_all_parts(phone, channel.make_link(person), person)


def check_all_parts(phone: BrowserContext, link: str, person: str) -> None:
    """Open all parts of a page. Fail if a user's text ran as a script or became an element."""
    page = phone.new_page()
    hits: list[str] = []
    page.expose_function("hit", lambda: hits.append("run"))
    page.on("dialog", lambda dialog: (hits.append(dialog.message), dialog.dismiss()))
    page.goto(link)
    page.locator("#turn").filter(has_not_text="Umpire").wait_for()
    expect(page).to_have_title(f"Game {IMAGE}: {page.locator('#turn').inner_text()}")
    page.locator("#open-units").tap()
    for name in (f"Own {IMAGE}", f"Own {SVG}", f"Line {IMAGE}"):
        expect(page.locator("#side").get_by_text(name).first).to_be_visible()
    require_plain_text(page, hits)
    if person == "first":
        page.locator("#side").get_by_text(f"Own {IMAGE}").first.tap()
        expect(page.locator("#panel-body h2")).to_have_text(f"Own {IMAGE}")
        page.keyboard.press("Escape")
        expect(page.locator("#panel-body").get_by_text(SCRIPT).first).to_be_visible()
        page.locator("#write summary").tap()
        page.locator("#write-lines").fill(f"Nothing {SVG}: forward 3")
        page.locator("#write-add").tap()
        expect(page.locator("#panel-body").get_by_text(SVG).first).to_be_visible()
        require_plain_text(page, hits)
    else:
        page.locator("#side").get_by_role("button", name="Close", exact=True).tap()
    page.locator("#open-news").tap()
    expect(page.locator("#panel-body h3").first).to_contain_text(f"Hill {IMAGE}")
    require_plain_text(page, hits)
    page.get_by_role("button", name="List", exact=True).tap()
    for words in (f"Rain {IMAGE}", f"Label {IMAGE}"):
        expect(page.get_by_text(words).first).to_be_attached()
    require_plain_text(page, hits)
    page.close()


def require_plain_text(page: Page, hits: list[str]) -> None:
    """Fail if a user's text ran as a script or became an element."""
    page.wait_for_timeout(300)
    assert hits == []
    assert page.locator(INJECTED).count() == 0
