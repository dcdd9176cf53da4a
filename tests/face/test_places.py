"""`/move to:` offers what the system takes: hexes at Tanga, and never the places of another's units."""

import pytest

from bot import client

from .table import Table, text
from .test_tanga import begin, british_turn


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes on by itself waits for nobody here."""
    monkeypatch.setattr(client, "PAUSE", 0.001)


async def test_at_tanga_hexes_are_offered_and_taken(table: Table) -> None:
    await begin(table)
    await british_turn(table)
    for typed in ("", "towards"):
        offered = await table.complete(table.umpire, "move", "to", typed, unit="17.fk-1")
        assert not [to for to in offered if to.startswith("towards")]
    offered = await table.complete(table.umpire, "move", "to", unit="17.fk-1")
    moved = await table.give(table.umpire, "move", unit="17.fk-1", to=offered[0])
    assert offered[0] in text(moved.announced)
    refused = await table.give(table.umpire, "move", unit="17.fk-1", to="towards Leader 2")
    assert "“towards Leader 2” is no hex of this map." in refused.told


async def test_on_a_table_others_units_are_offered_to_nobody_but_who_may_move_them(table: Table) -> None:
    await table.start()
    offered = await table.complete(table.mahdist, "move", "to", "royal", unit="amarar")
    assert "towards Royal Marine Light Infantry" in offered
    assert not await table.complete(table.british, "move", "to", "royal", unit="amarar")


async def test_the_umpire_puts_a_unit_down_in_the_words_of_a_move(table: Table) -> None:
    await table.start()
    put = await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="towards Royal Marine")
    assert "corrects Amarar: place" in text(put.announced)
    put = await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="C2 facing ne")
    assert "30, 18, 45" in text(put.announced)
    refused = await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="over there")
    assert "Say it as “30,12”, “C3”, “forward 6”" in refused.told
