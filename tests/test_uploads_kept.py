"""Scenarios that people upload: one of each id in a server, whoever else uploads at the same instant."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import NotAllowed
from bot.game import Actor
from bot.inspections import Inspections
from bot.rulings import scope_of
from bot.store import Store
from bot.uploads import Uploads
from bot.workers import Threads

from .conftest import ANNA, BEN
from .toy_alone import ToyAlone

HERE = scope_of(5, ANNA.id)
SLOW = 0.3
"""Seconds between the look at what is there and the write."""


@pytest.fixture
def uploads(store: Store) -> Uploads:
    return Uploads(store, {"alone": ToyAlone()}, Inspections(Threads()))


@pytest.fixture
async def elsewhere(store: Store, database_url: str) -> AsyncIterator[Uploads]:
    """Those of another process, on the same database."""
    other = Store(database_url)
    await other.open()
    yield Uploads(other, {"alone": ToyAlone()}, Inspections(Threads()))
    await other.close()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """All look before any writes, unless the database has them wait for each other."""
    get = AsyncSession.get

    async def late(session: AsyncSession, *of: Any) -> Any:
        found = await get(session, *of)
        await asyncio.sleep(SLOW)
        return found

    monkeypatch.setattr(AsyncSession, "get", late)


def file(title: str) -> bytes:
    return json.dumps({"id": "ditch", "title": title, "briefing": "Cross it.", "steps": 4}).encode()


async def kept(uploads: Uploads, actor: Actor, title: str) -> bool | str:
    """Whether it replaced another, or why it was not kept."""
    try:
        return (await uploads.keep(HERE, actor, "alone", file(title))).replaced
    except NotAllowed as refused:
        return str(refused)


async def test_the_same_id_again_replaces_it_and_tells_so(uploads: Uploads) -> None:
    assert await kept(uploads, ANNA, "The ditch") is False
    assert await kept(uploads, ANNA, "The trench") is True
    assert [one.scenario.title for one in await uploads.list(HERE)] == ["The trench"]


@pytest.mark.usefixtures("slow")
async def test_of_ones_own_two_at_once_the_later_replaces_the_other(uploads: Uploads, elsewhere: Uploads) -> None:
    both = await asyncio.gather(kept(uploads, ANNA, "The ditch"), kept(elsewhere, ANNA, "The trench"))
    assert sorted(both) == [False, True]
    (one,) = await uploads.list(HERE)
    assert one.scenario.title == ("The ditch", "The trench")[both.index(True)]


@pytest.mark.usefixtures("slow")
async def test_of_two_peoples_at_once_the_later_is_told_whose_it_is(uploads: Uploads, elsewhere: Uploads) -> None:
    both = await asyncio.gather(kept(uploads, ANNA, "The ditch"), kept(elsewhere, BEN, "The trench"))
    (one,) = await uploads.list(HERE)
    assert f"{one.author.name} uploaded “ditch” here. Give yours a different id." in both
    assert False in both
