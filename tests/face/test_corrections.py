"""`/umpire set` and `/unit edit`: the umpire corrects one unit or several units at once."""

import pytest

from rules.core.naming import words_of

from .table import Table, text
from .test_opponent import game_of

HADENDOA = "all Hadendoa"
BOTH = "Royal Marines and 1st Berkshires"


@pytest.mark.parametrize("command", ["umpire set", "unit edit"])
async def test_corrections_share_a_message_and_are_undone_one_by_one(table: Table, command: str) -> None:
    await table.start()
    before = await game_of(table)
    answer = await table.give(
        table.umpire, command, unit="Royal Marines, 1st Berkshires", field="casualties", value="3"
    )
    (message,) = answer.public
    assert "### ursula: 2 corrections" in text(message)
    assert "corrects Royal Marine Light Infantry" in text(message)
    assert "corrects 1st Berkshires" in text(message)
    after = await game_of(table)
    changed = {unit.name for unit in after.state.units.values() if unit != before.state.units[unit.id]}
    assert changed == {"Royal Marine Light Infantry", "1st Berkshires"}
    assert after.seq == before.seq + 2
    await table.env.bot.games.undo.undo_actions(table.channel.id, after.umpire, 1, progress=str(after.seq))
    now = (await game_of(table)).state
    assert (now.units["marines"].casualties, now.units["berkshires"].casualties) == (3, 0)


async def test_all_units_of_a_name_are_corrected(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit=HADENDOA, field="morale", value="halted")
    units = (await game_of(table)).state.units.values()
    halted = {unit.name for unit in units if unit.morale == "halted"}
    assert halted == {unit.name for unit in units if "hadendoa" in words_of(unit.name)}
    assert len(halted) > 1


@pytest.mark.parametrize(
    ("units", "value", "refusal"),
    [
        ("Royal Marines, nobody", "3", "No unit here is called “nobody”."),
        ("all Zouaves", "3", "No units here are called “Zouaves”."),
        (
            "Royal Marines, 1st Berkshires",
            "many",
            "Royal Marine Light Infantry: Casualties: It must be a whole number. Nothing was changed.",
        ),
        ("Royal Marines, 5th Lancers", "20", "Nothing was changed."),
    ],
)
async def test_no_unit_is_corrected_if_one_is_refused(table: Table, units: str, value: str, refusal: str) -> None:
    await table.start()
    before = await game_of(table)
    answer = await table.give(table.umpire, "umpire set", unit=units, field="casualties", value=value)
    assert not answer.public
    assert refusal in answer.private_text
    assert (await game_of(table)).seq == before.seq


async def test_a_player_corrects_nothing(table: Table) -> None:
    await table.start()
    before = await game_of(table)
    answer = await table.give(
        table.british, "umpire set", unit="Royal Marines, 1st Berkshires", field="casualties", value="0"
    )
    assert not answer.public
    assert "umpire" in answer.private_text
    assert (await game_of(table)).seq == before.seq


async def test_the_last_name_of_a_list_is_completed(table: Table) -> None:
    await table.start()
    completions = await table.complete(table.umpire, "umpire set", "unit", "Royal Marines, berk")
    assert completions[0] == "Royal Marines, 1st Berkshires"
    assert "1st Berkshires" in await table.complete(table.umpire, "umpire set", "unit", "berk")


async def test_completion_offers_all_units_of_a_side(table: Table) -> None:
    await table.start()
    completions = await table.complete(table.umpire, "unit remove", "unit", "all")
    assert {"all British", "all Army of Osman Digna"} <= {*completions}
    assert "all Army of Osman Digna" not in await table.complete(table.british, "unit remove", "unit", "all")
    await table.give(table.umpire, "unit remove", unit="all Army of Osman Digna")
    assert {unit.side for unit in (await game_of(table)).state.units.values()} == {"british"}


async def test_a_sign_changes_the_present_value_of_each_unit(table: Table) -> None:
    await table.start()
    for value, expected in (("3", (3, 0)), ("+2", (5, 2)), ("−1", (4, 1)), ("=2", (2, 1))):
        units = "Royal Marines" if value in ("3", "=2") else "Royal Marines and 1st Berkshires"
        await table.give(table.umpire, "umpire set", unit=units, field="casualties", value=value)
        now = (await game_of(table)).state.units
        assert (now["marines"].casualties, now["berkshires"].casualties) == expected
    before = await game_of(table)
    answer = await table.give(table.umpire, "unit edit", unit=BOTH, field="casualties", value="-2")
    assert "at least 0. Nothing was changed." in answer.private_text
    assert (await game_of(table)).seq == before.seq


async def test_an_ambiguous_sign_asks_whether_to_set_or_change(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire secret", unit="Royal Marines", value="-1")
    for value in ("-1", "+1"):
        answer = await table.give(table.umpire, "umpire secret", unit="Royal Marines", value=value)
        assert f"Write “={value.removeprefix('+')}” to set it" in answer.private_text
    assert (await game_of(table)).state.units["marines"].secret_quality == -1
    reply = (await table.give(table.british, "umpire secret", unit="Royal Marines", value="-1")).private_text
    assert "Write" not in reply
    await table.give(table.umpire, "umpire secret", unit="Royal Marines", value="=-2")
    assert (await game_of(table)).state.units["marines"].secret_quality == -2


@pytest.mark.parametrize("name", ["all British", "all of the british", "ALL BRITISH UNITS"])
async def test_all_units_of_a_side_are_corrected(table: Table, name: str) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit=name, field="morale", value="halted")
    units = (await game_of(table)).state.units.values()
    assert {unit.side for unit in units if unit.morale == "halted"} == {"british"}
    assert all(unit.morale == "halted" for unit in units if unit.side == "british")


@pytest.mark.parametrize(
    ("names", "gone"),
    [
        (BOTH, {"marines", "berkshires"}),
        ("Royal Marines, 1st Berkshires", {"marines", "berkshires"}),
        ("1st Berkshires", {"berkshires"}),
    ],
)
async def test_several_units_are_removed_at_once(table: Table, names: str, gone: set[str]) -> None:
    await table.start()
    before = (await game_of(table)).state.units
    (message,) = (await table.give(table.umpire, "unit remove", unit=names)).public
    assert "removed" in text(message)
    assert before.keys() - (await game_of(table)).state.units.keys() == gone


async def test_all_units_of_a_name_or_side_are_removed(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "unit remove", unit=HADENDOA)
    units = (await game_of(table)).state.units.values()
    assert not [unit for unit in units if "hadendoa" in words_of(unit.name)]
    assert {unit.side for unit in units} == {"british", "mahdists"}
    await table.give(table.umpire, "unit remove", unit="all Mahdists")
    assert {unit.side for unit in (await game_of(table)).state.units.values()} == {"british"}


async def test_no_unit_is_removed_if_one_is_refused(table: Table) -> None:
    await table.start()
    before = (await game_of(table)).seq
    for actor, units, words in (
        (table.umpire, "Royal Marines and nobody", "No unit here is called “nobody”."),
        (table.umpire, "all Zouaves", "No units here are called “Zouaves”."),
        (table.british, "all Mahdists", "are not yours. Name your own."),
        (table.british, "all British", "umpire"),
    ):
        answer = await table.give(actor, "unit remove", unit=units)
        assert not answer.public
        assert words in answer.private_text
    assert (await game_of(table)).seq == before
