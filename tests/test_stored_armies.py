"""Stored armies: private to their owner in a server, keyed by system and name, and limited in number."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import UserError
from bot.games.stored_armies import LONGEST_NAME, MOST, StoredArmies
from bot.store import Store
from bot.store.scope import data_scope

from .conftest import ANNA, BEN

HERE, THERE = data_scope(5, ANNA.id), data_scope(6, ANNA.id)


@pytest.fixture
def armies(store: Store) -> StoredArmies:
    return StoredArmies(store)


async def list_names(
    armies: StoredArmies, scope: str = HERE, owner: int = ANNA.id, ruleset: str | None = None
) -> list[str]:
    return [army.name for army in await armies.list(scope, owner, ruleset)]


async def test_a_force_belongs_to_its_owner_server_and_rules(armies: StoredArmies) -> None:
    await armies.store_army(HERE, ANNA.id, "magdala", "Camel Corps", "24 Zulu impi: A")
    await armies.store_army(HERE, ANNA.id, "empire", "Camel Corps", "8 Zulu impi: A")
    assert await list_names(armies) == ["Camel Corps", "Camel Corps"]
    assert await list_names(armies, ruleset="empire") == ["Camel Corps"]
    assert await list_names(armies, owner=BEN.id) == await list_names(armies, THERE) == []


async def test_a_name_in_other_letters_and_spaces_replaces_the_force(armies: StoredArmies) -> None:
    await armies.store_army(HERE, ANNA.id, "magdala", "Camel Corps", "24 Zulu impi: A")
    replaced = await armies.store_army(HERE, ANNA.id, "magdala", "  CAMEL   corps ", "12 Zulu impi: B")
    (army,) = await armies.list(HERE, ANNA.id)
    assert (army.name, army.lines) == ("CAMEL corps", "12 Zulu impi: B") == (replaced.name, replaced.lines)


async def test_accents_in_names_do_not_count(armies: StoredArmies) -> None:
    for name in ("Zoe\u0308", "Zo\u00eb"):
        await armies.store_army(HERE, ANNA.id, "magdala", name, "24 Zulu impi: A")
    (army,) = await armies.list(HERE, ANNA.id)
    await armies.delete_army(HERE, ANNA.id, army)
    assert await list_names(armies) == []


@pytest.mark.parametrize("name", ["", "  ", "x" * (LONGEST_NAME + 1), "a\x00b", "a\x1bb"])
async def test_an_invalid_name_is_refused(armies: StoredArmies, name: str) -> None:
    with pytest.raises(UserError, match="one line of 1 to 80 characters"):
        await armies.store_army(HERE, ANNA.id, "magdala", name, "Zulu impi")
    assert await list_names(armies) == []


async def test_the_number_of_forces_is_limited(armies: StoredArmies) -> None:
    for number in range(MOST):
        last = await armies.store_army(HERE, ANNA.id, "magdala", f"Force {number}", "Zulu impi")
    with pytest.raises(UserError, match="/army forget"):
        await armies.store_army(HERE, ANNA.id, "empire", "One more", "Zulu impi")
    await armies.store_army(HERE, ANNA.id, "magdala", "Force 3", "Imam")
    await armies.store_army(HERE, BEN.id, "magdala", "Ben's", "Zulu impi")
    for _ in range(2):
        await armies.delete_army(HERE, ANNA.id, last)
    await armies.store_army(HERE, ANNA.id, "empire", "One more", "Zulu impi")
    assert len(await list_names(armies)) == MOST


async def test_the_later_of_two_simultaneous_forces_replaces_the_other(
    armies: StoredArmies, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, calls = Store.write, []

    @asynccontextmanager
    async def late(store: Store) -> AsyncIterator[AsyncSession]:
        calls.append(store)
        async with write(store) as session:
            yield session
            if len(calls) == 1:
                raise IntegrityError("INSERT", None, Exception("another process was first"))

    monkeypatch.setattr(Store, "write", late)
    await armies.store_army(HERE, ANNA.id, "magdala", "Camel Corps", "12 Zulu impi: B")
    assert len(calls) == 2
    assert [army.lines for army in await armies.list(HERE, ANNA.id)] == ["12 Zulu impi: B"]
