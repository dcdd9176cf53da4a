"""The side that the bot plays: the bot acts by itself, asks, explains its decisions and keeps hidden facts secret."""

from bot.runtime.channel_loops import ChannelLoops
from bot.runtime.client import PAUSE

from .table import Table, labels, text
from .toy_game import begin, new_bot, new_bots

__all__ = ["new_bot", "new_bots"]

LONG_PAUSE = 100.0
"""Seconds; longer than the tests wait for the bot to become idle."""


def bot_headlines(table: Table) -> list[str]:
    """Return the headlines of the bot's actions in the channel, oldest first."""
    lines = [text(message).partition("\n")[0] for message in table.channel.history(viewer=table.onlooker)]
    return [line for line in lines if line.startswith("### Blue advance, ")]


async def test_the_starter_is_seated_and_the_bots_side_is_refused(table: Table) -> None:
    begun = await begin(table)
    assert not labels(begun.announced), "the starter plays the Red already"
    assert "Umpire: ursula\nRed: ursula\nBlue: the bot" in text(begun.announced)
    refused = await table.give(table.onlooker, "game join", side="blue")
    assert "The bot plays the Blue by the printed card" in refused.private_text


async def test_the_bot_plays_its_turn_until_it_must_ask(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "british turn")
    await table.env.settle()
    assert bot_headlines(table) == [f"### Blue advance, {moves_left} to go" for moves_left in (4, 3, 2)]
    answer = await table.press(table.british, table.newest(table.british), "Hold")
    assert "Red answer: hold" in text(answer.announced)
    await table.env.settle()
    assert bot_headlines(table)[3:] == [f"### Blue advance, {moves_left} to go" for moves_left in (1, 0)]


async def test_the_bot_pauses_between_actions_for_discords_rate_limit(table: Table) -> None:
    assert 1 <= PAUSE <= 3
    await begin(table)
    table.env.bot.loops = ChannelLoops(LONG_PAUSE)  # type: ignore[attr-defined]
    await table.give(table.umpire, "british turn")
    assert len(bot_headlines(table)) == 1
    await table.env.advance_time(LONG_PAUSE + 1)
    assert len(bot_headlines(table)) == 2


async def test_a_turn_can_be_paused_between_two_actions(table: Table) -> None:
    await begin(table)
    table.env.bot.loops = ChannelLoops(LONG_PAUSE)  # type: ignore[attr-defined]
    await table.give(table.umpire, "british turn")
    await table.give(table.british, "british pause")
    await table.env.advance_time(10 * LONG_PAUSE)
    assert len(bot_headlines(table)) == 1
    await table.give(table.british, "british resume")
    await table.env.advance_time(10 * LONG_PAUSE)
    assert len(bot_headlines(table)) == 3


async def test_the_reply_carries_the_action_when_the_bot_may_not_post(table: Table) -> None:
    await begin(table)
    table.env.inject_error("POST", "/channels/*/messages", times=None, status=403, code=50013, message="Missing")
    answer = await table.give(table.umpire, "british step", much="decision")
    assert "Blue advance, 0 to go" in answer.text


async def test_steps_are_by_formation_or_decision(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "british step")
    await table.env.settle()
    assert len(bot_headlines(table)) == 2
    await table.give(table.umpire, "british step", much="decision")
    await table.env.settle()
    assert len(bot_headlines(table)) == 3


async def test_why_shows_words_rules_and_a_picture(table: Table) -> None:
    await begin(table)
    assert "It has decided nothing this turn" in (await table.give(table.umpire, "british why")).private_text
    await table.give(table.umpire, "british step")
    await table.env.settle()
    answer = await table.give(table.onlooker, "british why")
    assert "Decision 2" in answer.private_text
    assert "Red were nearest (TOY-1)" in answer.private_text
    assert "Red marked" in answer.private_text, "the picture in words"
    assert answer.private[0].attachments
    assert "Decision 1" in (await table.give(table.umpire, "british why", number=1)).private_text
    assert "There are 2 decisions" in (await table.give(table.umpire, "british why", number=7)).private_text


async def test_a_question_is_shown_with_buttons_and_answered_in_words(table: Table) -> None:
    await begin(table)
    assert "It asks nothing" in (await table.give(table.british, "british answer")).private_text
    await table.give(table.umpire, "british turn")
    await table.env.settle()
    answer = await table.give(table.british, "british answer")
    assert "Fire at Blue?" in answer.private_text
    assert labels(answer.private[0]) == ["Fire", "Hold"]
    assert not labels((await table.give(table.onlooker, "british answer")).private[0])
    assert await table.complete(table.british, "british answer", "answer") == ["fire", "hold"]
    second_answer = await table.give(table.british, "british answer", answer="hold")
    assert "Red answer: hold" in text(second_answer.public[0])


async def test_overruling_is_for_the_umpire(table: Table) -> None:
    await begin(table)
    assert "Only the umpire, ursula" in (await table.give(table.british, "british overrule", to="left")).private_text
    assert "overruled: left" in (await table.give(table.umpire, "british overrule", to="left")).text


async def test_british_commands_are_refused_when_people_play_every_side(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="toy", scenario="field")
    for command in ("turn", "step", "why", "answer", "pause", "resume"):
        answer = await table.give(table.umpire, f"british {command}")
        assert "no card plays a side" in answer.private_text
    assert await table.complete(table.umpire, "british answer", "answer") == []


async def test_do_excludes_commands_of_the_bots_side(table: Table) -> None:
    await begin(table)
    assert "british" not in await table.complete(table.umpire, "do", "action")
    assert "command of its own" in (await table.give(table.umpire, "do", action="pause")).private_text


async def test_automatic_play_stops_after_an_undo(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "british step")
    await table.env.settle()
    preview = await table.give(table.umpire, "game undo", steps=2)
    await table.press(table.umpire, preview.private[0], "Take it back")
    await table.env.settle()
    assert len(bot_headlines(table)) == 2
