"""Start and stop of the bot: cogs are loaded, changed commands are synced, shutdown waits for commands."""

import asyncio
from pathlib import Path

import pytest
from discord import app_commands
from pydantic import SecretStr

from bot.runtime import client
from bot.runtime.client import ShardedUmpireBot, UmpireBot, make_bot
from bot.runtime.settings import Settings
from bot.workers import ThreadWorkers

from .toy import Toy


@pytest.fixture
async def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UmpireBot:
    settings = Settings(database_url=f"sqlite+aiosqlite:///{tmp_path / 'umpire.db'}", discord_token=SecretStr("x"))
    bot = make_bot(settings, {"toy": Toy()})
    bot.told = 0  # type: ignore[attr-defined]

    async def sync(*_: object, **__: object) -> list[object]:
        bot.told += 1  # type: ignore[attr-defined]
        return []

    monkeypatch.setattr(bot.tree, "sync", sync)
    await bot.store.open()
    return bot


def test_workers_match_cores_up_to_four_or_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    monkeypatch.setattr(client, "ProcessWorkers", lambda count, _: counts.append(count))
    for cores in (1, 2, 64):
        monkeypatch.setattr(client, "count_cores", lambda cores=cores: cores)
        client.make_workers(Settings(), {})
    client.make_workers(Settings(workers=6), {})
    assert counts == [1, 2, 4, 6]
    assert isinstance(client.make_workers(Settings(workers=0), {}), ThreadWorkers)
    assert client.count_cores() >= 1


async def test_commands_are_synced_once_and_after_changes(bot: UmpireBot) -> None:
    assert await bot.register_changed_commands()
    assert not await bot.register_changed_commands()

    @app_commands.command(name="salute", description="Salutes.")
    async def salute(interaction: object) -> None:
        """Never called."""

    bot.tree.add_command(salute)  # type: ignore[arg-type]
    assert await bot.register_changed_commands()
    assert not await bot.register_changed_commands()
    assert bot.told == 2  # type: ignore[attr-defined]
    await bot.close()


async def test_closing_waits_for_running_commands(bot: UmpireBot) -> None:
    answers = []

    async def answer() -> None:
        await asyncio.sleep(0.05)
        answers.append(await bot.store.load_fact("anything"))

    task = asyncio.create_task(answer(), name="CommandTree-invoker")
    await asyncio.sleep(0)
    await bot.close()
    assert task.done()
    assert answers == [None]


def test_several_processes_share_the_shards(tmp_path: Path) -> None:
    bot = make_bot(Settings(database_url=f"sqlite:///{tmp_path}/u.db", shards=(1, 2), shard_count=4), {})
    assert isinstance(bot, ShardedUmpireBot)
    assert (bot.shard_ids, bot.shard_count) == ([1, 2], 4)


def test_nobody_is_ever_pinged(tmp_path: Path) -> None:
    bot = make_bot(Settings(database_url=f"sqlite:///{tmp_path}/u.db"), {})
    assert bot.allowed_mentions is not None
    assert bot.allowed_mentions.to_dict() == {"parse": []}
    assert bot.intents.value == 1


async def test_a_closed_bot_ignores_late_events(bot: UmpireBot) -> None:
    events: list[str] = []

    async def on_ready() -> None:
        events.append("ready")

    bot.add_listener(on_ready)
    await bot.close()
    bot.dispatch("ready")
    await asyncio.sleep(0)
    assert events == []
