"""`/game since` and `/game mine`: news for a returning player, and the games that wait for him."""

import pytest

from .table import Table


@pytest.mark.usefixtures("real_maps")
async def test_since_shows_others_actions_and_maps_before_and_after(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "move", unit="amarar", to="forward 6")
    await table.give(table.umpire, "umpire set", unit="marines", field="casualties", value="2")
    answer = await table.give(table.british, "game since")
    reply = answer.private_text
    assert "You acted <t:" in reply
    assert reply.index("- **Amarar") < reply.index("The umpire corrects Royal Marine")
    assert "bertie" not in reply, "his own actions are omitted"
    assert [file.filename for file in answer.private[0].attachments] == ["before.png", "after.png"]
    umpire = (await table.give(table.umpire, "game since")).private_text
    assert "Nothing has happened since you last acted" in umpire


async def test_since_begins_at_the_start_and_strikes_out_undone_actions(
    table: Table,
) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="marines", field="casualties", value="2")
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    reply = (await table.give(table.onlooker, "game since")).private_text
    assert "You have not acted in this game yet" in reply
    assert "~~The umpire corrects Royal Marine" in reply
    assert "the game begins" in reply


async def test_since_hides_what_the_reader_may_not_know(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "roll", dice="2d6", label="the ambush", secret=True)
    await table.give(table.umpire, "umpire secret", unit="amarar", value="-2")
    for actor in (table.british, table.onlooker):
        reply = (await table.give(actor, "game since")).private_text
        assert "ambush" not in reply
        assert "secret" not in reply
    await table.give(table.british, "roll", dice="1d6")
    await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    assert "the ambush" in (await table.give(table.onlooker, "game since")).private_text


async def test_mine_lists_and_links_waiting_games_also_in_direct_messages(table: Table) -> None:
    await table.start()
    link = f"https://discord.com/channels/{table.guild.id}/{table.channel.id}"
    for answer in (await table.give(table.mahdist, "game mine"), await table.write(table.mahdist, "game mine")):
        assert "1 game waiting" in answer.text
        assert f"**Suakin 1885**, turn 1: {link}" in answer.text
    for idle in (table.british, table.umpire, table.onlooker):
        assert "No game waits for you" in (await table.give(idle, "game mine")).private_text
    channel = table.guild.create_text_channel("other")
    await table.give(
        table.umpire, "game new", rules="magdala", scenario="atbara-1898", name="*Atbara*", channel=channel
    )
    reply = (await table.give(table.umpire, "game mine")).private_text
    assert "**\\*Atbara\\***, turn 1 as umpire" in reply, "nobody plays the side whose turn it is"
    await table.give(table.umpire, "game end", confirm=True, channel=channel)
    assert "No game waits for you" in (await table.give(table.umpire, "game mine")).private_text


async def test_since_shows_automatic_actions(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    await table.give(table.umpire, "british turn")
    await table.env.settle()
    answer = await table.give(table.umpire, "game since")
    assert "61st Pioneers: entry hex" in answer.private_text
    assert [file.filename for file in answer.private[0].attachments] == ["before.png", "after.png"]
