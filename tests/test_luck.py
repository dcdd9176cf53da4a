"""Whose a throw is: `/dice luck` counts it for that side, whoever acted."""

from bot.games import Games
from bot.store import Store
from rules.core.dice import Throw, luck
from rules.registry import rulesets
from tests.readings import luck_of

from .conftest import ANNA

CHANNEL = 7


async def test_what_the_bot_throws_for_its_side_is_not_its_opponents(store: Store) -> None:
    games = Games(store, rulesets())
    await games.start(CHANNEL, 5, ANNA, "tanga", "initial-assault", None, interaction=1)
    played = await games.command(CHANNEL, ANNA, "british", {"much": "decision"}, interaction=2)
    assert (played.entry.side, len(played.entry.report.throws)) == ("german", 1), "the entry hex of the 13th Rajputs"
    (british,) = await luck_of(games, CHANNEL, "german")
    assert (british.side, british.dice) == ("british", 2)


def test_a_report_kept_before_throws_told_their_side_still_reads() -> None:
    old = Throw.model_validate_json('{"number": 1, "label": "hold", "sides": 6, "dice": [4]}')
    assert old.side is None
    (one,) = luck([("red", old)])
    assert (one.side, one.total) == ("red", 4)
