"""The clock of a campaign in the chat: reminders, the day's end, and what follows for those who missed it."""

from typing import Any

import pytest

from bot.runtime.client import UmpireBot
from cogs.game.overdue import send_reminders
from rules.campaign.ruleset import Campaign

from .live_page import read
from .table import Table, text
from .test_campaign_absence import GLYN, NTSHINGWAYO, begin
from .test_clock import later, mentioned, reminded

__all__ = ["later"]


async def let_the_clock_end_the_day(table: Table, later: Any, hours: int = 24) -> list[Any]:
    """Let the day's time pass; return what the channel is told then."""
    before = {message.id for message in table.channel.history()}
    later(hours)
    assert isinstance(table.env.bot, UmpireBot)
    await send_reminders(table.env.bot)
    await read(table, "### Day 2 of 12")
    return [message for message in table.channel.history() if message.id not in before]


async def test_the_clock_ends_the_day_with_one_message_that_calls_everyone(table: Table, later: Any) -> None:
    await begin(table)
    await table.give(table.umpire, "game clock", hours=24)
    await table.give(table.british, "move", unit="Glyn's column", **{"with": "scout"})
    later(12)
    (half,) = await reminded(table)
    assert "Half of the time is gone. British under Glyn, Zulus under Godide" in text(half)
    assert {*mentioned(table.env)[-1]} == {table.british.id, table.mahdist.id, table.umpire.id}
    (message,) = await let_the_clock_end_the_day(table, later, 12)
    assert "### Day 2 of 12" in text(message)
    assert "**Time is up. Gazette of day 1**" in text(message)
    assert f"{NTSHINGWAYO}: missed the day" in text(message)
    assert f"{GLYN}: missed" not in text(message)
    assert {*mentioned(table.env)[-1]} == {table.british.id, table.mahdist.id, table.umpire.id}
    clock = (await table.give(table.umpire, "game clock")).private_text
    assert "The turn ends for all when nobody has time left." in clock
    status = (await table.give(table.umpire, "game status")).private_text
    assert "Turns not played in time: musa 1." in status
    assert "decide how it goes on" not in clock + status


async def test_a_seat_is_offered_after_the_missed_days_that_the_umpire_has_set(table: Table, later: Any) -> None:
    await begin(table)
    await table.give(table.umpire, "game clock", hours=24, missed="1 offer")
    await table.give(table.british, "move", unit="Glyn's column", **{"with": "scout"})
    offer, message = await let_the_clock_end_the_day(table, later)
    assert f"whoever wants to play the {NTSHINGWAYO} may take it" in text(offer)
    assert "decide how it goes on" not in text(offer)
    assert "### Day 2 of 12" in text(message)
    answer = await table.press(table.onlooker, offer, f"Play the {NTSHINGWAYO}")
    assert f"olga plays the {NTSHINGWAYO} in place of musa" in answer.text


async def test_whoever_is_the_last_is_told_so(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="campaign", scenario="suakin-1884")
    await table.give(table.british, "game join", side="British under Graham")
    await table.give(table.mahdist, "game join", side="Mahdists under Osman Digna")
    ready = await table.give(table.british, "turn next")
    assert "You are the last" in "".join(text(message) for message in table.channel.history()), ready.text


async def test_the_clock_ends_the_last_day_and_the_campaign(
    table: Table, later: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = Campaign.setup
    monkeypatch.setattr(Campaign, "setup", lambda *args: setup(*args).model_copy(update={"days": 1}))
    await begin(table)
    await table.give(table.umpire, "game clock", hours=24)
    later(24)
    assert isinstance(table.env.bot, UmpireBot)
    await send_reminders(table.env.bot)
    await read(table, "Time is up. Gazette of day 1.")
    game = await table.env.bot.games.running_or_last_game(table.channel.id)
    assert game.state.over is not None
    reply = "\n".join(text(message) for message in table.channel.history())
    assert game.state.over.why in reply
    assert "missed the day" in reply
