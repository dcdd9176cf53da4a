"""Several units in one `/move`: one entry per unit, one message with a line per unit, and a common map."""

import pytest

from .loaded_dice import LoadedDice
from .table import Table, text


@pytest.fixture(autouse=True)
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch, default=3)


async def test_several_units_move_in_one_message(table: Table) -> None:
    await table.start()
    before = await table.seq()
    answer = await table.give(table.mahdist, "move", unit="Amarar, Hadendoa of Tamai, Ashraf", to="forward 6")
    reply = text(answer.announced)
    assert "### Army of Osman Digna: 3 orders" in reply
    assert "**1** Amarar move 6" in reply
    assert "**3** Ashraf move 6" in reply
    assert "2D6 3 3" in reply
    assert len(answer.announced.attachments) == 1
    assert await table.seq() == before + 3


async def test_all_means_every_unit_that_can_move(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "move", unit="ashraf", to="forward 3")
    answer = await table.give(table.mahdist, "move", unit="all Hadendoa", to="forward 3")
    assert "3 orders" in text(answer.announced)
    answer = await table.give(table.mahdist, "move", unit="all", to="forward 3")
    assert "8 orders" in text(answer.announced)
    assert "Ashraf move" not in text(answer.announced)
    assert not answer.private


async def test_the_first_refused_move_stops_the_others_and_is_explained(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "move", unit="ashraf", to="forward 3")
    before = await table.seq()
    answer = await table.give(table.mahdist, "move", unit="amarar, arteiga, ashraf, rifles-hashin", to="forward 3")
    assert "2 orders" in text(answer.announced)
    (why,) = answer.private
    assert "Ashraf" in text(why)
    assert await table.seq() == before + 2


@pytest.mark.parametrize(
    ("names", "hint"),
    [
        ("amarar, nobody", "No unit of yours is called “nobody”"),
        ("amarar, berkshires", "No unit of yours is called “berkshires”"),
        ("all dragoons", "No units of yours are called “dragoons”"),
        (",", "Say whom"),
    ],
)
async def test_a_wrong_name_in_the_list_moves_nobody(names: str, hint: str, table: Table) -> None:
    await table.start()
    before = await table.seq()
    answer = await table.give(table.mahdist, "move", unit=names, to="forward 3")
    assert hint in answer.private_text
    assert await table.seq() == before
