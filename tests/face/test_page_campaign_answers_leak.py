"""The live map of a campaign answers a player with the same bytes, whatever others order unseen."""

import re
from collections.abc import Callable

import pytest

from bot.runtime.client import UmpireBot
from tests import leaks
from web import rate_limit

from .page_answers import pages
from .table import Table
from .test_hidden_leaks import World, told_in
from .test_tanga_leaks import new_bots

pytestmark = [pytest.mark.usefixtures("real_maps"), pytest.mark.soak]

__all__ = ["new_bots"]

OWN, HIDDEN, HIDDEN_NAME = "graham-s-column", "camelmen", "Camelmen"
SEAL = re.compile(r"\b[0-9a-f]{64}\b")
"""The seal of secret orders; it differs between the worlds."""
MOVES = ({"to": "Otao"}, {"to": "Tambuk", "with": "attack"}, {"with": "rest"})
"""Moves of the Mahdists out of sight of every British column."""


@pytest.fixture(autouse=True)
def no_rate_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MOST_REQUESTS", 100_000)


class PagedCampaign(World):
    """A campaign. The British player and an onlooker send every request of their pages, before and after a day."""

    def __init__(self, table: Table, system: str, *, busy: bool) -> None:
        super().__init__(table, system, busy=busy)
        self.answers: list[tuple[str, str]] = []

    async def play(self) -> None:
        """Give unseen orders: one in a quiet world; three and a change of another column in a busy world."""
        table = self.table
        await self.give(table.umpire, "game new", rules="campaign", scenario="suakin-1884")
        await self.give(table.british, "game join", side="British under Graham")
        await self.give(table.mahdist, "game join", side="Mahdists under Osman Digna")
        await self.give(table.umpire, "umpire option", name="knowledge", value=self.system)
        async with pages(table, table.british, table.onlooker) as opened:
            for day in range(2):
                for move in MOVES if self.busy else MOVES[:1]:
                    await self.unseen(table.mahdist, "move", unit=HIDDEN_NAME, **move)
                if self.busy and day == 0:
                    await self.unseen(table.mahdist, "move", unit="Siege of Sinkat", **{"with": "dig in"})
                for page in opened:
                    await page.ask_everything(OWN, HIDDEN, HIDDEN_NAME)
                    for kind, args in (("move", {"to": "2316 2317"}), ("move", {"to": "0802", "with": "by road"})):
                        await page.post("draft", {"units": [OWN], "kind": kind, "args": args})
                    await page.post("battle", {"battle": "battle-1-0802"})
                await self.give(table.british, "move", unit="Graham's column", to="Trinkitat" if day else "2316")
                await self.give(table.umpire, "turn next")
            for page in opened:
                await page.ask_everything(OWN, HIDDEN, HIDDEN_NAME)
        self.answers = [(heading, SEAL.sub("<seal>", text)) for page in opened for heading, text in page.records]

    async def told(self) -> leaks.SentTexts:
        """Return the recorded answers to the pages."""
        return self.answers


@pytest.mark.parametrize("knowledge", ["shared", "own"])
async def test_campaign_pages_get_the_same_bytes_whatever_others_order(
    knowledge: str, new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = [
        await told_in(knowledge, new_bots(), monkeypatch, busy=busy, of=PagedCampaign) for busy in (False, True)
    ]
    assert not leaks.find_first_difference(first, second), leaks.find_first_difference(first, second)
    answered_paths = [heading for heading, text in first if text.startswith("200")]
    for path in ("/ground", "/api/draft", "/api/sheet", "/api/step", "/api/history", "news"):
        assert any(path in heading for heading in answered_paths) or path == "news", path
    assert len(answered_paths) > 40
