"""A saved game of each system and version, opened by today's code on a copy of its database."""

import gzip
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from bot.services import Games
from bot.store import Store
from rules.registry import rulesets
from tests.daily import choose_daily
from tests.databases import create_database

SAVES = Path(__file__).parent


@dataclass(frozen=True)
class Save:
    """A saved game: its system, and the version whose code made it."""

    system: str
    version: int

    def __str__(self) -> str:
        return f"{self.system} {self.version}"

    @cached_property
    def database(self) -> bytes:
        """The SQLite file."""
        return gzip.decompress((SAVES / self.system / f"{self.version}.db.gz").read_bytes())

    @property
    def export(self) -> bytes:
        """What the umpire exported."""
        return gzip.decompress((SAVES / self.system / f"{self.version}.json.gz").read_bytes())


EVERY = [
    Save(path.parent.name, int(path.name.split(".")[0]))
    for path in sorted(SAVES.glob("*/*.db.gz"), key=lambda path: (path.parent.name, path.name))
]


def _versions(save: Save) -> list[int]:
    """All that there are of its system, the oldest first."""
    return sorted(one.version for one in EVERY if one.system == save.system)


def _only(wanted: Callable[[Save], bool]) -> pytest.MarkDecorator:
    """Those saves, and in the long part all others too."""
    params = [pytest.param(save, id=str(save), marks=() if wanted(save) else pytest.mark.soak) for save in EVERY]
    return pytest.mark.parametrize("save", params, indirect=True)


TODAYS = choose_daily(sorted({save.system for save in EVERY}))

oldest = _only(lambda save: save.system == TODAYS and save.version == _versions(save)[0])
"""For what takes longest: the oldest save of the day's system, which goes through every upgrade."""

newest = _only(lambda save: save.system == TODAYS and save.version == _versions(save)[-1])
"""For what takes longest, and hangs on how the rules of today are."""

in_the_soak = _only(lambda _: False)
"""For what is looked at in the long part alone."""

newest_of_each = _only(lambda save: save.version == _versions(save)[-1])
"""For what the upgraded states of an older save go through in another test as well."""

oldest_and_newest = _only(lambda save: save.version in (_versions(save)[0], _versions(save)[-1]))
"""For what takes long: the newest, too."""


@pytest.fixture(params=EVERY, ids=str)
def save(request: pytest.FixtureRequest) -> Save:
    """Each saved game there is."""
    found: Save = request.param
    return found


@pytest.fixture
async def store(save: Save, tmp_path: Path) -> AsyncIterator[Store]:
    """A copy of its database, which is brought up to date once."""
    store = Store(create_database(tmp_path / "umpire.db", saved=save.database))
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def games(store: Store) -> Games:
    """The games in it."""
    return Games(store, rulesets())
