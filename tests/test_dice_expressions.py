"""`/roll` in a game and without one: whose throw it is, who reads it, and what it leaves behind."""

import pytest

from bot.services import Games
from rules.core.model import PUBLIC, UMPIRE
from rules.core.ruleset import Refused
from tests.readings import preview_undo, read_log, verify_throws

from .conftest import ANNA, BEN, CHANNEL, DORA


async def test_a_roll_in_a_game_is_thrown_with_its_dice_and_journalled(field: Games) -> None:
    before = await field.running_game(CHANNEL)
    rolled = await field.rolls.roll(CHANNEL, BEN, "2d6+1", "wind | rain", interaction=10)
    assert rolled.played is not None
    after = await field.running_game(CHANNEL)
    assert (after.state, after.public_throw_count, after.seq) == (
        before.state,
        before.public_throw_count + 1,
        before.seq + 1,
    )
    entry = (await read_log(field, CHANNEL, PUBLIC, 1))[0]
    assert (entry.kind, entry.report.headline) == ("roll", "Ben rolls wind rain")
    assert (await verify_throws(field, CHANNEL)).is_fair
    repeated = await field.rolls.roll(CHANNEL, BEN, "2d6+1", "wind | rain", interaction=10)
    assert repeated.report == rolled.report


async def test_a_roll_is_no_action_to_undo(field: Games) -> None:
    played = await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    await field.rolls.roll(CHANNEL, BEN, "1d6", interaction=11)
    (entry,) = (await preview_undo(field, CHANNEL, BEN, 1)).entries
    assert entry.seq == played.entry.seq


async def test_a_secret_roll_is_for_its_side_and_the_umpire(field: Games) -> None:
    await field.rolls.roll(CHANNEL, BEN, "1d6", "plot", secret=True, interaction=10)
    await field.rolls.roll(CHANNEL, DORA, "1d6", "gossip", secret=True, interaction=11)
    await field.rolls.roll(CHANNEL, ANNA, "1d6", "storm", secret=True, interaction=12)

    async def read_by(viewer: str) -> list[str]:
        return [e.report.headline for e in await read_log(field, CHANNEL, viewer, 0) if e.kind == "roll"]

    assert await read_by("red") == ["Ben rolls plot"]
    assert await read_by("blue") == []
    assert await read_by(PUBLIC) == []
    assert await read_by(UMPIRE) == ["Ben rolls plot", "Dora rolls gossip", "Anna rolls storm"]


async def test_without_a_game_the_machine_throws(games: Games) -> None:
    rolled = await games.rolls.roll(CHANNEL, BEN, "100d6", repeat=2, interaction=10)
    assert rolled.played is None
    assert [len(throw.dice) for throw in rolled.report.throws] == [100, 100]
    assert rolled.report.throws[0].dice != rolled.report.throws[1].dice


async def test_a_bomb_leaves_no_trace_in_the_game(field: Games) -> None:
    before = await field.running_game(CHANNEL)
    with pytest.raises(Refused):
        await field.rolls.roll(CHANNEL, BEN, "999999d999999", interaction=10)
    assert await field.running_game(CHANNEL) == before
