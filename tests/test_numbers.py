"""Public entries and throws have their own numbers, so that no gap reveals a hidden one."""

import pytest

from bot.errors import Stale
from bot.journal.throw_numbers import JournalCounts, numbering_group, parse_entry_name
from bot.services import Games
from rules.core.dice import Throw
from rules.core.model import PUBLIC, UMPIRE
from rules.core.report import Report
from rules.core.sealed_dice import SealedThrow

from .conftest import ANNA, BEN, CARL, CHANNEL
from .readings import read_log, verify_throws


def create_throw(number: int, hidden: str | None = None) -> SealedThrow:
    throw = Throw(number=number, label="", sides=6, dice=(1,), hidden=hidden)
    return SealedThrow(game="g", seal="0" * 64, interaction=1, throw=throw)


def test_entries_and_throws_are_counted_apart() -> None:
    counts = (
        JournalCounts()
        .with_entry(None, [create_throw(1)])
        .with_entry("blue", [create_throw(1, "blue"), create_throw(2, "blue")])
    )
    counts = counts.with_entry("red", ()).with_entry(None, [create_throw(2)])
    assert (counts.entries, counts.throws) == (2, 2)
    assert (counts.hidden_entries, counts.hidden_throws) == ({"blue": 1, "red": 1}, {"blue": 2})


@pytest.mark.parametrize(
    ("audience", "numbered_sides"),
    [
        (None, None),
        (frozenset(), UMPIRE),
        (frozenset({"blue", UMPIRE}), "blue"),
        (frozenset({"red", "blue"}), "blue+red"),
    ],
)
def test_an_entry_is_hidden_when_its_report_is_not_for_everyone(
    audience: frozenset[str] | None, numbered_sides: str
) -> None:
    assert numbering_group(Report(headline="", audience=audience)) == numbered_sides


@pytest.mark.parametrize(
    ("name", "parts"), [("12", (12, None)), ("british-h3", (3, "british")), ("h3", None), ("", None)]
)
def test_an_entry_name_is_unique_in_the_game(name: str, parts: tuple[int, str | None] | None) -> None:
    assert parse_entry_name(name) == parts


async def test_nobody_sees_a_gap(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1", "secret": True}, interaction=11)
    await field.rolls.roll(CHANNEL, CARL, "2d6", "plot", secret=True, interaction=12)
    await field.rolls.roll(CHANNEL, BEN, "1d6", secret=True, interaction=13)
    fight = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=14)
    assert [entry.shown_number for entry in await read_log(field, CHANNEL, PUBLIC, 0)] == ["1", "2", "3", "4", "5"]
    assert [entry.shown_number for entry in await read_log(field, CHANNEL, "red", 0)] == ["1", "2", "3", "4", "h1", "5"]
    assert [entry.shown_number for entry in await read_log(field, CHANNEL, "blue", 0)] == [
        "1",
        "2",
        "3",
        "4",
        "h1",
        "h2",
        "5",
    ]
    assert [sealed.throw.name for sealed in fight.entry.dice] == ["2"]
    names = [throw.throw.name for entry in await read_log(field, CHANNEL, UMPIRE, 0) for throw in entry.dice]
    assert names == ["umpire-h1", "1", "blue-h1", "blue-h2", "red-h1", "2"]


async def test_each_viewer_verifies_the_throws_it_may_see(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1", "secret": True}, interaction=11)
    fight = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=12)
    for viewer, right in ((UMPIRE, 3), ("blue", 2), ("red", 1), (PUBLIC, 1)):
        verified = await field.readings.verify_throws(fight.game, viewer)
        assert (verified.right, verified.is_fair) == (right, True), viewer
    assert (await verify_throws(field, CHANNEL)).right == 3


async def test_an_entry_of_a_name_is_found_and_of_no_other(field: Games) -> None:
    hidden = await field.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1", "secret": True}, interaction=11)
    public = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=12)
    assert (hidden.entry.name, public.entry.name) == ("blue-h1", "4")
    assert await field.actions.load_offers(public.game, "4")
    for name in ("blue-h2", "red-h1", "5", "x", "-h1"):
        with pytest.raises(Stale):
            await field.actions.load_offers(public.game, name)


async def test_an_undo_neither_counts_nor_names_hidden_entries(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    game = await field.running_game(CHANNEL)
    stands = game.progress_for("red")
    await field.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1", "secret": True}, interaction=11)
    undoing = await field.undo.preview(await field.running_game(CHANNEL), BEN, 1)
    assert ([entry.shown_number for entry in undoing.entries], undoing.free) == (["4"], True)
    await field.undo.undo_actions(CHANNEL, BEN, 1, progress=stands)
    (entry,) = await read_log(field, CHANNEL, "red", 1)
    assert (entry.shown_number, entry.report.outcome, entry.report.steps) == ("5", "Number 4", ())
    (entry,) = await read_log(field, CHANNEL, "blue", 1)
    assert [step.text for step in entry.report.steps] == ["Also taken back: h1"]
    assert (await field.undo.redo_action(CHANNEL, BEN)).game.state.units["r1"].steps == 1


async def test_progress_for_a_viewer_ignores_hidden_entries(field: Games) -> None:
    game = await field.running_game(CHANNEL)
    await field.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1", "secret": True}, interaction=11)
    now = await field.running_game(CHANNEL)
    assert now.progress_for("red") == game.progress_for("red")
    assert now.progress_for(PUBLIC) == game.progress_for(PUBLIC)
    assert now.progress_for("blue") != game.progress_for("blue")
    assert now.is_umpire(ANNA.id)
    assert now.progress_for(UMPIRE) != game.progress_for(UMPIRE)
