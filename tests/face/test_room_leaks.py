"""Rooms: only a side's own room shows its secret actions. Every other byte sent stays the same."""

from collections.abc import Callable
from typing import Any
from unittest.mock import AsyncMock

import pytest
import simcord

from bot.games import new_game, reveal_seeds
from bot.games.idle_turns import IdleTurns
from bot.runtime.client import UmpireBot
from rules.core import sealed_dice
from rules.registry import rulesets
from tests import leaks

from .env import Env
from .table import Table
from .test_hidden_leaks import is_private
from .test_tanga_leaks import new_bots

__all__ = ["new_bots"]

ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("map", {}),
    ("unit list", {}),
    ("game status", {}),
    ("game log", {"last": 50}),
    ("turn status", {}),
)


class World:
    """A game with rooms. In a busy world the second side's hidden unit acts, by commands inside and outside rooms."""

    def __init__(self, table: Table, *, busy: bool) -> None:
        self.table, self.busy = table, busy
        self.left_out: set[int] = set()
        self.own_files: set[str] = set()
        self.requests = table.env.http_requests

    async def give(self, actor: simcord.MemberActor, command: str, **options: Any) -> None:
        """Give a command and wait until the bot is idle. Skip ephemeral answers to the umpire."""
        before = len(self.requests)
        await self.table.give(actor, command, **options)
        await self.table.env.settle()
        if actor == self.table.umpire:
            requests = list(self.requests)[before:]
            self.left_out |= {at for at, request in enumerate(requests, before) if is_private(request.json)}

    async def give_unseen(self, actor: simcord.MemberActor, command: str, **options: Any) -> None:
        """Give a command. Fail unless only the second side's room and ephemeral replies show its effect."""
        before, files = len(self.requests), set(self.table.env.backend.cdn._blobs)
        await self.table.give(actor, command, **options)
        await self.table.env.settle()
        requests = list(self.requests)[before:]
        in_room = options.get("channel") is not None and options["channel"].id == self.theirs.id
        bodies = [request.json for request in requests if isinstance(request.json, dict) and request.json.get("data")]
        assert in_room or all(map(is_private, bodies)), f"{command}: {bodies}"
        elsewhere = [
            request for request in requests if "/channels/" in request.path and str(self.theirs.id) not in request.path
        ]
        assert not elsewhere, f"{command}: {elsewhere}"
        self.left_out |= {*range(before, len(self.requests))}
        self.own_files |= set(self.table.env.backend.cdn._blobs) - files

    async def play(self) -> None:
        """Play the first side inside and outside its room, while the second side acts."""
        table = self.table
        scenario = next(iter(rulesets()["charge"].scenarios))
        await self.give(table.umpire, "game new", rules="charge", scenario=scenario)
        game = await table.env.bot.games.running_game(table.channel.id)
        ours, theirs = (side.id for side in game.state.sides)
        await self.give(table.british, "game join", side=ours)
        await self.give(table.mahdist, "game join", side=theirs)
        await self.give(table.umpire, "umpire option", name="hidden troops", value="yes")
        await self.give(table.umpire, "umpire rooms")
        self.ours, self.theirs = table.channel.threads
        unit = next(unit_ for unit_ in game.state.units_of(theirs) if unit_.place is not None)
        mine = next(unit_ for unit_ in game.state.units_of(ours) if unit_.place is not None)
        await self.give_unseen(table.umpire, "unit hide", unit=unit.name, channel=self.theirs)
        await self.go_about(unit.name)
        await self.give(table.british, "move", unit=mine.name, to="forward 1", channel=self.ours)
        await self.go_about(unit.name)
        await self.give(table.british, "roll", dice="2d6", channel=self.ours)
        for command, options in ASKED:
            await self.give(table.british, command, channel=self.ours, **options)
            await self.give(table.onlooker, command, **options)
        await self.give(table.british, "turn orders", text=f"{mine.name}: forward 1", channel=self.ours)
        await self.give(table.umpire, "turn next", channel=self.ours)
        await self.give(table.umpire, "turn next", channel=self.theirs)
        await self.go_about(unit.name)
        while (await table.env.bot.games.running_game(table.channel.id)).state.turn == 1:
            await self.give(table.umpire, "turn next")
        await self.give(table.umpire, "umpire set", unit=mine.name, field="place", value="30,20", channel=self.ours)
        await self.give(table.umpire, "game end", confirm=True, channel=self.theirs)

    async def go_about(self, unit: str) -> None:
        """Let the second side act in secret, if this world is busy."""
        if self.busy:
            table = self.table
            await self.give_unseen(
                table.umpire, "umpire set", unit=unit, field="place", value="36,26", channel=self.ours
            )
            await self.give_unseen(table.mahdist, "move", unit=unit, to="forward 1")
            await self.give_unseen(table.mahdist, "map", channel=self.theirs)
            await self.give_unseen(table.mahdist, "roll", dice="2d6", secret=True)
            await self.give_unseen(table.mahdist, "roll", dice="2d6", secret=True, channel=self.theirs)

    def record(self) -> leaks.SentTexts:
        """Return every request and file that users outside the second side received, except the umpire."""
        room = str(self.theirs.id)
        requests = [
            request for at, request in enumerate(self.requests) if at not in self.left_out and room not in request.path
        ]
        requests.sort(
            key=lambda request: next(iter(leaks.IDS.findall(request.path)), "")
        )  # each place by itself, in order
        records = [
            (f"{request.method} {request.path}", repr((request.params, request.json, request.reason)))
            for request in requests
        ]
        blobs = self.table.env.backend.cdn._blobs
        open_to_others = [url for url in blobs if url not in self.own_files and f"/{room}/" not in url]
        records += [("a file", blobs[url].decode("latin-1")) for url in open_to_others]
        for pattern, veil in ((leaks.MOMENTS, "<then>"), (leaks.IDS, "<id>")):
            records = [(pattern.sub(veil, place), pattern.sub(veil, text)) for place, text in records]
        return [record for record in records if not record[0].endswith("/commands")]


async def play_world(
    new_bot: Callable[[], UmpireBot], monkeypatch: pytest.MonkeyPatch, *, busy: bool
) -> tuple[leaks.SentTexts, int]:
    """Play a game in a quiet or busy world.

    Return what other users received, and the number of messages in the second room.
    """
    with monkeypatch.context() as patched:
        for module in (new_game, reveal_seeds):
            patched.setattr(module, "make_seed_row", leaks.seed_maker(0))
        patched.setattr(sealed_dice, "compute_faces", leaks.ignore_interaction(sealed_dice.compute_faces))
        # one world alone would ask about idle turns, and need another press
        patched.setattr(IdleTurns, "require_no_idle_pass", AsyncMock())
        ids = iter(range(1, 100))
        patched.setattr("secrets.token_hex", lambda size=8: f"{next(ids):0{2 * size}x}")
        env = Env(new_bot(), check_errors=False, settle_timeout=60.0)
        await env.start()
        try:
            world = World(Table.create(env, new_bot), busy=busy)
            await world.play()
            return world.record(), len(world.theirs.history())
        finally:
            await env.shutdown()
            assert isinstance(env.bot, UmpireBot)
            await env.bot.store.close()


async def test_only_a_sides_own_room_shows_its_secret_actions(
    new_bots: Callable[[], Callable[[], UmpireBot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (still, quiet_count), (busy, busy_count) = [
        await play_world(new_bots(), monkeypatch, busy=busy) for busy in (False, True)
    ]
    assert not leaks.find_first_difference(still, busy), leaks.find_first_difference(still, busy)
    assert len(still) > 60
    assert sum(place == "a file" for place, _ in still) > 5
    assert busy_count > quiet_count + 10
