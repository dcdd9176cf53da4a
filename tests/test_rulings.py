"""Rulings: decided by dice, stored for each server and each user separately."""

from datetime import UTC, datetime

import pytest

from bot.errors import NotAllowed, UserError
from bot.games.rulings import LONGEST, MOST_RULINGS, MOST_RULINGS_OF_MEMBER, Rulings
from bot.services import Games
from bot.store import Store
from bot.store.member_tables import RulingRow
from bot.store.scope import data_scope
from rules.core.model import PUBLIC
from tests.readings import read_log, verify_throws

from .conftest import ANNA, BEN, CARL, CHANNEL

HERE = data_scope(5, ANNA.id)
PRIVATE = data_scope(None, ANNA.id)


@pytest.fixture
def rulings(store: Store, games: Games) -> Rulings:
    return Rulings(store, games.actions, games.rolls, games.running_game)


@pytest.mark.parametrize(("odds", "sides", "yes"), [("4+", 6, range(4, 7)), (" 35 % ", 100, range(1, 36))])
async def test_the_dice_decide_by_the_odds_given(rulings: Rulings, odds: str, sides: int, yes: range) -> None:
    answers = set()
    for number in range(40):
        ruling = await rulings.answer_by_dice(CHANNEL, BEN, "Does the mule bolt?", odds, interaction=number)
        (throw,) = ruling.rolled.report.throws
        assert throw.sides == sides
        assert ruling.yes == (throw.total in yes)
        answers.add(ruling.yes)
    assert answers == {True, False}


async def test_a_ruling_in_a_game_uses_its_dice_and_journal(field: Games, rulings: Rulings) -> None:
    ruling = await rulings.answer_by_dice(CHANNEL, BEN, "Does the mule bolt?", interaction=10)
    assert ruling.rolled.played is not None
    assert "mule bolt" in (await read_log(field, CHANNEL, PUBLIC, 1))[0].report.headline
    assert (await verify_throws(field, CHANNEL)).is_fair


@pytest.mark.parametrize("odds", ["", "1+", "7+", "0%", "100%", "4", "maybe", "4+ 4+"])
async def test_invalid_odds_are_refused(rulings: Rulings, odds: str) -> None:
    with pytest.raises(UserError, match="cannot be read as odds"):
        await rulings.answer_by_dice(CHANNEL, BEN, "?", odds, interaction=1)


async def test_rulings_are_kept_newest_first_for_their_house_alone(rulings: Rulings) -> None:
    await rulings.store_ruling(HERE, ANNA, "Mules bolt on a 1.")
    await rulings.store_ruling(HERE, BEN, "Rockets scare elephants.")
    await rulings.store_ruling(PRIVATE, ANNA, "Mine alone.")
    assert [ruling.text for ruling in await rulings.load_newest_rulings(HERE, 10)] == [
        "Rockets scare elephants.",
        "Mules bolt on a 1.",
    ]
    assert [ruling.author for ruling in await rulings.load_newest_rulings(PRIVATE, 10)] == [ANNA]
    assert await rulings.load_newest_rulings(data_scope(None, BEN.id), 10) == []


async def test_rulings_are_found_by_misspelt_words(rulings: Rulings) -> None:
    await rulings.store_ruling(HERE, ANNA, "Mules bolt on a 1.")
    await rulings.store_ruling(HERE, BEN, "Rockets scare elephants.")
    assert [ruling.text for ruling in await rulings.search(HERE, "elefants rocket", 10)] == ["Rockets scare elephants."]
    assert await rulings.search(HERE, "qqqq", 10) == []


@pytest.mark.parametrize("text", ["", "   ", "x" * (LONGEST + 1)])
async def test_no_ruling_is_too_short_or_too_long(rulings: Rulings, text: str) -> None:
    with pytest.raises(UserError, match="characters"):
        await rulings.store_ruling(HERE, ANNA, text)


async def store_rulings(store: Store, count: int) -> None:
    """Store `count` rulings of Ben's in one statement."""
    async with store.write() as session:
        session.add_all(
            RulingRow(scope=HERE, at=datetime.now(UTC), author=BEN.id, author_name=BEN.name, text=f"Rule {number}.")
            for number in range(count)
        )


async def test_rulings_are_read_a_page_at_a_time(rulings: Rulings, store: Store) -> None:
    await store_rulings(store, 25)
    pages, before = [], None
    while page := await rulings.load_newest_rulings(HERE, 10, before):
        pages.append([ruling.text for ruling in page])
        before = page[-1].id
    assert [len(page) for page in pages] == [10, 10, 5]
    assert [text for page in pages for text in page] == [f"Rule {number}." for number in reversed(range(25))]
    assert len(await rulings.search(HERE, "Rule", 3)) == 3


async def test_a_members_limit_of_100_leaves_space_for_others(rulings: Rulings, store: Store) -> None:
    await store_rulings(store, MOST_RULINGS_OF_MEMBER)
    with pytest.raises(UserError, match=r"You have written 100 house rules here.*/ruling remove"):
        await rulings.store_ruling(HERE, BEN, "One more.")
    assert (await rulings.store_ruling(HERE, ANNA, "Mules bolt on a 1.")).author == ANNA


async def test_the_501st_ruling_is_refused_with_the_way_out(rulings: Rulings, store: Store) -> None:
    await store_rulings(store, MOST_RULINGS - 1)
    last = await rulings.store_ruling(HERE, ANNA, "Mules bolt on a 1.", interaction=7)
    with pytest.raises(UserError, match=r"500 house rules are kept here.*/ruling remove"):
        await rulings.store_ruling(HERE, ANNA, "One more.", interaction=8)
    assert await rulings.store_ruling(HERE, ANNA, "Mules bolt on a 1.", interaction=7) == last, "it is kept already"
    assert await rulings.store_ruling(PRIVATE, ANNA, "Elsewhere."), "each house has its own"
    await rulings.remove(HERE, ANNA, last.id, manages=False)
    assert (await rulings.store_ruling(HERE, ANNA, "One more.", interaction=9)).text == "One more."


async def test_authors_and_channel_managers_may_delete_a_ruling(rulings: Rulings) -> None:
    first, second = [await rulings.store_ruling(HERE, BEN, text) for text in ("Mules bolt.", "Rockets scare.")]
    with pytest.raises(NotAllowed, match="Only Ben"):
        await rulings.remove(HERE, CARL, first.id, manages=False)
    with pytest.raises(UserError, match="has the number"):
        await rulings.remove(PRIVATE, BEN, first.id, manages=True)
    assert await rulings.remove(HERE, BEN, first.id, manages=False) == first
    assert await rulings.remove(HERE, CARL, second.id, manages=True) == second
    assert await rulings.load_newest_rulings(HERE, 10) == []
