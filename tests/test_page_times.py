"""Response times of the live map reveal no hidden facts: pairs of worlds are timed alternately."""

import random
from collections.abc import Callable, Mapping
from statistics import median
from time import thread_time
from typing import Any

import pytest

from bot.order_sheets.model import StoredSheet
from rules.core.ruleset import Ruleset
from rules.registry import rulesets
from web.orders import OrderRequest, forecast_request
from web.reach import reach_json
from web.sessions import PageSeat
from web.sheet_json import menu_json
from web.views import view_json

from .fuzz import get_daily_seed
from .hidden_tables import SYSTEMS
from .paired_worlds import World, act_with_hidden_units, begin_worlds
from .ranks import rank_test
from .sheet_desk import FIRST_PLAYER
from .test_page_leaks import create_seat

PAIRS = 40
REPETITIONS = 5
"""Repetitions of a request; the fastest counts, since other programs only add time."""
SIGNIFICANCE = 0.001
"""Significance level per comparison; a dozen requests are compared in three systems."""
MORE_HIDDEN = 6
"""Number of enemy columns hidden in the second campaign of a pair only."""
DETECTED_RATIO = 1.1
"""Ratio of times that the test must detect."""


def test_the_rank_test_finds_only_real_differences() -> None:
    dice = random.Random(1)
    first, second = ([dice.gauss(1, 0.05) for _ in range(PAIRS)] for _ in range(2))
    assert rank_test(first, second) > 0.01
    assert rank_test(first, [value * DETECTED_RATIO for value in second]) < SIGNIFICANCE
    assert rank_test([1, 2, 3, 4], [5, 6, 7, 8]) == pytest.approx(0.0209, abs=0.0001)
    assert rank_test([1] * 5, [1] * 5) == 1.0


def list_requests(seat: PageSeat) -> Mapping[str, Callable[[], Any]]:
    """Return the requests of the first side to its page."""
    sheet = StoredSheet(seat.game.id, FIRST_PLAYER, seat.game.sheet_viewer(FIRST_PLAYER))
    own = next(unit.id for unit in seat.view.units.values() if unit.side == seat.viewer)
    move = OrderRequest(units=(own,), kind="move", args={"to": "forward 3"})
    return {
        "view": lambda: view_json(seat, sheet),
        "unit": lambda: menu_json(seat, sheet, (own,)),
        "reach": lambda: reach_json(seat, sheet, (own,)),
        "draft": lambda: forecast_request(seat, sheet, move),
    }


def measure_seconds(ask: Callable[[], Any]) -> float:
    """Return the processor time of the fastest of several answers, in seconds."""
    seconds = []
    for _ in range(REPETITIONS):
        start = thread_time()
        ask()
        seconds.append(thread_time() - start)
    return min(seconds)


def count_hidden_units(world: World) -> int:
    """Return the number of hidden units."""
    return len(world.state.hidden)


@pytest.mark.soak
@pytest.mark.parametrize("system", SYSTEMS)
def test_response_times_do_not_depend_on_hidden_units(system: str) -> None:
    played: Ruleset[Any] = rulesets()[system]
    seconds: dict[str, tuple[list[float], list[float]]] = {}
    seed, pairs = get_daily_seed(), 0
    while pairs < PAIRS:
        seed += 1
        worlds = sorted(begin_worlds(played, seed), key=count_hidden_units)
        if count_hidden_units(worlds[0]) == count_hidden_units(worlds[1]):
            continue  # the second world of each pair hides more
        pairs += 1
        for number, world in enumerate(worlds):
            world.act(played.parse("begin", {}))
            for _ in range(3 * number):
                act_with_hidden_units(world, random.Random(f"{seed} {number}"))
        order = (0, 1) if pairs % 2 else (1, 0)
        for number in order:
            for name, ask in list_requests(create_seat(worlds[number], FIRST_PLAYER)).items():
                seconds.setdefault(name, ([], []))[number].append(measure_seconds(ask))
    require_equal_times(system, seconds)


def create_campaign_pair(number: int) -> tuple[World, World]:
    """Return two campaigns; the second has further hidden enemies and orders."""
    system = rulesets()["campaign"]
    worlds = tuple(World(system, system.setup("suakin-1884", {}, World(system, None).dice())) for _ in range(2))
    knowledge = "own" if number % 2 else "shared"
    for world in worlds:
        world.act(system.parse("option", {"name": "knowledge", "value": knowledge}))
    for place in range(MORE_HIDDEN):
        name, at = f"Lurkers {place}", f"{place % 4:02}{place // 4 + 14:02}"
        assert worlds[1].act_in_secret("add_unit", troop="foot", side="osman-digna", name=name)
        assert worlds[1].act_in_secret("set", unit=f"osman-digna-lurkers-{place}", field="at", value=at)
        worlds[1].act_in_secret("move", unit=f"osman-digna-lurkers-{place}", to="Sinkat")
    return worlds[0], worlds[1]


def list_campaign_requests(seat: PageSeat) -> Mapping[str, Callable[[], Any]]:
    """Return Graham's requests to his page."""
    sheet = StoredSheet(seat.game.id, FIRST_PLAYER, seat.game.sheet_viewer(FIRST_PLAYER))
    own = "graham-s-column"
    goal = OrderRequest(units=(own,), kind="move", args={"to": "Tamai", "with": "attack"})
    way = OrderRequest(units=(own,), kind="move", args={"to": "2317 2318 2319"})
    return {
        "view": lambda: view_json(seat, sheet),
        "unit": lambda: menu_json(seat, sheet, (own,)),
        "reach": lambda: reach_json(seat, sheet, (own,)),
        "goal": lambda: forecast_request(seat, sheet, goal),
        "way": lambda: forecast_request(seat, sheet, way),
        "hidden": lambda: menu_json(seat, sheet, ("osman-digna-lurkers-1",)),
    }


@pytest.mark.soak
def test_campaign_response_times_do_not_depend_on_hidden_columns() -> None:
    seconds: dict[str, tuple[list[float], list[float]]] = {}
    for number in range(PAIRS):
        worlds = create_campaign_pair(number)
        for place in (0, 1) if number % 2 else (1, 0):
            for name, ask in list_campaign_requests(create_seat(worlds[place], FIRST_PLAYER)).items():
                seconds.setdefault(name, ([], []))[place].append(measure_seconds(ask))
    require_equal_times("campaign", seconds)


def require_equal_times(system: str, seconds: Mapping[str, tuple[list[float], list[float]]]) -> None:
    """Assert that requests take as long in worlds with more hidden units."""
    for name, (first, second) in seconds.items():
        probability, ratio = rank_test(first, second), median(second) / median(first)
        print(f"{system} {name}: {median(first) * 1000:.2f} ms, {median(second) * 1000:.2f} ms, p {probability:.3f}")
        assert probability > SIGNIFICANCE, f"{name}: {ratio:.3f} times as long in worlds that hide more"
