"""/army: printed lists, and armies in plain lines."""

from typing import Any

import pytest
import simcord

from .table import Answer, Table, labels
from .test_opponent import game_of
from .test_own_table import form, sent

pytestmark = pytest.mark.usefixtures("drawn")

WRITTEN = "24 British regulars, breechloaders: 1st Berkshires, with Sir John McNeill\n3 Zulu impis of 36"
NAMES = ["1st Berkshires", "Sir John McNeill", "Zulu impi 1", "Zulu impi 2", "Zulu impi 3"]
PUT, AGAIN = "Put on the table", "Write it again"


async def written(table: Table, lines: str, who: simcord.MemberActor | None = None) -> Answer:
    """What is told of an army of the British that somebody writes."""
    opened = await table.give(who or table.umpire, "army write", side="British")
    return await submitted(who or table.umpire, opened, lines)


async def submitted(who: simcord.MemberActor, opened: Any, lines: str) -> Answer:
    (field,) = [part["component"] for part in opened.result.modal["components"]]
    return Answer(await who.submit_modal(opened.result, {field["custom_id"]: lines}))


async def names(table: Table) -> list[str]:
    return [unit.name for unit in (await game_of(table)).state.units.values()]


async def test_an_army_in_plain_lines_is_shown_then_put_on_and_taken_back(table: Table) -> None:
    await sent(table, await form(table))
    shown = await written(table, WRITTEN)
    assert "1st Berkshires: 24 British regulars, breechloaders, with Sir John McNeill" in shown.told
    assert "4 units of 2 kinds of troops, 132 figures, and 1 leader" in shown.told
    assert await names(table) == []
    await table.restart()
    put = await table.press(table.umpire, shown.private[0], PUT)
    assert "5 units of the British are put on the table" in put.said
    assert sorted(await names(table)) == sorted(NAMES)
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    assert await names(table) == []


async def test_doubtful_lines_are_shown_back_and_written_again(table: Table) -> None:
    await sent(table, await form(table))
    shown = await written(table, "24 British regulars, breechloaders: 1st Berkshires\n12 Zlu imps")
    assert "line 2" in shown.told
    assert "Zulu impi" in shown.told
    assert PUT not in labels(shown.private[0])
    again = await table.press(table.umpire, shown.private[0], AGAIN)
    (field,) = [part["component"] for part in again.result.modal["components"]]
    assert field["value"].endswith("12 Zlu imps")
    mended = await submitted(table.umpire, again, WRITTEN)
    assert PUT in labels(mended.private[0])


async def test_a_printed_list_is_told_and_put_on_as_a_whole(table: Table) -> None:
    await sent(table, await form(table))
    assert "Suakin 1885: British" in (await table.give(table.umpire, "army list")).told
    assert "suakin-1885 british" in await table.complete(table.umpire, "army add", "list", "suakin")
    told = (await table.give(table.onlooker, "army show", list="Suakin 1885: British")).told
    assert "1st Berkshires: 24" in told
    await table.give(table.umpire, "army add", list="Suakin 1885: British", side="British")
    assert "1st Berkshires" in await names(table)
    assert "There is no list" in (await table.give(table.umpire, "army add", list="Narnia", side="British")).told


async def test_players_put_on_their_own_side_in_the_set_up_and_only_the_umpire_afterwards(table: Table) -> None:
    await sent(table, await form(table))
    await table.give(table.british, "game join", side="British")
    await table.give(table.mahdist, "game join", side="Egyptians")
    shown = await written(table, "Zulu impi: Ours", table.mahdist)
    assert "This is for bertie" in (await table.press(table.mahdist, shown.private[0], PUT)).told
    assert await names(table) == []
    shown = await written(table, "Zulu impi: Ours", table.british)
    await table.press(table.british, shown.private[0], PUT)
    assert await names(table) == ["Ours"]
    await table.give(table.umpire, "army add", list="Suakin 1885: British", side="Egyptians")
    await table.give(table.umpire, "turn next")
    assert (await game_of(table)).state.setting_up is None
    shown = await written(table, "Zulu impi: Late", table.british)
    assert "ursula" in (await table.press(table.british, shown.private[0], PUT)).told


async def test_in_a_system_of_hexes_it_says_why_not(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    for command, options in (("army list", {}), ("army write", {"side": "german"})):
        assert "not played on a table in inches" in (await table.give(table.umpire, command, **options)).told
