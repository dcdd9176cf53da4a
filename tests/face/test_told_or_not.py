"""What Discord does not take: what is done stays done, is shown where it can be, and is never asked for again."""

import asyncio
from typing import Any
from unittest.mock import Mock

import discord
import pytest

from cogs.kit import errors, reply
from cogs.kit.cards import pictures
from cogs.kit.request import has_table

from .table import Message, Table, labels, text
from .test_buttons import bot_of, volley

__all__ = ["volley"]

FIRST_ANSWER = "/interactions/*/callback"
LATER_ANSWERS = "/webhooks/*/*"
ANSWER_ITSELF = "/webhooks/*/messages/@original"
FORGOTTEN: dict[str, Any] = {"status": 404, "code": 10008, "message": "Unknown Message"}
HICCUP: dict[str, Any] = {"status": 400, "code": 0, "message": "an unlucky moment"}


def posted(table: Table, since: int) -> list[str]:
    """Where the bot has posted anything since then."""
    return [one.path.rpartition("/")[2] for one in table.env.http_requests[since:] if one.method == "POST"]


@pytest.fixture(autouse=True)
def refused_by_discord(expected_faults: list[type[Exception]]) -> None:
    """These tests bring it about."""
    expected_faults.append(discord.HTTPException)


def channel_said(table: Table) -> str:
    """What the bot said last to the channel, to everyone and by itself."""
    newest = [one for one in table.channel.history(viewer=table.onlooker) if one.interaction_metadata is None][-1]
    return text(newest)


async def begin(table: Table) -> None:
    """Begin a game in which something has been done, so that the turn is ended without a question."""
    await table.start()
    await table.give(table.mahdist, "move", unit="amarar", to="forward 2")


@pytest.mark.parametrize("change", [("POST", FIRST_ANSWER), ("PATCH", ANSWER_ITSELF)])
async def test_press_on_a_message_deleted_meanwhile_is_answered(
    table: Table, volley: Message, change: tuple[str, str]
) -> None:
    table.env.inject_error(*change, **FORGOTTEN)
    pressed = await table.press(table.mahdist, volley, labels(volley)[0])
    assert "2D6" in text(pressed.announced)
    assert not pressed.private


async def test_answer_not_taken_at_first_is_sent_once_more(table: Table) -> None:
    await begin(table)
    table.env.inject_error("POST", FIRST_ANSWER, **HICCUP)
    passed = await table.give(table.mahdist, "turn next")
    assert "British" in text(passed.announced)
    assert not passed.private


async def test_action_whose_answer_is_lost_stands_in_the_channel_and_is_said_to_be_done(table: Table) -> None:
    await begin(table)
    before = await table.seq()
    table.env.inject_error("POST", FIRST_ANSWER, times=2, **HICCUP)
    passed = await table.give(table.mahdist, "turn next")
    assert await table.seq() == before + 1
    assert "That is done" in passed.private_text
    assert "British" in channel_said(table)


async def test_private_answer_that_is_lost_comes_with_the_next_command(table: Table) -> None:
    await table.start()
    table.env.inject_error("POST", FIRST_ANSWER, times=2, **HICCUP)
    rolled = await table.give(table.british, "roll", dice="2d6", label="ambush", secret=True)
    assert "That is done" in rolled.private_text
    assert "ambush" not in rolled.private_text
    other = await table.give(table.umpire, "turn status")
    assert "ambush" not in other.text
    following = await table.give(table.british, "turn status")
    assert "ambush" in following.private_text
    assert "ambush" not in (await table.give(table.british, "turn status")).text, "once"
    assert not [one for one in table.read_by(table.onlooker) if "ambush" in one]


async def test_reading_whose_answer_is_lost_is_not_said_to_be_done_nor_told_later(table: Table) -> None:
    await table.start()
    table.env.inject_error("POST", FIRST_ANSWER, times=2, **HICCUP)
    lost = await table.give(table.british, "turn status")
    assert "nothing was lost. Try again" in lost.private_text
    following = await table.give(table.british, "roll", dice="2d6", secret=True)
    assert len(following.messages) == 1, "nothing was left untold"


async def test_undo_whose_answer_is_lost_stands_in_the_channel(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="5")
    preview = await table.give(table.umpire, "game undo")
    table.env.inject_error("POST", LATER_ANSWERS, times=2, **HICCUP)
    await table.press(table.umpire, preview.private[0], "Take it back")
    assert "takes back" in channel_said(table)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything takes longer than we may keep people waiting."""
    monkeypatch.setattr(reply, "call_when_slow", lambda callback: asyncio.get_running_loop().call_soon(callback))


async def test_thinking_that_discord_does_not_take_is_no_reason_not_to_answer(table: Table, slow: None) -> None:
    await begin(table)
    table.env.inject_error("POST", FIRST_ANSWER, **HICCUP)
    passed = await table.give(table.mahdist, "turn next")
    assert "British" in text(passed.announced)
    assert not passed.private


async def test_thinking_that_comes_too_late_is_not_followed_by_an_answer_but_by_a_message(
    table: Table, slow: None
) -> None:
    await begin(table)
    before = await table.seq()
    table.env.inject_error("POST", FIRST_ANSWER, times=None, status=404, code=10062, message="Unknown interaction")
    sent = len(table.env.http_requests)
    with pytest.raises(AssertionError, match="never answered"):
        await table.give(table.mahdist, "turn next")
    assert await table.seq() == before + 1
    assert posted(table, sent) == ["callback", "messages"]
    assert "British" in channel_said(table)


async def test_thinking_that_another_process_says_leaves_the_answer_to_it(table: Table, slow: None) -> None:
    await begin(table)
    table.env.inject_error("POST", FIRST_ANSWER, times=None, status=400, code=40060, message="Already acknowledged")
    sent = len(table.env.http_requests)
    with pytest.raises(AssertionError, match="never answered"):
        await table.give(table.mahdist, "turn next")
    assert [one.path.rpartition("/")[2] for one in table.env.http_requests[sent:]] == ["callback"]


async def test_thinking_whose_end_is_lost_goes_and_the_answer_stands_in_the_channel(table: Table, slow: None) -> None:
    await begin(table)
    table.env.inject_error("PATCH", ANSWER_ITSELF, times=2, **HICCUP)
    passed = await table.give(table.mahdist, "turn next")
    assert passed.messages == [], "the placeholder is taken away"
    assert "British" in channel_said(table)


async def test_fault_before_anything_is_done_says_so(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await begin(table)
    before = await table.seq()

    async def refused(*_: object, **__: object) -> None:
        raise discord.ClientException("no answer")

    monkeypatch.setattr(bot_of(table).games.actions, "act", refused)
    failed = await table.give(table.mahdist, "turn next")
    assert "nothing was lost. Try again" in failed.private_text
    assert await table.seq() == before


async def test_picture_that_cannot_be_added_is_no_fault(table: Table) -> None:
    await table.start()
    table.env.inject_error("PATCH", ANSWER_ITSELF, times=None, **FORGOTTEN)
    moved = await table.give(table.mahdist, "move", unit="hadendoa-erkowit", to="forward 3")
    assert "Erkowit move " in text(moved.announced)
    assert not moved.private


async def test_game_whose_table_cannot_be_drawn_begins(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def torn(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(pictures, "draw_table", torn)
    started = await table.start(seated=False)
    assert "Suakin 1885" in text(started.announced)
    assert "Play the British" in labels(started.announced)


@pytest.mark.parametrize(("command", "told"), [("turn next", True), ("turn status", False)])
async def test_interaction_that_discord_forgot_is_tried_once_and_told_where_something_was_done(
    table: Table, caplog: pytest.LogCaptureFixture, command: str, told: bool
) -> None:
    await begin(table)
    table.env.inject_error("POST", FIRST_ANSWER, times=None, status=404, code=10062, message="Unknown interaction")
    sent = len(table.env.http_requests)
    with pytest.raises(AssertionError, match="never answered"):
        await table.give(table.mahdist, command)
    assert posted(table, sent) == (["callback", "messages"] if told else ["callback"])
    assert "fault" not in caplog.text, "it is no fault of the program"


async def test_refusal_that_discord_does_not_take_is_noted_and_no_more(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    table.env.inject_error("POST", FIRST_ANSWER, times=None, **HICCUP)
    with pytest.raises(AssertionError, match="never answered"):
        await table.give(table.mahdist, "turn next")
    (noted,) = [record for record in caplog.records if "is not answered" in record.getMessage()]
    assert noted.levelname == "WARNING"


async def test_interaction_that_another_process_answered_is_left_to_it(table: Table) -> None:
    await begin(table)
    table.env.inject_error("POST", FIRST_ANSWER, times=None, status=400, code=40060, message="Already acknowledged")
    for command, options in (("turn next", {}), ("roll", {"dice": "2d6", "secret": True}), ("map", {})):
        sent = len(table.env.http_requests)
        with pytest.raises(AssertionError, match="never answered"):
            await table.give(table.mahdist, command, **options)
        assert [one.path.rpartition("/")[2] for one in table.env.http_requests[sent:]] == ["callback"], command
    table.env.backend.faults.clear()
    status = await table.give(table.mahdist, "turn status")
    assert len(status.messages) == 1, "nothing was left untold"


@pytest.mark.parametrize(
    ("guild", "of_guild", "of_user", "here"),
    [
        (1, True, False, True),
        (1, True, True, True),
        (1, False, True, False),
        (None, False, True, False),
        (None, False, False, False),
    ],
)
def test_where_a_game_could_be(guild: int | None, of_guild: bool, of_user: bool, here: bool) -> None:
    asked = Mock(guild_id=guild, is_guild_integration=lambda: of_guild, is_user_integration=lambda: of_user)
    assert has_table(asked) is here


async def test_where_no_game_can_be_nobody_is_sent_to_begin_one(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = await table.give(table.british, "morale", unit="berkshires")
    assert "/game new" in asked.private_text
    monkeypatch.setattr(errors, "has_table", lambda _: False)
    asked = await table.give(table.british, "morale", unit="berkshires")
    assert "channels of servers" in asked.private_text
    assert "/game new" not in asked.private_text
