"""Time set by the test, for clocks, reminders and journal entries."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from bot.games.clock import Clocks
from bot.journal.game import Actor
from bot.services import Games

from .conftest import CHANNEL

START = datetime(2026, 1, 10, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ELLA = Actor(5, "Ella")


class Moment:
    """The current time of every process and journal entry."""

    def __init__(self) -> None:
        self.now = START

    def advance(self, hours: float) -> None:
        self.now += hours * HOUR


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Iterator[Moment]:
    moment = Moment()
    monkeypatch.setattr(Clocks, "now", lambda _: moment.now)

    class FakeDatetime(datetime):
        @classmethod
        def now(cls, _: object = None) -> datetime:  # type: ignore[override]
            return moment.now

    monkeypatch.setattr("bot.journal.drafts.datetime", FakeDatetime)
    return moment


async def list_deadlines(games: Games) -> dict[str, float]:
    """Return each side's deadline, in hours from the start."""
    game = await games.running_game(CHANNEL)
    return {deadline.side: (deadline.ends - START) / HOUR for deadline in await games.clocks.load_deadlines(game)}
