"""`/unit`: cards and lists for everyone, and changes by the umpire."""

from .table import Table, text


async def test_list_shows_both_sides_privately(table: Table) -> None:
    await table.start()
    answer = await table.give(table.onlooker, "unit list")
    assert "1st Berkshires: 24 figures" in answer.private_text
    assert "Hadendoa of Tamai" in answer.private_text


async def test_list_of_one_side(table: Table) -> None:
    await table.start()
    answer = await table.give(table.onlooker, "unit list", side="British")
    assert "1st Berkshires" in answer.private_text
    assert "Hadendoa" not in answer.private_text


async def test_show_by_name_or_id(table: Table) -> None:
    await table.start()
    for name in ("berkshires", "1st Berkshires", "1st berkshire"):
        answer = await table.give(table.onlooker, "unit show", unit=name)
        assert "**Strength:** 24 of 24" in answer.private_text


async def test_unknown_unit_names_the_nearest(table: Table) -> None:
    await table.start()
    answer = await table.give(table.british, "unit show", unit="Hadendowa")
    assert "No unit here is called" in answer.private_text
    assert "Hadendoa of Tamai" in answer.private_text


async def test_the_umpire_adds_and_removes_a_unit(table: Table) -> None:
    await table.start()
    troop = (await table.complete(table.umpire, "unit add", "troop", "british"))[0]
    added = await table.give(
        table.umpire,
        "unit add",
        troop=troop,
        side="British",
        name="Naval *Brigade* <@1234567890123456789>",
        x=10.0,
        y=40.0,
    )
    reply = text(added.announced)
    assert "Naval \\*Brigade\\*" in reply
    assert "<@1234567890123456789>" not in reply
    assert "Naval" in (await table.give(table.british, "unit list")).private_text
    unit = (await table.complete(table.umpire, "unit remove", "unit", "naval *"))[0]
    removed = await table.give(table.umpire, "unit remove", unit=unit)
    assert "removes Naval" in text(removed.announced)
    assert "Naval \\*Brigade" not in (await table.give(table.british, "unit list")).private_text


async def test_only_the_umpire_adds_edits_and_removes(table: Table) -> None:
    await table.start()
    troop = (await table.complete(table.british, "unit add", "troop"))[0]
    for answer in (
        await table.give(table.british, "unit add", troop=troop, side="british", name="Cheats"),
        await table.give(table.british, "unit edit", unit="berkshires", field="casualties", value="0"),
        await table.give(table.british, "unit remove", unit="amarar"),
    ):
        assert "ursula" in answer.private_text


async def test_edit_refuses_invalid_values(table: Table) -> None:
    await table.start()
    answer = await table.give(table.umpire, "unit edit", unit="berkshires", field="morale", value="sleepy")
    assert "pinned" in answer.private_text
    answer = await table.give(table.umpire, "unit edit", unit="berkshires", field="courage", value="9")
    assert "There is no field" in answer.private_text


async def test_fields_and_their_values_complete(table: Table) -> None:
    await table.start()
    assert "casualties" in await table.complete(table.umpire, "unit edit", "field", "casu", unit="berkshires")
    completions = await table.complete(table.umpire, "unit edit", "value", unit="berkshires", field="morale")
    assert completions[0] == "steady"
    assert "pinned" in completions


async def test_own_units_complete_first_with_their_strength(table: Table) -> None:
    await table.start()
    british = await table.complete(table.british, "unit show", "unit")
    mahdist = await table.complete(table.mahdist, "unit show", "unit")
    assert british[0] == "berkshires"
    assert mahdist[0] == "hadendoa-tamai"
    choices = await table.british.autocomplete(table.channel, "unit show", "unit", "berk")
    assert choices[0]["value"] == "berkshires"
    assert "24 figures" in choices[0]["name"]


async def test_completion_without_a_game_is_empty(table: Table) -> None:
    assert await table.complete(table.british, "unit show", "unit", "x") == []
    assert await table.complete(table.british, "unit edit", "value", "x", unit="y", field="z") == []


async def test_detachment_leaves_its_parent(table: Table) -> None:
    await table.start()
    waits = await table.give(table.british, "unit detach", unit="berkshires", figures=5)
    assert not waits.public, "it is the Mahdists' turn"
    answer = await table.give(table.mahdist, "unit detach", unit="amarar", figures=10, name="Scouts")
    assert "Amarar send out Scouts" in text(answer.announced)
    assert "Amarar" in (await table.give(table.onlooker, "unit show", unit="Scouts")).private_text


async def test_a_player_detaches_only_from_his_own_units(table: Table) -> None:
    await table.start()
    answer = await table.give(table.british, "unit detach", unit="amarar", figures=10)
    assert "musa" in answer.private_text
