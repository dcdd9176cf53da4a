"""How long the live map takes to answer tells nothing of what is hidden: pairs of worlds are asked in turns."""

import random
from collections.abc import Callable, Mapping
from statistics import median
from time import thread_time
from typing import Any

import pytest

from bot.order_sheets.model import StoredSheet
from rules.core.ruleset import Ruleset
from rules.registry import rulesets
from web.orders import OrderRequest, draft
from web.reach import reach_json
from web.sessions import Seat
from web.sheet_json import unit_json
from web.views import view_json

from .fuzz import seed_of_the_day
from .hidden_tables import SYSTEMS
from .paired_worlds import World, begin_worlds, lurk
from .ranks import rank_test
from .sheet_desk import FIRST_PLAYER
from .test_page_leaks import seat_of

PAIRS = 40
REPEATED = 5
"""Answers to the same question, of which the fastest counts: other programs only make one longer."""
UNLIKELY = 0.001
"""How unlikely a difference must be by chance to count as one. A dozen questions are asked of three systems."""
NOTICED = 1.1
"""A difference of a tenth must be noticed."""


def test_the_rank_test_finds_a_difference_and_none_where_there_is_none() -> None:
    dice = random.Random(1)
    one, other = ([dice.gauss(1, 0.05) for _ in range(PAIRS)] for _ in range(2))
    assert rank_test(one, other) > 0.01
    assert rank_test(one, [value * NOTICED for value in other]) < UNLIKELY
    assert rank_test([1, 2, 3, 4], [5, 6, 7, 8]) == pytest.approx(0.0209, abs=0.0001)
    assert rank_test([1] * 5, [1] * 5) == 1.0


def questions(seat: Seat) -> Mapping[str, Callable[[], Any]]:
    """Return what the first side asks its page."""
    sheet = StoredSheet(seat.game.id, FIRST_PLAYER, seat.game.sheet_viewer(FIRST_PLAYER))
    own = next(unit.id for unit in seat.seen.units.values() if unit.side == seat.viewer)
    move = OrderRequest(units=(own,), kind="move", args={"to": "forward 3"})
    return {
        "view": lambda: view_json(seat, sheet),
        "unit": lambda: unit_json(seat, sheet, (own,)),
        "reach": lambda: reach_json(seat, sheet, (own,)),
        "draft": lambda: draft(seat, sheet, move),
    }


def seconds(ask: Callable[[], Any]) -> float:
    """Return the processor time of the fastest of several answers."""
    took = []
    for _ in range(REPEATED):
        began = thread_time()
        ask()
        took.append(thread_time() - began)
    return min(took)


def secrecy(world: World) -> int:
    """Return how many units a world hides."""
    return len(world.state.hidden)


@pytest.mark.soak
@pytest.mark.parametrize("system", SYSTEMS)
def test_answers_take_as_long_whatever_is_hidden(system: str) -> None:
    played: Ruleset[Any] = rulesets()[system]
    took: dict[str, tuple[list[float], list[float]]] = {}
    seed, pairs = seed_of_the_day(), 0
    while pairs < PAIRS:
        seed += 1
        worlds = sorted(begin_worlds(played, seed), key=secrecy)
        if secrecy(worlds[0]) == secrecy(worlds[1]):
            continue  # the second world of each pair hides more
        pairs += 1
        for number, world in enumerate(worlds):
            world.act(played.parse("begin", {}))
            for _ in range(3 * number):
                lurk(world, random.Random(f"{seed} {number}"))
        order = (0, 1) if pairs % 2 else (1, 0)
        for number in order:
            for name, ask in questions(seat_of(worlds[number], FIRST_PLAYER)).items():
                took.setdefault(name, ([], []))[number].append(seconds(ask))
    for name, (few, many) in took.items():
        likely, ratio = rank_test(few, many), median(many) / median(few)
        print(f"{system} {name}: {median(few) * 1000:.2f} ms, {median(many) * 1000:.2f} ms, p {likely:.3f}")
        assert likely > UNLIKELY, f"{name}: {ratio:.3f} times as long in worlds that hide more"
