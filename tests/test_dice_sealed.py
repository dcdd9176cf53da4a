"""A game's dice anyone can check: sealed, revealed, and the same by the script that needs none of this program."""

import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from sqlalchemy import select, update

from bot.errors import NotAllowed
from bot.jobs.dice_check import ThrowGap
from bot.services import Games
from bot.store import Store
from bot.store.tables import EntryRow, SeedRow
from rules.core.model import PUBLIC, UMPIRE
from rules.core.sealed_dice import seal
from tests.readings import export_latest, read_log, read_luck, verify_throws

from .conftest import ANNA, BEN, CARL, CHANNEL


async def test_the_seed_behind_the_posted_seal_is_shown_at_the_end(field: Games) -> None:
    sealed = (await field.running_game(CHANNEL)).seal
    with pytest.raises(NotAllowed, match="Anna"):
        await field.dice_seeds.end_game(CHANNEL, BEN)
    game = await field.dice_seeds.end_game(CHANNEL, ANNA)
    assert {seed.hidden for seed in game.seeds if seed.secret} == {True, False}
    secret = next(seed.secret for seed in game.seeds if seed.seal == sealed)
    assert secret is not None
    assert seal(bytes.fromhex(secret)) == sealed
    assert any(secret in step.text for step in (await read_log(field, CHANNEL, PUBLIC, 1))[0].report.steps)


async def test_revealing_starts_a_new_epoch_and_numbers_go_on(field: Games) -> None:
    before = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    with pytest.raises(NotAllowed, match="Anna"):
        await field.dice_seeds.reveal_seed(CHANNEL, BEN)
    game = await field.dice_seeds.reveal_seed(CHANNEL, ANNA)
    assert game.seal != before.game.seal
    assert [(seed.epoch, seed.hidden, seed.secret is not None) for seed in game.seeds] == [
        (1, False, True),
        (1, True, False),
        (2, False, False),
    ]
    after = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=11)
    assert after.entry.dice[0].seal == game.seal
    assert after.entry.dice[0].throw.number == before.entry.dice[0].throw.number + 1
    verified = await verify_throws(field, CHANNEL)
    assert (verified.right, verified.wrong, verified.missing) == (3, (), ())


async def test_secret_and_set_up_throws_have_a_seed_of_their_own(field: Games) -> None:
    game = await field.running_game(CHANNEL)
    secret = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1", "secret": True}, interaction=10)
    public = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=11)
    (start,) = [entry for entry in await read_log(field, CHANNEL, UMPIRE, 0) if entry.kind == "game new"]
    assert start.dice[0].seal == secret.entry.dice[0].seal != game.seal
    assert public.entry.dice[0].seal == game.seal
    assert [entry.kind for entry in await read_log(field, CHANNEL, "blue", 2)] == ["game join", "fight"]


async def test_false_dice_are_found_out(field: Games, store: Store) -> None:
    played = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    async with store.write() as session:
        row = await session.scalar(select(EntryRow).where(EntryRow.seq == played.entry.seq))
        assert row is not None
        dice = [{**row.dice[0], "throw": {**row.dice[0]["throw"], "dice": [6, 6]}}]
        if played.entry.report.throws[0].dice == (6, 6):
            dice[0]["throw"]["dice"] = [1, 1]
        row.dice = dice
    verified = await verify_throws(field, CHANNEL)
    assert verified.wrong == (played.entry.report.throws[0].name,)
    assert not verified.is_fair


async def test_a_throw_that_was_taken_away_is_missed(field: Games, store: Store) -> None:
    played = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    async with store.write() as session:
        await session.execute(update(EntryRow).where(EntryRow.seq == played.entry.seq).values(dice=[]))
    number = played.entry.report.throws[0].number
    assert (await verify_throws(field, CHANNEL)).missing == (ThrowGap(number, number),)


async def test_another_seed_than_the_sealed_one_is_found_out(field: Games, store: Store) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    async with store.write() as session:
        await session.execute(update(SeedRow).where(~SeedRow.hidden).values(seed=bytes(32)))
    assert not (await verify_throws(field, CHANNEL)).is_fair


async def test_the_script_of_the_readme_agrees(field: Games, tmp_path: Path) -> None:
    for number in range(10, 14):
        await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=number)
    await field.rolls.roll(CHANNEL, CARL, "40d1000", "many | big", interaction=20)
    await field.dice_seeds.end_game(CHANNEL, ANNA)
    game, script = tmp_path / "game.json", tmp_path / "verify.py"
    game.write_bytes(await export_latest(field, CHANNEL, BEN))
    script.write_text(files("bot.reports").joinpath("verify_script.txt").read_text(encoding="utf-8"))

    def run() -> list[str]:
        process = subprocess.run([sys.executable, script, game], capture_output=True, text=True, check=True)
        return process.stdout.splitlines()

    lines = run()
    assert len(lines) == 5
    assert all(line.endswith("agrees") for line in lines)
    document = json.loads(game.read_text())
    first = next(entry["dice"][0]["throw"] for entry in document["entries"] if entry["dice"])
    first["dice"] = [die % 6 + 1 for die in first["dice"]]
    game.write_text(json.dumps(document))
    assert [line for line in run() if "FALSE" in line] == [run()[0]]


async def test_luck_is_reckoned_by_side_of_what_the_viewer_may_see(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    undone = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=11)
    await field.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(undone.entry.seq))
    await field.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1", "secret": True}, interaction=12)
    (red,) = await read_luck(field, CHANNEL, PUBLIC)
    assert (red.side, red.dice, red.expected) == ("red", 2, 7)
    assert red.total == (await field.running_game(CHANNEL)).state.units["r1"].hits
    assert sum(red.faces.values()) == 2
    assert [luck.side for luck in await read_luck(field, CHANNEL, "blue")] == ["red", "blue"]
    assert [luck.side for luck in await read_luck(field, CHANNEL, UMPIRE)] == ["umpire", "red", "blue"]
