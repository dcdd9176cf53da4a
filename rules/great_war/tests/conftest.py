"""Maps of these tests are registered like maps of the game."""

from collections.abc import Iterator

import pytest

from rules.great_war import ground

from .field import MAPS


@pytest.fixture(scope="session", autouse=True)
def registered_maps() -> Iterator[None]:
    """Add the maps of the tests to the maps that the rules find by name."""
    of_the_game = ground.board_named
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ground, "board_named", lambda name: MAPS[name] if name in MAPS else of_the_game(name))
        yield
