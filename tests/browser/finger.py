"""One finger, or two, on a page of the live map. Every tap is counted."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error, Page, expect
from playwright.sync_api import TimeoutError as TooLong

Point = tuple[float, float]
FREE = """([x, y]) => {
  const found = document.elementFromPoint(x, y);
  return Boolean(found && found.closest('#map'));
}"""
"""Whether a point of the screen lies on the map, and nothing covers it."""
COVERED = """([x, y]) => {
  const found = document.elementFromPoint(x, y);
  const unit = found && found.closest('[data-unit]');
  return Boolean(unit && !unit.matches('.selected'));
}"""
"""Whether a unit that is not selected lies at a point of the screen."""
PLACES = """() => [...document.querySelectorAll('.reach-hex, .reach')].flatMap((shape) => {
  const at = (p) => { const s = p.matrixTransform(shape.getScreenCTM()); return [s.x, s.y]; };
  const points = [...shape.points].map(at);
  const middle = [0, 1].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length);
  const within = (p) => [0, 1].map((axis) => middle[axis] + (p[axis] - middle[axis]) * 0.9);
  return shape.matches('.reach-hex') ? [middle] : points.map(within);
})"""
"""Points of the screen that the selected units can reach: the middles of hexes, or points just inside the polygon."""


YOURS = ("It is your turn", "The game waits for you")
"""Beginnings of the line that says whom the game waits for, if it is this seat."""
WHERE = "document.querySelector('#world').getAttribute('transform')"
RESTS = 250
"""Milliseconds within which a map that does not move is at rest."""
MOST_CHOICES = 3
"""Maximum number of questions which of several is meant."""
MOST_ASKED = 30
"""Maximum number of times that the server is asked for one answer."""
ENDINGS = ("End it anyway", "Do all and end my turn", "End my turn")
"""Buttons that end the turn."""


class Finger:
    """A finger on the page. `taps` counts its taps, `orders` the orders that it added; `pressed` has its buttons."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = self.orders = 0
        self.pressed: list[str] = []
        self._touch = page.context.new_cdp_session(page)

    @property
    def seat(self) -> str:
        """The seat of the page."""
        return str(self.page.evaluate("new URLSearchParams(location.search).get('seat')"))

    def view(self) -> Any:
        """Return the seat's view, as the server tells it now."""
        return self.ask("/api/view")

    def ask(self, path: str, **params: str) -> Any:
        """Return what the server answers this seat."""
        query = json.dumps({"seat": self.seat, **params})
        asked = f"async () => (await fetch('{path}?' + new URLSearchParams({query}))).json()"
        for _ in range(MOST_ASKED):
            answer = self.page.evaluate(asked)
            if "error" not in answer:
                return answer
            self.page.wait_for_timeout(1000)  # a test may ask too often
        raise AssertionError(answer["error"])

    def tap(self, at: Point) -> None:
        """Tap a point of the screen."""
        self.taps += 1
        self.page.touchscreen.tap(*at)

    def press(self, label: str) -> None:
        """Tap the button with this label."""
        self.taps += 1
        self.pressed.append(label)
        self.page.get_by_role("button", name=label).first.tap()

    def place_of(self, unit: str) -> Point:
        """Return the middle of a unit on the screen."""
        drawn = self.page.locator(f'[data-unit="{unit}"] .base')
        while (box := drawn.bounding_box()) is None:  # it is drawn anew at this moment
            expect(drawn).to_be_visible()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def is_free(self, at: Point) -> bool:
        """Whether the point lies on the map and nothing covers it."""
        return bool(self.page.evaluate(FREE, at))

    def is_bare(self, at: Point) -> bool:
        """Whether the point lies on the map, and no other unit lies there: a tap would select that one."""
        return self.is_free(at) and not self.page.evaluate(COVERED, at)

    def drag(self, *path: Point, other: Point | None = None) -> None:
        """Put the finger down, move it along the path, and lift it. `other`: a second finger comes down."""
        for number, (x, y) in enumerate(path):
            self._send("touchMove" if number else "touchStart", [(x, y)])
        if other is not None:
            self._send("touchStart", [path[-1], other])
        self._send("touchEnd", [])
        self.page.wait_for_timeout(350)  # Chromium takes a tap that follows at once for the end of the drag

    def pinch(self, first: tuple[Point, Point], last: tuple[Point, Point]) -> None:
        """Put two fingers down, move them to other places, and lift them."""
        for kind, points in (("touchStart", first[:1]), ("touchStart", first), ("touchMove", last), ("touchEnd", ())):
            self._send(kind, points)

    def _send(self, kind: str, points: Sequence[Point]) -> None:
        self._touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]},
        )

    def uncover(self, unit: str) -> None:
        """Move the map until nothing covers the unit."""
        middle = self.page.viewport_size
        assert middle is not None
        goal = middle["width"] / 2, middle["height"] * 0.3
        for _ in range(4):
            x, y = self.place_of(unit)
            if self.is_free((x, y)):
                return
            dx, dy = goal[0] - x, goal[1] - y
            steps = [(goal[0] - dx / 2 + dx * part / 6, goal[1] - dy / 2 + dy * part / 6) for part in range(7)]
            self.drag(
                *[(min(max(x, 4), middle["width"] - 4), min(max(y, 70), middle["height"] * 0.5)) for x, y in steps]
            )

    def select(self, unit: str) -> Any:
        """Select a unit, perhaps with those that lie under it. Return what it can do."""
        self.uncover(unit)
        with self._answered("/api/unit") as answered:
            self.tap(self.place_of(unit))
            chooser = self.page.get_by_role("button", name="of mine together")
            with suppress(TooLong):
                self.page.locator(".selected").or_(self.page.get_by_text("Which one?")).first.wait_for(timeout=2000)
            if chooser.count():
                self.taps += 1
                chooser.tap()
        return answered.value.json()

    def _answered(self, path: str) -> Any:
        return self.page.expect_response(lambda response: path in response.url, timeout=20_000)

    def rest(self) -> None:
        """Wait until the map does not move: it makes room for the panel of a unit as soon as that is loaded."""
        before = ""
        while (now := str(self.page.evaluate(WHERE))) != before:
            before = now
            self.page.wait_for_timeout(RESTS)

    def aim(self, target: str) -> bool:
        """Order the selected units to attack a lit target. Return whether it could be ordered."""
        with suppress(TooLong):  # until it is lit, a tap selects it
            self.page.locator(f'[data-unit="{target}"].target').wait_for(state="attached", timeout=5000)
        self.rest()
        self.uncover(target)
        return self._draft(lambda: self.tap(self.place_of(target)))

    def move(self, better: Callable[[Point], float]) -> bool:
        """Order the selected units to the best place that they can reach. Return whether it could be ordered."""
        with suppress(TooLong):
            self.page.locator(".reach, .reach-hex").first.wait_for(state="attached", timeout=3000)
        self.rest()
        places = [(x, y) for x, y in self.page.evaluate(PLACES) if self.is_bare((x, y))]
        return bool(places) and self._draft(lambda: self.tap(max(places, key=better)))

    def _draft(self, tap: Callable[[], None]) -> bool:
        try:
            with self._answered("/api/draft") as answered:
                tap()
                self._choose_among_several()
        except Error as error:
            print(f"not ordered: {error}")
            return False
        draft = answered.value.json()
        if answered.value.status != 200 or draft["why"]:
            print(f"not ordered: {draft}")
            self.page.keyboard.press("Escape")
            return False
        with self._answered("/api/sheet"):
            self.press("Add to orders")
        self.orders += 1
        expect(self.page.get_by_role("button", name="Add to orders")).to_be_hidden()
        return True

    def _choose_among_several(self) -> None:
        """While the page asks which of several is meant, a unit of a stack and then an attack, take the first."""
        rows, add = self.page.locator("#panel-body .unit-row"), self.page.get_by_role("button", name="Add to orders")
        for _ in range(MOST_CHOICES):
            with suppress(TooLong):
                add.or_(rows).first.wait_for(timeout=4000)
            if not rows.count():
                return
            asked = rows.first.inner_text()
            self.taps += 1
            rows.first.tap()
            with suppress(AssertionError):
                expect(rows.first).not_to_have_text(asked, timeout=4000)

    def to_orders(self, patience: int = 300) -> None:
        """Close what happened, if the page tells it within `patience` milliseconds."""
        done = self.page.get_by_role("button", name="Done", exact=True)  # another button is "British done"
        with suppress(TooLong):
            done.first.wait_for(timeout=patience)
        if done.count():
            self.taps += 1
            with suppress(TooLong):  # the page may have closed it by itself
                done.tap(timeout=3000)

    def deselect(self) -> None:
        """Close the selected unit's panel."""
        close = self.page.locator("#panel-body").get_by_role("button", name="Close")
        if close.count():
            self.taps += 1
            close.first.tap()

    def end_turn(self, most: int = 14) -> None:
        """Do the orders and end the turn; answer what is asked with its first button until others are waited for."""
        began = self.view()["game"]["turn"].split(",")[0]
        for _ in range(most):
            view = self.view()
            if view["game"]["over"] or not view["waiting"].startswith(YOURS) or self._is_over(view, began):
                return
            label = self._find_way_on(view)
            with self._answered("/api/answer" if label not in ENDINGS else "/api/do"):
                self.press(label)

    def _is_over(self, view: Any, began: str) -> bool:
        return not view["game"]["turn"].startswith(f"{began},")

    def _find_way_on(self, view: Any) -> str:
        """Return the button that lets the game go on; the page may still be telling what happened."""
        for _ in range(20):
            self.to_orders()
            label = next((one for one in self._ways_on(view) if self._can_press(one)), None)
            if label is not None:
                return label
        raise AssertionError(f"nothing to press: {view['waiting']}, {view['prompts']}")

    def _ways_on(self, view: Any) -> Sequence[str]:
        """Return the buttons that let the game go on, those of what must be answered first."""
        mine = [prompt for prompt in view["prompts"] if prompt["mine"] and prompt["offers"]]
        required = [prompt["offers"][0]["label"] for prompt in mine if prompt["required"]]
        return [*required, *ENDINGS, *(prompt["offers"][-1]["label"] for prompt in mine)]

    def _can_press(self, label: str) -> bool:
        found = self.page.get_by_role("button", name=label)
        return found.count() > 0 and found.first.is_enabled()
