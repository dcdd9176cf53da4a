"""`/umpire rooms`: a private thread for each side, and its members."""

import discord

from bot.runtime.client import UmpireBot
from tests.wire.openapi import find_errors

from .rooms import bot_may_not, empower, members, open_rooms, overwrite, room, room_messages, threads
from .table import Table, labels, text


async def test_each_side_gets_a_private_thread_with_its_players_and_the_umpire(table: Table) -> None:
    await open_rooms(table)
    assert threads(table) == ["Suakin 1885: British", "Suakin 1885: Army of Osman Digna"]
    assert all(thread._channel.type == discord.ChannelType.private_thread.value for thread in table.channel.threads)
    assert members(table, "British") == {table.umpire.id, table.british.id}
    assert members(table, "Mahdists") == {table.umpire.id, table.mahdist.id}
    (first,) = room_messages(table, "British")
    assert "What the British alone may read" in text(first)
    assert "The umpire, ursula, reads this room too." in text(first)
    assert [attachment.filename for attachment in first.attachments] == ["table.png"]
    thread_requests = [request for request in table.env.http_requests if request.path.endswith("/threads")]
    assert [request.json["invitable"] for request in thread_requests] == [False, False]
    let_in = [request for request in table.env.http_requests if "/thread-members/" in request.path]
    assert len(let_in) == 4
    assert not [
        error
        for request in (*thread_requests, *let_in)
        for error in find_errors(request.method, request.path, request.json)
    ]
    assert (
        "ursula opens a room for the British and the Army of Osman Digna"
        in (await table.give(table.onlooker, "game log")).private_text
    )


async def test_only_the_umpire_opens_rooms(table: Table) -> None:
    await table.start()
    assert "Only the umpire, ursula" in (await table.give(table.british, "umpire rooms")).private_text
    assert threads(table) == []


async def test_rooms_need_permissions_and_a_text_channel(table: Table) -> None:
    await table.start()
    bot_may_not(table, create_private_threads=True)
    seq = await table.seq()
    assert (
        "Rooms need these permissions here: Create Private Threads."
        in (await table.give(table.umpire, "umpire rooms")).private_text
    )
    assert (await table.seq(), threads(table)) == (seq, [])
    bot_may_not(table)
    thread = table.env.backend.create_thread(table.channel.id, "aside", table.umpire.id)
    handle = next(thread_ for thread_ in table.channel.threads if thread_.id == thread.id)
    await table.give(table.umpire, "game new", rules="magdala", scenario="suakin-1885", channel=handle)
    assert "only in the text channels" in (await table.give(table.umpire, "umpire rooms", channel=handle)).private_text
    voice = table.guild.create_voice_channel("voice")
    await table.give(table.umpire, "game new", rules="magdala", scenario="suakin-1885", channel=voice)
    assert "only in the text channels" in (await table.give(table.umpire, "umpire rooms", channel=voice)).private_text
    assert threads(table) == ["aside"]


async def test_a_second_command_adds_missing_rooms_and_members(table: Table) -> None:
    await open_rooms(table)
    table.env.backend.delete_channel(room(table, "British").id)
    table.env.backend.remove_thread_member(room(table, "Mahdists").id, table.mahdist.id)
    answer = await table.give(table.umpire, "umpire rooms")
    assert sorted(threads(table), reverse=True) == ["Suakin 1885: British", "Suakin 1885: Army of Osman Digna"]
    assert str(room(table, "British").id) in answer.private_text
    assert members(table, "British") == {table.umpire.id, table.british.id}
    assert table.mahdist.id in members(table, "Mahdists")
    seq = await table.seq()
    await table.give(table.umpire, "umpire rooms")
    assert (await table.seq(), len(threads(table))) == (seq, 2)


async def test_a_second_command_removes_strangers(table: Table) -> None:
    await open_rooms(table)
    bot_may_not(table, manage_threads=True)
    await table.give(table.british, "game leave")
    for stranger in (table.mahdist, table.british):
        table.env.backend.add_thread_member(room(table, "British").id, stranger.id)
    answer = await table.give(table.umpire, "umpire rooms")
    assert (
        "musa and Somebody who played before could not be taken out of the room of the British" in answer.private_text
    )
    bot_may_not(table)
    await table.give(table.umpire, "umpire rooms")
    assert members(table, "British") == {table.umpire.id}
    assert members(table, "Mahdists") == {table.umpire.id, table.mahdist.id}


async def test_a_deleted_room_is_reported_when_a_player_joins(table: Table) -> None:
    await open_rooms(table)
    table.env.backend.delete_channel(room(table, "British").id)
    await table.give(table.onlooker, "game join", side="british")
    assert "The room of the British is gone: `/umpire rooms` makes another." in text(table.channel.history()[-1])


async def test_rooms_claimed_by_another_process_are_not_made_twice(table: Table) -> None:
    await table.start()
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    game = await bot.games.running_game(table.channel.id)
    now = table.env.backend.clock.now().timestamp()
    interaction = table.env.backend.snowflake()
    await bot.games.room_claims.claim(game, ["british", "mahdists"], [], interaction=interaction, now=now)
    assert "just being made" in (await table.give(table.umpire, "umpire rooms")).private_text
    assert threads(table) == []
    table.env.backend.advance_clock(90)  # its claim has expired: that process has died
    await table.give(table.umpire, "umpire rooms")
    assert len(threads(table)) == 2


async def test_the_umpire_confirms_rooms_that_players_could_read(table: Table) -> None:
    await table.start()
    empower(table, table.mahdist, discord.Permissions(manage_threads=True))
    warning_card = await table.give(table.umpire, "umpire rooms")
    assert "musa may manage threads in this channel" in warning_card.private_text
    assert "bertie" not in warning_card.private_text
    assert threads(table) == []
    answer = await table.press(table.umpire, warning_card.private[0], "Make them all the same")
    assert "of those at the table, musa" in answer.text
    assert len(threads(table)) == 2
    assert "of those at the table, musa" in text(room_messages(table, "British")[0])


async def test_administrators_and_overwrites_are_named_as_readers(table: Table) -> None:
    await table.start()
    empower(table, table.british, discord.Permissions(administrator=True))
    overwrite(table, table.mahdist.id, discord.Permissions(manage_threads=True))
    answer = await table.give(table.umpire, "umpire rooms")
    assert "bertie and musa may manage threads" in answer.private_text


async def test_new_readers_need_another_confirmation(table: Table) -> None:
    await table.start()
    empower(table, table.mahdist, discord.Permissions(manage_threads=True))
    question = await table.give(table.umpire, "umpire rooms")
    empower(table, table.british, discord.Permissions(manage_threads=True))
    second_answer = await table.press(table.umpire, question.private[0], "Make them all the same")
    assert "bertie and musa may manage threads" in second_answer.text
    await table.give(table.umpire, "game end", confirm=True)
    await table.start()
    stale = await table.press(table.umpire, second_answer.private[0], "Make them all the same")
    assert "That game is over" in stale.text
    assert threads(table) == []


async def test_a_player_who_cannot_be_looked_up_is_named(table: Table) -> None:
    await table.start()
    table.guild.remove_member(table.mahdist)
    answer = await table.give(table.umpire, "umpire rooms")
    assert "musa could not be looked up" in answer.private_text
    assert labels(answer.private[0]) == ["Make them all the same"]


async def test_a_playing_umpire_reads_only_his_sides_room(table: Table) -> None:
    await table.start(seated=False)
    await table.give(table.umpire, "game join", side="british")
    await table.give(table.mahdist, "game join", side="mahdists")
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    empower(table, table.umpire, discord.Permissions(manage_threads=True))
    answer = await table.give(table.umpire, "umpire rooms")
    assert "ursula may manage threads" in answer.private_text
    await table.press(table.umpire, answer.private[0], "Make them all the same")
    assert members(table, "British") == {table.umpire.id}
    assert members(table, "Mahdists") == {table.mahdist.id}


async def test_a_substitute_replaces_his_predecessor_in_the_room(table: Table) -> None:
    await open_rooms(table)
    offer = await table.give(table.mahdist, "game substitute")
    await table.press(table.onlooker, offer.announced, "Play the Army of Osman Digna")
    await table.env.settle()
    assert members(table, "Mahdists") == {table.umpire.id, table.onlooker.id}


async def test_a_playing_umpire_leaves_the_enemys_room_if_troops_may_hide(table: Table) -> None:
    await table.start(seated=False)
    await table.give(table.umpire, "game join", side="british")
    await table.give(table.umpire, "umpire rooms")
    assert table.umpire.id in members(table, "Mahdists")
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    assert members(table, "Mahdists") == set()


async def test_members_follow_the_seats(table: Table) -> None:
    await open_rooms(table)
    await table.give(table.british, "game leave")
    assert members(table, "British") == {table.umpire.id}
    await table.give(table.onlooker, "game join", side="british")
    assert members(table, "British") == {table.umpire.id, table.onlooker.id}
    await table.give(table.umpire, "umpire appoint", user=table.british)
    assert members(table, "British") == {table.onlooker.id, table.british.id}
    assert members(table, "Mahdists") == {table.mahdist.id, table.british.id}


async def test_the_join_button_adds_the_player_to_the_room(table: Table) -> None:
    start = await table.start(seated=False)
    await table.give(table.umpire, "umpire rooms")
    await table.press(table.british, start.announced, "Play the British")
    assert members(table, "British") == {table.umpire.id, table.british.id}


async def test_a_joining_player_who_reads_all_rooms_is_named(table: Table) -> None:
    await table.start(seated=False)
    await table.give(table.umpire, "umpire rooms")
    empower(table, table.british, discord.Permissions(manage_threads=True))
    await table.give(table.british, "game join", side="british")
    warned = table.channel.history()[-1]
    assert "bertie may manage threads in this channel, and so reads the room of every side." in text(warned)
    assert f"<@{table.umpire.id}>" in text(warned)
    await table.give(table.mahdist, "game join", side="mahdists")
    assert "may manage threads" not in text(table.channel.history()[-1])


async def test_a_player_leaves_the_seat_even_if_the_room_keeps_him(table: Table) -> None:
    await open_rooms(table)
    bot_may_not(
        table, manage_threads=True
    )  # Discord allows the creator of a private thread to do this, SimCord does not
    answer = await table.give(table.british, "game leave")
    assert "gives up their seat" in text(answer.announced)
    assert "bertie could not be taken out of the room of the British" in text(table.channel.history()[-1])


async def test_an_archived_room_is_reopened_for_a_new_player(table: Table) -> None:
    await open_rooms(table)
    thread = room(table, "British")._channel
    assert thread.thread_metadata is not None
    thread.thread_metadata.archived = True
    await table.give(table.british, "game leave")
    await table.give(table.onlooker, "game join", side="british")
    assert table.onlooker.id in members(table, "British")
