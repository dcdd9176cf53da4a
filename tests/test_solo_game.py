"""Games against the bot: hidden facts stay hidden, the umpire has all rights, automatic actions continue."""

import asyncio
import hashlib
import json
import re
import zlib
from typing import Any

import pytest
from sqlalchemy import select

from bot.errors import BadFile, NotAllowed, UserError
from bot.games.history import load_states
from bot.jobs.replay import read_view
from bot.journal.ledger import Ledger
from bot.runtime.channel_loops import ChannelLoops
from bot.services import Games
from bot.store import Store
from bot.store.tables import EntryRow, SeedRow
from rules.core.model import PUBLIC, UMPIRE
from tests.readings import export_latest, preview_undo, read_log, read_luck, verify_throws, write_latest_page

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA
from .solo_toy import AMBUSH, AMBUSH_OFFSET, ToyAlone

OTHER = 88


@pytest.fixture
def games(store: Store) -> Games:
    return Games(store, {"alone": ToyAlone()})


@pytest.fixture
async def solo_game(games: Games) -> Games:
    """A game in which Anna and Ben play Red against the bot; Dora looks on."""
    await games.starter.start(CHANNEL, 5, ANNA, "alone", "lane", interaction=1)
    await games.seats.join(CHANNEL, BEN, "red")
    return games


@pytest.fixture
async def advanced_game(solo_game: Games) -> Games:
    """A game after two actions of Blue, each with an open and a hidden throw, and one die of Red's."""
    await solo_game.actions.act_by_kind(CHANNEL, ANNA, "british", {"much": "formation"}, interaction=10)
    assert await solo_game.actions.perform_automatic_action(CHANNEL, ANNA)
    assert await solo_game.actions.perform_automatic_action(CHANNEL, ANNA)
    await solo_game.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=11)
    return solo_game


def reveals_ambush(text: str) -> bool:
    """Whether the text contains the ambush's number or mentions its throw."""
    return AMBUSH in text or any(re.search(rf"\b{AMBUSH_OFFSET + die}\b", text) for die in range(1, 7))


async def test_the_starter_is_seated_against_the_bot_and_sees_as_a_player(solo_game: Games) -> None:
    game = await solo_game.running_game(CHANNEL)
    assert [(seat.user, seat.side) for seat in game.seats] == [(ANNA.id, "red"), (BEN.id, "red")]
    assert [game.viewer(user.id) for user in (ANNA, BEN, DORA)] == ["red", "red", PUBLIC]
    assert game.is_umpire(ANNA.id)
    assert not game.is_umpire(BEN.id)


async def test_the_umpire_without_a_seat_sees_as_the_first_human_side(solo_game: Games) -> None:
    await solo_game.seats.leave(CHANNEL, ANNA)
    assert (await solo_game.running_game(CHANNEL)).viewer(ANNA.id) == "red"
    game = await solo_game.seats.appoint_umpire(CHANNEL, ANNA, CARL)
    assert [game.viewer(user.id) for user in (ANNA, CARL)] == [PUBLIC, "red"]


async def test_nobody_takes_the_bots_side(solo_game: Games, games: Games) -> None:
    with pytest.raises(UserError, match="The bot plays the Blue by the printed card"):
        await solo_game.seats.join(CHANNEL, DORA, "Blue")
    with pytest.raises(UserError, match="The bot plays the Blue"):
        await games.starter.start(OTHER, 5, ANNA, "alone", "lane", "blue", interaction=2)


async def test_the_umpire_keeps_all_rights(solo_game: Games) -> None:
    with pytest.raises(NotAllowed, match="Only the umpire, Anna"):
        await solo_game.actions.act_by_kind(CHANNEL, BEN, "overrule", {"to": "left"}, interaction=20)
    await solo_game.actions.act_by_kind(CHANNEL, ANNA, "overrule", {"to": "left"}, interaction=21)
    with pytest.raises(NotAllowed, match="The bot plays the Blue"):
        await solo_game.actions.act_by_kind(CHANNEL, DORA, "march", {"unit": "b1"}, interaction=22)
    await solo_game.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "b1"}, interaction=23)


async def test_the_umpire_undoes_freely_and_consents(advanced_game: Games) -> None:
    head = (await advanced_game.running_game(CHANNEL)).seq
    assert not (await preview_undo(advanced_game, CHANNEL, BEN, 2)).free
    assert (await preview_undo(advanced_game, CHANNEL, ANNA, 2)).free
    game = (await advanced_game.undo.undo_actions(CHANNEL, BEN, 2, progress=str(head), consent=ANNA)).game
    assert game.state.units["b1"].steps == 1


async def test_a_hidden_throw_follows_from_the_hidden_seed(advanced_game: Games, store: Store) -> None:
    async with store.read() as session:
        seeds = {row.seal: row.hidden for row in await session.scalars(select(SeedRow))}
        rows = await session.scalars(select(EntryRow).where(EntryRow.kind == "advance"))
        throws = [sealed for row in rows for sealed in row.dice]
    assert [seeds[sealed["seal"]] for sealed in throws] == [False, True, False, True]
    verified = await verify_throws(advanced_game, CHANNEL)
    assert (verified.is_fair, verified.right, verified.unknown) == (True, 7, 0)


@pytest.mark.parametrize("reader", [ANNA, BEN, DORA])
async def test_no_hidden_throw_is_in_log_luck_or_page(advanced_game: Games, reader: Any) -> None:
    game = await advanced_game.running_game(CHANNEL)
    viewer = game.viewer(reader.id)
    log = await read_log(advanced_game, CHANNEL, viewer, 0)
    assert [len(entry.dice) for entry in log if entry.kind == "advance"] == [1, 1]
    assert not reveals_ambush(str(log))
    assert sum(luck.dice for luck in await read_luck(advanced_game, CHANNEL, viewer)) == 4
    for style in ("html", "markdown"):
        assert not reveals_ambush(await write_latest_page(advanced_game, CHANNEL, viewer, style))
    assert reveals_ambush(str(await read_log(advanced_game, CHANNEL, UMPIRE, 0))), "what is hidden is kept"


async def test_nothing_hidden_is_in_the_replay(advanced_game: Games, store: Store) -> None:
    game = await advanced_game.running_game(CHANNEL)
    states = await load_states(Ledger(advanced_game), game)
    assert any(reveals_ambush(zlib.decompress(row.state).decode()) for row in states), "what is hidden is kept"
    assert not reveals_ambush(str([read_view(game.ruleset, row.state, PUBLIC) for row in states]))


@pytest.mark.parametrize("reader", [ANNA, BEN, DORA])
async def test_a_file_carries_nothing_hidden(advanced_game: Games, reader: Any) -> None:
    file = (await export_latest(advanced_game, CHANNEL, reader)).decode()
    assert not reveals_ambush(file)
    document = json.loads(file)
    assert [seed["secret"] for seed in document["seeds"]] == [None, None]
    dice = [len(entry["dice"]) for entry in document["entries"] if entry["kind"] == "advance"]
    assert dice == [1, 1]


async def test_a_players_file_goes_on_elsewhere_with_a_fresh_hidden_seed(advanced_game: Games, store: Store) -> None:
    original = await advanced_game.running_game(CHANNEL)
    imported = await advanced_game.importer.import_game(
        OTHER, 6, ANNA, await export_latest(advanced_game, CHANNEL, ANNA)
    )
    assert imported.viewer(ANNA.id) == "red"
    assert imported.state == original.ruleset.view(original.state, "red")
    sprung = await advanced_game.actions.act_by_kind(OTHER, ANNA, "spring", {"unit": "r1"}, interaction=30)
    assert AMBUSH_OFFSET < sprung.game.state.units["r1"].hits <= AMBUSH_OFFSET + 6
    async with store.read() as session:
        hidden = select(SeedRow).where(SeedRow.game == imported.id, SeedRow.hidden).order_by(SeedRow.epoch)
        seeds = (await session.scalars(hidden)).all()
    assert [seed.seed is None for seed in seeds] == [True, False]
    assert hashlib.sha256(seeds[-1].seed or b"").hexdigest() == seeds[-1].seal != seeds[0].seal
    verified = await verify_throws(advanced_game, OTHER)
    assert (verified.is_fair, verified.right) == (True, 1)
    assert await advanced_game.importer.import_game(99, 6, ANNA, await export_latest(advanced_game, OTHER, ANNA)), (
        "and again"
    )


async def test_an_undo_after_something_hidden_was_shown_is_marked(advanced_game: Games) -> None:
    sprung = await advanced_game.actions.act_by_kind(CHANNEL, ANNA, "spring", {"unit": "r1"}, interaction=30)
    undone = (await advanced_game.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(sprung.game.seq))).game
    (entry,) = await read_log(advanced_game, CHANNEL, PUBLIC, 1)
    assert entry.report.outcome == f"Number {sprung.entry.seq}, taken back after something hidden was shown."
    assert "taken back after something hidden was shown" in await write_latest_page(
        advanced_game, CHANNEL, PUBLIC, "markdown"
    )
    repeated = await advanced_game.actions.act_by_kind(CHANNEL, ANNA, "spring", {"unit": "r1"}, interaction=31)
    assert repeated.entry.report.headline == sprung.entry.report.headline, "it is what it was"
    assert (
        await advanced_game.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(repeated.game.seq))
    ).game.state == undone.state


async def test_a_fact_missing_from_a_file_is_drawn_once(advanced_game: Games) -> None:
    await advanced_game.importer.import_game(OTHER, 6, ANNA, await export_latest(advanced_game, CHANNEL, ANNA))
    sprung = await advanced_game.actions.act_by_kind(OTHER, ANNA, "spring", {"unit": "r1"}, interaction=30)
    for steps in (1, 2):
        with pytest.raises(UserError, match="would be drawn again"):
            await preview_undo(advanced_game, OTHER, ANNA, steps)
        with pytest.raises(UserError, match="would be drawn again"):
            await advanced_game.undo.undo_actions(OTHER, ANNA, steps, progress=str(sprung.game.seq))
    passed = await advanced_game.actions.act_by_kind(OTHER, ANNA, "fight", {"unit": "r1"}, interaction=31)
    assert (
        await advanced_game.undo.undo_actions(OTHER, ANNA, 1, progress=str(passed.game.seq))
    ).game.state == sprung.game.state


async def test_a_file_seats_nobody_on_the_bots_side(advanced_game: Games) -> None:
    document = json.loads(await export_latest(advanced_game, CHANNEL, ANNA))
    document["seats"][0]["side"] = "blue"
    with pytest.raises(BadFile, match=r"seats\[0\]\.side"):
        await advanced_game.importer.import_game(OTHER, 6, ANNA, json.dumps(document).encode())


async def test_the_end_publishes_the_hidden_seed_too(advanced_game: Games) -> None:
    game = await advanced_game.dice_seeds.end_game(CHANNEL, ANNA)
    assert all(seed.secret for seed in game.seeds)


async def test_the_bot_acts_until_people_must_answer(solo_game: Games) -> None:
    assert await solo_game.actions.perform_automatic_action(CHANNEL, ANNA) is None
    await solo_game.actions.act_by_kind(CHANNEL, BEN, "british", {}, interaction=10)
    acts = []
    while played := await solo_game.actions.perform_automatic_action(CHANNEL, BEN):
        acts.append(played)
    assert [act.entry.report.headline for act in acts] == [f"Blue advance, {to_go} to go" for to_go in (4, 3, 2)]
    assert {act.entry.actor for act in acts} == {BEN}
    await solo_game.actions.act_by_kind(CHANNEL, BEN, "answer", {"word": "hold"}, interaction=11)
    assert await solo_game.actions.perform_automatic_action(CHANNEL, BEN)


async def test_a_running_loop_repeats_after_a_request() -> None:
    loops, steps, remaining = ChannelLoops(0.001), [], [2]
    entered, go = asyncio.Event(), asyncio.Event()

    async def step() -> bool:
        if remaining[0] == 0:
            entered.set()
            await go.wait()
            return False
        remaining[0] -= 1
        steps.append(remaining[0])
        return True

    loops.start(1, step)
    await entered.wait()
    remaining[0] = 1
    loops.start(1, step)
    go.set()
    await asyncio.sleep(0.05)
    assert steps == [1, 0, 0]
    await loops.stop(1)


async def test_a_stopped_loop_finishes_its_step_only() -> None:
    loops, steps = ChannelLoops(60), []
    begun = asyncio.Event()

    async def step() -> bool:
        begun.set()
        await asyncio.sleep(0.02)
        steps.append("step")
        return True

    loops.start(1, step)
    await begun.wait()
    stopping = asyncio.create_task(loops.stop(60))
    await asyncio.wait_for(stopping, 1)
    loops.start(2, step)
    await asyncio.sleep(0.03)
    assert steps == ["step"]
