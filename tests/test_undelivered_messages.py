"""Undelivered messages: kept for the users concerned, for a limited time and up to a limit."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from bot.channel.undelivered import EVERYONE, KEPT_FOR, LONGEST, MOST_KEPT, UndeliveredMessages
from bot.store import Store
from bot.store.member_tables import UndeliveredRow

from .databases import create_database

HERE, ELSEWHERE, ANNA, BEN = 1, 2, 11, 12


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(create_database(tmp_path / "umpire.db"))
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def undelivered(store: Store) -> UndeliveredMessages:
    return UndeliveredMessages(store)


async def list_texts(untold: UndeliveredMessages, channel: int, user: int) -> list[str]:
    async with untold.deliver(channel, user) as notices:
        return [notice.text for notice in notices]


async def count_rows(store: Store) -> int:
    async with store.read() as session:
        return await session.scalar(select(func.count()).select_from(UndeliveredRow)) or 0


async def test_an_undelivered_message_is_sent_once_to_the_user_concerned(
    undelivered: UndeliveredMessages, store: Store
) -> None:
    await undelivered.store_notice("7", HERE, ANNA, "an ambush")
    await undelivered.store_notice("8", HERE, EVERYONE, "a volley")
    assert await list_texts(undelivered, HERE, BEN) == []
    assert await list_texts(undelivered, ELSEWHERE, ANNA) == []
    assert await list_texts(undelivered, HERE, ANNA) == ["an ambush"]
    assert await list_texts(undelivered, HERE, ANNA) == []
    assert await list_texts(undelivered, HERE, EVERYONE) == ["a volley"]
    assert await count_rows(store) == 0


async def test_an_undelivered_message_stays_when_sending_fails(undelivered: UndeliveredMessages) -> None:
    await undelivered.store_notice("7", HERE, ANNA, "an ambush")
    with pytest.raises(ConnectionError):
        async with undelivered.deliver(HERE, ANNA):
            raise ConnectionError
    assert await list_texts(undelivered, HERE, ANNA) == ["an ambush"]


async def test_a_message_being_sent_is_not_sent_again(undelivered: UndeliveredMessages) -> None:
    await undelivered.store_notice("7", HERE, EVERYONE, "a volley")
    async with undelivered.deliver(HERE, EVERYONE) as notices:
        assert len(notices) == 1
        assert await list_texts(undelivered, HERE, EVERYONE) == []


async def test_two_processes_store_the_same_message_once(undelivered: UndeliveredMessages, store: Store) -> None:
    await undelivered.store_notice("7", HERE, EVERYONE, "a volley")
    await UndeliveredMessages(store).store_notice("7", HERE, EVERYONE, "a volley")
    assert await list_texts(undelivered, HERE, EVERYONE) == ["a volley"]


async def test_another_process_finds_an_undelivered_message(undelivered: UndeliveredMessages, store: Store) -> None:
    await undelivered.store_notice("7", HERE, EVERYONE, "a volley")
    assert await list_texts(UndeliveredMessages(store), HERE, EVERYONE) == ["a volley"]


async def test_stored_messages_are_limited_in_number_and_age(undelivered: UndeliveredMessages, store: Store) -> None:
    for number in range(MOST_KEPT + 3):
        await undelivered.store_notice(f"{number}", HERE, ANNA, f"{number}" * LONGEST)
    assert await count_rows(store) == MOST_KEPT
    async with store.write() as session:
        await session.execute(update(UndeliveredRow).where(UndeliveredRow.key == "12").values(at=_long_ago()))
    texts = await list_texts(undelivered, HERE, ANNA)
    assert [text[0] for text in texts[:2]] == ["3", "4"]
    assert len(texts) == MOST_KEPT - 1
    assert all(len(text) == LONGEST for text in texts)
    await undelivered.store_notice("99", ELSEWHERE, BEN, "later")
    assert await count_rows(store) == 1, "what is too old goes, whosever it is"


async def test_no_query_runs_without_undelivered_messages(
    undelivered: UndeliveredMessages, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await list_texts(undelivered, HERE, ANNA)

    def asked() -> None:
        raise AssertionError("the database was asked")

    monkeypatch.setattr(store, "query_connection", asked)
    assert await list_texts(undelivered, HERE, ANNA) == []


def _long_ago() -> datetime:
    return datetime.now(UTC) - KEPT_FOR - timedelta(seconds=1)
