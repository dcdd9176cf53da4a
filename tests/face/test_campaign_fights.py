"""Battles of a campaign as games of their own: opened in a thread, fought, and their results back exactly once."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
import simcord

from bot.campaigns import battle_jobs
from bot.journal.drafts import Draft
from bot.journal.game import Game
from bot.runtime import client
from cogs.battles import watch
from cogs.kit import automatic_play
from rules.campaign.battles import BattleOutcome
from rules.campaign.open_battles import PLAYS_ALL
from rules.core.model import UMPIRE
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.state import Verdict

from .rooms import bot_may_not
from .table import Answer, Message, Table, labels, text
from .test_campaign import GRAHAM, begin, meet


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Announcements follow each other at once."""
    monkeypatch.setattr(client, "PAUSE", 0.001)


OPEN, HELD = "### Battle in 2318 (El Teb)\n-# ", "Battle in 2318 (El Teb): the {} held the field."
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
    game = await bot.games.running_game(table.channel.id)
    await cog.update_campaign_battles(game.id)
    await rest(table)
    return await bot.games.running_game(table.channel.id)


async def open_battle(table: Table) -> Game:
    """Begin a campaign, bring columns together, and open the battle in a thread. Return its game."""
    await meet(table)
    await follow(table)
    (message,) = posted(table, OPEN)
    await table.press(table.british, message, FIGHT)
    return await table.env.bot.games.running_game(thread_of(table).id)


async def test_a_battle_is_told_with_its_buttons_and_mentions_every_command(table: Table) -> None:
    await meet(table)
    await follow(table)
    (message,) = posted(table, OPEN)
    assert labels(message) == [FIGHT, BY_BOT, ENTER]
    assert f"<@{table.british.id}>, <@{table.mahdist.id}>: a battle has begun." in text(message)
    await follow(table)
    assert len(posted(table, OPEN)) == 1


async def test_those_whose_columns_are_in_it_open_it_in_a_thread(table: Table) -> None:
    await meet(table)
    await follow(table)
    (message,) = posted(table, OPEN)
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
    game = await table.env.bot.games.running_game(thread.id)
    assert game.ruleset.id == "magdala"
    assert {(seat.name, seat.side) for seat in game.seats} == {("bertie", "british"), ("musa", "mahdists")}
    assert game.name == "Battle of El Teb (Suakin 1884)"
    table.env.backend.remove_thread_member(thread.id, table.british.id)
    await table.give(table.umpire, "turn next", channel=thread)
    second_answer = await table.press(table.british, message, FIGHT)
    assert str(thread.id) in second_answer.private_text
    assert table.british.id in thread_of(table)._channel.thread_members, "whoever may open it is let in again"
    assert told_in_thread(table).count("# Battle of El Teb") == 1
    assert len(table.channel.threads) == 1
    status = (await table.give(table.british, "campaign status")).private_text
    assert f"fought in https://discord.com/channels/{table.guild.id}/{thread.id}" in status
    assert str(thread.id) not in (await table.give(table.onlooker, "campaign status")).private_text


async def change(table: Table, **changed: Any) -> Game:
    """Change fields of the state of the thread's game."""
    bot, thread = table.env.bot, thread_of(table)
    game = await bot.games.running_game(thread.id)

    def draft(now: Game) -> Draft:
        state = now.state.model_copy(update=changed)
        return Draft("set", Report(headline="Changed", side=UMPIRE), acts=True, state=state)

    return (await bot.games._ledger.change(thread.id, game.umpire, draft)).game


async def win(table: Table, fought: Game) -> None:
    """Begin the battle in the thread, in which the first British unit loses 5 figures and the British win."""
    thread = thread_of(table)
    await table.give(table.umpire, "turn next", channel=thread)
    first = next(iter(fought.state.units.values()))
    correction = {"unit": first.name, "field": "figures", "value": str(first.figures - 5)}
    await table.give(table.umpire, "umpire set", channel=thread, **correction)
    await change(table, over=Verdict(winner="british", why="The Mahdists are broken."))


async def take_back(table: Table, **options: Any) -> None:
    """Undo the newest action of a game, as the umpire."""
    (preview,) = (await table.give(table.umpire, "game undo", **options)).private
    await table.press(table.umpire, preview, "Take it back")
    await rest(table)


def told_in_thread(table: Table) -> str:
    """Return what the battle's thread was told."""
    return "\n".join(text(message) for message in thread_of(table).history())


async def idle(_: object) -> bool:
    """Let nothing go on by itself."""
    return False


def lose(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every battle that the bot fights has no losses, and nobody holds the field."""

    def nobody(state: Any, battle: Any, *_: object) -> BattleOutcome:
        return BattleOutcome(lost={column: (0,) * len(state.unit(column).troops) for column in battle.columns})

    monkeypatch.setattr(battle_jobs, "fight_on_both_sides", nobody)


async def test_a_result_goes_back_by_itself_once_and_is_told_in_both_channels(table: Table) -> None:
    fought = await open_battle(table)
    await win(table, fought)
    campaign = await follow(table)
    assert not campaign.state.battles
    assert campaign.state.units["graham-s-column"].troops[0].figures == 18 - 5 + 2
    assert len(posted(table, HELD.format("British"))) == 1
    assert told_in_thread(table).count("The result is in the campaign Suakin 1884") == 1
    await table.restart()
    assert (await follow(table)).seq == campaign.seq


async def test_a_crash_between_the_end_and_the_result_loses_nothing(table: Table) -> None:
    fought = await open_battle(table)
    await win(table, fought)
    await table.restart()
    await rest(table)
    games = table.env.bot.games
    link = await games.battle_links.load_link_of_game(fought.id)
    campaign = await games.game_by_id(link.campaign)
    assert campaign.state.battles == {}, "what is found at the start is entered"
    assert await games.battle_outcomes.enter_result(campaign, link) is None
    assert await games.battle_outcomes.enter_result(campaign, replace(link, given=None)) is None
    assert len(posted(table, HELD.format("British"))) == 1


async def test_an_undo_takes_the_result_back_and_the_battle_is_open_again(table: Table) -> None:
    fought = await open_battle(table)
    await win(table, fought)
    before = await follow(table)
    await take_back(table)
    campaign = await follow(table)
    assert len(campaign.state.battles) == 1
    assert campaign.seq == before.seq + 1, "the same result does not come back by itself"
    assert len(posted(table, "the battle is open again")) == 1
    assert told_in_thread(table).count("The result was taken back in") == 1
    await take_back(table, channel=thread_of(table))
    await change(table, over=Verdict(winner="mahdists", why="The British are broken."))
    assert not (await follow(table)).state.battles
    assert len(posted(table, HELD.format("Mahdists"))) == 1


async def test_the_game_of_a_battle_is_closed_when_its_day_has_ended(table: Table) -> None:
    fought = await open_battle(table)
    await win(table, fought)
    await follow(table)
    await table.give(table.umpire, "turn next")
    await follow(table)
    assert (await table.env.bot.games.game_by_id(fought.id)).ended is not None
    assert "The result of this battle stands, and its game is closed." in told_in_thread(table)


async def test_a_result_by_hand_ends_the_game_of_the_battle(table: Table) -> None:
    fought = await open_battle(table)
    (message,) = posted(table, OPEN)
    refused = await table.press(table.british, message, ENTER)
    assert "Only the umpire, ursula, may enter the result" in refused.private_text
    form = (await table.press(table.umpire, message, ENTER)).result
    assert form.modal is not None
    choice, field = (part["component"] for part in form.modal["components"])
    assert field["value"].startswith("King's Royal Rifles 0\nGordons 0\n")
    assert [option["value"] for option in choice["options"]] == ["British", "Mahdists", "nobody"]
    filled = {choice["custom_id"]: ["Mahdists"], field["custom_id"]: "King's Royal Rifles 0\nGordons 6"}
    result = await table.umpire.submit_modal(form, filled)
    assert result.acknowledged
    await follow(table)
    assert (await table.env.bot.games.game_by_id(fought.id)).ended is not None
    assert "it got its result without this game" in told_in_thread(table)


async def test_without_a_winner_the_defender_holds_the_field_and_is_told_why(table: Table) -> None:
    await open_battle(table)
    await table.give(table.umpire, "turn next", channel=thread_of(table))
    await change(table, over=Verdict(winner=None, why="The last turn is over."))
    await follow(table)
    assert "Where neither side is broken the defender holds the field" in told_in_thread(table)


async def test_an_undo_of_a_result_by_hand_opens_the_battle_again(table: Table) -> None:
    fought = await open_battle(table)
    await table.give(table.umpire, "turn next", channel=thread_of(table))
    await table.give(table.umpire, "campaign result", battle="El Teb", field="British")
    before = await follow(table)
    assert not before.state.battles
    assert (await table.env.bot.games.game_by_id(fought.id)).ended is not None
    await take_back(table)
    campaign = await follow(table)
    assert len(campaign.state.battles) == 1
    assert campaign.seq == before.seq + 1, "the ended game gives no result"
    assert len(posted(table, "the battle is open again")) == 1
    await table.give(table.umpire, "campaign result", battle="El Teb", field="Mahdists")
    await follow(table)
    await take_back(table)
    await follow(table)
    assert len(posted(table, "the battle is open again")) == 2


async def test_a_side_breaks_off_from_its_third_turn_on(table: Table) -> None:
    await open_battle(table)
    thread = thread_of(table)
    await table.give(table.umpire, "turn next", channel=thread)
    early = await table.give(table.british, "campaign break-off", channel=thread)
    assert "may break off from their turn 3 on" in early.private_text
    await change(table, turn=3)
    refused = await table.give(table.mahdist, "campaign break-off", side="british", channel=thread)
    assert "Only the players" in refused.private_text
    (question,) = (await table.give(table.british, "campaign break-off", channel=thread)).private
    assert "The enemy holds the field" in text(question)
    assert "lose 13 more figures" in text(question)
    ended = await table.press(table.british, question, "Break off")
    assert "The British break off the battle\nThe Mahdists hold the field." in ended.text
    campaign = await follow(table)
    assert len(posted(table, HELD.format("Mahdists"))) == 1
    assert campaign.state.units["graham-s-column"].troops[1].figures == 24 - 2
    assert "No game runs" in (await table.give(table.british, "campaign break-off", channel=thread)).private_text


async def test_other_games_are_not_broken_off(table: Table) -> None:
    await table.start()
    assert "not a campaign's battle" in (await table.give(table.british, "campaign break-off")).private_text


async def test_the_umpire_opens_a_battle_in_another_channel_and_on_another_table(table: Table) -> None:
    await meet(table)
    channel = table.guild.create_text_channel("other")
    fight = "campaign fight"
    refused = await table.british.slash(table.channel, fight, channel=channel)
    assert "Only the umpire, ursula, may choose the channel" in Answer(refused).private_text
    assert "may choose another table" in (await table.give(table.british, fight, table="2")).private_text
    assert "There are 2 tables" in (await table.give(table.umpire, fight, table="7")).private_text
    assert not table.channel.threads, "the thread of a game that did not begin is gone"
    assert await table.complete(table.umpire, fight, "table", "", battle="El Teb") == ["1", "2"]
    opened = Answer(await table.umpire.slash(table.channel, fight, channel=channel, table="2: wood"))
    assert str(channel.id) in opened.private_text
    assert (await table.env.bot.games.running_game(channel.id)).ruleset.id == "magdala"


async def test_on_the_local_table_a_battle_takes_the_first_free_channel(table: Table) -> None:
    await meet(table)
    channel = table.guild.create_text_channel("other")
    table.env.bot.spare_channels = [table.channel.id]
    full = await table.give(table.british, "campaign fight")
    assert "Every channel has a game. End one by /game end" in full.private_text
    table.env.bot.spare_channels = [table.channel.id, channel.id]
    opened = await table.give(table.british, "campaign fight")
    assert f"is fought in <#{channel.id}>." in opened.private_text
    assert (await table.env.bot.games.running_game(channel.id)).ruleset.id == "magdala"
    assert f"It is fought in <#{channel.id}>" in (await table.give(table.british, "campaign status")).private_text


async def test_without_the_right_to_make_threads_it_says_so(table: Table) -> None:
    await meet(table)
    bot_may_not(table, create_private_threads=True)
    refused = await table.give(table.british, "campaign fight")
    assert (
        "To make a thread for the battle I need these permissions here: Create Private Threads." in refused.private_text
    )


async def test_a_battle_that_nobody_opened_is_fought_by_the_bot_when_its_time_is_up(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(monkeypatch)
    await meet(table)
    for _ in range(2):
        assert (await follow(table)).state.battles
        await table.give(table.umpire, "turn next")
        if (await follow(table)).state.battles:
            assert len(posted(table, "this is the last day")) == 1
    assert not (await follow(table)).state.battles
    (message,) = posted(table, HELD.format("nobody").replace("the nobody", "nobody"))
    assert "Its time was up, so the bot fought it (CA-6.5)." in text(message)


async def test_the_bot_takes_over_a_late_battle_first_for_the_late_then_for_all(table: Table) -> None:
    await open_battle(table)
    thread = thread_of(table)
    await table.give(table.umpire, "turn next", channel=thread)
    with patch.object(automatic_play.AutomaticPlay, "step", new=idle):
        await table.give(table.umpire, "turn next")
        await follow(table)
        assert f"<@{table.british.id}>: this is the battle's last day. When day 3 ends" in told_in_thread(table)
        assert not (await table.env.bot.games.running_game(thread.id)).bot_seats
        await table.give(table.umpire, "turn next")
        await follow(table)
        game = await table.env.bot.games.running_game(thread.id)
        assert {*game.bot_seats} == {"british"}, "it was their turn"
        assert "The battle's time is up (CA-6.5): the bot plays the British." in told_in_thread(table)
        await table.give(table.umpire, "turn next")
        await follow(table)
        game = await table.env.bot.games.running_game(thread.id)
        assert {*game.bot_seats} == {"british", "mahdists"}


async def test_a_battle_whose_umpire_never_began_it_is_begun(table: Table) -> None:
    await open_battle(table)
    with patch.object(automatic_play.AutomaticPlay, "step", new=idle):
        for _ in range(2):
            await table.give(table.umpire, "turn next")
        await follow(table)
    game = await table.env.bot.games.running_game(thread_of(table).id)
    assert game.state.setting_up is None
    assert {*game.bot_seats} == {"british"}


async def test_of_more_than_two_battles_the_bot_fights_the_smallest_at_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(monkeypatch)
    await meet(table)
    await table.give(table.umpire, "umpire option", name="open battles", value="1")
    bot = table.env.bot

    def one_more(now: Game) -> Draft:
        (first,) = now.state.battles.values()
        column = now.state.units["camelmen"]
        second = first.model_copy(update={"id": "battle-1-9", "at": column.at, "columns": (column.id,), "edges": {}})
        state = now.state.model_copy(update={"battles": {first.id: first, second.id: second}})
        return Draft("set", Report(headline="Another battle", side=UMPIRE), acts=True, state=state)

    await bot.games._ledger.change(table.channel.id, (await bot.games.running_game(table.channel.id)).umpire, one_more)
    assert (
        "Name the battle. These are open: 2318 (El Teb), "
        in (await table.give(table.umpire, "campaign fight")).private_text
    )
    (battle,) = (await follow(table)).state.battles.values()
    assert battle.at.label == "2318"
    assert len(posted(table, "More battles were open than 1, so the bot fought the smallest (CA-5.7).")) == 1
    assert not [message for message in posted(table, "a battle has begun") if "2318" not in text(message)]
    await take_back(table)
    assert len((await follow(table)).state.battles) == 2, "what was taken back is not fought again by itself"


async def test_both_games_are_among_a_players_games(table: Table) -> None:
    await open_battle(table)
    await table.give(table.umpire, "turn next", channel=thread_of(table))
    mine = (await table.give(table.british, "game mine")).private_text
    assert "Battle of El Teb (Suakin 1884)" in mine
    assert mine.count("Suakin 1884") >= 2


async def test_the_last_day_waits_for_its_battles_as_long_as_the_clock_gives(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose(monkeypatch)
    await begin(table)
    await table.give(table.umpire, "game clock", hours=24)
    bot = table.env.bot

    def last(now: Game) -> Draft:
        state = now.state.model_copy(update={"days": 1})
        return Draft("set", Report(headline="A short campaign", side=UMPIRE), acts=True, state=state)

    await bot.games._ledger.change(table.channel.id, (await bot.games.running_game(table.channel.id)).umpire, last)
    await table.give(table.british, "move", unit="Graham's column", to="El Teb", **{"with": "attack"})
    await table.give(table.umpire, "turn next")
    now = datetime.now(UTC)
    for days, waits in ((1.5, True), (2.5, False)):
        monkeypatch.setattr(bot.games.clocks, "now", lambda days=days: now + timedelta(days=days))
        state = (await follow(table)).state
        assert (state.over is None) is waits
    assert state.over is not None


async def test_an_imported_campaign_opens_its_battle_anew(table: Table) -> None:
    await open_battle(table)
    (exported,) = (await table.give(table.umpire, "game export")).private[0].attachments
    channel = table.guild.create_text_channel("other")
    file = (exported.filename, await exported.read())
    await table.give(table.umpire, "game import", file=file, channel=channel)
    answer = Answer(await table.umpire.slash(channel, "campaign fight"))
    assert "is fought in" in answer.private_text
    assert len(channel.threads) == 1


async def test_results_wait_until_the_umpire_has_released_the_day(table: Table) -> None:
    fought = await open_battle(table)
    await table.give(table.umpire, "umpire option", name="release", value="by the umpire")
    await table.give(table.umpire, "turn next")
    await win(table, fought)
    assert (await follow(table)).state.battles
    assert not posted(table, HELD.format("British"))
    await table.give(table.umpire, "turn next")
    assert not (await follow(table)).state.battles
    assert len(posted(table, HELD.format("British"))) == 1
    assert not posted(table, "open again")


async def test_whoever_takes_over_a_command_takes_its_seat_in_the_battle(table: Table) -> None:
    fought = await open_battle(table)
    await table.give(table.british, "game leave")
    await table.give(table.onlooker, "game join", side=GRAHAM)
    await follow(table)
    game = await table.env.bot.games.game_by_id(fought.id)
    assert ("olga", "british") in {(seat.name, seat.side) for seat in game.seats}
    assert table.onlooker.id in thread_of(table)._channel.thread_members
    assert told_in_thread(table).count(f"<@{table.onlooker.id}>: your column is in this battle.") == 1
    await follow(table)
    assert (await table.env.bot.games.game_by_id(fought.id)).seq == game.seq


async def test_a_game_that_ends_in_its_set_up_has_no_result_and_the_battle_is_opened_anew(table: Table) -> None:
    fought = await open_battle(table)
    (question,) = (await table.give(table.umpire, "game end", channel=thread_of(table))).private
    await table.press(table.umpire, question, "End the game")
    assert (await follow(table)).state.battles
    assert str(thread_of(table).id) not in (await table.give(table.british, "campaign status")).private_text
    await table.give(table.british, "campaign fight")
    next_game = await table.env.bot.games.running_game(thread_of(table).id)
    assert next_game.id != fought.id


async def test_the_end_of_the_campaign_ends_the_games_of_its_battles(table: Table) -> None:
    fought = await open_battle(table)
    (question,) = (await table.give(table.umpire, "game end")).private
    await table.press(table.umpire, question, "End the game")
    await rest(table)
    assert (await table.env.bot.games.game_by_id(fought.id)).ended is not None
    assert "This game ends here, and does not count." in told_in_thread(table)


@pytest.mark.soak
async def test_a_late_battle_is_played_to_its_end_by_the_bot_in_its_thread(table: Table) -> None:
    await begin(table)
    bot = table.env.bot

    def small(now: Game) -> Draft:
        state = now.state
        for column in ("graham-s-column", "horde-of-el-teb"):
            state = state.changed(column, troops=state.unit(column).troops[:3])
        return Draft("set", Report(headline="Small columns", side=UMPIRE), acts=True, state=state)

    await bot.games._ledger.change(table.channel.id, (await bot.games.running_game(table.channel.id)).umpire, small)
    await table.give(table.british, "move", unit="Graham's column", to="El Teb", **{"with": "attack"})
    await table.give(table.umpire, "turn next")
    await follow(table)
    await table.give(table.british, "campaign fight")
    for _ in range(3):
        await table.give(table.umpire, "turn next")
    campaign = await follow(table)
    for _ in range(500):
        if not campaign.state.battles:
            break
        await rest(table)
        campaign = await bot.games.running_game(table.channel.id)
    assert not campaign.state.battles
    assert "The battle's time is up (CA-6.5)" in told_in_thread(table)
    assert "The result is in the campaign" in told_in_thread(table)
    assert len(posted(table, "held the field.")) == 1


async def test_a_look_at_all_campaigns_follows_those_that_have_changed(table: Table) -> None:
    fought = await open_battle(table)
    cog: Any = table.env.bot.get_cog("BattleWatch")
    await cog.check_changed_campaigns()
    await win(table, fought)
    with patch.object(cog, "update_campaign_battles", wraps=cog.update_campaign_battles) as followed:
        await cog.check_changed_campaigns()
        await rest(table)
        assert followed.called
        await cog.check_changed_campaigns()
        await rest(table)
        followed.reset_mock()
        await cog.check_changed_campaigns()
        assert not followed.called
    assert not (await table.env.bot.games.running_game(table.channel.id)).state.battles


async def test_why_the_bot_cannot_fight_a_battle_names_no_unit_in_the_channel(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> BattleOutcome:
        raise Refused("The battle's rules have no troop for Lurkers.")

    await meet(table)
    monkeypatch.setattr(battle_jobs, "fight_on_both_sides", refuse)
    monkeypatch.setattr(watch, "find_battle_stage", lambda *_: PLAYS_ALL)
    await follow(table)
    assert len(posted(table, "cannot be fought by the bot")) == 1
    assert "Lurkers" not in "\n".join(table.read_by(table.onlooker))
    answer = await table.give(table.umpire, "campaign fight", battle="El Teb", by="the bot")
    assert "no troop for Lurkers" in answer.private_text
