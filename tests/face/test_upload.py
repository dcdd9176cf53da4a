"""Uploaded scenarios: stored for a server, started like shipped scenarios, and refused with the fault's place."""

import json

import discord

from .table import Table, text
from .toy_game import new_bot, new_bots

__all__ = ["new_bot", "new_bots"]

DITCH = {"id": "ditch", "title": "The ditch", "briefing": "Cross it.", "steps": 4}


def scenario_file(**changed: object) -> tuple[str, bytes]:
    """Return a scenario file with these changes."""
    return "ditch.json", json.dumps({**DITCH, **changed}).encode()


async def test_an_uploaded_scenario_is_listed_shown_completed_and_started(table: Table) -> None:
    answer = await table.give(table.british, "scenario upload", rules="alone", file=scenario_file())
    assert "The ditch" in text(answer.announced)
    assert "uploaded by bertie" in (await table.give(table.onlooker, "scenario list")).private_text
    assert "Cross it." in (await table.give(table.onlooker, "scenario show", scenario="The ditch")).private_text
    assert await table.complete(table.umpire, "game new", "scenario", "di", rules="alone") == ["ditch"]
    assert await table.complete(table.umpire, "game new", "scenario", rules="toy") == ["field"]
    assert await table.complete(table.umpire, "game new", "side", rules="alone", scenario="ditch") == ["red", "blue"]
    begun = await table.give(table.umpire, "game new", rules="alone", scenario="ditch")
    assert "### The ditch" in text(begun.announced)
    assert "Cross it." in text(begun.announced)
    assert "Cross it." not in (await table.give(table.umpire, "game report")).text
    await table.restart()
    assert "ditch" in (await table.give(table.onlooker, "scenario list")).private_text.casefold()


async def test_a_bad_file_is_refused_with_the_faults_place(table: Table) -> None:
    for bad, place in (
        (scenario_file(steps=11), "steps: "),
        (scenario_file(more=1), "more: "),
        (("x.json", b"{"), "the file: "),
        (scenario_file(title=" "), "title: "),
        (scenario_file(id="lane"), "id: Toys alone already has a scenario “lane”"),
        (("x.json", b" " * (1024 * 1024 + 1)), "the limit is 1,048,576"),
    ):
        refused = await table.give(table.british, "scenario upload", rules="alone", file=bad)
        assert place in refused.private_text
        assert "Nothing was changed" in refused.private_text
    assert "uploaded by" not in (await table.give(table.onlooker, "scenario list")).private_text


async def test_an_upload_without_a_file_explains_the_format(table: Table) -> None:
    answer = await table.give(table.british, "scenario upload", rules="alone")
    (schema,) = answer.private[0].attachments
    assert schema.filename == "alone-scenario.schema.json"
    refused = await table.give(table.british, "scenario upload", rules="toy")
    assert "Toy soldiers takes no scenarios of your own. Those that do: Toys alone." in refused.private_text


async def test_a_system_without_uploads_refuses_a_file(table: Table) -> None:
    refused = await table.give(table.british, "scenario upload", rules="toy", file=scenario_file())
    assert "takes no scenarios of your own" in refused.private_text


async def test_an_id_taken_by_another_user_gets_a_number(table: Table) -> None:
    await table.give(table.british, "scenario upload", rules="alone", file=scenario_file())
    answer = await table.give(table.mahdist, "scenario upload", rules="alone", file=scenario_file(title="Mine"))
    assert "bertie has the id of your file here, so yours is kept as “ditch-2”." in text(answer.announced)
    begun = await table.give(table.umpire, "game new", rules="alone", scenario="ditch-2")
    assert "### Mine" in text(begun.announced)
    ended = await table.give(table.umpire, "game end", confirm=True)
    new_game = await table.press(table.umpire, ended.announced, "Again")
    assert "### Mine" in text(new_game.announced)


async def test_its_uploader_or_a_server_manager_removes_a_scenario(table: Table) -> None:
    role = table.guild.create_role("keepers", permissions=discord.Permissions(manage_guild=True))
    keeper = table.guild.add_member(table.env.create_user("kim"), roles=[role])
    await table.give(table.british, "scenario upload", rules="alone", file=scenario_file())
    assert await table.complete(table.mahdist, "scenario remove", "scenario") == []
    assert await table.complete(table.british, "scenario remove", "scenario") == ["alone ditch"]
    refused = await table.give(table.mahdist, "scenario remove", scenario="The ditch")
    assert "Only bertie, who uploaded it, or a member who may manage this server" in refused.private_text
    removed = await table.give(keeper, "scenario remove", scenario="ditch")
    assert "**The ditch**, uploaded by bertie, is removed." in removed.text
    assert "The ditch" not in (await table.give(table.onlooker, "scenario list")).private_text


async def test_an_upload_may_not_take_a_shipped_battles_name(table: Table) -> None:
    for name in ("The lane", "LANE"):
        refused = await table.give(table.british, "scenario upload", rules="alone", file=scenario_file(id=name))
        assert "already has a scenario" in refused.private_text
    await table.give(table.british, "scenario upload", rules="alone", file=scenario_file(title="The lane"))
    begun = await table.give(table.umpire, "game new", rules="alone", scenario="the lane")
    assert "Cross it." not in begun.text


async def test_a_user_may_replace_his_own_scenario(table: Table) -> None:
    await table.give(table.british, "scenario upload", rules="alone", file=scenario_file())
    await table.give(table.british, "scenario upload", rules="alone", file=scenario_file(title="The trench"))
    reply = (await table.give(table.onlooker, "scenario list")).private_text
    assert "The trench" in reply
    assert "The ditch" not in reply


async def test_scenarios_belong_to_one_server(table: Table) -> None:
    await table.give(table.british, "scenario upload", rules="alone", file=scenario_file())
    guild = table.env.create_guild()
    channel, actor = guild.create_text_channel("elsewhere"), guild.add_member(table.env.create_user("nadia"))
    assert "ditch" not in (await table.give(actor, "scenario list", channel=channel)).private_text.casefold()
    assert (
        "There is no scenario"
        in (await table.give(actor, "game new", rules="alone", scenario="ditch", channel=channel)).private_text
    )
