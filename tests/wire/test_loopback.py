"""Tests of the loopback Discord: its checks must find errors, or they prove nothing."""

from pathlib import Path

import aiohttp
import pytest

from . import loopback as discord_on_loopback
from . import openapi
from .loopback import Loopback
from .process import Process, is_running
from .world import APPLICATION, CHANNELS, GORDON

needs_document = pytest.mark.skipif(not openapi.DOCUMENT.exists(), reason="Discord's API document is not at hand")


@needs_document
def test_invalid_body_is_reported() -> None:
    path = "/interactions/1/token-1/callback"
    assert openapi.find_errors("POST", path, {"type": 4, "data": {"content": "Holds"}}) == []
    assert openapi.find_errors("POST", path, {"type": 4, "data": {"content": "x" * 2001}})
    assert openapi.find_errors("POST", path, {"type": "four"})


@needs_document
def test_command_with_too_many_options_is_reported() -> None:
    path = f"/applications/{APPLICATION}/commands"
    options = [{"type": 3, "name": f"o{number}", "description": "One"} for number in range(26)]
    command = {"name": "fire", "description": "Fires", "type": 1, "options": options}
    assert openapi.find_errors("PUT", path, [command])
    assert openapi.find_errors("PUT", path, [{**command, "options": options[:25]}]) == []


@needs_document
def test_unknown_request_is_reported() -> None:
    assert openapi.find_errors("POST", "/games", {"name": "Suakin"})
    assert openapi.find_errors("POST", "/channels/1/thread-members/2", None)


@needs_document
def test_body_is_reported_where_discord_takes_none() -> None:
    assert openapi.find_errors("PUT", "/channels/1/thread-members/2", None) == []
    assert openapi.find_errors("PUT", "/channels/1/thread-members/2", {"flags": 0})


@needs_document
async def test_bodies_are_checked_when_the_loopback_closes() -> None:
    loopback = Loopback()
    await loopback.start()
    async with aiohttp.ClientSession() as session:
        for words in ("Holds", "x" * 4001):
            await session.post(f"{loopback.api_url}/channels/{CHANNELS[0]}/messages", json={"content": words})
    await loopback.close()
    assert len(loopback.errors) == 1


async def test_late_answer_fails_at_once_and_close_kills_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loopback = Loopback()
    await loopback.start()
    bot = await Process(loopback, tmp_path, UMPIRE_WORKERS="0").start()
    monkeypatch.setattr(discord_on_loopback, "ANSWER_TIME", 0)
    interaction = loopback.ask("roll", GORDON, CHANNELS[0], dice="2d6")
    with pytest.raises(AssertionError, match=r"after \d+\.\d seconds, too late"):
        await interaction.wait()
    await loopback.close()
    assert not is_running(bot.pid)
