"""Stored seats and decisions of the bot: in the journal, in files, and discarded when the game changed."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.errors import BadFile, UserError
from bot.journal.game import Played
from bot.journal.thinking_record import ThinkingRecord, TurnMemory
from bot.opponent import decide
from bot.services import Games
from bot.store import Store
from bot.store.tables import ENTRIES
from bot.workers import ThreadWorkers
from rules.core.automaton.levels import Level
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.great_war.ruleset import GreatWar
from rules.tanga.ruleset import Tanga

from .conftest import ANNA, BEN, CHANNEL, DORA
from .readings import export_latest, read_log
from .toy import Toy

OTHER = 88


@pytest.fixture
async def war(store: Store) -> Games:
    """A game of the Great War on the turn of the bot's Germans; Ben plays the British."""
    war = Games(store, {"great_war": GreatWar()})
    await war.starter.start(CHANNEL, None, ANNA, "great_war", "trench")
    await war.seats.join(CHANNEL, BEN, "british")
    await war.opponents.seat_bot(CHANNEL, BEN, "germans", Level.EASY)
    await war.actions.act_by_kind(CHANNEL, BEN, "turn_next", {}, interaction=10)
    return war


async def decide_next(games: Games, **options: Any) -> Played | None:
    """Play the bot's next decision."""
    return await games.bot_decisions.decide_next(await games.running_game(CHANNEL), {}, **options)


async def test_a_decision_is_an_entry_with_its_reasons(war: Games, store: Store) -> None:
    first = await decide_next(war)
    assert first is not None
    assert first.entry.thought == ThinkingRecord("germans", Level.EASY)
    assert (first.entry.actor.id, first.entry.actor.name) == (-2, "the bot")
    assert first.entry.base == 5 - 1
    async with store.query_connection() as connection:
        with_one = select(func.count()).where(ENTRIES.c.thought.is_not(None))
        assert await connection.scalar(with_one) == 1, "the others have none at all"
    thoughts = [
        (await read_log(war, CHANNEL, viewer, 1))[0].thought for viewer in (UMPIRE, "germans", "british", PUBLIC)
    ]
    assert thoughts == [first.entry.thought, first.entry.thought, None, None]


async def test_a_file_has_the_bots_seat_and_hides_its_reasons_from_the_enemy(war: Games) -> None:
    remembered: dict[str, TurnMemory] = {}
    for _ in range(5):
        await war.bot_decisions.decide_next(await war.running_game(CHANNEL), remembered)
    assert remembered["germans"].through, "some unit is done with"
    file = await export_latest(war, CHANNEL, ANNA)
    for actor, count in ((ANNA, 5), (BEN, 0)):
        entries = json.loads(await export_latest(war, CHANNEL, actor))["entries"]
        assert sum(entry["thought"] is not None for entry in entries) == (0 if actor is BEN else count)
    imported = await war.importer.import_game(OTHER, None, DORA, file)
    assert imported.seats == (await war.running_game(CHANNEL)).seats or imported.bot_seats
    assert imported.bot_seats["germans"].level is Level.EASY
    assert imported.is_bot_resting, "it waits to be asked"
    thought = [(entry.seq, entry.thought) for entry in await read_log(war, CHANNEL, UMPIRE, 0)]
    assert [(entry.seq, entry.thought) for entry in await read_log(war, OTHER, UMPIRE, 0)][:-1] == thought
    assert (await war.bot_decisions.decide_next(await war.running_game(OTHER), {}, interaction=31)) is not None
    assert await war.announcements.claim(await war.running_game(OTHER))


@pytest.mark.parametrize("spoilt", [{"user": -7}, {"user": 5}, {"level": None}, {"level": "cunning"}])
async def test_an_invalid_bot_seat_is_refused_with_its_place(war: Games, spoilt: dict[str, Any]) -> None:
    file = json.loads(await export_latest(war, CHANNEL, ANNA))
    (place,) = [number for number, seat in enumerate(file["seats"]) if seat["level"]]
    file["seats"][place].update(spoilt)
    with pytest.raises(BadFile, match=rf"seats\[{place}\]"):
        await war.importer.import_game(OTHER, None, DORA, json.dumps(file).encode())


class InterruptedWorker(ThreadWorkers):
    """A worker that calls `happens` before it returns its first decision."""

    def __init__(self, happens: Callable[[], Any]) -> None:
        super().__init__()
        self.happens: Callable[[], Any] | None = happens
        self.thoughts = 0

    async def run(self, job: Callable[..., Any], /, *args: Any, **options: Any) -> Any:
        result = await super().run(job, *args, **options)
        self.thoughts += 1
        if self.happens is not None:
            happens, self.happens = self.happens, None
            await happens()
        return result


async def test_a_decision_is_discarded_when_the_game_moved_on(war: Games, store: Store) -> None:
    workers = InterruptedWorker(lambda: decide_next(war))
    second = Games(store, war.rulesets, workers)
    played = await decide_next(second)
    assert played is not None
    assert workers.thoughts == 2
    (previous, own) = await read_log(war, CHANNEL, UMPIRE, 2)
    assert (own.seq, own.base) == (played.entry.seq, previous.seq), "it was thought anew of how it stood then"
    assert previous.action != own.action


async def test_a_step_requested_in_two_processes_is_executed_once(war: Games, store: Store) -> None:
    before = await war.running_game(CHANNEL)
    both = war, Games(store, war.rulesets)
    results = await asyncio.gather(
        *(process.bot_decisions.decide_next(before, {}, interaction=30, rests_after=True) for process in both)
    )
    assert [played.entry.seq for played in results if played is not None] == [before.seq + 1] * 2
    assert (await war.running_game(CHANNEL)).seq == before.seq + 1


async def test_a_turn_played_by_two_processes_is_announced_once(war: Games, store: Store) -> None:
    both: dict[Games, list[Played]] = {war: [], Games(store, war.rulesets): []}
    for games in [*both] * 2:
        played = await decide_next(games)
        assert played is not None
        both[games].append(played)
    claims = [
        await games.announcements.claim(await games.running_game(CHANNEL), decisions)
        for games, decisions in both.items()
    ]
    assert [[played.entry.seq for played in claim.played] for claim in claims if claim] == [[5, 6, 7, 8]] * 2
    assert claims[0] is not None
    await war.announcements.delete_sent_announcements(claims[0].played)
    for games, decisions in both.items():
        assert not await games.announcements.claim(await games.running_game(CHANNEL), decisions)


async def test_an_umpire_who_plays_against_it_sees_what_his_side_sees(war: Games) -> None:
    async def sees() -> Viewer:
        return (await war.running_game(CHANNEL)).viewer(ANNA.id)

    assert await sees() == UMPIRE, "somebody else plays against it"
    await war.seats.leave(CHANNEL, BEN)
    assert await sees() == "british", "nobody else does"
    await war.opponents.seat_bot(CHANNEL, ANNA, "british", Level.EASY)
    assert await sees() == UMPIRE, "he only looks on"
    await war.opponents.unseat_bot(CHANNEL, ANNA, "british")
    await war.seats.join(CHANNEL, ANNA, "british")
    await war.seats.join(CHANNEL, BEN, "british")
    assert await sees() == "british"


async def test_an_umpire_against_the_card_sees_no_more_when_the_bot_plays_too(store: Store) -> None:
    games = Games(store, {"tanga": Tanga()})
    await games.starter.start(CHANNEL, None, ANNA, "tanga", "initial-assault")
    await games.seats.leave(CHANNEL, ANNA)
    await games.opponents.seat_bot(CHANNEL, ANNA, "germans", Level.EASY)
    assert (await games.running_game(CHANNEL)).viewer(ANNA.id) == "german"
    with pytest.raises(UserError, match="The bot plays the British by the printed card"):
        await games.opponents.seat_bot(CHANNEL, ANNA, "british", Level.EASY)


async def test_a_decision_of_a_removed_bot_is_discarded(war: Games, store: Store) -> None:
    workers = InterruptedWorker(lambda: war.opponents.unseat_bot(CHANNEL, ANNA, "germans"))
    assert await decide_next(Games(store, war.rulesets, workers)) is None
    assert (await read_log(war, CHANNEL, UMPIRE, 1))[0].kind == "opponent off"


async def test_a_system_without_values_has_no_bot_seat(field: Games) -> None:
    assert not Toy.values
    with pytest.raises(UserError, match="not in this system yet"):
        await field.opponents.seat_bot(CHANNEL, ANNA, "red", Level.HARD)


async def test_undone_decisions_do_not_count_for_the_limit_per_turn(
    war: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide, "MOST_DECISIONS", 3)
    first = [await decide_next(war) for _ in range(3)]
    assert [played.entry.kind for played in first if played is not None] == ["order"] * 3
    await war.undo.undo_actions(CHANNEL, ANNA, 3, progress=str((await war.running_game(CHANNEL)).seq))
    decision = await decide_next(war, interaction=50)
    assert decision is not None
    assert decision.entry.kind == "order", "else it would only pass on"


async def test_finished_units_are_reconsidered_after_an_undo(war: Games) -> None:
    remembered: dict[str, TurnMemory] = {}
    played = await war.running_game(CHANNEL)
    while not remembered.get("germans", TurnMemory()).through:
        decision = await war.bot_decisions.decide_next(played, remembered)
        assert decision is not None
        played = decision.game
    undone = (await war.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(played.seq))).game
    await war.opponents.seat_bot(CHANNEL, ANNA, "germans", Level.EASY)
    second_decision = await war.bot_decisions.decide_next(played, remembered)
    assert second_decision is not None
    assert (second_decision.entry.base, second_decision.entry.thought) == (
        undone.state_seq,
        ThinkingRecord("germans", Level.EASY),
    )
