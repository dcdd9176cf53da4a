"""`/game brief`: what a seat has seen, for whoever takes it; nothing of what it has not."""

from typing import Any

import pytest

from bot.journal.game import Actor, Entry
from cogs.game.brief import event_lines
from rules.core.report import Report

from .table import Table
from .test_opponent import game_of

pytestmark = pytest.mark.usefixtures("real_maps")


async def test_a_seat_is_told_its_aim_units_enemies_the_last_turns_and_house_rulings(table: Table) -> None:
    await table.start()
    await table.give(table.british, "ruling record", text="Camels spit at six inches")
    await table.give(table.umpire, "umpire option", name="throw at once", value="no")
    await table.give(table.mahdist, "move", unit="amarar", to="forward 3")
    told = (await table.give(table.mahdist, "game brief")).private_text
    assert "### Brief for the Army of Osman Digna" in told
    assert "The British must hold the wells." in told
    assert "- **Amarar move 0.8" in told
    assert "**Enemies seen now**" in told
    assert "Camels spit at six inches" in told
    assert "throw at once: no" in told
    assert "Waiting for musa (Army of Osman Digna)" in told
    onlooker = (await table.give(table.onlooker, "game brief")).private_text
    assert "for players and the umpire" in onlooker


async def test_hidden_enemies_stand_in_it_only_as_they_were_seen(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    await table.give(table.umpire, "unit hide", unit="Arteiga")
    state: Any = (await game_of(table)).state
    assert "arteiga" in state.hidden
    british = (await table.give(table.british, "game brief")).private_text
    assert "**Out of sight, last seen**\n- Arteiga: D1 SE facing south (46,8 facing 180°), turn 1" in british
    mahdist = (await table.give(table.mahdist, "game brief")).private_text
    assert "Out of sight" not in mahdist
    assert "Arteiga" in mahdist


async def test_of_many_events_it_tells_fights_first_then_the_newest_and_counts_the_rest(table: Table) -> None:
    await table.start()
    game = await game_of(table)
    kinds = ["fire", *["move"] * 20]
    entries = [
        Entry(seq, game.started, Actor(1, "musa"), kind, {}, Report(headline=f"{kind} {seq} {'x' * 90}"), undone=False)
        for seq, kind in enumerate(kinds)
    ]
    lines = event_lines(game, entries)
    assert lines[0].startswith("- **fire 0 ")
    assert [one.split()[2] for one in lines[1:-1]] == [str(seq) for seq in range(14, 21)]
    assert lines[-1] == "-# … and 13 more: `/game log`"
    assert event_lines(game, entries[:2])[-1].startswith("- **move 1 ")
