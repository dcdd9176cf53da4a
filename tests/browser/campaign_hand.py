"""A finger on the page of a campaign: draws routes, chooses conduct, splits columns, and ends the day."""

from collections.abc import Sequence
from itertools import pairwise

from playwright.sync_api import expect

from .finger import Finger, Point

TO_SCREEN = """([x, y]) => {
  const matrix = document.querySelector('#world').getScreenCTM();
  return [x * matrix.a + matrix.e, y * matrix.d + matrix.f];
}"""
"""Script: the point of the screen for a point of the map."""
CONSENT_NEEDED = 428
"""Status of an answer that asks for consent to end an idle turn."""
STEPS = 4
"""Points on the finger's path between the middles of two hexes."""


class CampaignHand(Finger):
    """A finger that gives orders to columns."""

    _centres: dict[str, Point]

    def locate_hex(self, label: str) -> Point:
        """Return the screen position of a hex's middle."""
        if not hasattr(self, "_centres"):
            self._centres = {cell[2]: (cell[0], cell[1]) for cell in self.view()["map"]["hexes"]}
        x, y = self.page.evaluate(TO_SCREEN, list(self._centres[label]))
        return x, y

    def draw(self, *labels: str) -> None:
        """Drag the finger over the middles of hexes, from the selected column's hex."""
        middles = [self.locate_hex(label) for label in labels]
        path: list[Point] = [middles[0]]
        for (x0, y0), (x, y) in pairwise(middles):
            path += [(x0 + (x - x0) * part / STEPS, y0 + (y - y0) * part / STEPS) for part in range(1, STEPS + 1)]
        with self._expect_answer("/api/draft"):
            self.drag(*path)
        self.taps += 1

    def show_hexes(self, *labels: str) -> None:
        """Drag the map in steps until nothing covers these hexes."""
        size = self.page.viewport_size
        assert size is not None
        for _ in range(8):
            points = [self.locate_hex(label) for label in labels]
            if all(self.is_free(point) for point in points):
                return
            x, y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
            dx, dy = (
                min(max(goal - at, -150), 150) for goal, at in ((size["width"] * 0.35, x), (size["height"] * 0.3, y))
            )
            start = size["width"] * 0.35, size["height"] * 0.3
            self.drag(start, (start[0] + dx / 2, start[1] + dy / 2), (start[0] + dx, start[1] + dy))

    def choose(self, *labels: str) -> None:
        """Press buttons of conduct; each changes the current order."""
        for label in labels:
            with self._expect_answer("/api/draft"):
                self.press_exactly(label)

    def press_exactly(self, label: str) -> None:
        """Tap the button with exactly this label."""
        self.taps += 1
        self.pressed.append(label)
        self.page.get_by_role("button", name=label, exact=True).first.tap()

    def add_order(self) -> None:
        """Add the current order to the sheet."""
        with self._expect_answer("/api/sheet"):
            self.press("Add to orders")
        self.orders += 1
        expect(self.page.get_by_role("button", name="Add to orders")).to_be_hidden()

    def declare_ready(self) -> None:
        """Execute all orders of the sheet and declare the seat ready."""
        self.close_report()
        count = len(self.view()["sheet"]["orders"])
        with self._expect_answer("/api/do") as response:
            self.press_exactly("Do all and be ready" if count else "Be ready")
        if response.value.status == CONSENT_NEEDED:
            with self._expect_answer("/api/do") as response:
                self.press("End it anyway")
        assert response.value.status == 200, response.value.text()

    def select_from_list(self, column: str) -> None:
        """Select a single column from the list of units, also if another column covers it."""
        name = next(unit["name"] for unit in self.view()["units"] if unit["id"] == column)
        self.page.locator("#open-units").tap()
        with self._expect_answer("/api/unit"):
            self.page.locator("#side .unit-row").filter(has_text=name).first.tap()
        self.taps += 2
        expect(self.page.locator("#panel-body h2")).to_have_text(name)
        expect(self.page.get_by_text("Stance")).to_be_visible()
        self.page.locator(".reach-hex").first.wait_for(state="attached")

    def tap_goal(self, label: str) -> None:
        """Tap a hex as the goal, also if columns stand there."""
        self.tap(self.locate_hex(label))
        move_here = self.page.get_by_role("button", name=f"Move here: {label}")
        move_here.or_(self.page.get_by_role("button", name="Add to orders")).first.wait_for()
        if move_here.count():
            self.taps += 1
            move_here.tap()
            self.page.get_by_role("button", name="Add to orders").wait_for()

    def can_add(self) -> bool:
        """Whether the page allows the current order."""
        return self.page.get_by_role("button", name="Add to orders").is_enabled()

    def find_hex(self, unit: str) -> str:
        """Return a unit's hex, or an empty string without a place on the map."""
        return str(next((other.get("hex", "") for other in self.view()["units"] if other["id"] == unit), ""))

    def list_free_columns(self) -> Sequence[str]:
        """Return the own columns on the map that can receive orders."""
        view = self.view()
        own = [unit["id"] for unit in view["units"] if unit["side"] == view["seat"]["side"] and unit.get("at")]
        return [unit for unit in own if self.ask("/api/unit", unit=unit)["options"]]
