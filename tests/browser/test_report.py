"""The report on a telephone: nothing is wider than the screen or too small to read, by day and by night."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser

from bot.journal.game import Actor, Entry, Game, Seed
from bot.reports.facts import ReportFacts
from bot.reports.page import write_page
from bot.reports.turn_maps import draw_turn_maps
from rules.core.model import PUBLIC, Cite
from rules.core.report import Report, Step
from rules.registry import rulesets
from tests.fuzz import RandomDice

WIDTH = 400
MIN_FONT_SIZE = 14
"""Minimum font size in pixels."""
LONG_WORD = "Wm" * 100
"""A word longer than a line."""
CITE = Cite(rule="MM-3.6")
SIZES = """[...document.querySelectorAll("main *")].filter(one => one.innerText)
    .map(one => parseFloat(getComputedStyle(one).fontSize))"""
COLOURS = """["color", "backgroundColor"].map(name => getComputedStyle(document.querySelector("main"))[name])"""


def write_report() -> str:
    """Return the HTML of a report in which every text is a word longer than a line."""
    system, anna, now = rulesets()["magdala"], Actor(1, LONG_WORD[:32]), datetime.now(UTC)
    report = Report(headline=LONG_WORD, outcome=LONG_WORD, steps=(Step(text=LONG_WORD, cite=CITE, verdict=LONG_WORD),))
    entries = tuple(Entry(at, now, anna, "roll", {}, report, at == 2, turn=at) for at in range(1, 31))
    game = Game(
        id="a",
        channel=1,
        guild=None,
        name=LONG_WORD[:80],
        ruleset=system,
        umpire=anna,
        seats=(),
        seq=30,
        state=system.setup("suakin-1885", {}, RandomDice(1)),
        seal="f" * 64,
        started=now,
        ended=now,
        seeds=(Seed(1, hidden=False, tag="a", seal="f" * 64, secret="0" * 64),),
    )
    return write_page(ReportFacts(game, entries, PUBLIC), draw_turn_maps(game, (), PUBLIC, 1_000_000))


@pytest.mark.soak
def test_report_is_readable_on_a_telephone(browser: Browser) -> None:
    html, colours = write_report(), []
    for scheme in ("light", "dark"):
        page = browser.new_page(viewport={"width": WIDTH, "height": 850}, color_scheme=scheme)
        refused: list[str] = []
        page.on("console", lambda message, refused=refused: refused.append(message.text))
        page.set_content(html)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") == WIDTH
        assert min(page.evaluate(SIZES)) >= MIN_FONT_SIZE
        picture = page.locator("img")
        assert picture.evaluate("one => one.naturalWidth") > WIDTH
        assert (picture.bounding_box() or {"width": 0})["width"] == pytest.approx(WIDTH, abs=40)
        page.get_by_role("link", name="30", exact=True).click()
        assert page.evaluate("document.querySelector('#part-30').getBoundingClientRect().top") < 850
        assert refused == []
        colours.append(tuple(page.evaluate(COLOURS)))
        page.close()
    assert len({*colours[0], *colours[1]}) == 4
