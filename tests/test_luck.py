"""Sides of throws: `/dice luck` counts a throw for its side, whoever acted."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import cast

import pytest

from bot.journal.game import Game
from bot.reports.facts import luck_in_words
from bot.services import Games
from bot.store import Store
from cogs.dice import luck_line
from rules.core.dice import Luck, Throw, compute_luck
from rules.registry import rulesets
from tests.readings import read_luck

from .conftest import ANNA

CHANNEL = 7


async def test_the_bots_throws_do_not_count_for_its_opponent(store: Store) -> None:
    games = Games(store, rulesets())
    await games.starter.start(CHANNEL, 5, ANNA, "tanga", "initial-assault", None, interaction=1)
    played = await games.actions.act_by_kind(CHANNEL, ANNA, "british", {"much": "decision"}, interaction=2)
    assert (played.entry.side, len(played.entry.report.throws)) == ("german", 1), "the entry hex of the 13th Rajputs"
    (british,) = await read_luck(games, CHANNEL, "german")
    assert (british.side, british.dice) == ("british", 2)


@pytest.mark.parametrize(
    "describe", [luck_in_words, partial(luck_line, cast(Game, SimpleNamespace(state=SimpleNamespace(sides=()))))]
)
def test_slightly_bad_luck_is_not_shown_as_minus_zero(describe: Callable[[Luck], str]) -> None:
    hardly = Luck(side="umpire", dice=12, total=42, expected=Fraction(421, 10), variance=Fraction(35), faces={})
    assert "(+0.0 standard deviations)" in describe(hardly)


def test_an_old_report_without_sides_of_throws_is_readable() -> None:
    old = Throw.model_validate_json('{"number": 1, "label": "hold", "sides": 6, "dice": [4]}')
    assert old.side is None
    (luck,) = compute_luck([("red", old)])
    assert (luck.side, luck.total) == ("red", 4)
