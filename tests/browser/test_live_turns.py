"""Complete turns by finger on a telephone in every system, with few taps; and a game of page against chat."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, expect

from .chat_player import ChatPlayer
from .finger import YOUR_TURN, Finger, Point
from .live_map import LiveTable, open_telephone

pytestmark = pytest.mark.soak
MAX_STEPS, ORDERED_UNITS = 80, 3
TRIES = 2
"""Attempts to order a unit: news may arrive between two taps."""
REPORT_WITHIN = 5000
"""Milliseconds until the page reports the effect of a button."""
MAX_ANSWERS = 12
"""Maximum number of buttons to press for the questions and phases of a turn."""


@dataclass(frozen=True)
class Turn:
    """A side's first turn of a scenario: the units to order, and the direction of their moves on the screen."""

    rules: str
    scenario: str
    sides: tuple[str, ...]
    seat: str
    units: tuple[str, ...]
    forward: Callable[[Point], float]
    first: tuple[str, ...] = ()
    """Buttons to press before the orders."""


def north(point: Point) -> float:
    return -point[1]


def south(point: Point) -> float:
    return point[1]


def east(point: Point) -> float:
    return point[0]


TURNS = {
    "suakin, mahdists": Turn(
        "magdala",
        "suakin-1885",
        ("mahdists", "british"),
        "first",
        ("amarar", "ashraf", "hadendoa-tamai", "rifles-tokar"),
        south,
    ),
    "suakin, british": Turn(
        "magdala",
        "suakin-1885",
        ("mahdists", "british"),
        "second",
        ("marines", "g-battery", "berkshires", "5th-lancers"),
        north,
    ),
    "el teb, british": Turn(
        "empire",
        "el-teb-1884",
        ("british", "mahdists"),
        "first",
        ("marines", "gordons", "black-watch", "10th-hussars"),
        north,
    ),
    "trench, british": Turn(
        "great_war",
        "trench",
        ("british", "germans"),
        "first",
        ("deborah", "daphne", "1st-essex", "2nd-durhams"),
        east,
        ("Order Deborah", "Order Daphne", "Order 1st Essex", "Order 2nd Durhams"),
    ),
    "bridge, prussians": Turn(
        "charge", "bridge", ("prussians", "austrians"), "first", ("itzenplitz", "kleist", "grenadiers", "zieten"), north
    ),
    "tanga, germans": Turn(
        "tanga",
        "initial-assault",
        ("german",),
        "first",
        ("17-fk-1", "17-fk-mg1", "17-fk-3"),
        east,
        ("Play the British turn",),
    ),
}


@pytest.fixture
def live(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTable]:
    table = LiveTable(tmp_path_factory.mktemp("live"))
    yield table
    table.close()


@pytest.mark.parametrize("name", TURNS)
def test_a_whole_turn_by_finger_takes_few_taps(live: LiveTable, browser: Browser, name: str) -> None:
    turn = TURNS[name]
    channel = live.get_channel(0)
    channel.start(turn.rules, turn.scenario, *turn.sides)
    if turn.seat == "second":
        channel.end_turn("first")
    context = open_telephone(browser)
    finger = Finger(channel.open(context, turn.seat))
    for label in turn.first:
        finger.press(label)
        finger.close_report(REPORT_WITHIN)
    taps_for = {unit: order_unit(finger, unit, turn.forward) for unit in turn.units}
    taps_by_unit = {unit: taps for unit, taps in taps_for.items() if taps}
    assert 0 not in taps_for.values(), taps_for
    assert len(taps_by_unit) >= len(turn.units) - 1, "at most one unit can receive no order"
    view, before = finger.view(), finger.taps
    finger.end_turn()
    view_after = finger.view()
    assert view_after["game"]["turn"] != view["game"]["turn"] or view_after["waiting"] != view["waiting"]
    taps, ending = sum(taps_by_unit.values()), finger.taps - before
    print(f"{name}: {finger.orders} orders, {taps} taps; {ending} to do them and end the turn: {finger.pressed}")
    assert taps <= len(taps_by_unit) + 3 * finger.orders
    assert ending <= MAX_ANSWERS
    context.close()


def test_several_units_take_one_order_with_a_tap_each(live: LiveTable, browser: Browser) -> None:
    channel = live.get_channel(0)
    channel.start("magdala", "suakin-1885", "mahdists")
    context = open_telephone(browser)
    finger = Finger(channel.open(context, "first"))
    units = ("amarar", "arteiga", "ashraf")
    finger.select(units[0])
    finger.press("Add more units")
    for unit in units[1:]:
        finger.select(unit)
    expect(finger.page.get_by_role("heading", name="3 units")).to_be_visible()
    finger.press("Forward 4")
    finger.press("Add to orders")
    expect(finger.page.get_by_text("Amarar, Arteiga, Ashraf: forward 4")).to_be_visible()
    assert finger.taps == len(units) + 3
    context.close()


def order_unit(finger: Finger, unit: str, forward: Callable[[Point], float]) -> int | None:
    """Order a unit to attack a highlighted target; without a target, order it to move.

    Return the number of taps, 0 if no order was accepted, or None if the unit has no options, as after a rout.
    """
    before = finger.taps
    for _ in range(TRIES):
        is_ordered = _order_once(finger, unit, forward)
        if is_ordered is None:
            return None
        if is_ordered:
            return finger.taps - before
    return 0


def _order_once(finger: Finger, unit: str, forward: Callable[[Point], float]) -> bool | None:
    """Try to order a unit. Return whether the order was accepted, or None if the unit has no options."""
    answer = finger.select(unit)
    if not any(option["target"] or option["group"] == "Move" for option in answer["options"]):
        finger.deselect()
        return None
    targets = [option["target"] for option in answer["options"] if option["target"]]
    is_ordered = finger.aim(targets[0]) if targets else finger.move(forward)
    if not is_ordered:
        finger.deselect()
    return is_ordered


def test_page_and_chat_play_a_game_to_its_end(live: LiveTable, browser: Browser) -> None:
    channel = live.get_channel(0)
    channel.start("magdala", "suakin-1885", "mahdists", "british")
    context = open_telephone(browser)
    finger, chat = Finger(channel.open(context, "second")), ChatPlayer(channel, "first", "mahdists")
    for _ in range(MAX_STEPS):
        view = finger.view()
        if view["game"]["over"]:
            break
        if view["waiting"].startswith(YOUR_TURN):
            finger.close_report()
            own = [unit["id"] for unit in view["units"] if unit["side"] == "british" and unit.get("at")]
            if view["acting"] == ["british"] and not any(prompt["required"] for prompt in view["prompts"]):
                for unit in own[:ORDERED_UNITS]:
                    order_unit(finger, unit, north)
            finger.end_turn()
        else:
            chat.act()
    assert finger.view()["game"]["over"], "the game has ended"
    expect(finger.page.locator("#waiting")).not_to_have_text("")
    assert finger.orders > 0
    print(f"{finger.view()['game']['over']} {finger.orders} orders, {finger.taps} taps on the page")
    context.close()
