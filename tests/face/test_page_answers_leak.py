"""The live map answers other users with the same bytes, whatever hidden units do and hidden dice show."""

import re
from collections.abc import Callable

import pytest

from bot.runtime.client import UmpireBot
from rules.registry import rulesets
from tests import leaks
from web import rate_limit

from .leak_check import play_world as told_in_world
from .page_answers import pages
from .table import Table
from .test_hidden_leaks import SYSTEMS, World, told_in
from .test_tanga_leaks import GAME_VALUES, REAL, new_bots

pytestmark = pytest.mark.usefixtures("real_maps")

__all__ = ["new_bots"]


@pytest.fixture(autouse=True)
def no_rate_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MOST_REQUESTS", 100_000)


class PagedWorld(World):
    """A game with a hidden unit. The other side and an onlooker send every request of their pages."""

    def __init__(self, table: Table, system: str, *, busy: bool) -> None:
        super().__init__(table, system, busy=busy)
        self.answers: list[tuple[str, str]] = []

    async def play(self) -> None:
        """Hide a unit, which acts in a busy world, and send every request before and after a turn."""
        table, system = self.table, rulesets()[self.system]
        await self.give(table.umpire, "game new", rules=self.system, scenario=next(iter(system.scenarios)))
        game = await table.env.bot.games.running_game(table.channel.id)
        ours, theirs = (side.id for side in game.state.sides)
        await self.give(table.british, "game join", side=ours)
        await self.give(table.mahdist, "game join", side=theirs)
        await self.give(table.umpire, "umpire option", name="hidden troops", value="yes")
        hidden = next(unit for unit in game.state.units_of(theirs) if unit.place is not None)
        mine = next(unit for unit in game.state.units_of(ours) if unit.place is not None)
        await self.unseen(table.umpire, "unit hide", unit=hidden.name)
        async with pages(table, table.british, table.onlooker) as opened:
            for step in range(2):
                await self.go_about(hidden.name)
                for page in opened:
                    await page.ask_everything(mine.id, hidden.id, hidden.name)
                if step == 0:
                    await self.give(table.british, "move", unit=mine.name, to="forward 1")
                    await self.give(table.umpire, "turn next")
        self.answers = [record for page in opened for record in page.records]

    async def told(self) -> leaks.SentTexts:
        """Return the recorded answers to the pages."""
        return self.answers


async def play_tanga(table: Table) -> leaks.SentTexts:
    """Let the British begin while no marker is seen. The umpire, a player here, and an onlooker send every request."""
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    async with pages(table, table.umpire, table.onlooker) as opened:
        for _ in range(2):
            for page in opened:
                await page.ask_everything(GAME_VALUES["unit"], GAME_VALUES["target"], "13 Rajputs")
            await table.give(table.umpire, "british step", much="decision")
            await table.env.settle()
    return [record for page in opened for record in page.records]


async def record_answers(
    system: str, world: int, new_bot: Callable[[], UmpireBot], monkeypatch: pytest.MonkeyPatch
) -> leaks.SentTexts:
    """Return the answers to other users in world 1 or 2, which differ in hidden facts."""
    if system != "tanga":
        return await told_in(system, new_bot, monkeypatch, busy=world == 2, of=PagedWorld)
    answers: list[tuple[str, str]] = []

    async def play(table: Table) -> None:
        answers.extend(await play_tanga(table))

    _, dice = await told_in_world(world, new_bot, monkeypatch, play)
    assert dice, "the game must have hidden facts"
    assert leaks.find_leaks(answers, [re.compile(pattern) for pattern in REAL]) == []
    return answers


@pytest.mark.soak
@pytest.mark.parametrize("system", [*SYSTEMS, "tanga"])
async def test_pages_get_the_same_bytes_whatever_is_hidden(
    system: str, new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = [await record_answers(system, world, new_bots(), monkeypatch) for world in (1, 2)]
    assert not leaks.find_first_difference(first, second), leaks.find_first_difference(first, second)
    answered_paths = [heading for heading, text in first if text.startswith("200")]
    assert len(answered_paths) > 40
    for path in ("/ground", "/api/draft", "/api/sheet", "/api/step"):
        assert any(path in heading for heading in answered_paths) or system == "tanga", path
