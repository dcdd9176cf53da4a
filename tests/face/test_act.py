"""`/do`: actions that lack a command of their own."""

from types import SimpleNamespace

import pytest

from bot.errors import UserError
from cogs.act import kinds_without_command
from cogs.actions import parse_further_fields
from cogs.kit.command_traits import commands_by_kind

from .table import Table, text


async def test_a_detachment_rejoins(table: Table) -> None:
    await table.start()
    await table.pass_on(table.umpire)
    detached = await table.give(table.british, "unit detach", unit="east-surreys", figures=6)
    assert "send out" in text(detached.announced)
    await table.pass_on(table.british)
    await table.pass_on(table.mahdist)
    answer = await table.give(table.british, "do", action="rejoin", unit="2nd East Surreys detachment")
    assert "2nd East Surreys" in text(answer.announced)
    assert "24 of 24" in (await table.give(table.british, "unit show", unit="east-surreys")).private_text


async def test_actions_have_their_names_in_words(table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "do", action="Bug out", unit="camels-bisharin")
    assert "no action" not in answer.private_text
    assert "MM-A" in answer.private_text


async def test_a_refused_action_names_its_rule(table: Table) -> None:
    await table.start()
    await table.pass_on(table.mahdist)
    answer = await table.give(table.british, "do", action="clear", unit="gatling")
    assert "not jammed" in answer.private_text
    assert "MM-3.7" in answer.private_text


NONSENSE = [
    ({"action": "juggle"}, "There are: "),
    ({"action": "fire", "unit": "amarar"}, "command of its own"),
    ({"action": "set", "unit": "amarar"}, "no action"),
    ({"action": "turn next", "more": "waive: yes"}, "command of its own"),
    ({"action": "clear", "unit": "gatling", "more": "figures 6"}, "Write it as"),
    ({"action": "clear", "unit": "gatling", "more": "figures: 6"}, "takes no “figures”"),
    ({"action": "clear", "unit": "gatling", "more": "unit: amarar"}, "option of its own"),
    ({"action": "clear", "unit": "gatling", "with": "loudly"}, "no circumstance"),
    ({"action": "clear", "unit": "amarar"}, "ursula"),
]


async def test_nonsense_is_refused_privately(table: Table) -> None:
    await table.start()
    for options, hint in NONSENSE:
        answer = await table.give(table.british, "do", **options)
        assert hint in answer.private_text


async def test_an_onlooker_does_nothing(table: Table) -> None:
    await table.start()
    assert (
        "You are an onlooker" in (await table.give(table.onlooker, "do", action="retire", unit="amarar")).private_text
    )


async def test_the_refusal_without_a_game_says_how_to_start_one(table: Table) -> None:
    assert "/game new" in (await table.give(table.umpire, "do", action="refill")).private_text


async def test_completion_omits_actions_with_a_command(table: Table) -> None:
    await table.start()
    actions = await table.complete(table.umpire, "do", "action")
    assert {"bug out", "build", "clear", "refill", "rejoin", "retire"} <= set(actions)
    assert not {"fire", "morale", "move", "turn next", "set", "detach"} & set(actions)
    assert (await table.complete(table.umpire, "do", "action", "bug"))[0] == "bug out"


async def test_do_offers_every_action_without_a_command(table: Table) -> None:
    await table.start()
    game = await table.env.bot.games.running_game(table.channel.id)
    for kind in kinds_without_command(game, commands_by_kind(SimpleNamespace(client=table.env.bot))):
        answer = await table.give(table.umpire, "do", action=kind.replace("_", " "), unit="amarar")
        assert answer.messages


async def test_more_completes_names_and_values(table: Table) -> None:
    await table.start("north-west-frontier", seated=False)
    names = await table.complete(table.umpire, "do", "more", action="choose")
    assert "name: imam" in names
    values = await table.complete(table.umpire, "do", "more", "name: imam, ", action="choose")
    assert set(values) == {"name: imam, value: yes", "name: imam, value: no"}
    answer = await table.give(table.umpire, "do", action="choose", more="name: imam, value: no")
    assert "Imam: no." in text(answer.announced)


async def test_more_completes_nothing_when_nothing_is_open(table: Table) -> None:
    await table.start()
    assert await table.complete(table.umpire, "do", "more", action="clear") == []


def test_more_is_parsed_into_names_and_values() -> None:
    assert parse_further_fields("figures: 6, Order: skirmish") == {"figures": "6", "order": "skirmish"}
    with pytest.raises(UserError, match="Write it as"):
        parse_further_fields("six")


async def test_an_action_that_cannot_be_secret_is_refused(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="hadendoa-erkowit", field="morale", value="halted")
    answer = await table.give(table.mahdist, "do", action="retire", unit="hadendoa-erkowit", secret=True)
    assert "retire is seen by all. Leave “secret” out." in answer.private_text
    assert not answer.public
