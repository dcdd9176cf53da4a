"""Undelivered messages: kept for the users concerned, for a limited time and up to a limit."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from bot.channel.undelivered import EVERYONE, KEPT_FOR, LONGEST, MOST_KEPT, UndeliveredMessages
from bot.store import Store
from bot.store.tables import UndeliveredRow

from .databases import create_database

HERE, ELSEWHERE, ANNA, BEN = 1, 2, 11, 12


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(create_database(tmp_path / "umpire.db"))
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def untold(store: Store) -> UndeliveredMessages:
    return UndeliveredMessages(store)


async def texts(untold: UndeliveredMessages, channel: int, user: int) -> list[str]:
    async with untold.deliver(channel, user) as notices:
        return [notice.text for notice in notices]


async def rows(store: Store) -> int:
    async with store.read() as session:
        return await session.scalar(select(func.count()).select_from(UndeliveredRow)) or 0


async def test_it_is_told_once_and_only_to_whom_it_concerns(untold: UndeliveredMessages, store: Store) -> None:
    await untold.keep("7", HERE, ANNA, "an ambush")
    await untold.keep("8", HERE, EVERYONE, "a volley")
    assert await texts(untold, HERE, BEN) == []
    assert await texts(untold, ELSEWHERE, ANNA) == []
    assert await texts(untold, HERE, ANNA) == ["an ambush"]
    assert await texts(untold, HERE, ANNA) == []
    assert await texts(untold, HERE, EVERYONE) == ["a volley"]
    assert await rows(store) == 0


async def test_it_stays_where_telling_fails(untold: UndeliveredMessages) -> None:
    await untold.keep("7", HERE, ANNA, "an ambush")
    with pytest.raises(ConnectionError):
        async with untold.deliver(HERE, ANNA):
            raise ConnectionError
    assert await texts(untold, HERE, ANNA) == ["an ambush"]


async def test_who_comes_while_it_is_told_is_not_told_it_too(untold: UndeliveredMessages) -> None:
    await untold.keep("7", HERE, EVERYONE, "a volley")
    async with untold.deliver(HERE, EVERYONE) as notices:
        assert len(notices) == 1
        assert await texts(untold, HERE, EVERYONE) == []


async def test_two_processes_keep_the_same_once(untold: UndeliveredMessages, store: Store) -> None:
    await untold.keep("7", HERE, EVERYONE, "a volley")
    await UndeliveredMessages(store).keep("7", HERE, EVERYONE, "a volley")
    assert await texts(untold, HERE, EVERYONE) == ["a volley"]


async def test_another_process_finds_it(untold: UndeliveredMessages, store: Store) -> None:
    await untold.keep("7", HERE, EVERYONE, "a volley")
    assert await texts(UndeliveredMessages(store), HERE, EVERYONE) == ["a volley"]


async def test_the_newest_are_kept_and_none_for_ever_nor_endless(untold: UndeliveredMessages, store: Store) -> None:
    for number in range(MOST_KEPT + 3):
        await untold.keep(f"{number}", HERE, ANNA, f"{number}" * LONGEST)
    assert await rows(store) == MOST_KEPT
    async with store.write() as session:
        await session.execute(update(UndeliveredRow).where(UndeliveredRow.key == "12").values(at=_long_ago()))
    kept = await texts(untold, HERE, ANNA)
    assert [text[0] for text in kept[:2]] == ["3", "4"]
    assert len(kept) == MOST_KEPT - 1
    assert all(len(text) == LONGEST for text in kept)
    await untold.keep("99", ELSEWHERE, BEN, "later")
    assert await rows(store) == 1, "what is too old goes, whosever it is"


async def test_nothing_is_asked_of_the_database_while_nothing_is_untold(
    untold: UndeliveredMessages, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await texts(untold, HERE, ANNA)

    def asked() -> None:
        raise AssertionError("the database was asked")

    monkeypatch.setattr(store, "read", asked)
    assert await texts(untold, HERE, ANNA) == []


def _long_ago() -> datetime:
    return datetime.now(UTC) - KEPT_FOR - timedelta(seconds=1)
