"""How long an answer about dispatches and the map takes tells a command nothing of what others do unseen."""

import random
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

import pytest

from rules.campaign.ground import board_of
from rules.campaign.model import CampaignState
from rules.core.automaton.own_dice import SeededDice
from rules.registry import rulesets

from .fuzz import get_daily_seed
from .ranks import rank_test
from .test_page_times import PAIRS, SIGNIFICANCE, measure_seconds

SYSTEM = rulesets()["campaign"]
SLIGHT = 0.00002
"""Seconds that nobody can tell among the milliseconds of a network."""
NEAR = 5
"""Hexes around Pearson's column in which nobody is put."""


def world(chance: random.Random, *, busy: bool) -> CampaignState:
    """A campaign with own knowledge; in a busy one everybody but Pearson went somewhere and wrote all they may."""
    dice = SeededDice("same")
    state: CampaignState = SYSTEM.setup("zululand-1879", {}, dice)
    state, _ = SYSTEM.act(state, SYSTEM.parse("option", {"name": "knowledge", "value": "own"}), dice)
    base = state.unit("pearson-s-column").at
    assert base is not None
    places = [hex_ for hex_ in sorted(board_of(state).land) if hex_.distance(base) > NEAR]
    for column in state.units.values():
        if busy and column.side != "pearson" and column.at is not None:
            state = state.changed(column.id, at=chance.choice(places))
    for side, to in (("glyn", "Wood"), ("wood", "Glyn")):
        for _ in range(3 * busy):
            args = {"side": side, "to": to, "text": "x" * 500, "with_sightings": True}
            state, _ = SYSTEM.act(state, SYSTEM.parse("write_dispatch", args), dice)
    return state


def questions(state: CampaignState) -> Mapping[str, Callable[[], Any]]:
    """Return what Pearson's player asks."""
    args = {"side": "pearson", "to": "Glyn", "text": "I hold.", "with_sightings": True}
    action, enemy = SYSTEM.parse("write_dispatch", args), SYSTEM.parse("write_dispatch", {**args, "to": "Wood"})
    march = SYSTEM.parse("move", {"unit": "pearson-s-column", "to": "1219"})
    return {
        "to Glyn": lambda: SYSTEM.act(state, action, SeededDice("x")),
        "to Wood": lambda: SYSTEM.act(state, enemy, SeededDice("x")),
        "march": lambda: SYSTEM.act(state, march, SeededDice("x")),
        "view": lambda: SYSTEM.view(state, "pearson"),
        "map": lambda: SYSTEM.scene(state, "pearson"),
    }


@pytest.mark.soak
def test_answers_take_as_long_whatever_others_do_unseen() -> None:
    chance = random.Random(get_daily_seed())
    seconds: dict[str, tuple[list[float], list[float]]] = {}
    for number in range(PAIRS):
        worlds = [world(chance, busy=busy) for busy in (False, True)]
        for busy in (0, 1) if number % 2 else (1, 0):
            for name, ask in questions(worlds[busy]).items():
                seconds.setdefault(name, ([], []))[busy].append(measure_seconds(ask))
    for name, (calm, busy_ones) in seconds.items():
        probability, longer = rank_test(calm, busy_ones), median(busy_ones) - median(calm)
        print(f"{name}: {median(calm) * 1000:.2f} ms, {median(busy_ones) * 1000:.2f} ms, p {probability:.3f}")
        assert probability > SIGNIFICANCE or abs(longer) < SLIGHT, (
            f"{name}: {longer * 1000:.3f} ms longer in busy worlds"
        )
