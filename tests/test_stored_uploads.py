"""Uploaded scenarios: ids are unique in a server, also for simultaneous uploads."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import NotAllowed, UserError
from bot.games.uploaded_scenarios import MOST_SCENARIOS_OF_MEMBER, UploadedScenarios
from bot.journal.game import Actor
from bot.store import Store
from bot.store.scope import data_scope
from bot.workers import ThreadWorkers
from bot.workers.inspections import Inspections

from .conftest import ANNA, BEN
from .solo_toy import ToyAlone

HERE = data_scope(5, ANNA.id)
WRITE_DELAY = 0.3
"""Seconds between reading existing ids and writing."""


@pytest.fixture
def uploads(store: Store) -> UploadedScenarios:
    return UploadedScenarios(store, {"alone": ToyAlone()}, Inspections(ThreadWorkers()))


@pytest.fixture
async def other_uploads(store: Store, database_url: str) -> AsyncIterator[UploadedScenarios]:
    """The uploads service of another process on the same database."""
    second = Store(database_url)
    await second.open()
    yield UploadedScenarios(second, {"alone": ToyAlone()}, Inspections(ThreadWorkers()))
    await second.close()


@pytest.fixture
def slow_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delay writes so that all uploads read first, unless the database makes them wait."""
    get = AsyncSession.get

    async def late(session: AsyncSession, *args: Any) -> Any:
        row = await get(session, *args)
        await asyncio.sleep(WRITE_DELAY)
        return row

    monkeypatch.setattr(AsyncSession, "get", late)


def create_file(title: str, ident: str = "ditch") -> bytes:
    return json.dumps({"id": ident, "title": title, "briefing": "Cross it.", "steps": 4}).encode()


async def keep_scenario(uploads: UploadedScenarios, actor: Actor, title: str) -> bool:
    """Store a scenario. Return whether another was replaced."""
    return (await uploads.store_scenario(HERE, actor, "alone", create_file(title))).replaced


async def test_a_repeated_id_replaces_the_scenario_and_says_so(uploads: UploadedScenarios) -> None:
    assert await keep_scenario(uploads, ANNA, "The ditch") is False
    assert await keep_scenario(uploads, ANNA, "The trench") is True
    assert [upload.scenario.title for upload in await uploads.list(HERE)] == ["The trench"]


@pytest.mark.usefixtures("slow_writes")
async def test_the_later_of_two_simultaneous_own_uploads_replaces_the_other(
    uploads: UploadedScenarios, other_uploads: UploadedScenarios
) -> None:
    both = await asyncio.gather(
        keep_scenario(uploads, ANNA, "The ditch"), keep_scenario(other_uploads, ANNA, "The trench")
    )
    assert sorted(both) == [False, True]
    (upload,) = await uploads.list(HERE)
    assert upload.scenario.title == ("The ditch", "The trench")[both.index(True)]


@pytest.mark.usefixtures("slow_writes")
async def test_the_later_of_two_users_uploads_gets_a_free_id_with_the_reason(
    uploads: UploadedScenarios, other_uploads: UploadedScenarios
) -> None:
    both = await asyncio.gather(
        uploads.store_scenario(HERE, ANNA, "alone", create_file("The ditch")),
        other_uploads.store_scenario(HERE, BEN, "alone", create_file("The trench")),
    )
    first, second = sorted(both, key=lambda upload: upload.scenario.id)
    assert (first.scenario.id, first.holder) == ("ditch", None)
    assert (second.scenario.id, second.holder) == ("ditch-2", first.author.name)
    assert {upload.scenario.id for upload in await uploads.list(HERE)} == {"ditch", "ditch-2"}


async def test_an_id_of_another_user_gets_a_suffix(uploads: UploadedScenarios) -> None:
    """The same holds for an id that differs only in capital letters."""
    await uploads.store_scenario(HERE, ANNA, "alone", create_file("The ditch", "DITCH"))
    bens = await uploads.store_scenario(HERE, BEN, "alone", create_file("The trench"))
    assert (bens.scenario.id, bens.replaced, bens.holder) == ("ditch-2", False, "Anna")
    reloaded = await uploads.store_scenario(HERE, BEN, "alone", create_file("The trench"))
    assert (reloaded.scenario.id, reloaded.replaced) == ("ditch-2", True)
    third = await uploads.store_scenario(HERE, BEN, "alone", create_file("The wall"))
    assert (third.scenario.id, third.replaced) == ("ditch-3", False)
    assert (await uploads.store_scenario(HERE, ANNA, "alone", create_file("Mine"))).scenario.id == "DITCH"


async def test_a_members_limit_of_five_leaves_space_for_others(uploads: UploadedScenarios) -> None:
    for number in range(MOST_SCENARIOS_OF_MEMBER):
        await uploads.store_scenario(HERE, ANNA, "alone", create_file("Ditch", f"ditch{number}"))
    with pytest.raises(UserError, match=r"You keep 5 scenarios in this server.*/scenario remove"):
        await uploads.store_scenario(HERE, ANNA, "alone", create_file("Ditch", "one-more"))
    assert (await uploads.store_scenario(HERE, ANNA, "alone", create_file("Trench", "ditch1"))).replaced
    assert not (await uploads.store_scenario(HERE, BEN, "alone", create_file("Ditch", "bens"))).replaced
    for number in range(MOST_SCENARIOS_OF_MEMBER + 1):
        await uploads.store_scenario(data_scope(None, ANNA.id), ANNA, "alone", create_file("Ditch", f"ditch{number}"))
    await uploads.remove(HERE, ANNA, "alone", "ditch0", manages=False)
    assert not (await uploads.store_scenario(HERE, ANNA, "alone", create_file("Ditch", "one-more"))).replaced


async def test_a_scenario_is_removed_by_its_owner_or_who_manages_the_server(uploads: UploadedScenarios) -> None:
    await uploads.store_scenario(HERE, ANNA, "alone", create_file("The ditch"))
    with pytest.raises(NotAllowed, match="Only Anna, who uploaded it, or a member who may manage this server"):
        await uploads.remove(HERE, BEN, "alone", "ditch", manages=False)
    removed = await uploads.remove(HERE, BEN, "alone", "ditch", manages=True)
    assert removed.author.name == "Anna"
    with pytest.raises(UserError, match="no such scenario here"):
        await uploads.remove(HERE, ANNA, "alone", "ditch", manages=False)
    assert await uploads.list(HERE) == []
