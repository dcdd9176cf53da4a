"""The side that the bot plays: it goes on by itself, asks, explains itself, and hides what it hides."""

from bot.runtime.channel_loops import ChannelLoops
from bot.runtime.client import PAUSE

from .alone import begin, new_bot, new_bots
from .table import Table, labels, text

__all__ = ["new_bot", "new_bots"]

LONG = 100.0
"""Seconds: more than the tests wait by themselves for all to come to rest."""


def acts(table: Table) -> list[str]:
    """What the bot's side has been told to do, oldest first."""
    lines = [text(message).partition("\n")[0] for message in table.channel.history(viewer=table.onlooker)]
    return [line for line in lines if line.startswith("### Blue advance, ")]


async def test_the_starter_sits_down_and_nobody_can_take_the_bots_side(table: Table) -> None:
    begun = await begin(table)
    assert not labels(begun.announced), "the starter plays the Red already"
    assert "Umpire: ursula\nRed: ursula\nBlue: the bot" in text(begun.announced)
    refused = await table.give(table.onlooker, "game join", side="blue")
    assert "The bot plays the Blue by the printed card" in refused.private_text


async def test_a_turn_goes_on_by_itself_until_it_asks(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "british turn")
    await table.env.settle()
    assert acts(table) == [f"### Blue advance, {left} to go" for left in (4, 3, 2)]
    answer = await table.press(table.british, table.newest(table.british), "Hold")
    assert "Red answer: hold" in text(answer.announced)
    await table.env.settle()
    assert acts(table)[3:] == [f"### Blue advance, {left} to go" for left in (1, 0)]


async def test_acts_by_itself_are_told_no_quicker_than_discord_allows(table: Table) -> None:
    assert 1 <= PAUSE <= 3
    await begin(table)
    table.env.bot.loops = ChannelLoops(LONG)  # type: ignore[attr-defined]
    await table.give(table.umpire, "british turn")
    assert len(acts(table)) == 1
    await table.env.advance_time(LONG + 1)
    assert len(acts(table)) == 2


async def test_a_turn_is_held_up_by_a_word_between_two_acts(table: Table) -> None:
    await begin(table)
    table.env.bot.loops = ChannelLoops(LONG)  # type: ignore[attr-defined]
    await table.give(table.umpire, "british turn")
    await table.give(table.british, "british pause")
    await table.env.advance_time(10 * LONG)
    assert len(acts(table)) == 1
    await table.give(table.british, "british resume")
    await table.env.advance_time(10 * LONG)
    assert len(acts(table)) == 3


async def test_where_the_bot_may_not_speak_by_itself_it_says_a_word_more(table: Table) -> None:
    await begin(table)
    table.env.inject_error("POST", "/channels/*/messages", times=None, status=403, code=50013, message="Missing")
    given = await table.give(table.umpire, "british step", much="decision")
    assert "Blue advance, 0 to go" in given.text


async def test_steps_are_by_formation_or_decision(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "british step")
    await table.env.settle()
    assert len(acts(table)) == 2
    await table.give(table.umpire, "british step", much="decision")
    await table.env.settle()
    assert len(acts(table)) == 3


async def test_why_is_told_in_words_with_rules_and_a_picture(table: Table) -> None:
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


async def test_what_is_asked_is_shown_with_buttons_and_answered_in_words(table: Table) -> None:
    await begin(table)
    assert "It asks nothing" in (await table.give(table.british, "british answer")).private_text
    await table.give(table.umpire, "british turn")
    await table.env.settle()
    shown = await table.give(table.british, "british answer")
    assert "Fire at Blue?" in shown.private_text
    assert labels(shown.private[0]) == ["Fire", "Hold"]
    assert not labels((await table.give(table.onlooker, "british answer")).private[0])
    assert await table.complete(table.british, "british answer", "answer") == ["fire", "hold"]
    answered = await table.give(table.british, "british answer", answer="hold")
    assert "Red answer: hold" in text(answered.public[0])


async def test_overruling_is_for_the_umpire(table: Table) -> None:
    await begin(table)
    assert "Only the umpire, ursula" in (await table.give(table.british, "british overrule", to="left")).private_text
    assert "overruled: left" in (await table.give(table.umpire, "british overrule", to="left")).text


async def test_where_people_play_every_side_the_bots_commands_say_so(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="toy", scenario="field")
    for command in ("turn", "step", "why", "answer", "pause", "resume"):
        answer = await table.give(table.umpire, f"british {command}")
        assert "no card plays a side" in answer.private_text
    assert await table.complete(table.umpire, "british answer", "answer") == []


async def test_do_leaves_the_bots_own_to_its_commands(table: Table) -> None:
    await begin(table)
    assert "british" not in await table.complete(table.umpire, "do", "action")
    assert "command of its own" in (await table.give(table.umpire, "do", action="pause")).private_text


async def test_undone_acts_do_not_go_on_by_themselves(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "british step")
    await table.env.settle()
    preview = await table.give(table.umpire, "game undo", steps=2)
    await table.press(table.umpire, preview.private[0], "Take it back")
    await table.env.settle()
    assert len(acts(table)) == 2
