"""A table whose umpire is gone: who keeps the channel may appoint another, or end the game."""

import discord
import pytest
import simcord

from .table import Table, text


@pytest.fixture
async def keeper(table: Table) -> simcord.MemberActor:
    """Someone who has no part in the game, but may manage its channel."""
    await table.start()
    role = table.guild.create_role("keepers", permissions=discord.Permissions(manage_channels=True))
    return table.guild.add_member(table.env.create_user("kim"), roles=[role])


async def test_keeper_of_the_channel_appoints_another_umpire(table: Table, keeper: simcord.MemberActor) -> None:
    refused = await table.give(table.british, "umpire appoint", user=table.british)
    assert "manage this channel" in refused.private_text
    appointed = await table.give(keeper, "umpire appoint", user=table.british)
    assert "**bertie** is the umpire" in text(appointed.announced)


@pytest.mark.parametrize("confirm", [True, False])
async def test_keeper_of_the_channel_ends_the_game(table: Table, keeper: simcord.MemberActor, confirm: bool) -> None:
    refused = await table.give(table.british, "game end", confirm=True)
    assert "manage this channel" in refused.private_text
    ended = await table.give(keeper, "game end", confirm=confirm)
    if not confirm:
        ended = await table.press(keeper, ended.private[0], "End the game")
    assert "The game is over" in text(ended.announced)


async def test_keeper_of_the_channel_is_no_umpire(table: Table, keeper: simcord.MemberActor) -> None:
    refused = await table.give(keeper, "umpire set", unit="berkshires", field="casualties", value="5")
    assert not refused.public
