"""Rulings: the dice decide, the house remembers, each server and each user for itself."""

import pytest

from bot.errors import UserError
from bot.games import Games
from bot.rulings import LONGEST, Rulings, scope_of
from bot.store import Store
from rules.core.model import PUBLIC

from .conftest import ANNA, BEN, CHANNEL

HERE = scope_of(5, ANNA.id)
PRIVATE = scope_of(None, ANNA.id)


@pytest.fixture
def rulings(store: Store, games: Games) -> Rulings:
    return Rulings(store, games)


@pytest.mark.parametrize(("odds", "sides", "good"), [("4+", 6, range(4, 7)), (" 35 % ", 100, range(1, 36))])
async def test_the_dice_decide_by_the_odds_given(rulings: Rulings, odds: str, sides: int, good: range) -> None:
    answers = set()
    for number in range(40):
        asked = await rulings.ask(CHANNEL, BEN, "Does the mule bolt?", odds, interaction=number)
        (throw,) = asked.rolled.report.throws
        assert throw.sides == sides
        assert asked.yes == (throw.total in good)
        answers.add(asked.yes)
    assert answers == {True, False}


async def test_in_a_game_its_own_dice_decide_and_the_journal_remembers(field: Games, rulings: Rulings) -> None:
    asked = await rulings.ask(CHANNEL, BEN, "Does the mule bolt?", interaction=10)
    assert asked.rolled.played is not None
    assert "mule bolt" in (await field.log(CHANNEL, PUBLIC, 1))[0].report.headline
    assert (await field.verify(CHANNEL)).fair


@pytest.mark.parametrize("odds", ["", "1+", "7+", "0%", "100%", "4", "maybe", "4+ 4+"])
async def test_odds_that_are_none_are_refused(rulings: Rulings, odds: str) -> None:
    with pytest.raises(UserError, match="no odds"):
        await rulings.ask(CHANNEL, BEN, "?", odds, interaction=1)


async def test_rulings_are_kept_newest_first_for_their_house_alone(rulings: Rulings) -> None:
    await rulings.record(HERE, ANNA, "Mules bolt on a 1.")
    await rulings.record(HERE, BEN, "Rockets scare elephants.")
    await rulings.record(PRIVATE, ANNA, "Mine alone.")
    assert [ruling.text for ruling in await rulings.list(HERE)] == ["Rockets scare elephants.", "Mules bolt on a 1."]
    assert [ruling.author for ruling in await rulings.list(PRIVATE)] == [ANNA]
    assert await rulings.list(scope_of(None, BEN.id)) == []


async def test_rulings_are_found_by_misspelt_words(rulings: Rulings) -> None:
    await rulings.record(HERE, ANNA, "Mules bolt on a 1.")
    await rulings.record(HERE, BEN, "Rockets scare elephants.")
    assert [ruling.text for ruling in await rulings.list(HERE, "elefants rocket")] == ["Rockets scare elephants."]
    assert await rulings.list(HERE, "qqqq") == []


@pytest.mark.parametrize("text", ["", "   ", "x" * (LONGEST + 1)])
async def test_no_ruling_is_too_short_or_too_long(rulings: Rulings, text: str) -> None:
    with pytest.raises(UserError, match="characters"):
        await rulings.record(HERE, ANNA, text)
