"""Announcements: automatic entries are stored as pending, and one process posts each to the channel once."""

from datetime import timedelta

import pytest

from bot.journal.game import Played
from bot.journal.ledger import LEASE
from bot.services import Games
from bot.store import Store
from rules.core.automaton.levels import Level
from rules.great_war.ruleset import GreatWar

from .conftest import ANNA, BEN, CHANNEL


@pytest.fixture
async def war(store: Store) -> Games:
    """A game after Ben's British turn, with the bot as Germans and Anna as umpire."""
    games = Games(store, {"great_war": GreatWar()})
    await games.starter.start(CHANNEL, None, ANNA, "great_war", "trench", interaction=1)
    await games.seats.join(CHANNEL, BEN, "british")
    await games.opponents.seat_bot(CHANNEL, ANNA, "germans", Level.EASY)
    await games.actions.act_by_kind(CHANNEL, BEN, "turn_next", {}, interaction=2)
    return games


async def decide(games: Games, times: int = 1, **options: bool) -> list[Played]:
    """Play the bot's next decisions."""
    results = [
        await games.bot_decisions.decide_next(await games.running_game(CHANNEL), {}, **options) for _ in range(times)
    ]  # type: ignore[arg-type]
    return [played for played in results if played is not None]


async def play_whole_turn(games: Games) -> list[Played]:
    """Play the rest of the bot's turn."""
    turn = await decide(games)
    while (await games.running_game(CHANNEL)).state.active == "germans":
        turn += await decide(games)
    return turn


async def claim_message(games: Games, **options: bool) -> list[int]:
    """Claim the next message. Return the numbers of its entries."""
    claim = await games.announcements.claim(await games.running_game(CHANNEL), **options)
    return [] if claim is None else [played.entry.seq for played in claim.played]


async def test_replies_announce_the_actions_of_people(war: Games) -> None:
    assert await claim_message(war) == []
    assert await war.announcements.find_channels_with_announcements() == []


async def test_a_finished_turn_is_announced_whoever_acts_next(war: Games, store: Store) -> None:
    turn = await play_whole_turn(war)
    after_the_crash = Games(store, war.rulesets)
    assert [channel for channel, _ in await after_the_crash.announcements.find_channels_with_announcements()] == [
        CHANNEL
    ]
    assert not (await after_the_crash.running_game(CHANNEL)).due_bot_seats, "nobody would go on otherwise"
    claim = await after_the_crash.announcements.claim(await after_the_crash.running_game(CHANNEL), finished=True)
    assert claim is not None
    assert [played.entry.seq for played in claim.played] == [played.entry.seq for played in turn]
    assert claim.since is None, "nobody has sent it"
    await after_the_crash.announcements.delete_sent_announcements(claim.played)
    assert await after_the_crash.announcements.find_channels_with_announcements() == []
    assert await claim_message(war) == []


async def test_actions_of_a_removed_bot_are_announced(war: Games) -> None:
    decisions = await decide(war, 2)
    await war.opponents.unseat_bot(CHANNEL, ANNA, "germans")
    assert [channel for channel, _ in await war.announcements.find_channels_with_announcements()] == [CHANNEL]
    assert await claim_message(war, finished=True) == [played.entry.seq for played in decisions]


async def test_an_unfinished_turn_is_announced_at_its_end(war: Games) -> None:
    await decide(war, 2)
    assert await claim_message(war, finished=True) == []
    assert len(await claim_message(war)) == 2, "but where it breaks off"


async def test_a_message_is_identical_after_a_crash(war: Games, store: Store) -> None:
    first = await decide(war, 3)
    seqs = [played.entry.seq for played in first]
    assert await claim_message(war) == seqs
    await decide(war)
    claim = await Games(store, war.rulesets).announcements.claim(await war.running_game(CHANNEL))
    assert claim is not None
    assert [played.entry.seq for played in claim.played] == seqs, "it has not grown"
    assert claim.since == first[-1].entry.at


async def test_each_turn_has_a_message_of_its_own(war: Games) -> None:
    await war.seats.leave(CHANNEL, BEN)
    await war.opponents.seat_bot(CHANNEL, ANNA, "british", Level.EASY)
    first = [played.entry.seq for played in await play_whole_turn(war)]
    await decide(war, 2)
    assert await claim_message(war) == first


async def test_undone_actions_are_not_announced(war: Games) -> None:
    decisions = await decide(war, 3)
    game = await war.running_game(CHANNEL)
    await war.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(game.seq))
    assert await claim_message(war) == [played.entry.seq for played in decisions[:2]]


async def test_other_processes_wait_for_a_reply_to_announce_its_entries(
    war: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    decisions = await decide(war, 2, answering=True)
    assert await claim_message(war) == []
    assert await war.announcements.find_channels_with_announcements(LEASE) == []
    seqs = [played.entry.seq for played in decisions]
    assert await claim_message(war, answering=True) == seqs
    later = war.clocks.now() + LEASE * 1.5
    monkeypatch.setattr(war.clocks, "now", lambda: later)
    assert [channel for channel, _ in await war.announcements.find_channels_with_announcements(LEASE)] == [CHANNEL]
    assert await claim_message(war) == seqs
    later += timedelta(days=1)
    assert await war.announcements.find_channels_with_announcements(LEASE) == [], "nor is it tried for ever"


async def test_an_ended_game_announces_nothing(war: Games) -> None:
    await decide(war, 2)
    game = await war.running_game(CHANNEL)
    await war.dice_seeds.end_game(CHANNEL, ANNA)
    assert await war.announcements.find_channels_with_announcements() == []
    assert await war.announcements.claim(game) is None


async def test_two_processes_claim_the_same_message(war: Games, store: Store) -> None:
    decisions = await decide(war, 2)
    second_process = Games(store, war.rulesets)
    both = [await games.announcements.claim(await games.running_game(CHANNEL)) for games in (war, second_process)]
    assert [[played.entry.seq for played in claim.played] for claim in both if claim] == [
        [played.entry.seq for played in decisions]
    ] * 2


async def test_a_message_shows_the_game_after_its_last_entry(war: Games) -> None:
    before = await war.running_game(CHANNEL)
    turn = await play_whole_turn(war)
    claim = await war.announcements.claim(before)
    assert claim is not None
    assert claim.played[-1].game.seq == turn[-1].entry.seq
    assert claim.played[-1].game.state.active == "british"
