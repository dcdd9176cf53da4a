"""The maps that these tests draw are found by their names, as those of the game are."""

from collections.abc import Iterator

import pytest

from rules.campaign import ground

from .country import MAPS


@pytest.fixture(scope="session", autouse=True)
def maps_of_tests() -> Iterator[None]:
    """Where a state names a map of the tests, the rules read that."""
    of_the_game = ground.shipped_board
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ground, "shipped_board", lambda name: MAPS[name] if name in MAPS else of_the_game(name))
        yield
