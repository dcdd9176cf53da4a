"""A game whose umpire left: a member who manages the channel may appoint another umpire or end the game."""

import discord
import pytest
import simcord

from .table import Table, text


@pytest.fixture
async def channel_manager(table: Table) -> simcord.MemberActor:
    """A member outside the game who may manage its channel."""
    await table.start()
    role = table.guild.create_role("keepers", permissions=discord.Permissions(manage_channels=True))
    return table.guild.add_member(table.env.create_user("kim"), roles=[role])


async def test_a_channel_manager_appoints_another_umpire(table: Table, channel_manager: simcord.MemberActor) -> None:
    refused = await table.give(table.british, "umpire appoint", user=table.british)
    assert "manage this channel" in refused.private_text
    appointed = await table.give(channel_manager, "umpire appoint", user=table.british)
    assert "**bertie** is the umpire" in text(appointed.announced)


@pytest.mark.parametrize("confirm", [True, False])
async def test_a_channel_manager_ends_the_game(
    table: Table, channel_manager: simcord.MemberActor, confirm: bool
) -> None:
    refused = await table.give(table.british, "game end", confirm=True)
    assert "manage this channel" in refused.private_text
    ended = await table.give(channel_manager, "game end", confirm=confirm)
    if not confirm:
        ended = await table.press(channel_manager, ended.private[0], "End the game")
    assert "The game is over" in text(ended.announced)


async def test_a_channel_manager_is_no_umpire(table: Table, channel_manager: simcord.MemberActor) -> None:
    refused = await table.give(channel_manager, "umpire set", unit="berkshires", field="casualties", value="5")
    assert not refused.public
