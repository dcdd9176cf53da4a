"""Fixtures: saved games of each system and version, opened by the current code on a copy of the database."""

import gzip
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from bot.services import Games
from bot.store import Store
from rules.registry import rulesets
from tests.daily_choice import choose_daily
from tests.databases import create_database

SAVES = Path(__file__).parent


@dataclass(frozen=True)
class Save:
    """A saved game of a system, made by the code of a version."""

    system: str
    version: int

    def __str__(self) -> str:
        return f"{self.system} {self.version}"

    @cached_property
    def database(self) -> bytes:
        """Content of the SQLite file."""
        return gzip.decompress((SAVES / self.system / f"{self.version}.db.gz").read_bytes())

    @property
    def export(self) -> bytes:
        """Content of the umpire's export."""
        return gzip.decompress((SAVES / self.system / f"{self.version}.json.gz").read_bytes())


ALL_SAVES = [
    Save(path.parent.name, int(path.name.split(".")[0]))
    for path in sorted(SAVES.glob("*/*.db.gz"), key=lambda path: (path.parent.name, path.name))
]


def _list_versions(save: Save) -> list[int]:
    """Return the saved versions of the save's system, oldest first."""
    return sorted(sibling.version for sibling in ALL_SAVES if sibling.system == save.system)


def _parametrize(is_wanted: Callable[[Save], bool]) -> pytest.MarkDecorator:
    """Return a mark that runs a test with the saves that `is_wanted` accepts, and in the soak with all saves."""
    params = [pytest.param(save, id=str(save), marks=() if is_wanted(save) else pytest.mark.soak) for save in ALL_SAVES]
    return pytest.mark.parametrize("save", params, indirect=True)


TODAYS_SYSTEM = choose_daily(sorted({save.system for save in ALL_SAVES}))

with_oldest_save = _parametrize(lambda save: save.system == TODAYS_SYSTEM and save.version == _list_versions(save)[0])
"""For the slowest tests: the oldest save of the day's system, which needs every upgrade."""

with_newest_save = _parametrize(lambda save: save.system == TODAYS_SYSTEM and save.version == _list_versions(save)[-1])
"""For the slowest tests of current rules: the newest save of the day's system."""

only_in_the_soak = _parametrize(lambda _: False)
"""No save in quick tests: soak only."""

with_newest_save_of_each_system = _parametrize(lambda save: save.version == _list_versions(save)[-1])
"""The newest save of each system, where another test covers the upgraded states of older saves."""

with_oldest_and_newest_saves = _parametrize(
    lambda save: save.version in (_list_versions(save)[0], _list_versions(save)[-1])
)
"""For slow tests: the oldest and the newest save of each system."""


@pytest.fixture(params=ALL_SAVES, ids=str)
def save(request: pytest.FixtureRequest) -> Save:
    """Every saved game in turn."""
    param: Save = request.param
    return param


@pytest.fixture
async def store(save: Save, tmp_path: Path) -> AsyncIterator[Store]:
    """A store on an upgraded copy of the save's database."""
    store = Store(create_database(tmp_path / "umpire.db", content=save.database))
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def games(store: Store) -> Games:
    """The services for games on the store."""
    return Games(store, rulesets())
