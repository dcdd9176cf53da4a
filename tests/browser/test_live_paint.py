"""The umpire paints terrain, a river and a road on a campaign's map by telephone, then undoes one change."""

import math

import pytest
from playwright.sync_api import Browser, Page, expect

from .finger import Finger
from .live_map import LiveTable, open_telephone

TO_SCREEN = (
    "([x, y]) => { const m = document.querySelector('#world').getScreenCTM(); return [m.a * x + m.e, m.d * y + m.f]; }"
)


def locate(page: Page, *labels: str) -> tuple[float, float]:
    """Return the screen position of a hex's middle, or of the point between two hexes."""
    points = []
    for label in labels:
        column, row = int(label[:2]), int(label[2:])
        points.append(page.evaluate(TO_SCREEN, [column * math.sqrt(3) / 2, row + column % 2 / 2]))
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


@pytest.mark.soak
def test_umpire_paints_with_a_finger(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    table = LiveTable(tmp_path_factory.mktemp("paint"))
    try:
        channel, context = table.get_channel(0), open_telephone(browser)
        channel.start("campaign", "suakin-1884", "British under Graham", "Mahdists under Osman Digna")
        page, faults = channel.open(context, "umpire"), list[str]()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        finger = Finger(page)
        page.get_by_role("button", name="Ground").click()
        page.get_by_role("button", name="forest").click()
        finger.drag(*(locate(page, label) for label in ("1508", "1509", "1510")))
        expect(page.locator(".letter", has_text="f")).to_have_count(3)
        page.get_by_role("button", name="river", exact=True).click()
        finger.drag(*(locate(page, *pair) for pair in (("1209", "1309"), ("1210", "1309"), ("1210", "1310"))))
        page.get_by_role("button", name="road", exact=True).click()
        finger.drag(*(locate(page, label) for label in ("1406", "1407", "1408")))
        expect(page.locator("#panel-body")).to_contain_text("Draw from hex to hex")
        page.wait_for_timeout(1500)
        texts = "\n".join(channel.read())
        assert "The umpire paints forest: 1508, 1509, 1510." in texts
        assert "The umpire paints river: 1209/1309, 1210/1309, 1210/1310." in texts
        assert "The umpire paints a road: 1406 to 1408, 3 hexes." in texts
        page.get_by_role("button", name="Undo").click()
        page.get_by_role("button", name="Take it back").click()
        page.wait_for_timeout(1500)
        assert "takes back" in "\n".join(channel.read())
        assert faults == []
        context.close()
    finally:
        table.close()
