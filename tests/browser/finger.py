"""A user with a touch screen on the live map: taps, drags and pinches. Counts every tap."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error, Page, expect
from playwright.sync_api import TimeoutError as TooLong

Point = tuple[float, float]
IS_FREE = """([x, y]) => {
  const found = document.elementFromPoint(x, y);
  return Boolean(found && found.closest('#map'));
}"""
"""Script: whether a point of the screen lies on the map and nothing covers it."""
IS_COVERED = """([x, y]) => {
  const found = document.elementFromPoint(x, y);
  const unit = found && found.closest('[data-unit]');
  return Boolean(unit && !unit.matches('.selected'));
}"""
"""Script: whether an unselected unit lies at a point of the screen."""
FIND_REACHABLE = """() => [...document.querySelectorAll('.reach-hex, .reach')].flatMap((shape) => {
  const at = (p) => { const s = p.matrixTransform(shape.getScreenCTM()); return [s.x, s.y]; };
  const points = [...shape.points].map(at);
  const middle = [0, 1].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length);
  const within = (p) => [0, 1].map((axis) => middle[axis] + (p[axis] - middle[axis]) * 0.9);
  return shape.matches('.reach-hex') ? [middle] : points.map(within);
})"""
"""Script: points of the screen that the selected units can reach. Middles of hexes, or corners of the polygon."""
YOUR_TURN = ("It is your turn", "The game waits for you")
"""Beginnings of the status line while the game waits for this seat."""
MAP_TRANSFORM = "document.querySelector('#world').getAttribute('transform')"
REST = 250
"""Milliseconds without movement after which the map is at rest."""
MAX_CHOICES = 3
"""Maximum number of lists in which to choose for one order."""
MAX_REQUESTS = 30
"""Maximum number of requests until the server answers."""
END_BUTTONS = ("End it anyway", "Do all and end my turn", "End my turn")
"""Buttons that end the turn."""


class Finger:
    """A finger on a page. Counts its taps and added orders; `pressed` lists its buttons."""

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
        """Return the seat's current view from the server."""
        return self.ask("/api/view")

    def ask(self, path: str, **params: str) -> Any:
        """Send a GET request with this seat; return the JSON answer. Repeats a request that the rate limit refuses."""
        query = json.dumps({"seat": self.seat, **params})
        script = f"async () => (await fetch('{path}?' + new URLSearchParams({query}))).json()"
        for _ in range(MAX_REQUESTS):
            answer = self.page.evaluate(script)
            if "error" not in answer:
                return answer
            self.page.wait_for_timeout(1000)  # the rate limit
        raise AssertionError(answer["error"])

    def tap(self, point: Point) -> None:
        """Tap a point of the screen."""
        self.taps += 1
        self.page.touchscreen.tap(*point)

    def press(self, label: str) -> None:
        """Tap the button with this label."""
        self.taps += 1
        self.pressed.append(label)
        self.page.get_by_role("button", name=label).first.tap()

    def locate(self, unit: str) -> Point:
        """Return the screen position of a unit's middle."""
        base = self.page.locator(f'[data-unit="{unit}"] .base')
        while (box := base.bounding_box()) is None:  # the page draws the unit again
            expect(base).to_be_visible()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def is_free(self, point: Point) -> bool:
        """Whether the point lies on the map and nothing covers it."""
        return bool(self.page.evaluate(IS_FREE, point))

    def is_empty(self, point: Point) -> bool:
        """Whether the point lies on the map without an unselected unit, which a tap would select."""
        return self.is_free(point) and not self.page.evaluate(IS_COVERED, point)

    def drag(self, *path: Point, second_finger: Point | None = None) -> None:
        """Touch the screen, move along the path, and lift the finger. A second finger touches at `second_finger`."""
        for number, (x, y) in enumerate(path):
            self._send("touchMove" if number else "touchStart", [(x, y)])
        if second_finger is not None:
            self._send("touchStart", [path[-1], second_finger])
        self._send("touchEnd", [])
        self.page.wait_for_timeout(350)  # Chromium takes a tap that follows at once for the end of the drag

    def pinch(self, first: tuple[Point, Point], last: tuple[Point, Point]) -> None:
        """Touch with two fingers at `first`, move them to `last`, and lift them."""
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
            x, y = self.locate(unit)
            if self.is_free((x, y)):
                return
            dx, dy = goal[0] - x, goal[1] - y
            steps = [(goal[0] - dx / 2 + dx * part / 6, goal[1] - dy / 2 + dy * part / 6) for part in range(7)]
            self.drag(
                *[(min(max(x, 4), middle["width"] - 4), min(max(y, 70), middle["height"] * 0.5)) for x, y in steps]
            )

    def select(self, unit: str) -> Any:
        """Select a unit, together with own units under it. Return the server's answer, which has its options."""
        self.uncover(unit)
        with self._expect_answer("/api/unit") as response:
            self.tap(self.locate(unit))
            chooser = self.page.get_by_role("button", name="of mine together")
            with suppress(TooLong):
                self.page.locator(".selected").or_(self.page.get_by_text("Which one?")).first.wait_for(timeout=2000)
            if chooser.count():
                self.taps += 1
                chooser.tap()
        return response.value.json()

    def _expect_answer(self, path: str) -> Any:
        return self.page.expect_response(lambda response: path in response.url, timeout=20_000)

    def rest(self) -> None:
        """Wait until the map is at rest: it moves when the panel of a unit opens."""
        before = ""
        while (now := str(self.page.evaluate(MAP_TRANSFORM))) != before:
            before = now
            self.page.wait_for_timeout(REST)

    def aim(self, target: str) -> bool:
        """Order the selected units to attack a highlighted target. Return whether the page accepted the order."""
        with suppress(TooLong):  # a tap on a target that is not highlighted selects it
            self.page.locator(f'[data-unit="{target}"].target').wait_for(state="attached", timeout=5000)
        self.rest()
        self.uncover(target)
        return self._draft(lambda: self.tap(self.locate(target)))

    def move(self, rate: Callable[[Point], float]) -> bool:
        """Order the selected units to the reachable place with the highest `rate`. Return whether it was accepted."""
        with suppress(TooLong):
            self.page.locator(".reach, .reach-hex").first.wait_for(state="attached", timeout=3000)
        self.rest()
        places = [(x, y) for x, y in self.page.evaluate(FIND_REACHABLE) if self.is_empty((x, y))]
        return bool(places) and self._draft(lambda: self.tap(max(places, key=rate)))

    def _draft(self, tap: Callable[[], None]) -> bool:
        try:
            with self._expect_answer("/api/draft") as response:
                tap()
                self._choose_among_several()
        except Error as error:
            print(f"not ordered: {error}")
            return False
        draft = response.value.json()
        if response.value.status != 200 or draft["why"]:
            print(f"not ordered: {draft}")
            self.page.keyboard.press("Escape")
            return False
        with self._expect_answer("/api/sheet"):
            self.press("Add to orders")
        self.orders += 1
        expect(self.page.get_by_role("button", name="Add to orders")).to_be_hidden()
        return True

    def _choose_among_several(self) -> None:
        """Take the first row of each list: the page may ask for a unit of a stack, then for an attack."""
        rows, add = self.page.locator("#panel-body .unit-row"), self.page.get_by_role("button", name="Add to orders")
        for _ in range(MAX_CHOICES):
            with suppress(TooLong):
                add.or_(rows).first.wait_for(timeout=4000)
            if not rows.count():
                return
            question = rows.first.inner_text()
            self.taps += 1
            rows.first.tap()
            with suppress(AssertionError):
                expect(rows.first).not_to_have_text(question, timeout=4000)

    def close_report(self, patience: int = 300) -> None:
        """Close the report of what happened, if it appears within `patience` milliseconds."""
        button = self.page.get_by_role("button", name="Done", exact=True)  # another button is "British done"
        with suppress(TooLong):
            button.first.wait_for(timeout=patience)
        if button.count():
            self.taps += 1
            with suppress(TooLong):  # the page may have closed the report
                button.tap(timeout=3000)

    def deselect(self) -> None:
        """Close the selected unit's panel."""
        close = self.page.locator("#panel-body").get_by_role("button", name="Close")
        if close.count():
            self.taps += 1
            close.first.tap()

    def end_turn(self, max_presses: int = 14) -> None:
        """Execute the orders and end the turn; answer every question with its first button."""
        turn = self.view()["game"]["turn"].split(",")[0]
        for _ in range(max_presses):
            view = self.view()
            if view["game"]["over"] or not view["waiting"].startswith(YOUR_TURN) or self._is_over(view, turn):
                return
            label = self._find_next_button(view)
            with self._expect_answer("/api/answer" if label not in END_BUTTONS else "/api/do"):
                self.press(label)

    def _is_over(self, view: Any, turn: str) -> bool:
        return not view["game"]["turn"].startswith(f"{turn},")

    def _find_next_button(self, view: Any) -> str:
        """Return the next button to press. Close reports that hide it."""
        for _ in range(20):
            self.close_report()
            label = next((button for button in self._list_next_buttons(view) if self._can_press(button)), None)
            if label is not None:
                return label
        raise AssertionError(f"nothing to press: {view['waiting']}, {view['prompts']}")

    def _list_next_buttons(self, view: Any) -> Sequence[str]:
        """Return labels of buttons that continue the game, required answers first."""
        own_prompts = [prompt for prompt in view["prompts"] if prompt["mine"] and prompt["offers"]]
        required = [prompt["offers"][0]["label"] for prompt in own_prompts if prompt["required"]]
        return [*required, *END_BUTTONS, *(prompt["offers"][-1]["label"] for prompt in own_prompts)]

    def _can_press(self, label: str) -> bool:
        button = self.page.get_by_role("button", name=label)
        return button.count() > 0 and button.first.is_enabled()
