"""A hand on the page of a campaign: draws ways, chooses conduct, splits columns, and is ready for the day to end."""

from collections.abc import Sequence
from itertools import pairwise

from playwright.sync_api import expect

from .finger import Finger, Point

PLACE = """([x, y]) => {
  const matrix = document.querySelector('#world').getScreenCTM();
  return [x * matrix.a + matrix.e, y * matrix.d + matrix.f];
}"""
"""The point of the screen at a point of the map."""
ASKS = 428
"""Status of an answer that asks whether an idle turn shall end."""
STEPS = 4
"""Points of a finger's way between the middles of two hexes."""


class CampaignHand(Finger):
    """A finger that commands columns."""

    _centres: dict[str, Point]

    def centre(self, label: str) -> Point:
        """Return the middle of a hex on the screen."""
        if not hasattr(self, "_centres"):
            self._centres = {one[2]: (one[0], one[1]) for one in self.view()["map"]["hexes"]}
        x, y = self.page.evaluate(PLACE, list(self._centres[label]))
        return x, y

    def draw(self, *labels: str) -> None:
        """Drag the finger over the middles of hexes, from the selected column's hex."""
        middles = [self.centre(label) for label in labels]
        path: list[Point] = [middles[0]]
        for (x0, y0), (x, y) in pairwise(middles):
            path += [(x0 + (x - x0) * part / STEPS, y0 + (y - y0) * part / STEPS) for part in range(1, STEPS + 1)]
        with self._answered("/api/draft"):
            self.drag(*path)
        self.taps += 1

    def show_hexes(self, *labels: str) -> None:
        """Move the map until all these hexes are free, each time by a part of the screen."""
        size = self.page.viewport_size
        assert size is not None
        for _ in range(8):
            points = [self.centre(label) for label in labels]
            if all(self.is_free(point) for point in points):
                return
            x, y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
            dx, dy = (
                min(max(goal - at, -150), 150) for goal, at in ((size["width"] * 0.35, x), (size["height"] * 0.3, y))
            )
            start = size["width"] * 0.35, size["height"] * 0.3
            self.drag(start, (start[0] + dx / 2, start[1] + dy / 2), (start[0] + dx, start[1] + dy))

    def choose(self, *labels: str) -> None:
        """Press buttons of conduct; each changes the order being made."""
        for label in labels:
            with self._answered("/api/draft"):
                self.press_exactly(label)

    def press_exactly(self, label: str) -> None:
        """Tap the button with exactly this label."""
        self.taps += 1
        self.pressed.append(label)
        self.page.get_by_role("button", name=label, exact=True).first.tap()

    def add(self) -> None:
        """Put the order being made on the sheet."""
        with self._answered("/api/sheet"):
            self.press("Add to orders")
        self.orders += 1
        expect(self.page.get_by_role("button", name="Add to orders")).to_be_hidden()

    def be_ready(self) -> None:
        """Do all orders of the sheet, and be ready."""
        self.to_orders()
        count = len(self.view()["sheet"]["orders"])
        with self._answered("/api/do") as answered:
            self.press_exactly("Do all and be ready" if count else "Be ready")
        if answered.value.status == ASKS:
            with self._answered("/api/do") as answered:
                self.press("End it anyway")
        assert answered.value.status == 200, answered.value.text()

    def pick(self, column: str) -> None:
        """Select one column, alone, even if others lie on it: by the list of units."""
        name = next(one["name"] for one in self.view()["units"] if one["id"] == column)
        self.page.locator("#open-units").tap()
        with self._answered("/api/unit"):
            self.page.locator("#side .unit-row").filter(has_text=name).first.tap()
        self.taps += 2
        expect(self.page.locator("#panel-body h2")).to_have_text(name)
        expect(self.page.get_by_text("Stance")).to_be_visible()
        self.page.locator(".reach-hex").first.wait_for(state="attached")

    def point_at(self, label: str) -> None:
        """Tap a hex as the goal, also one in which others stand."""
        self.tap(self.centre(label))
        here = self.page.get_by_role("button", name=f"Move here: {label}")
        here.or_(self.page.get_by_role("button", name="Add to orders")).first.wait_for()
        if here.count():
            self.taps += 1
            here.tap()
            self.page.get_by_role("button", name="Add to orders").wait_for()

    def drafted(self) -> bool:
        """Whether the order being made can be done."""
        return self.page.get_by_role("button", name="Add to orders").is_enabled()

    def hex_of(self, unit: str) -> str:
        """Return the hex of a unit; empty if it is not on the map."""
        return str(next((one.get("hex", "") for one in self.view()["units"] if one["id"] == unit), ""))

    def free_columns(self) -> Sequence[str]:
        """Return the own columns on the map that can be given orders."""
        view = self.view()
        own = [one["id"] for one in view["units"] if one["side"] == view["seat"]["side"] and one.get("at")]
        return [one for one in own if self.ask("/api/unit", unit=one)["options"]]
