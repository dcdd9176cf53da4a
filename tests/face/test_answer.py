"""Replies come in time, in order, privately where needed, and admit faults."""

import asyncio
import logging
from typing import Any

import pytest

from bot.journal.game import Actor
from bot.runtime.client import UmpireBot
from cogs.kit import reply

from .table import Answer, Table, labels, text

DEFERRED = 5
"""Discord's type of the first response "thinking…"."""


@pytest.fixture
def slow_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replies that always take longer than the time limit."""
    monkeypatch.setattr(reply, "call_when_slow", lambda callback: asyncio.get_running_loop().call_soon(callback))


def said_thinking(table: Table) -> bool:
    """Whether the first response to the newest command was "thinking…"."""
    callbacks = [request.json for request in table.env.backend.http_requests if request.path.endswith("/callback")]
    assert callbacks[-1] is not None
    return bool(callbacks[-1]["type"] == DEFERRED)


def get_games(table: Table) -> Any:
    """Return the bot's games."""
    assert isinstance(table.env.bot, UmpireBot)
    return table.env.bot.games


async def test_slow_work_says_thinking_first_and_then_answers(table: Table, slow_replies: None) -> None:
    started = await table.start()
    assert said_thinking(table)
    assert "Suakin 1885" in text(started.announced)
    assert [attachment.filename for attachment in started.announced.attachments] == ["table.png"]


async def test_slow_private_answer_stays_private(table: Table, slow_replies: None) -> None:
    await table.start()
    status = await table.give(table.onlooker, "game status")
    assert said_thinking(table)
    assert "Turn 1" in status.private_text


async def test_refusal_after_public_thinking_is_private(table: Table, slow_replies: None) -> None:
    await table.start()
    before = len(table.channel.history())
    refused = await table.give(table.british, "unit detach", unit="berkshires", figures=5)
    assert said_thinking(table)
    assert refused.private_text
    public = [message for message in table.channel.history()[before:] if not message.flags.ephemeral]
    assert not public


async def test_a_slow_button_is_acknowledged_and_answered(table: Table, slow_replies: None) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="5")
    preview = await table.give(table.umpire, "game undo")
    answer = await table.press(table.umpire, preview.private[0], "Take it back")
    assert "takes back" in text(answer.announced)


async def test_fault_shows_privately_the_reference_of_its_log_line(
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    expected_faults: list[type[Exception]],
) -> None:
    expected_faults.append(ZeroDivisionError)
    await table.start()

    async def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("the sum of all fears")

    monkeypatch.setattr(get_games(table).actions, "act_all", broken)
    with caplog.at_level(logging.ERROR):
        failed = await table.give(table.umpire, "umpire set", unit="amarar", field="quality", value="-1")
    assert "sum of all fears" not in failed.private_text
    reference = failed.private_text.partition("reference `")[2].partition("`")[0]
    assert reference
    assert f"fault {reference} in umpire set" in caplog.text
    assert "sum of all fears" in caplog.text


async def test_fault_of_a_button_shows_a_reference(
    table: Table, monkeypatch: pytest.MonkeyPatch, expected_faults: list[type[Exception]]
) -> None:
    expected_faults.append(ZeroDivisionError)
    started = await table.start(seated=False)

    async def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(get_games(table).seats, "join", broken)
    failed = await table.press(table.british, started.announced, "Play the British")
    assert "reference `" in failed.private_text


async def test_two_simultaneous_commands_run_one_after_the_other(table: Table) -> None:
    await table.start()
    games = get_games(table)
    umpire = Actor(table.umpire.id, table.umpire.name)
    orders = (
        games.actions.act_by_kind(
            table.channel.id, umpire, "set", {"unit": unit, "field": "casualties", "value": "3"}, interaction=0
        )
        for unit in ("berkshires", "marines")
    )
    first, second = await asyncio.gather(*orders)
    assert {first.entry.seq, second.entry.seq} == {4, 5}
    answer = await table.give(table.onlooker, "unit list", side="british")
    assert answer.private_text.count("24 figures, 3 lost") == 2


async def test_a_refusal_without_a_game_has_no_buttons(table: Table) -> None:
    refused: Answer = await table.give(table.british, "game status")
    assert "No game runs in this channel" in refused.private_text
    assert labels(refused.private[0]) == []


async def test_names_given_in_words_are_found_and_checked_again(table: Table) -> None:
    await table.start()
    fine = await table.give(table.umpire, "umpire set", unit="5th lancer", field="quality", value="-1")
    assert "5th Lancers" in text(fine.announced)
    vague = await table.give(table.umpire, "umpire set", unit="Hadendoa", field="quality", value="-1")
    assert "may be any of these" in vague.private_text
    assert "Hadendoa of Tamai" in vague.private_text
