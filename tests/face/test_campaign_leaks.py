"""Campaigns in the chat: what a command is sent is the same to the last byte, whatever others do and write unseen."""

from collections.abc import Callable
from typing import Any

import pytest
import simcord

from bot.runtime.client import UmpireBot
from tests import leaks
from tests.test_campaign_leaks import SEAL

from .table import labels
from .test_hidden_leaks import ASKED, PRIVATE, World, told_in
from .test_tanga_leaks import new_bots

__all__ = ["new_bots"]

GLYN, WOOD, PEARSON, MBILINI = (
    "British under Glyn",
    "British under Wood",
    "British under Pearson",
    "Zulus under Mbilini",
)
CAMPAIGN_ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    *(question for question in ASKED if question[0] not in ("terrain list", "scenario save")),
    ("campaign status", {}),
    ("campaign gazette", {}),
    ("campaign dispatches", {}),
    ("game replay", {"side": PEARSON}),
)


UNIT = {"own": "Wood's column", "shared": "abaQulusi"}
"""The column of the player who goes about, by who knows what."""


def is_private_follow_up(body: Any) -> bool:
    """Whether the user alone sees such a further answer."""
    return isinstance(body, dict) and bool(body.get("flags", 0) & PRIVATE)


class OwnKnowledge(World):
    """A campaign in which each command knows its own. Pearson's player and an onlooker ask for everything.

    In a busy world Glyn's and Wood's players and the Zulus write, order and take back where nobody else learns of it.
    """

    async def play(self) -> None:
        """Play two days, and carry the game elsewhere."""
        table = self.table
        await self.give(table.umpire, "game new", rules="campaign", scenario="zululand-1879")
        await self.give(table.umpire, "umpire option", name="knowledge", value=self.system)
        await self.give(table.british, "game join", side=PEARSON)
        await self.give(table.mahdist, "game join", side=WOOD if self.system == "own" else MBILINI)
        if self.system == "own":
            await self.give(table.british, "campaign dispatch", to=GLYN, text="I hold.", with_sightings=True)
        await self.give(table.british, "move", unit="Pearson's column", to="Nyezane")
        await self.go_about(UNIT[self.system])
        await self.ask()
        await self.give(table.umpire, "turn next")
        await self.go_about(UNIT[self.system])
        await self.ask()
        preview = await table.give(table.british, "game undo")
        await table.press(table.british, preview.private[0], labels(preview.private[0])[0])
        await self.give(table.umpire, "turn next")
        await self.ask()
        await self.carry_elsewhere()

    async def give(self, actor: simcord.MemberActor, command: str, **options: Any) -> None:
        """Give a command; what the umpire alone reads of a day is left out."""
        before = len(self.table.env.http_requests)
        await super().give(actor, command, **options)
        if actor == self.table.umpire:
            requests = list(self.table.env.http_requests)[before:]
            self.left_out += [
                (at, at + 1) for at, request in enumerate(requests, before) if is_private_follow_up(request.json)
            ]

    async def told(self) -> leaks.SentTexts:
        """All that others were sent, without the seals of orders: those of different orders differ."""
        self.left_out.sort()
        return [(place, SEAL.sub("<seal>", text)) for place, text in await super().told()]

    async def ask(self) -> None:
        """Ask for everything that Pearson's player and an onlooker may see."""
        table = self.table
        for actor in (table.british, table.onlooker):
            for command, options in CAMPAIGN_ASKED:
                await self.give(actor, command, **options)
            for command, option in (("unit show", "unit"), ("move", "unit"), ("campaign dispatch", "to")):
                await table.complete(actor, command, option)
            await table.complete(actor, "move", "to", unit="Pearson's column")
            for unit in ("Pearson's column", "Wood's column", "Scouts", "abaQulusi"):
                await self.give(actor, "unit show", unit=unit)
                await self.give(actor, "odds", test="move", unit=unit, target="Eshowe")
                await self.give(actor, "move", unit=unit, to="nowhere")
            await self.give(actor, "campaign dispatch", to=MBILINI, text="Give up.")

    async def go_about(self, unit: str) -> None:
        """What others do unseen: in both worlds so much that nobody else misses the day, more in a busy one."""
        table = self.table
        await self.unseen(table.mahdist, "move", unit=unit, **{"with": "hold"})
        if not self.busy:
            return
        await self.unseen(table.umpire, "umpire set", unit="abaQulusi", field="at", value="1204")
        await self.unseen(table.umpire, "umpire set", unit=unit, field="supply", value="2")
        await self.unseen(table.mahdist, "move", unit=unit, **{"with": "dig in"})
        if self.system == "own":
            await self.unseen(table.mahdist, "campaign dispatch", to=GLYN, text="I march.", with_sightings=True)
            await self.unseen(table.mahdist, "campaign dispatches")
            await self.unseen(table.mahdist, "campaign dispatch", to=PEARSON, text="Never mind.")
            await self.take_back_unseen()

    async def take_back_unseen(self) -> None:
        """Take the last secret action back; nobody else may be sent anything."""
        table = self.table
        before, files = len(table.env.http_requests), set(table.env.backend.cdn._blobs)
        preview = await table.give(table.mahdist, "game undo")
        await table.press(table.mahdist, preview.private[0], "Take it back")
        await table.env.settle()
        requests = [
            request
            for request in list(table.env.http_requests)[before:]
            if f"/channels/{table.channel.id}" in request.path
        ]
        assert not requests, requests
        self.left_out.append((before, len(table.env.http_requests)))
        self.own_files |= set(table.env.backend.cdn._blobs) - files


@pytest.mark.soak
@pytest.mark.parametrize("knowledge", ["own", "shared"])
async def test_nobody_else_is_sent_a_byte_of_what_commands_do_and_write(
    knowledge: str, new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = [await told_in(knowledge, new_bots(), monkeypatch, busy=busy, of=OwnKnowledge) for busy in (False, True)]
    assert not leaks.find_first_difference(*worlds), leaks.find_first_difference(*worlds)
    assert len(worlds[0]) > 60


class WithheldDay(OwnKnowledge):
    """A campaign whose day the umpire has not released. In a busy world it went otherwise, and is corrected."""

    async def play(self) -> None:
        """Play a day, which the umpire looks at, and carry the game elsewhere."""
        table = self.table
        await self.give(table.umpire, "game new", rules="campaign", scenario="zululand-1879")
        await self.give(table.umpire, "umpire option", name="release", value="by the umpire")
        await self.give(table.british, "game join", side=PEARSON)
        await self.give(table.mahdist, "game join", side=MBILINI)
        await self.give(table.british, "move", unit="Pearson's column", to="Eshowe", **{"with": "attack"})
        await self.go_about(UNIT["shared"])
        await self.unseen(table.umpire, "unit list")
        if self.busy:
            at = {"unit": "Army of the coast", "field": "at", "value": "1921"}
            await self.unseen(table.umpire, "umpire set", **at)
        await self.give(table.umpire, "turn next")
        await self.ask()
        if self.busy:
            await self.unseen(table.umpire, "umpire set", unit="Pearson's column", field="supply", value="1")
        await self.ask()
        await self.carry_elsewhere()


@pytest.mark.soak
async def test_nobody_is_sent_a_byte_of_a_day_that_is_not_released(
    new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = [await told_in("shared", new_bots(), monkeypatch, busy=busy, of=WithheldDay) for busy in (False, True)]
    assert not leaks.find_first_difference(*worlds), leaks.find_first_difference(*worlds)
    assert len(worlds[0]) > 40
