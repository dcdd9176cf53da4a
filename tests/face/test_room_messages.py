"""Commands given in a side's room, and the messages that the room receives."""

import re

import discord
import pytest

from bot.runtime.client import UmpireBot
from cogs.kit import automatic_play
from rules.registry import rulesets

from .rooms import bot_may_not, empower, hide, members, open_rooms, room, room_messages, room_text, threads
from .table import Table, custom_ids, labels, text


@pytest.fixture
def no_automatic_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games without automatic play, which would take time."""
    monkeypatch.setattr(automatic_play, "start_automatic_play", lambda *_: None)


async def test_a_public_action_in_a_room_is_told_in_room_and_channel(table: Table) -> None:
    await open_rooms(table)
    before = len(table.channel.history())
    answer = await table.give(table.mahdist, "move", unit="amarar", to="forward 3", channel=room(table, "Mahdists"))
    (public,) = table.channel.history()[before:]
    assert "Amarar" in text(public)
    assert "Give orders" in labels(public)
    assert [attachment.filename for attachment in public.attachments] == ["table.png"]
    (mine,) = answer.public
    assert "Amarar" in text(mine)
    assert not labels(mine)
    assert "Give orders" not in labels(table.now(table.channel.history()[before - 1]))
    assert len(room_messages(table, "British")) == 1


async def test_other_commands_in_a_room_are_told_in_the_channel(table: Table) -> None:
    await open_rooms(table)
    await table.give(table.umpire, "umpire set", unit="marines", field="casualties", value="3")
    channel = room(table, "Mahdists")
    undone = await table.give(table.umpire, "game undo", channel=channel)
    await table.press(table.umpire, undone.private[0], "Take it back")
    assert "takes back" in text(table.channel.history()[-1])
    assert "takes back" not in room_text(table, "British")
    answer = await table.give(table.mahdist, "roll", dice="2d6", label="wind", channel=channel)
    assert "wind" in text(table.channel.history()[-1])
    assert "Everyone reads it in the game's channel" in text(answer.announced)


async def test_an_undo_in_a_room_asks_for_consent_in_the_channel(table: Table) -> None:
    await open_rooms(table)
    await table.pass_on(table.mahdist)
    channel = room(table, "Mahdists")
    preview = await table.give(table.mahdist, "game undo", channel=channel)
    label = next(iter(labels(preview.private[0])))
    await table.press(table.mahdist, preview.private[0], label)
    if label == "Ask the table":
        assert "asks to take back" in text(table.channel.history()[-1])


async def test_buttons_in_a_room_work_on_the_game_of_its_channel(table: Table) -> None:
    await open_rooms(table)
    answer = await table.give(table.mahdist, "turn status", channel=room(table, "Mahdists"))
    opened_sheet = await table.press(table.mahdist, answer.private[0], "Give orders")
    assert "Your order sheet" in opened_sheet.text


async def test_no_game_is_started_in_a_room(table: Table) -> None:
    await open_rooms(table)
    channel = room(table, "British")
    answer = await table.give(table.umpire, "game new", rules="magdala", scenario="suakin-1885", channel=channel)
    assert "This is the room of one side" in answer.private_text
    import_answer = await table.give(table.umpire, "game import", file=("game.json", b"{}"), channel=channel)
    assert "This is the room of one side" in import_answer.private_text


async def test_rooms_are_found_after_a_restart_or_by_another_process(table: Table) -> None:
    await open_rooms(table)
    await table.restart()
    channel = room(table, "British")
    assert "Turn 1" in (await table.give(table.british, "turn status", channel=channel)).private_text
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    bot.rooms._known.clear()
    assert "Turn 1" in (await table.give(table.british, "turn status", channel=channel)).private_text
    assert await table.complete(table.british, "unit show", "unit")


async def test_the_room_of_an_old_game_does_nothing_in_the_next(table: Table) -> None:
    await open_rooms(table)
    await table.give(table.umpire, "game end", confirm=True)
    assert "The game has ended, and this room with it." in text(room_messages(table, "British")[-1])
    assert "game.over" not in room_text(table, "British")
    channel = room(table, "British")
    assert (await table.give(table.british, "game report", channel=channel)).private
    await table.start()
    answer = await table.give(table.british, "move", unit="berkshires", to="forward 3", channel=channel)
    assert "This room is of a game that is over" in answer.private_text


# Messages in a room


async def test_the_map_in_a_room_shows_the_sides_view(table: Table) -> None:
    await open_rooms(table)
    await hide(table)
    theirs = await table.give(table.mahdist, "map", channel=room(table, "Mahdists"))
    ours = await table.give(table.british, "map", channel=room(table, "British"))
    umpires = await table.give(table.umpire, "map", channel=room(table, "British"))
    assert "Amarar" in text(theirs.announced)
    assert "Amarar" not in text(ours.announced)
    assert "Amarar" not in text(umpires.announced)
    private = await table.give(table.umpire, "map", side="umpire", channel=room(table, "British"))
    assert "Amarar" in private.private_text


async def test_only_its_sides_room_tells_a_hidden_action(table: Table) -> None:
    await open_rooms(table)
    await hide(table)
    public, british = len(table.channel.history()), len(room_messages(table, "British"))
    answer = await table.give(table.mahdist, "move", unit="amarar", to="forward 3")
    assert answer.private
    assert "Amarar" in text(room_messages(table, "Mahdists")[-1])
    assert [attachment.filename for attachment in room_messages(table, "Mahdists")[-1].attachments] == ["table.png"]
    channel = room(table, "Mahdists")
    answer = await table.give(table.mahdist, "roll", dice="2d6", label="ambush", secret=True, channel=channel)
    assert "ambush" in text(room_messages(table, "Mahdists")[-1])
    answer = await table.give(table.mahdist, "umpire event", text="x", channel=channel)
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="60,40", channel=channel)
    shared = [message for message in table.channel.history()[public:] if not message.flags.ephemeral]
    assert [text(message) for message in shared] == []
    assert len(room_messages(table, "British")) == british


async def test_a_room_tells_the_umpires_secrets_only_privately(table: Table) -> None:
    await open_rooms(table)
    await hide(table)
    channel = room(table, "British")
    before = len(room_messages(table, "British"))
    answer = await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="60,40", channel=channel)
    assert "Amarar" in answer.private_text
    assert all(message.flags.ephemeral for message in room_messages(table, "British")[before:])
    assert "Amarar" in text(room_messages(table, "Mahdists")[-1])
    secret = await table.give(table.umpire, "umpire secret", unit="berkshires", value="-2", channel=channel)
    assert secret.private
    assert not secret.public


async def test_a_room_gets_its_own_turn_message_if_troops_may_hide(table: Table) -> None:
    await open_rooms(table)
    await hide(table)
    await table.pass_on(table.mahdist)
    await table.pass_on(table.british)
    card = room_messages(table, "Mahdists")[-1]
    assert "Turn 2" in text(card)
    assert "Amarar" in text(card)
    assert labels(card) == ["Give orders"]
    await table.pass_on(table.mahdist)
    assert "Amarar" not in text(room_messages(table, "British")[-1])
    assert "British" in text(room_messages(table, "British")[-1])


async def test_a_room_tells_its_sides_part_of_a_public_report(table: Table) -> None:
    await open_rooms(table)
    await hide(table)
    await table.give(table.umpire, "umpire set", unit="marines", field="casualties", value="3")
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="60,40")
    british = len(room_messages(table, "British"))
    undone = await table.give(table.umpire, "game undo", steps=2)
    await table.press(table.umpire, undone.private[0], "Take it back")
    assert "takes back" in text(table.channel.history()[-1])
    assert "took back 1 action" in text(room_messages(table, "Mahdists")[-1])
    assert len(room_messages(table, "British")) == british


async def test_only_the_channel_tells_the_turn_if_nothing_can_hide(table: Table) -> None:
    scenario = next(iter(rulesets()["charge"].scenarios))
    await table.give(table.umpire, "game new", rules="charge", scenario=scenario)
    await table.give(table.umpire, "umpire rooms")
    await table.pass_on(table.umpire)
    assert [len(thread.history()) for thread in table.channel.threads] == [1, 1]


async def test_a_player_may_show_his_sheet_in_the_room(table: Table) -> None:
    await open_rooms(table)
    await hide(table)
    before = len(room_messages(table, "Mahdists"))
    sheet = await table.give(table.mahdist, "turn orders", text="amarar: forward 3")
    assert len(room_messages(table, "Mahdists")) == before
    answer = await table.press(table.mahdist, sheet.private[0], "Show my side")
    assert "Your side reads your sheet" in answer.text
    card = room_messages(table, "Mahdists")[-1]
    assert "Order sheet of musa" in text(card)
    assert "Amarar" in text(card)
    assert custom_ids(card) == []
    assert [re.sub(r"-\w+\.", ".", attachment.filename) for attachment in card.attachments] == ["orders.png"]
    assert "Order sheet" not in room_text(table, "British")


async def test_without_a_room_a_sheet_lacks_the_button_to_show_it(table: Table) -> None:
    await table.start()
    sheet = await table.give(table.mahdist, "turn orders", text="amarar: forward 3")
    assert "Show my side" not in labels(sheet.private[0])


async def test_a_deleted_room_blocks_nothing_and_is_forgotten(table: Table) -> None:
    await open_rooms(table)
    await hide(table)
    table.env.backend.delete_channel(room(table, "Mahdists").id)
    answer = await table.give(table.mahdist, "move", unit="amarar", to="forward 3")
    assert "Amarar" in answer.private_text
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    await table.pass_on(table.mahdist)
    game = await bot.games.running_game(table.channel.id)
    assert [*bot.rooms.existing_rooms(game)] == ["british"]


async def test_a_room_that_refuses_messages_blocks_nothing(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    await open_rooms(table)
    await hide(table)
    bot_may_not(table, send_messages_in_threads=True)
    answer = await table.give(table.mahdist, "move", unit="amarar", to="forward 3")
    assert "Amarar" in answer.private_text
    assert "could not be told" in caplog.text


async def test_a_reply_rejected_by_discord_stays_in_its_room(
    table: Table, expected_faults: list[type[Exception]]
) -> None:
    expected_faults.append(discord.HTTPException)
    await open_rooms(table)
    await hide(table)
    before, channel = len(table.channel.history()), room(table, "Mahdists")
    table.env.inject_error("POST", "/interactions/*/callback", times=2, status=400, code=0, message="an unlucky moment")
    answer = await table.give(table.mahdist, "move", unit="amarar", to="forward 3", channel=channel)
    assert "it stands here as a message" in answer.private_text
    assert "Amarar" in room_text(table, "Mahdists")
    assert len(table.channel.history()) == before
    await table.give(table.british, "turn status")
    assert len([message for message in table.channel.history()[before:] if not message.flags.ephemeral]) == 0


async def test_the_room_is_told_at_once_and_a_forbidden_channel_later(
    table: Table, expected_faults: list[type[Exception]]
) -> None:
    expected_faults.append(discord.HTTPException)
    await open_rooms(table)
    bot_may_not(table, send_messages=True)
    channel = room(table, "Mahdists")
    await table.give(table.mahdist, "umpire event", text="x", channel=channel)
    answer = await table.give(table.umpire, "umpire event", text="It rains.", channel=channel)
    assert "It rains" in text(answer.announced)
    bot_may_not(table)
    await table.give(table.mahdist, "turn status", channel=channel)
    later = await table.give(table.onlooker, "turn status")
    assert "It rains" in later.text


async def test_the_room_of_the_bots_side_shows_the_public_map(table: Table, no_automatic_play: None) -> None:
    await table.start(seated=False)
    await table.give(table.umpire, "game join", side="british")
    await table.give(table.umpire, "umpire rooms")
    assert members(table, "Mahdists") == {table.umpire.id}
    await table.give(table.umpire, "opponent side", side="mahdists", level="easy")
    assert members(table, "Mahdists") == set()
    await hide(table)
    empower(table, table.umpire, discord.Permissions(manage_threads=True))
    channel = room(table, "Mahdists")
    assert "Amarar" not in text((await table.give(table.umpire, "map", channel=channel)).announced)


async def test_the_bots_own_side_has_no_room(table: Table, no_automatic_play: None) -> None:
    await table.start(seated=False)
    await table.give(table.british, "game join", side="british")
    await table.give(table.umpire, "opponent side", side="mahdists", level="easy")
    await table.give(table.umpire, "umpire rooms")
    assert threads(table) == ["Suakin 1885: British"]
