"""A saved game of each system and version, opened by today's code on a copy of its database."""

import gzip
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.games import Games
from bot.store import Store
from rules.registry import rulesets

SAVES = Path(__file__).parent


@dataclass(frozen=True)
class Save:
    """A saved game: its system, and the version whose code made it."""

    system: str
    version: int

    def __str__(self) -> str:
        return f"{self.system} {self.version}"

    @property
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


def _between(save: Save) -> bool:
    """Whether there are older and newer ones of its system."""
    versions = [one.version for one in EVERY if one.system == save.system]
    return min(versions) < save.version < max(versions)


oldest_and_newest = pytest.mark.parametrize(
    "save",
    [pytest.param(save, id=str(save), marks=pytest.mark.soak if _between(save) else ()) for save in EVERY],
    indirect=True,
)
"""For what takes long: the oldest save of each system, which goes through every upgrade, and the newest.

The long part has those between them too.
"""


@pytest.fixture(params=EVERY, ids=str)
def save(request: pytest.FixtureRequest) -> Save:
    """Each saved game there is."""
    found: Save = request.param
    return found


@pytest.fixture
async def store(save: Save, tmp_path: Path) -> AsyncIterator[Store]:
    """A copy of its database."""
    (tmp_path / "umpire.db").write_bytes(save.database)
    store = Store(f"sqlite+aiosqlite:///{tmp_path / 'umpire.db'}")
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def games(store: Store) -> Games:
    """The games in it."""
    return Games(store, rulesets())
