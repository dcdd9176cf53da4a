"""Tanga 1914 in the chat: the bot plays the British by the printed card and explains each decision."""

import json
import re
from typing import Any

import discord
import pytest
from discord import ui
from simcord.components import walk_components

from bot.runtime import client
from cogs.kit.cards.card import Card

from .table import Answer, Message, Table, labels, raw, text

STRING_SELECT = 3


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Automatic play without pauses."""
    monkeypatch.setattr(client, "PAUSE", 0.001)


async def begin(table: Table, scenario: str = "initial-assault") -> Answer:
    """Start a scenario with Ursula as the German player."""
    return await table.give(table.umpire, "game new", rules="tanga", scenario=scenario)


async def british_turn(table: Table) -> None:
    """Play the British turn to its end, and decline every shot offered to the Germans."""
    await table.give(table.umpire, "british turn")
    for _ in range(40):
        await table.env.settle()
        newest = table.newest(table.umpire)
        if "Hold fire" not in labels(newest):
            return
        await table.press(table.umpire, newest, "Hold fire")
    raise AssertionError("the British turn does not end")


async def test_the_starter_plays_the_germans(table: Table) -> None:
    begun = await begin(table)
    assert "Germans: ursula" in text(begun.announced)
    assert "British: the bot" in text(begun.announced)
    assert "Play the British" not in labels(begun.announced)
    assert "Play the Germans" not in labels(begun.announced), "the starter plays them already"
    assert begun.announced.attachments
    assert (
        "The bot plays the British by the printed card"
        in (await table.give(table.british, "game join", side="british")).private_text
    )


async def test_the_bot_plays_the_british_turn_until_the_germans_move(table: Table) -> None:
    await begin(table)
    await british_turn(table)
    reply = "\n".join(table.read_by(table.onlooker))
    for battalion in ("13th Rajputs", "61st Pioneers"):
        assert f"### {battalion}: " in reply
    assert "Germans, movement" in (await table.give(table.umpire, "turn status")).private_text


async def test_three_presses_bring_the_campaign_to_its_first_landing(table: Table) -> None:
    await begin(table, "campaign")
    status = await table.give(table.umpire, "turn status")
    await table.press(table.umpire, status.private[0], "Play the British turn")
    waited = await table.press(table.umpire, table.newest(table.umpire), "Wait until something happens")
    assert "Turns 1 to 9: the Germans wait" in text(waited.announced)
    await table.env.settle()
    assert "land at beach" in "\n".join(table.read_by(table.onlooker))


async def test_the_british_turn_begins_by_itself_after_the_germans(table: Table) -> None:
    await begin(table)
    await british_turn(table)
    for _ in range(4):
        before = (await table.give(table.umpire, "turn status")).private_text
        await table.pass_on(table.umpire)
        await table.env.settle()
        if "Germans, rally" in before:
            break
    reply = "\n".join(table.read_by(table.onlooker))
    assert reply.count("### 13th Rajputs: ") == 2
    assert "Play on the British turn" not in reply


async def test_every_decision_is_explained_with_table_rows_and_a_picture(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "british step", much="decision")
    first = await table.give(table.onlooker, "british why", number=1)
    assert "Decision 1 of 1" in first.private_text
    assert "TA-9.A" in first.private_text
    assert first.private[0].attachments
    assert "Ask for one of them" in (await table.give(table.umpire, "british why", number=99)).private_text


async def test_order_completes_and_runs_a_german_units_actions(table: Table) -> None:
    await begin(table)
    await british_turn(table)
    kinds = await table.complete(table.umpire, "order", "action", unit="17-fk-1")
    assert "move" in kinds
    assert "british" not in kinds
    (place, *_) = await table.complete(table.umpire, "order", "to", unit="17-fk-1", action="move")
    moved = await table.give(table.umpire, "order", unit="1st Platoon 17. FK", action="move", to=place)
    assert "1st Platoon" in text(moved.announced)
    refused = await table.give(table.umpire, "order", unit="17-fk-2", action="fire", target="13-rajputs-a")
    assert "can fire at up to" in refused.private_text, "the refusal equals that of its phase"


async def test_a_unit_with_a_standing_order_has_yet_to_act(table: Table) -> None:
    await begin(table)
    await british_turn(table)
    await table.give(table.umpire, "order", unit="MG 2 17. FK", action="standing", more="order: hold")
    status = (await table.give(table.umpire, "turn status")).private_text
    assert "Have acted" not in status
    assert "MG 2 17. FK" in status.partition("Yet to act")[2]


async def test_a_players_export_can_be_imported_and_played_on(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "british step", much="decision")
    exported = await table.give(table.umpire, "game export")
    (file,) = exported.private[0].attachments
    data = table.env.backend.cdn.get(file.url)
    first = next(entry["state"] for entry in json.loads(data)["entries"] if entry["state"])
    assert {marker.get("real") for marker in first["markers"].values()} == {None}
    channel = table.guild.create_text_channel("elsewhere")
    answer = await table.give(table.umpire, "game import", file=("game.json", data), channel=channel)
    assert "Germans: nobody yet" in text(answer.announced)
    assert "**ursula** imports this game from a file." in text(answer.announced)
    gone_on = await table.give(table.umpire, "british step", channel=channel)
    assert "Seen by Germans" in gone_on.text, "markers that nobody knew are drawn as they are turned up"
    assert "FALSE" not in (await table.give(table.umpire, "dice verify", channel=channel)).text
    refused = await table.give(table.umpire, "game undo", channel=channel)
    assert "would be drawn again" in refused.private_text


async def test_an_undo_after_revealed_markers_says_so_publicly(table: Table) -> None:
    await begin(table)
    turned_up = (await table.give(table.umpire, "british step", much="formation")).text
    assert "Seen by Germans" in turned_up
    preview = await table.give(table.umpire, "game undo")
    undone = await table.press(table.umpire, preview.private[0], "Take it back")
    assert "This was taken back after something hidden was shown." in text(undone.announced)
    assert (
        "taken back after something hidden was shown"
        in (await table.give(table.onlooker, "game log", last=1)).private_text
    )
    reply = (await table.give(table.umpire, "british step", much="formation")).text
    first, second = (
        dict(re.findall(r"the MG marker of (.+?): (.+) · TA-1", text_read)) for text_read in (turned_up, reply)
    )
    assert first.keys() & second.keys()
    assert all(first[unit] == second[unit] for unit in first.keys() & second.keys()), (
        "a marker hides the same unit after the undo"
    )


async def test_a_bad_scenario_is_refused_with_its_place_and_the_schema_is_given(table: Table) -> None:
    refused = await table.give(table.umpire, "scenario upload", rules="tanga", file=("mine.json", b'{"id": "mine"}'))
    assert "title: it is missing" in refused.private_text
    answer = await table.give(table.umpire, "scenario upload", rules="tanga")
    (schema,) = answer.private[0].attachments
    assert json.loads(table.env.backend.cdn.get(schema.url))["type"] == "object"


async def test_nobody_may_see_the_bots_view_of_the_map(table: Table) -> None:
    await begin(table)
    for side in ("british", "umpire"):
        assert "you cannot see what it hides" in (await table.give(table.umpire, "map", side=side)).private_text
    assert (await table.give(table.umpire, "map", side="german")).private[0].attachments


async def test_ta_9_7_the_umpire_overrules_a_decision_from_its_explanation(table: Table) -> None:
    await begin(table)
    for _ in range(2):
        await table.give(table.umpire, "british step", much="decision")
    answer = await table.give(table.umpire, "british why")
    (menu,) = list_menus(answer.private[0])
    (instead,) = menu["options"]
    assert menu["placeholder"] == "Overrule this decision …"
    assert re.fullmatch(rf"Overrule next hex of A, B and Leader 1: {instead['value']}", instead["label"])
    assert not list_menus((await table.give(table.onlooker, "british why")).private[0])
    name = {"custom_id": menu["custom_id"]}
    refused = Answer(await table.onlooker.select(await post_menu(table, menu), [instead["value"]], **name))
    assert "Only the umpire, ursula" in refused.private_text
    await table.restart()
    overruled = Answer(await table.umpire.select(answer.private[0], [instead["value"]], **name))
    assert f"The umpire overrules the next hex of A, B and Leader 1: {instead['value']}" in text(overruled.public[0])
    stale = Answer(await table.umpire.select(answer.private[0], [instead["value"]], **name))
    assert "More has happened since" in "\n".join(map(text, stale.private))
    earlier = await table.give(table.umpire, "british why", number=1)
    assert re.match(r"### Decision 1 of \d+:", earlier.private_text)
    assert not list_menus(earlier.private[0])


def list_menus(message: Message) -> list[dict[str, Any]]:
    """Return the message's menus."""
    return [component for component in walk_components(raw(message)) if component.get("type") == STRING_SELECT]


async def post_menu(table: Table, menu: dict[str, Any]) -> Message:
    """Post this menu in a public message."""
    options = [discord.SelectOption(label=option["label"], value=option["value"]) for option in menu["options"]]
    select: ui.Select[Any] = ui.Select(custom_id=menu["custom_id"], options=options)
    view = Card().text("A menu").menu(select).view()
    await table.env.bot.get_partial_messageable(table.channel.id).send(view=view)
    return table.newest(table.onlooker)
