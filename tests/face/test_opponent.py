"""`/opponent`: the bot takes a seat, plays each turn in one message, and handles undos and faults."""

from typing import Any

import pytest

from bot.jobs.thinking import DecidedActions
from bot.journal.game import Game
from bot.journal.thinking_record import ThinkingRecord, TurnMemory
from bot.opponent import decide
from bot.runtime.channel_loops import ChannelLoops
from cogs.kit.cards import bot_progress
from rules.core.automaton.levels import Level
from rules.core.model import UMPIRE
from rules.registry import rulesets
from tests.readings import read_log

from .table import Answer, Table, custom_ids, labels, text

PLAY_ON = "Let the bot play on"


async def begin_great_war(table: Table, scenario: str = "trench") -> None:
    """Start the Great War with a British player and no German player."""
    await table.give(table.umpire, "game new", rules="great_war", scenario=scenario)
    await table.give(table.british, "game join", side="british")


async def seat_bot(table: Table, level: str = "easy", side: str = "germans") -> Answer:
    """Seat the bot and wait until the bot is idle."""
    answer = await table.give(table.umpire, "opponent side", side=side, level=level)
    await table.env.settle()
    return answer


async def game_of(table: Table) -> Game:
    """Return the channel's game."""
    game: Game = await table.env.bot.games.running_game(table.channel.id)
    return game


async def give_and_read(table: Table, actor: Any, command: str, **options: Any) -> list[str]:
    """Give a command, wait until the bot is idle, and return the texts of new messages."""
    before = {message.id for message in table.channel.history()}
    await (table.pass_on(actor) if command == "turn next" else table.give(actor, command, **options))
    await table.env.settle()
    return [text(message) for message in table.channel.history() if message.id not in before]


async def test_the_bot_plays_its_turn_in_one_message_and_mentions_the_next_player(table: Table) -> None:
    await begin_great_war(table)
    assert "Germans: played by the bot (easy)" in (await seat_bot(table)).text
    ended, reply = await give_and_read(table, table.british, "turn next")
    assert "Germans, orders" in ended
    assert "-# Germans (the bot): " in reply
    assert "### The Germans " in reply
    assert f"<@{table.british.id}>: it is your turn." in reply
    assert "Turn 3 of 30, British" in reply
    assert "<@-" not in reply
    assert "played by the bot (easy)" in (await table.give(table.british, "game status")).private_text
    await table.give(table.umpire, "game board")
    assert any("-# Germans: played by the bot (easy)" in text(message) for message in table.channel.history())


async def test_a_long_turn_shows_its_progress_in_a_temporary_message(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_progress, "FIRST", 0.0)
    monkeypatch.setattr(bot_progress, "EVERY", 0.0)
    lines = list[str]()
    show = bot_progress.BotProgress.show

    async def record_progress(progress: bot_progress.BotProgress, game: Game) -> None:
        await show(progress, game)
        lines.extend(
            line for message in table.channel.history() for line in text(message).splitlines() if "so far" in line
        )

    monkeypatch.setattr(bot_progress.BotProgress, "show", record_progress)
    await begin_great_war(table)
    await seat_bot(table)
    replies = await give_and_read(table, table.british, "turn next")
    assert lines[0] == "-# The bot is playing the Germans: 1 action so far. They follow in one message."
    assert lines[1].startswith("-# The bot is playing the Germans: 2 actions so far.")
    assert len(set(lines)) == len(lines), "one message, edited"
    assert not any("so far" in text_told for text_told in replies)
    assert "-# Germans (the bot): " in replies[-1]


async def test_the_umpire_or_an_unopposed_player_seats_and_removes_the_bot(table: Table) -> None:
    await begin_great_war(table)
    for actor in (table.onlooker, table.mahdist):
        refused = await table.give(actor, "opponent side", side="germans")
        assert (
            "Only the umpire, ursula, or a player whom nobody plays against, may seat the bot." in refused.private_text
        )
    assert (
        "bertie already plays the British"
        in (await table.give(table.british, "opponent side", side="british")).private_text
    )
    assert "There is no side" in (await table.give(table.british, "opponent side", side="turks")).private_text
    answer = await table.give(table.british, "opponent side", side="germans", level="easy")
    assert "**bertie has the bot (easy) play the Germans.**" in answer.text
    assert "germans" in await table.complete(table.british, "opponent side", "side", "ger")
    assert "at the level hard" in (await table.give(table.british, "opponent level", level="hard")).text
    assert (await game_of(table)).bot_seats["germans"].level == "hard"
    off = await table.give(table.british, "opponent side", side="germans", level="off")
    assert "Germans: nobody yet" in off.text
    for command, options in (("opponent turn", {}), ("opponent step", {}), ("opponent level", {"level": "easy"})):
        assert "/opponent side seats it" in (await table.give(table.british, command, **options)).private_text
    await table.give(table.mahdist, "game join", side="germans")
    assert "Only the umpire" in (await table.give(table.british, "opponent side", side="germans")).private_text
    assert (
        "musa already plays the Germans"
        in (await table.give(table.umpire, "opponent side", side="germans")).private_text
    )


async def test_a_player_who_joins_replaces_the_bot(table: Table) -> None:
    await begin_great_war(table)
    await seat_bot(table)
    await table.give(table.mahdist, "game join", side="germans")
    assert not (await game_of(table)).bot_seats
    assert "Germans: musa" in (await table.give(table.mahdist, "game status")).private_text


async def test_completion_offers_only_possible_sides(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChannelLoops, "start", lambda *_: None)  # it does not begin to play
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    for command in ("opponent side", "game join"):
        assert await table.complete(table.british, command, "side") == ["german"], "the card plays the British"
    assert (
        "The bot plays the British by the printed card"
        in (await table.give(table.umpire, "opponent side", side="british")).private_text
    )
    assert await table.complete(table.umpire, "opponent level", "side") == []
    await table.give(table.umpire, "game leave")
    await seat_bot(table, side="german")
    assert await table.complete(table.umpire, "opponent level", "side") == ["german"]


async def test_a_command_for_another_side_names_the_bots_side(table: Table) -> None:
    await begin_great_war(table)
    await seat_bot(table)
    for command, options in (("opponent side", {"level": "off"}), ("opponent level", {"level": "easy"})):
        refused = await table.give(table.umpire, command, side="british", **options)
        assert refused.private_text == "The bot plays the Germans here, and nothing else. Nothing was changed."


@pytest.mark.parametrize("system", [*rulesets()])
async def test_the_bot_does_one_action_in_every_system(
    table: Table, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    monkeypatch.setattr(ChannelLoops, "start", lambda *_: None)  # it plays only when it is told to
    scenario = next(iter(rulesets()[system].scenarios))
    await table.give(table.umpire, "game new", rules=system, scenario=scenario)
    await table.give(table.umpire, "game leave")
    for side in (await game_of(table)).open_sides:
        assert "the bot (easy)" in (await seat_bot(table, side=side.id)).text
    before = await game_of(table)
    assert before.due_bot_seats, "a side of people begins in every system"
    answer = await table.give(table.umpire, "opponent step")
    after = await game_of(table)
    (entry,) = [
        entry for entry in await read_log(table.env.bot.games, table.channel.id, UMPIRE, 0) if entry.actor.id < 0
    ]
    assert (entry.seq, after.seq) == (before.seq + 1, before.seq + 1)
    assert "<@-" not in answer.text
    secret = entry.report is not None and entry.report.audience is not None
    assert bool(answer.private) is secret
    if secret:
        return
    by_card = after.ruleset.next_automatic_action(after.state) is not None
    assert labels(answer.announced)[:1] == ([] if by_card else [PLAY_ON])


async def test_the_bot_names_the_umpire_when_it_finds_no_action(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await begin_great_war(table)
    await seat_bot(table)
    nothing = DecidedActions("germans", ThinkingRecord("germans", Level.EASY), [], TurnMemory())
    monkeypatch.setattr(decide, "decide_bot_action", lambda question: nothing)
    lines = await give_and_read(table, table.british, "turn next")
    assert "The bot finds nothing that it may do for the Germans, so it waits. The umpire, ursula, may act" in lines[-1]
    before = (await game_of(table)).seq
    assert "finds nothing that it may do" in (await table.give(table.british, "opponent turn")).private_text
    assert (await game_of(table)).seq == before
    monkeypatch.undo()
    assert "Turn 3 of 30, British" in (await table.give(table.british, "opponent turn")).text


async def test_a_forced_action_is_no_decision_of_the_bot(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChannelLoops, "start", lambda *_: None)  # it plays only when it is told to
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    await table.give(table.umpire, "game leave")
    await seat_bot(table, side="german")
    played = await table.give(table.umpire, "opponent step")
    assert "13th Rajputs: entry hex" in played.text, "the forced action began the British turn"
    answer = await table.give(table.umpire, "opponent why")
    assert "The bot has decided nothing here that you may ask about." in answer.private_text


async def test_the_bot_rests_after_an_undo_until_it_is_told_to_play_on(table: Table) -> None:
    await begin_great_war(table)
    await seat_bot(table)
    early = await table.give(table.british, "opponent turn")
    assert "The game does not wait for the bot now. It waits for the British (bertie)." in early.private_text
    await give_and_read(table, table.british, "turn next")
    preview = await table.give(table.umpire, "game undo", steps=3)
    undone = await table.press(table.umpire, preview.private[0], "Take it back")
    await table.env.settle()
    game = await game_of(table)
    assert game.state.active == "germans"
    assert PLAY_ON in labels(undone.announced)
    assert "You are an onlooker" in (await table.give(table.onlooker, "opponent turn")).private_text
    before = game.seq
    answer = await table.give(table.british, "opponent step")
    await table.env.settle()
    assert (await game_of(table)).seq == before + 1
    assert "The bot decided so: `/opponent why`" in answer.text
    assert PLAY_ON in labels(answer.announced)
    (button,) = [custom_id for custom_id in custom_ids(answer.announced) if ":bot:" in custom_id]
    played = await table.press(table.british, answer.announced, PLAY_ON)
    await table.env.settle()
    assert (await game_of(table)).state.active == "british"
    assert "Turn 3 of 30, British" in played.text
    assert "can no longer be used" in (await table.press_late(table.british, answer.announced, button)).text


async def test_a_playing_umpire_may_not_end_the_bots_part_of_the_turn(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="great_war", scenario="trench")
    await table.give(table.umpire, "game join", side="british")
    await seat_bot(table)
    await table.pass_on(table.umpire)
    await table.env.settle()
    preview = await table.give(table.umpire, "game undo", steps=3)
    await table.press(table.umpire, preview.private[0], "Take it back")
    await table.env.settle()
    before = (await game_of(table)).state
    answer = await table.give(table.umpire, "turn next")
    assert "The bot plays the Germans now; only the bot ends this part of the turn." in answer.private_text
    assert (await game_of(table)).state == before
    await table.give(table.umpire, "opponent turn")
    await table.env.settle()
    assert (await game_of(table)).state.acting_sides == ("british",)
