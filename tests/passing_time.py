"""Time that passes as a test says: for clocks, reminders and the entries of the journal."""

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
    """The present moment of every process, and of the entries that are made."""

    def __init__(self) -> None:
        self.now = START

    def pass_by(self, hours: float) -> None:
        self.now += hours * HOUR


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Iterator[Moment]:
    moment = Moment()
    monkeypatch.setattr(Clocks, "now", lambda _: moment.now)

    class Then(datetime):
        @classmethod
        def now(cls, _: object = None) -> datetime:  # type: ignore[override]
            return moment.now

    monkeypatch.setattr("bot.journal.drafts.datetime", Then)
    return moment


async def ends(games: Games) -> dict[str, float]:
    """The hours from the start until which each side has time."""
    game = await games.running(CHANNEL)
    return {one.side: (one.ends - START) / HOUR for one in await games.clocks.deadlines(game)}
