"""`/game brief`: a summary for the player who takes over a seat, limited to the seat's knowledge."""

from typing import Any

import pytest

from bot.journal.game import Actor, Entry
from cogs.game.brief import event_lines
from rules.core.report import Report

from .table import Table
from .test_opponent import game_of

pytestmark = pytest.mark.usefixtures("real_maps")


async def test_the_brief_shows_aim_units_enemies_events_and_rulings(table: Table) -> None:
    await table.start()
    await table.give(table.british, "ruling record", text="Camels spit at six inches")
    await table.give(table.umpire, "umpire option", name="throw at once", value="no")
    await table.give(table.mahdist, "move", unit="amarar", to="forward 3")
    reply = (await table.give(table.mahdist, "game brief")).private_text
    assert "### Brief for the Army of Osman Digna" in reply
    assert "The British must hold the wells." in reply
    assert "- **Amarar move 0.8" in reply
    assert "**Enemies seen now**" in reply
    assert "Camels spit at six inches" in reply
    assert "throw at once: no" in reply
    assert "Waiting for musa (Army of Osman Digna)" in reply
    onlooker = (await table.give(table.onlooker, "game brief")).private_text
    assert "for players and the umpire" in onlooker


async def test_the_brief_shows_hidden_enemies_only_as_they_were_seen(table: Table) -> None:
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


async def test_many_events_are_cut_to_fights_and_the_newest(table: Table) -> None:
    await table.start()
    game = await game_of(table)
    kinds = ["fire", *["move"] * 20]
    entries = [
        Entry(seq, game.started, Actor(1, "musa"), kind, {}, Report(headline=f"{kind} {seq} {'x' * 90}"), undone=False)
        for seq, kind in enumerate(kinds)
    ]
    lines = event_lines(game, entries)
    assert lines[0].startswith("- **fire 0 ")
    assert [line.split()[2] for line in lines[1:-1]] == [str(seq) for seq in range(14, 21)]
    assert lines[-1] == "-# … and 13 more: `/game log`"
    assert event_lines(game, entries[:2])[-1].startswith("- **move 1 ")
