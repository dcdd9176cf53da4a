"""The message of a turn: its mentions and content, and the single place of the next step."""

from typing import Any

import pytest
import simcord
from simcord.components import walk_components

from bot.errors import DatabaseUnavailable
from bot.runtime.client import UmpireBot
from render import scenes
from rules.core.scene import TableScene

from .loaded_dice import LoadedDice
from .table import Table, labels, raw, text

GALLERY = 12
"""Discord's type of a component with pictures."""
END_BRITISH, END_MAHDISTS = "End the turn of the British", "End the turn of the Army of Osman Digna"


def mentioned_users(table: Table, since: int = 0) -> list[list[int]]:
    """Return the user ids in each message since request `since` that may mention users."""
    bodies = [post.json.get("data", post.json) for post in list_posts(table, since) if isinstance(post.json, dict)]
    allowed = [body["allowed_mentions"] for body in bodies if "allowed_mentions" in body]
    assert all(
        mentions_allowed["parse"] == [] and set(mentions_allowed) <= {"parse", "users"} for mentions_allowed in allowed
    )
    return [
        [int(user) for user in mentions_allowed["users"]] for mentions_allowed in allowed if "users" in mentions_allowed
    ]


def list_posts(table: Table, since: int) -> list[Any]:
    """Return the bot's POST requests since request `since`."""
    return [request for request in table.env.http_requests[since:] if request.method == "POST"]


def count_requests(table: Table) -> int:
    """Return the number of requests so far."""
    return len(table.env.http_requests)


def get_bot(table: Table) -> UmpireBot:
    """Return the bot."""
    assert isinstance(table.env.bot, UmpireBot)
    return table.env.bot


def find_step_messages(table: Table) -> list[Any]:
    """Return the messages with buttons of the game's next step."""
    steps = {END_BRITISH, END_MAHDISTS, "Give orders"}
    return [message for message in table.channel.history() if steps & {*labels(message)}]


async def test_the_next_player_is_mentioned_once_with_news_and_strengths(table: Table) -> None:
    await table.start()
    assert mentioned_users(table) == [], "the first player joined himself"
    for unit in ("amarar", "arteiga", "ashraf", "jaalin-horse"):
        await table.give(table.mahdist, "move", unit=unit, to="forward 2")
    assert mentioned_users(table) == [], "the waiting player is not mentioned again"
    turn = (await table.pass_on(table.mahdist)).announced
    assert mentioned_users(table) == [[table.british.id]]
    lines = text(turn).splitlines()
    assert lines[:6] == [
        "### Turn 1 of 6, British",
        f"<@{table.british.id}>: it is your turn.",
        '▸ Arteiga move 0.8".',
        '▸ Ashraf move 2".',
        '▸ Jaalin horse move 2".',
        "-# … and 1 more: `/game since`",
    ]
    assert lines[-2:] == ["-# **British**: 9 of 9 units", "-# **Army of Osman Digna**: 12 of 12 units"]
    assert labels(turn) == ["Give orders", END_BRITISH]
    assert table.now(turn).attachments, "the map"


async def test_an_import_mentions_no_player_before_he_takes_a_seat(table: Table) -> None:
    await table.start()
    file = (await table.give(table.umpire, "game export")).messages[-1].attachments[0]
    channel, begun = table.guild.create_text_channel("elsewhere"), count_requests(table)
    answer = await table.give(table.umpire, "game import", file=(file.filename, await file.read()), channel=channel)
    assert "All players' seats are open" in answer.text
    for _ in range(2):
        await table.pass_on(table.umpire, channel=channel)
    assert mentioned_users(table, begun) == []
    await table.give(table.british, "game join", side="British", channel=channel)
    await table.pass_on(table.umpire, channel=channel)
    assert mentioned_users(table, begun) == [[table.british.id]]


async def test_fights_are_told_before_moves(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "fire", unit="rifles-hashin", target="berkshires")
    for unit in ("amarar", "arteiga", "ashraf"):
        await table.give(table.mahdist, "move", unit=unit, to="forward 2")
    while tests := [label for label in labels(table.newest(table.onlooker)) if label.startswith("Morale")]:
        await table.press(table.british, table.newest(table.onlooker), tests[0])
    turn = text((await table.pass_on(table.mahdist)).announced).splitlines()
    rolls = [line for line in turn if line.startswith("▸")]
    assert rolls[0].startswith("▸ Riflemen of Hashin fire at 1st Berkshires")
    assert any(line.startswith("-# … and ") for line in turn)


async def test_the_end_turn_button_passes_on_once(table: Table) -> None:
    await table.start()
    turn = (await table.pass_on(table.mahdist)).announced
    for actor in (table.mahdist, table.onlooker):
        assert "bertie" in (await table.press(actor, turn, END_BRITISH)).private_text
    back = await table.pass_on(table.british, turn, END_BRITISH)
    assert text(back.announced).startswith("### Turn 2 of 6, Army of Osman Digna")
    assert labels(back.announced) == ["Give orders", END_MAHDISTS]
    assert mentioned_users(table) == [[table.british.id], [table.mahdist.id]]
    assert [message.id for message in find_step_messages(table)] == [back.announced.id]


async def test_a_due_test_mentions_its_player_in_the_answer(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start()
    LoadedDice(monkeypatch).fall(6, 6)
    before = count_requests(table)
    fired = (await table.give(table.mahdist, "fire", unit="rifles-hashin", target="berkshires")).announced
    assert mentioned_users(table, before) == [[table.british.id]]
    assert f"<@{table.british.id}>: the game waits for you." in text(fired)
    assert labels(fired) == ["Morale of 1st Berkshires: 100%", "Give orders"], "the due test blocks the end of the turn"
    await table.give(table.mahdist, "move", unit="amarar", to="forward 2")
    assert mentioned_users(table, before) == [[table.british.id]], "once"
    newest = table.newest(table.onlooker)
    assert labels(newest) == ["Morale of 1st Berkshires: 100%", "Give orders"], "the newest message has the next step"
    assert [message.id for message in find_step_messages(table)] == [newest.id]


async def test_a_player_without_mentions_or_alone_is_not_mentioned(table: Table) -> None:
    await table.start()
    assert "no longer mentioned" in (await table.give(table.british, "game pings", mentions="off")).private_text
    assert "neither" in (await table.give(table.onlooker, "game pings", mentions="off")).private_text
    turn = (await table.pass_on(table.mahdist)).announced
    assert mentioned_users(table) == []
    assert "<@" not in text(turn)
    assert "mentioned again" in (await table.give(table.british, "game pings", mentions="on")).private_text
    await table.pass_on(table.british)
    await table.pass_on(table.umpire)
    assert mentioned_users(table) == [[table.mahdist.id], [table.british.id]]
    await table.give(table.umpire, "game end", confirm=True)
    await table.start(seated=False)
    before = count_requests(table)
    alone = (await table.pass_on(table.umpire)).announced
    assert mentioned_users(table, before) == []
    assert text(alone).startswith("### Turn 1 of 6, British")


async def test_old_buttons_are_removed_if_possible_even_after_a_restart(
    table: Table,
) -> None:
    await table.start()
    passed = await table.pass_on(table.mahdist)
    await table.restart()
    back = await table.pass_on(table.british)
    assert [message.id for message in find_step_messages(table)] == [back.announced.id]
    assert "Play the British" in labels(table.channel.history()[0]), "the first message keeps its join buttons"
    games = get_bot(table).games
    assert (
        await games.mentions.load_live_message((await games.running_game(table.channel.id)).id) != passed.announced.id
    )
    await table.give(table.mahdist, "move", unit="amarar", to="forward 2")
    game = await games.running_game(table.channel.id)
    assert await games.mentions.load_live_message(game.id) == back.announced.id
    table.env.inject_error("PATCH", "/channels/*/messages/*", times=None, status=403, code=50001, message="No access")
    await table.give(table.mahdist, "move", unit="arteiga", to="forward 2")
    assert len(find_step_messages(table)) == 2, "the bot may not edit the older message"


async def test_removing_old_buttons_keeps_the_picture_and_needs_one_request(table: Table) -> None:
    await table.start()
    moved = await table.give(table.mahdist, "move", unit="amarar", to="forward 2")
    assert moved.announced.attachments
    before = count_requests(table)
    await table.give(table.mahdist, "move", unit="arteiga", to="forward 2")
    (older,) = [message for message in table.channel.history() if message.id == moved.announced.id]
    assert any(component["type"] == GALLERY for component in walk_components(raw(older)))
    assert labels(older) == []
    assert [request.method for request in table.env.http_requests[before:] if "/channels/" in request.path] == ["PATCH"]


async def test_an_undo_restores_the_prompt_and_mentions_its_player(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    dice = LoadedDice(monkeypatch)
    dice.fall(6, 6)
    fired = await table.give(table.mahdist, "fire", unit="rifles-hashin", target="berkshires")
    dice.fall(4, 5)
    await table.press(table.british, fired.announced, "Morale of 1st Berkshires")
    preview = await table.give(table.umpire, "game undo")
    undone = await table.press(table.umpire, preview.private[0], "Take it back")
    assert labels(undone.announced) == ["Morale of 1st Berkshires: 100%", "Give orders"]
    assert f"<@{table.british.id}>: the game waits for you." in text(undone.announced)
    dice.fall(4, 5)
    answer = await table.press(table.british, undone.announced, "Morale of 1st Berkshires")
    assert "they hold" in text(answer.announced)


async def test_the_last_message_shows_winner_losses_luck_report_and_restart(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start()
    LoadedDice(monkeypatch).fall(1, 1)
    await table.give(table.mahdist, "fire", unit="rifles-hashin", target="berkshires")
    for unit in ("berkshires", "marines", "east-surreys", "shropshires", "5th-lancers"):
        await table.give(table.umpire, "umpire set", unit=unit, field="morale", value="off table")
    last = table.newest(table.onlooker)
    reply = text(last)
    assert reply.startswith("### The Army of Osman Digna won\nWith half their units gone")
    assert " win." not in reply, "the headline names the winner"
    assert "-# Turn 1 of 6\n-# **British**: 4 of 9 units" in reply
    assert "Luck of the dice: Army of Osman Digna -" in reply
    assert labels(last) == ["Report", "Again"]
    assert last.attachments
    assert not find_step_messages(table)
    assert "The Army of Osman Digna won." in (await table.give(table.british, "turn status")).private_text
    report = await table.press(table.onlooker, last, "Report")
    assert report.private[0].attachments[0].filename.endswith(".html")
    assert "Only those who sat" in (await table.press(table.onlooker, last, "Again")).private_text
    assert "Only the umpire" in (await table.press(table.british, last, "Again")).private_text
    before = count_requests(table)
    answer = await table.press(table.umpire, last, "Again")
    assert "British: bertie" in text(answer.announced)
    assert mentioned_users(table, before) == [[table.mahdist.id]]
    assert "A game runs" in (await table.press(table.umpire, table.now(last), "Again")).private_text


async def test_a_mention_after_thinking_is_a_new_message(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start()
    monkeypatch.setattr("cogs.kit.reply.ANSWER_WITHIN", 0.0)
    before = count_requests(table)
    turn = (await table.pass_on(table.mahdist)).public[-1]
    assert f"<@{table.british.id}>" in text(turn)
    assert mentioned_users(table, before) == [[table.british.id]], "an edited message mentions nobody"


async def test_a_games_name_mentions_nobody(table: Table, simcord_env: simcord.Env) -> None:
    await table.give(
        table.umpire, "game new", rules="magdala", scenario="suakin-1885", name=f"<@{table.onlooker.id}> @everyone"
    )
    await table.give(table.british, "game join", side="british")
    await table.pass_on(table.umpire)
    assert mentioned_users(table) == [[table.british.id]]


async def test_a_turn_message_omits_secret_actions(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "move", unit="amarar", to="forward 2")
    await table.give(table.umpire, "umpire secret", unit="arteiga", value="-2")
    await table.give(table.umpire, "morale", unit="ashraf", secret=True, **{"with": "umpire's call"})
    turn = (await table.pass_on(table.mahdist)).announced
    lines = [line for line in text(turn).splitlines() if " more: " in line or line.startswith("▸")]
    assert lines == ['▸ Amarar move 0.8".']


async def test_the_choice_of_who_moves_first_mentions_that_side_with_its_deadline(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="empire", scenario="el-teb-1884")
    await table.give(table.british, "game join", side="british")
    await table.give(table.mahdist, "game join", side="mahdists")
    await table.give(table.umpire, "game clock", hours=48)
    before = count_requests(table)
    chooses = await table.pass_on(table.british)
    assert mentioned_users(table, before) == [], "the game still waits for him"
    turn = (await table.press(table.british, chooses.announced, "Mahdists first")).announced
    assert mentioned_users(table, before) == [[table.mahdist.id]]
    assert "**The Mahdists move first**" in text(turn)
    assert "-# Time until <t:" in text(turn)
    assert "Give orders" in labels(turn)


async def test_the_answer_is_sent_even_if_mentions_fail(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start()

    async def away(*_: object) -> None:
        raise DatabaseUnavailable

    monkeypatch.setattr(get_bot(table).games.mentions, "make_turn_call", away)
    turn = (await table.pass_on(table.mahdist)).announced
    assert text(turn).startswith("### Turn 1 of 6, British")
    assert labels(turn) == ["Give orders", END_BRITISH]


async def test_a_turns_map_shows_every_move_since_the_players_last_turn(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_scenes: list[TableScene] = []
    plain = scenes.draw

    def draw(scene: TableScene, **how: Any) -> bytes:
        drawn_scenes.append(scene)
        return plain(scene, **how)

    monkeypatch.setattr(scenes, "draw", draw)
    await table.start()
    movers = ("amarar", "arteiga", "ashraf")
    for unit in movers:
        await table.give(table.mahdist, "move", unit=unit, to="forward 2")
    turn = (await table.pass_on(table.mahdist)).announced
    assert table.now(turn).attachments
    stand = {base.at: base.unit for base in drawn_scenes[-1].bases}
    assert sorted(stand[arrow.end] for arrow in drawn_scenes[-1].arrows) == [*movers]
    await table.pass_on(table.british)
    assert not drawn_scenes[-1].arrows, "the map omits the Mahdists' own moves"
