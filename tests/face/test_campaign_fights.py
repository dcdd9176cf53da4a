"""Battles of a campaign as games of their own: opened in a thread, fought, and their results back exactly once."""

import asyncio
from typing import Any

import pytest
import simcord

from bot.journal.drafts import Draft
from bot.journal.game import Game
from bot.runtime import client
from rules.core.model import UMPIRE
from rules.core.report import Report
from rules.core.state import Verdict

from .table import Message, Table, labels, text
from .test_campaign import meet


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Announcements follow each other at once."""
    monkeypatch.setattr(client, "PAUSE", 0.001)


FIGHT, BY_BOT, ENTER = "Fight it in a thread", "Bot fights both sides", "Enter the result"


def posted(table: Table, words: str) -> list[Message]:
    """Return the messages in the campaign's channel with these words."""
    return [message for message in table.channel.history() if words in text(message)]


def thread_of(table: Table) -> simcord.ChannelHandle:
    """Return the newest thread of the campaign's channel."""
    return table.channel.threads[-1]


async def rest(table: Table) -> None:
    """Wait until the bot has nothing more to do."""
    bot = table.env.bot
    for _ in range(1000):
        await table.env.settle()
        if not bot.loops._tasks and not bot.background_tasks._tasks:
            return
        await asyncio.sleep(0.005)
    raise AssertionError("the bot goes on and on")


async def follow(table: Table) -> Game:
    """Let the bot follow the campaign's battles, and return the campaign."""
    bot = table.env.bot
    cog: Any = bot.get_cog("BattleWatch")
    game = await bot.games.running(table.channel.id)
    await cog.follow(game.id)
    await rest(table)
    return await bot.games.running(table.channel.id)


async def open_battle(table: Table) -> Game:
    """Begin a campaign, bring columns together, and open the battle in a thread. Return its game."""
    await meet(table)
    await follow(table)
    (message,) = posted(table, "Battle in 2318 (El Teb)\n-# ")
    await table.press(table.british, message, FIGHT)
    return await table.env.bot.games.running(thread_of(table).id)


async def test_a_battle_is_told_with_its_buttons_and_mentions_every_command(table: Table) -> None:
    await meet(table)
    await follow(table)
    (message,) = posted(table, "### Battle in 2318 (El Teb)")
    assert labels(message) == [FIGHT, BY_BOT, ENTER]
    assert f"<@{table.british.id}>, <@{table.mahdist.id}>: a battle has begun." in text(message)
    await follow(table)
    assert len(posted(table, "### Battle in 2318 (El Teb)")) == 1


async def test_those_whose_columns_are_in_it_open_it_in_a_thread(table: Table) -> None:
    await meet(table)
    await follow(table)
    (message,) = posted(table, "### Battle in 2318 (El Teb)")
    refused = await table.press(table.onlooker, message, FIGHT)
    assert "Only players whose columns are in that battle, and the umpire, ursula, may open it." in refused.private_text
    answer = await table.press(table.mahdist, message, FIGHT)
    thread = thread_of(table)
    assert str(thread.id) in answer.private_text
    assert {*thread._channel.thread_members} - {table.env.backend.bot_user.id} == {
        table.umpire.id,
        table.british.id,
        table.mahdist.id,
    }
    game = await table.env.bot.games.running(thread.id)
    assert game.ruleset.id == "magdala"
    assert {(seat.name, seat.side) for seat in game.seats} == {("bertie", "british"), ("musa", "mahdists")}
    assert game.name == "Battle of 2318 (El Teb) (Suakin 1884)"
    again = await table.press(table.british, message, FIGHT)
    assert "That battle is being fought already" in again.private_text
    assert len(table.channel.threads) == 1
    status = (await table.give(table.british, "campaign status")).private_text
    assert f"fought in https://discord.com/channels/{table.guild.id}/{thread.id}" in status
    assert str(thread.id) not in (await table.give(table.onlooker, "campaign status")).private_text


async def end_with(table: Table, fought: Game, winner: str | None, *, loses: int = 5) -> None:
    """Begin the battle, and end it by a correction: the first British unit loses figures, then the state is over."""
    bot = table.env.bot
    thread = thread_of(table)
    await table.give(table.umpire, "turn next", channel=thread)
    first = next(iter(fought.state.units.values()))
    await table.give(
        table.umpire, "umpire set", unit=first.name, field="figures", value=str(first.figures - loses), channel=thread
    )
    game = await bot.games.running(thread.id)
    await bot.games._ledger.change(
        thread.id,
        game.umpire,
        lambda now: Draft(
            "set",
            Report(headline="The battle is over", side=UMPIRE),
            acts=True,
            state=now.state.model_copy(update={"over": Verdict(winner=winner, why="They are broken.")}),
        ),
        interaction=0,
    )


async def test_a_result_goes_back_by_itself_once_and_is_told_in_both_channels(table: Table) -> None:
    fought = await open_battle(table)
    await end_with(table, fought, "british")
    campaign = await follow(table)
    assert not campaign.state.battles
    assert campaign.state.units["graham-s-column"].troops[0].figures == 15
    assert campaign.state.points["el-teb"].holder == "mahdists"
    assert len(posted(table, "Battle in 2318 (El Teb): the British held the field.")) == 1
    told = [text(one) for one in thread_of(table).history() if "The result is in the campaign" in text(one)]
    assert len(told) == 1
    seq = campaign.seq
    assert (await follow(table)).seq == seq
    await table.restart()
    assert (await follow(table)).seq == seq
