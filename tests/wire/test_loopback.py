"""The loopback itself: a check that never objects would prove nothing."""

from pathlib import Path

import aiohttp
import pytest

from . import loopback as discord_on_loopback
from . import openapi
from .loopback import Loopback
from .process import Process, running
from .world import APPLICATION, CHANNELS, GORDON

needs_document = pytest.mark.skipif(not openapi.DOCUMENT.exists(), reason="Discord's API document is not at hand")


@needs_document
def test_a_body_discord_would_refuse_is_complained_about() -> None:
    path = "/interactions/1/token-1/callback"
    assert openapi.complaints("POST", path, {"type": 4, "data": {"content": "Holds"}}) == []
    assert openapi.complaints("POST", path, {"type": 4, "data": {"content": "x" * 2001}})
    assert openapi.complaints("POST", path, {"type": "four"})


@needs_document
def test_a_command_with_too_many_options_is_complained_about() -> None:
    path = f"/applications/{APPLICATION}/commands"
    options = [{"type": 3, "name": f"o{number}", "description": "One"} for number in range(26)]
    command = {"name": "fire", "description": "Fires", "type": 1, "options": options}
    assert openapi.complaints("PUT", path, [command])
    assert openapi.complaints("PUT", path, [{**command, "options": options[:25]}]) == []


@needs_document
def test_a_request_discord_does_not_know_is_complained_about() -> None:
    assert openapi.complaints("POST", "/games", {"name": "Suakin"})
    assert openapi.complaints("POST", "/channels/1/thread-members/2", None)


@needs_document
def test_a_request_without_a_body_is_complained_about_when_it_has_one() -> None:
    assert openapi.complaints("PUT", "/channels/1/thread-members/2", None) == []
    assert openapi.complaints("PUT", "/channels/1/thread-members/2", {"flags": 0})


@needs_document
async def test_what_was_sent_is_checked_when_the_loopback_closes() -> None:
    loopback = Loopback()
    await loopback.start()
    async with aiohttp.ClientSession() as session:
        for words in ("Holds", "x" * 4001):
            await session.post(f"{loopback.api}/channels/{CHANNELS[0]}/messages", json={"content": words})
    await loopback.close()
    assert len(loopback.wrong) == 1


async def test_an_answer_that_comes_too_late_fails_at_once_and_the_bot_does_not_outlive_the_loopback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loopback = Loopback()
    await loopback.start()
    bot = await Process(loopback, tmp_path, UMPIRE_WORKERS="0").start()
    monkeypatch.setattr(discord_on_loopback, "REMEMBERED", 0)
    asked = loopback.ask("roll", GORDON, CHANNELS[0], dice="2d6")
    with pytest.raises(AssertionError, match=r"after \d+\.\d seconds, and was not taken"):
        await asked.done()
    await loopback.close()
    assert not running(bot.pid)
