"""Messages that Discord rejects: the action stays done, its report reappears elsewhere, and nobody must repeat it."""

import asyncio
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from cogs.kit import errors, reply
from cogs.kit.cards import pictures
from cogs.kit.request import can_have_game

from .table import Message, Table, labels, text
from .test_buttons import get_bot, volley

__all__ = ["volley"]

FIRST_ANSWER = "/interactions/*/callback"
LATER_ANSWERS = "/webhooks/*/*"
ANSWER_ITSELF = "/webhooks/*/messages/@original"
UNKNOWN_MESSAGE: dict[str, Any] = {"status": 404, "code": 10008, "message": "Unknown Message"}
HICCUP: dict[str, Any] = {"status": 400, "code": 0, "message": "an unlucky moment"}


def posted_paths(table: Table, since: int) -> list[str]:
    """Return the last path segment of every POST request after the first `since` requests."""
    return [request.path.rpartition("/")[2] for request in table.env.http_requests[since:] if request.method == "POST"]


@pytest.fixture(autouse=True)
def rejected_by_discord(expected_faults: list[type[Exception]]) -> None:
    """The exception that these tests provoke."""
    expected_faults.append(discord.HTTPException)


def last_announcement(table: Table) -> str:
    """Return the newest public message in the channel that is no reply."""
    newest = [
        message for message in table.channel.history(viewer=table.onlooker) if message.interaction_metadata is None
    ][-1]
    return text(newest)


async def begin(table: Table) -> None:
    """Begin a game with a move, so that the turn ends without a question."""
    await table.start()
    await table.give(table.mahdist, "move", unit="amarar", to="forward 2")


@pytest.mark.parametrize("change", [("POST", FIRST_ANSWER), ("PATCH", ANSWER_ITSELF)])
async def test_a_press_on_a_deleted_message_is_answered(table: Table, volley: Message, change: tuple[str, str]) -> None:
    table.env.inject_error(*change, **UNKNOWN_MESSAGE)
    pressed = await table.press(table.mahdist, volley, labels(volley)[0])
    assert "2D6" in text(pressed.announced)
    assert not pressed.private


async def test_a_rejected_answer_is_sent_once_more(table: Table) -> None:
    await begin(table)
    table.env.inject_error("POST", FIRST_ANSWER, **HICCUP)
    passed = await table.give(table.mahdist, "turn next")
    assert "British" in text(passed.announced)
    assert not passed.private


async def test_a_lost_answer_to_an_action_appears_in_the_channel(table: Table) -> None:
    await begin(table)
    before = await table.seq()
    table.env.inject_error("POST", FIRST_ANSWER, times=2, **HICCUP)
    passed = await table.give(table.mahdist, "turn next")
    assert await table.seq() == before + 1
    assert "That is done" in passed.private_text
    assert "British" in last_announcement(table)


async def test_a_lost_private_answer_comes_with_the_next_command(table: Table) -> None:
    await table.start()
    table.env.inject_error("POST", FIRST_ANSWER, times=2, **HICCUP)
    rolled = await table.give(table.british, "roll", dice="2d6", label="ambush", secret=True)
    assert "That is done" in rolled.private_text
    assert "ambush" not in rolled.private_text
    umpires_status = await table.give(table.umpire, "turn status")
    assert "ambush" not in umpires_status.text
    following = await table.give(table.british, "turn status")
    assert "ambush" in following.private_text
    assert "ambush" not in (await table.give(table.british, "turn status")).text, "once"
    assert not [text_read for text_read in table.read_by(table.onlooker) if "ambush" in text_read]


async def test_a_lost_answer_to_a_question_is_not_repeated(table: Table) -> None:
    await table.start()
    table.env.inject_error("POST", FIRST_ANSWER, times=2, **HICCUP)
    answer = await table.give(table.british, "turn status")
    assert "nothing was lost. Try again" in answer.private_text
    following = await table.give(table.british, "roll", dice="2d6", secret=True)
    assert len(following.messages) == 1, "no announcement is left"


async def test_a_lost_answer_to_an_undo_appears_in_the_channel(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="5")
    preview = await table.give(table.umpire, "game undo")
    table.env.inject_error("POST", LATER_ANSWERS, times=2, **HICCUP)
    await table.press(table.umpire, preview.private[0], "Take it back")
    assert "takes back" in last_announcement(table)


@pytest.fixture
def slow_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replies that always take longer than the time limit."""
    monkeypatch.setattr(reply, "call_when_slow", lambda callback: asyncio.get_running_loop().call_soon(callback))


async def test_a_rejected_thinking_does_not_prevent_the_answer(table: Table, slow_replies: None) -> None:
    await begin(table)
    table.env.inject_error("POST", FIRST_ANSWER, **HICCUP)
    passed = await table.give(table.mahdist, "turn next")
    assert "British" in text(passed.announced)
    assert not passed.private


async def test_a_late_thinking_leads_to_a_channel_message(table: Table, slow_replies: None) -> None:
    await begin(table)
    before = await table.seq()
    table.env.inject_error("POST", FIRST_ANSWER, times=None, status=404, code=10062, message="Unknown interaction")
    requests_before = len(table.env.http_requests)
    with pytest.raises(AssertionError, match="never answered"):
        await table.give(table.mahdist, "turn next")
    assert await table.seq() == before + 1
    assert posted_paths(table, requests_before) == ["callback", "messages"]
    assert "British" in last_announcement(table)


async def test_a_thinking_of_another_process_leaves_it_the_answer(table: Table, slow_replies: None) -> None:
    await begin(table)
    table.env.inject_error("POST", FIRST_ANSWER, times=None, status=400, code=40060, message="Already acknowledged")
    requests_before = len(table.env.http_requests)
    with pytest.raises(AssertionError, match="never answered"):
        await table.give(table.mahdist, "turn next")
    assert [request.path.rpartition("/")[2] for request in table.env.http_requests[requests_before:]] == ["callback"]


async def test_a_lost_answer_after_thinking_appears_in_the_channel(table: Table, slow_replies: None) -> None:
    await begin(table)
    table.env.inject_error("PATCH", ANSWER_ITSELF, times=2, **HICCUP)
    passed = await table.give(table.mahdist, "turn next")
    assert passed.messages == [], "the placeholder is taken away"
    assert "British" in last_announcement(table)


async def test_a_fault_before_the_action_says_that_nothing_was_lost(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(table)
    before = await table.seq()

    async def refused(*_: object, **__: object) -> None:
        raise discord.ClientException("no answer")

    monkeypatch.setattr(get_bot(table).games.actions, "act", refused)
    failed = await table.give(table.mahdist, "turn next")
    assert "nothing was lost. Try again" in failed.private_text
    assert await table.seq() == before


async def test_a_picture_that_cannot_be_added_is_no_fault(table: Table) -> None:
    await table.start()
    table.env.inject_error("PATCH", ANSWER_ITSELF, times=None, **UNKNOWN_MESSAGE)
    moved = await table.give(table.mahdist, "move", unit="hadendoa-erkowit", to="forward 3")
    assert "Erkowit move " in text(moved.announced)
    assert not moved.private


async def test_a_game_begins_even_if_its_table_cannot_be_drawn(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def torn(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(pictures, "draw_table", torn)
    started = await table.start(seated=False)
    assert "Suakin 1885" in text(started.announced)
    assert "Play the British" in labels(started.announced)


@pytest.mark.parametrize(("command", "is_announced"), [("turn next", True), ("turn status", False)])
async def test_an_unknown_interaction_is_announced_only_after_an_action(
    table: Table, caplog: pytest.LogCaptureFixture, command: str, is_announced: bool
) -> None:
    await begin(table)
    table.env.inject_error("POST", FIRST_ANSWER, times=None, status=404, code=10062, message="Unknown interaction")
    requests_before = len(table.env.http_requests)
    with pytest.raises(AssertionError, match="never answered"):
        await table.give(table.mahdist, command)
    assert posted_paths(table, requests_before) == (["callback", "messages"] if is_announced else ["callback"])
    assert "fault" not in caplog.text, "it is no fault of the program"


async def test_a_rejected_refusal_is_only_logged(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    table.env.inject_error("POST", FIRST_ANSWER, times=None, **HICCUP)
    with pytest.raises(AssertionError, match="never answered"):
        await table.give(table.mahdist, "turn next")
    (noted,) = [record for record in caplog.records if "is not answered" in record.getMessage()]
    assert noted.levelname == "WARNING"


async def test_an_interaction_answered_by_another_process_is_left_alone(table: Table) -> None:
    await begin(table)
    table.env.inject_error("POST", FIRST_ANSWER, times=None, status=400, code=40060, message="Already acknowledged")
    for command, options in (("turn next", {}), ("roll", {"dice": "2d6", "secret": True}), ("map", {})):
        requests_before = len(table.env.http_requests)
        with pytest.raises(AssertionError, match="never answered"):
            await table.give(table.mahdist, command, **options)
        assert [request.path.rpartition("/")[2] for request in table.env.http_requests[requests_before:]] == [
            "callback"
        ], command
    table.env.backend.faults.clear()
    status = await table.give(table.mahdist, "turn status")
    assert len(status.messages) == 1, "no announcement is left"


@pytest.mark.parametrize(
    ("guild", "of_guild", "of_user", "expected"),
    [
        (1, True, False, True),
        (1, True, True, True),
        (1, False, True, False),
        (None, False, True, False),
        (None, False, False, False),
    ],
)
def test_has_table_depends_on_guild_and_integration(
    guild: int | None, of_guild: bool, of_user: bool, expected: bool
) -> None:
    interaction = Mock(guild_id=guild, is_guild_integration=lambda: of_guild, is_user_integration=lambda: of_user)
    assert can_have_game(interaction) is expected


async def test_advice_suggests_no_game_where_none_is_possible(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = await table.give(table.british, "morale", unit="berkshires")
    assert "/game new" in answer.private_text
    monkeypatch.setattr(errors, "can_have_game", lambda _: False)
    answer = await table.give(table.british, "morale", unit="berkshires")
    assert "channels of servers" in answer.private_text
    assert "/game new" not in answer.private_text
