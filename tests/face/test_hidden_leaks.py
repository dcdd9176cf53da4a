"""Hidden troops in systems with inches: other users receive the same bytes, whatever a hidden unit does."""

from collections.abc import Callable
from typing import Any
from unittest.mock import AsyncMock

import pytest
import simcord

from bot.games import importer, new_game, reveal_seeds
from bot.games.idle_turns import IdleTurns
from bot.runtime.client import UmpireBot
from rules.core import sealed_dice
from rules.registry import rulesets
from tests import leaks
from tests.daily_choice import one_a_day

from .env import Env
from .table import Answer, Table, labels
from .test_tanga_leaks import new_bots

pytestmark = pytest.mark.usefixtures("real_maps")

__all__ = ["new_bots"]

SYSTEMS = ("magdala", "empire", "charge")
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("unit list", {}),
    ("map", {}),
    ("game status", {}),
    ("game log", {"last": 50}),
    ("game since", {}),
    ("game brief", {}),
    ("game clock", {}),
    ("game report", {}),
    ("game replay", {}),
    ("game export", {}),
    ("dice verify", {}),
    ("dice luck", {}),
    ("turn status", {}),
    ("turn orders", {}),
    ("turn standing", {}),
    ("terrain list", {}),
    ("scenario save", {"title": "Ours"}),
)
PRIVATE = 64
"""Discord's flag of an ephemeral message."""


def is_private(body: Any) -> bool:
    """Whether the interaction's response is ephemeral."""
    data = body.get("data") if isinstance(body, dict) else None
    return isinstance(data, dict) and bool(data.get("flags", 0) & PRIVATE)


class World:
    """A game with a hidden unit of the second side. Messages for its side and for the umpire only are not compared."""

    def __init__(self, table: Table, system: str, *, busy: bool) -> None:
        self.table, self.system, self.busy = table, system, busy
        self.left_out: list[tuple[int, int]] = []
        self.own_files: set[str] = set()

    async def give(self, actor: simcord.MemberActor, command: str, **options: Any) -> None:
        """Give a command and wait until the bot is idle. Skip ephemeral answers to the umpire."""
        before = len(self.table.env.http_requests)
        await self.table.give(actor, command, **options)
        await self.table.env.settle()
        if actor == self.table.umpire:
            requests = list(self.table.env.http_requests)[before:]
            self.left_out += [(at, at + 1) for at, request in enumerate(requests, before) if is_private(request.json)]

    async def unseen(self, actor: simcord.MemberActor, command: str, **options: Any) -> None:
        """Give a command, and fail if another user receives anything."""
        before, files = len(self.table.env.http_requests), set(self.table.env.backend.cdn._blobs)
        await self.give(actor, command, **options)
        requests = list(self.table.env.http_requests)[before:]
        open_to_all = [
            request
            for request in requests
            if "/channels/" in request.path and request.method in ("POST", "PATCH", "DELETE")
        ]
        assert not open_to_all, f"{command}: {open_to_all}"
        bodies = [request.json for request in requests if isinstance(request.json, dict) and request.json.get("data")]
        assert all(map(is_private, bodies)), f"{command}: {bodies}"
        self.left_out = [span for span in self.left_out if span[0] < before]
        self.left_out.append((before, len(self.table.env.http_requests)))
        self.own_files |= set(self.table.env.backend.cdn._blobs) - files

    async def play(self) -> None:
        """Hide a unit; in a busy world it acts. The other side plays, asks, undoes actions and exports the game."""
        table, state = self.table, rulesets()[self.system]
        scenario = next(iter(state.scenarios))
        await self.give(table.umpire, "game new", rules=self.system, scenario=scenario)
        game = await table.env.bot.games.running_game(table.channel.id)
        ours, theirs = (side.id for side in game.state.sides)
        await self.give(table.british, "game join", side=ours)
        await self.give(table.mahdist, "game join", side=theirs)
        await self.give(table.umpire, "umpire option", name="hidden troops", value="yes")
        unit = next(unit_ for unit_ in game.state.units_of(theirs) if unit_.place is not None)
        await self.unseen(table.umpire, "unit hide", unit=unit.name)
        await self.go_about(unit.name)
        mine = next(unit_ for unit_ in game.state.units_of(ours) if unit_.place is not None)
        await self.give(table.british, "move", unit=mine.name, to="forward 1")
        await self.go_about(unit.name)
        for actor in (table.british, table.onlooker):
            for command, options in ASKED:
                await self.give(actor, command, **options)
            for command, option in (("unit show", "unit"), ("fire", "target"), ("morale", "unit")):
                await table.complete(actor, command, option)
            await self.give(actor, "unit show", unit=unit.name)
            await self.give(actor, "odds", test="fire", unit=mine.name, target=unit.name)
            await self.give(actor, "fire", unit=mine.name, target=unit.name)
            await self.give(actor, "move", unit=unit.name, to="forward 1")
        preview = await table.give(table.british, "game undo")
        if "Take it back" in labels(preview.private[0]):  # in Empire a test comes before a move
            await table.press(table.british, preview.private[0], "Take it back")
        await self.go_about(unit.name)
        await self.give(table.mahdist, "game substitute")
        offer = table.newest(table.onlooker)
        for actor in (table.british, table.umpire):
            refused = await table.press(actor, offer, labels(offer)[0])
            assert refused.private_text, "neither an enemy nor the umpire takes the seat"
        for actor in (table.british, table.onlooker):
            await self.give(actor, "game substitute", side=theirs)
            await self.give(actor, "game brief")
            await self.give(actor, "game status")
        await self.give(table.british, "game join", side=theirs)
        await self.go_about(unit.name)
        await self.give(table.british, "game redo")
        await self.give(table.umpire, "turn next")
        await self.go_about(unit.name)
        await self.give(table.umpire, "turn next")
        await self.give(table.umpire, "umpire set", unit=mine.name, field="place", value="30,20")
        await self.go_about(unit.name)
        preview = await table.give(table.british, "game undo")
        await table.press(table.british, preview.private[0], "Ask the table")
        await self.give(table.onlooker, "game log", last=50)
        await self.carry_elsewhere()

    async def carry_elsewhere(self) -> None:
        """Import a player's export and the umpire's into other channels, where ignorant users read everything."""
        table = self.table
        exported = await table.give(table.british, "game export")
        await self.look_at(table.british, exported, "by a player", side="umpire")
        before, files = len(table.env.http_requests), set(table.env.backend.cdn._blobs)
        exported = await table.give(table.umpire, "game export")
        self.own_files |= set(table.env.backend.cdn._blobs) - files
        self.left_out.append((before, len(table.env.http_requests)))
        await self.look_at(table.umpire, exported, "by the umpire")
        blobs = table.env.backend.cdn._blobs
        own_blobs = {blobs[url] for url in self.own_files if url in blobs}
        self.own_files |= {
            url for url, data in blobs.items() if data in own_blobs
        }  # the umpire uploaded the same bytes again

    async def look_at(self, by: simcord.MemberActor, exported: Answer, name: str, **view: str) -> None:
        """Import the file, then let the player and the onlooker read everything there; the player also this view."""
        (file,) = exported.private[0].attachments
        table, channel = self.table, self.table.guild.create_text_channel(name)
        document = ("game.json", table.env.backend.cdn.get(file.url))
        answer = await table.give(by, "game import", file=document, channel=channel)
        assert answer.public, answer.text
        for actor in (table.british, table.onlooker):
            for command in ("map", "unit list", "game log", "game report", "game export", "dice verify"):
                await table.give(actor, command, channel=channel)
        await table.give(table.british, "map", channel=channel, **view)
        await table.env.settle()

    async def go_about(self, unit: str) -> None:
        """Let the hidden unit act, if this world is busy."""
        if self.busy:
            await self.unseen(self.table.umpire, "umpire set", unit=unit, field="place", value="60,40")
            await self.unseen(self.table.mahdist, "unit show", unit=unit)
            await self.unseen(self.table.mahdist, "move", unit=unit, to="forward 1")
            await self.unseen(self.table.mahdist, "roll", dice="2d6", secret=True)

    async def told(self) -> leaks.SentTexts:
        """Return every request and file that other users received."""
        requests = list(self.table.env.http_requests)
        for first, last in reversed(self.left_out):
            del requests[first:last]
        records = [
            (f"{request.method} {request.path}", repr((request.params, request.json, request.reason)))
            for request in requests
        ]
        blobs = self.table.env.backend.cdn._blobs
        records += [("a file", data.decode("latin-1")) for url, data in blobs.items() if url not in self.own_files]
        for pattern, veil in ((leaks.MOMENTS, "<then>"), (leaks.IDS, "<id>")):
            records = [(pattern.sub(veil, place), pattern.sub(veil, text)) for place, text in records]
        return [record for record in records if not record[0].endswith("/commands")]


@pytest.mark.parametrize("system", one_a_day(SYSTEMS))
async def test_others_receive_the_same_bytes_whatever_a_hidden_unit_does(
    system: str, new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = [await told_in(system, new_bots(), monkeypatch, busy=busy) for busy in (False, True)]
    assert not leaks.find_first_difference(*worlds), leaks.find_first_difference(*worlds)
    assert len(worlds[0]) > 60
    assert sum(place == "a file" for place, _ in worlds[0]) > 8


async def told_in(
    system: str,
    new_bot: Callable[[], UmpireBot],
    monkeypatch: pytest.MonkeyPatch,
    *,
    busy: bool,
    of: type[World] = World,
) -> leaks.SentTexts:
    """Play a game in a quiet or busy world with the same dice. Return everything that other users received."""
    with monkeypatch.context() as patched:
        for module in (new_game, importer, reveal_seeds):
            patched.setattr(module, "make_seed_row", leaks.seed_maker(0))
        patched.setattr(sealed_dice, "compute_faces", leaks.ignore_interaction(sealed_dice.compute_faces))
        # one world alone would ask about idle turns, and need another press
        patched.setattr(IdleTurns, "require_no_idle_pass", AsyncMock())
        ids = iter(range(1, 100))
        patched.setattr("secrets.token_hex", lambda size=8: f"{next(ids):0{2 * size}x}")
        env = Env(new_bot(), check_errors=False, settle_timeout=60.0)
        await env.start()
        try:
            world = of(Table.create(env, new_bot), system, busy=busy)
            await world.play()
            return await world.told()
        finally:
            await env.shutdown()
            await env.bot.store.close()
