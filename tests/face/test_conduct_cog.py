"""`/conduct`, `/rally` and `/critical` for any troops, `/fire` with dice, and the system chosen if none is named."""

from typing import Any

import pytest

from cogs.kit.lookup import systems
from rules.registry import rulesets

from .loaded_dice import LoadedDice
from .table import Answer, Table, text

WITH = "with"


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch)


async def test_be_6_a_shaken_disordered_impi_with_two_kills_dies_on_a_three(table: Table, dice: LoadedDice) -> None:
    dice.fall(3)
    words = {"troop": "Zulu impi", "state": "shaken", WITH: "two kills, disordered"}
    answer = await table.give(table.onlooker, "conduct", **words)
    reply = text(answer.announced)
    assert "D6 [3] = 3, -1 disordered (BE-6), -2 for 2 kills (BE-6) = 0" in reply
    assert "destroyed" in reply
    assert "Not part of a game" in reply


async def test_be_6_steady_troops_learn_how_far_they_go(table: Table, dice: LoadedDice) -> None:
    dice.fall(6)
    answer = await table.give(table.onlooker, "conduct", rules="empire", troop="British regulars")
    assert "may move 9 inches" in text(answer.announced)


async def test_be_6_rally_assumes_shaken_troops(table: Table, dice: LoadedDice) -> None:
    dice.fall(5)
    answer = await table.give(table.onlooker, "rally", troop="british-regulars")
    assert "Conduct, shaken" in text(answer.announced)
    assert "to rally: rally, may move 6 inches." in text(answer.announced)


async def test_be_7_critical_hits(table: Table, dice: LoadedDice) -> None:
    dice.fall(1, 2)
    answer = await table.give(table.onlooker, "critical", troop="Army commander")
    assert "2D6 [1][2] = 3" in text(answer.announced)
    assert "killed" in text(answer.announced)


async def test_be_4_a_maxim_throws_the_dice_chosen(table: Table, dice: LoadedDice) -> None:
    dice.fall(6, 6, 1, 1, 1, 1, 4)
    answer = await table.give(table.onlooker, "fire", rules="empire", troop="maxim", range=15.0, dice=6)
    assert "6D6 [6][6][1][1][1][1], hits on 4-6: 2 hits" in text(answer.announced)
    assert dice.left == 0


async def test_a_number_of_dice_is_refused_if_fire_takes_none(table: Table) -> None:
    ad_hoc = {"rules": "magdala", "troop": "zulus-firearms", "figures": 24, "range": 8.0}
    assert "Leave out “dice”" in (await table.give(table.onlooker, "fire", dice=3, **ad_hoc)).private_text
    await table.start()
    answer = await table.give(table.mahdist, "fire", unit="rifles-hashin", target="berkshires", dice=3)
    assert "fire takes no “dice”. Leave it out." in answer.private_text


IN_DIRECT_MESSAGES: list[tuple[str, dict[str, Any], str]] = [
    ("conduct", {"troop": "zulus", "state": "shaken"}, "BE-6"),
    ("rally", {"troop": "zulus"}, "BE-6"),
    ("critical", {"troop": "mules"}, "BE-7"),
    ("odds", {"test": "conduct", "troop": "zulus", "state": "shaken"}, "BE-6"),
    ("help", {"topic": "empire"}, "/conduct"),
    ("conduct", {"unit": "gordons"}, "Games are played in channels of servers"),
]


async def test_works_in_direct_messages(table: Table) -> None:
    for command, options, words in IN_DIRECT_MESSAGES:
        answer = Answer(await table.onlooker.user.slash(command, **options))
        assert answer.result.acknowledged
        assert words in answer.text


async def test_be_6_odds_of_conduct_are_exact(table: Table) -> None:
    words = {"test": "conduct", "troop": "zulus", "state": "shaken", WITH: "two kills, disordered"}
    answer = await table.give(table.onlooker, "odds", **words)
    assert "❌ destroyed: **50.0%** (1/2)" in answer.private_text


async def test_a_command_without_unit_or_troops_explains_both_ways(table: Table) -> None:
    for command in ("conduct", "rally", "critical"):
        reply = (await table.give(table.onlooker, command)).private_text
        assert f"/{command} unit:" in reply
        assert f"/{command} rules:empire troop:" in reply


NONSENSE: list[tuple[str, dict[str, Any], str]] = [
    ("conduct", {"troop": "zulus", "state": "weary"}, "neither steady nor shaken"),
    ("rally", {"troop": "zulus", "state": "steady"}, "need not rally"),
    ("critical", {"troop": "zulus"}, "no commander"),
    ("conduct", {"troop": "zulooz"}, "Zulu impi"),
    ("conduct", {"troop": "zulus", WITH: "elyte"}, "elite"),
    ("conduct", {"rules": "magdala", "troop": "zulus"}, "These do: Battles for Empire"),
    ("critical", {"rules": "magdala"}, "/critical rules:empire troop:"),
    ("conduct", {"unit": "gordons", "state": "shaken"}, "do not go together"),
    ("conduct", {"unit": "gordons"}, "/game new"),
]


async def test_nonsense_is_refused_privately(table: Table) -> None:
    for command, options, hint in NONSENSE:
        assert hint in (await table.give(table.onlooker, command, **options)).private_text


async def test_a_system_without_such_an_action_names_those_that_have_it(table: Table, dice: LoadedDice) -> None:
    await table.start()
    refused = await table.give(table.mahdist, "conduct", unit="amarar")
    assert (
        "Magdala to Mafeking has no conduct. It uses /morale and /reaction. These do: Battles for Empire."
        in refused.private_text
    )
    refused = await table.give(table.mahdist, "rally", unit="amarar")
    assert "These do: Battles for Empire, Tanga 1914." in refused.private_text
    refused = await table.give(table.mahdist, "odds", test="critical", unit="amarar")
    assert "These do: Battles for Empire." in refused.private_text
    dice.fall(4)
    beside_it = await table.give(table.mahdist, "conduct", troop="zulus")
    assert "may move 9 inches" in text(beside_it.announced)


async def test_options_complete_from_the_system_that_knows_the_question(table: Table) -> None:
    await table.start()
    assert await table.complete(table.onlooker, "conduct", "state") == ["steady", "shaken"]
    assert (await table.complete(table.onlooker, "conduct", "state", "sh"))[0] == "shaken"
    assert await table.complete(table.onlooker, "critical", "troop") == ["army-commander", "leader", "mules"]
    assert (await table.complete(table.onlooker, "conduct", "troop", "impi"))[0] == "zulus"
    assert "two kills" in await table.complete(table.onlooker, "rally", "with", "two", troop="zulus")
    assert "army-commander" in await table.complete(table.onlooker, "odds", "troop", test="critical")
    assert {"conduct", "rally", "critical"} <= set(await table.complete(table.onlooker, "odds", "test"))
    assert "conduct" not in await table.complete(table.onlooker, "odds", "test", rules="magdala")


@pytest.mark.parametrize("kind", systems.EXAMPLES)
def test_every_example_is_of_a_system_that_answers_it(kind: str) -> None:
    answering = [ruleset for ruleset in rulesets().values() if kind in ruleset.ad_hoc.question_fields_by_kind]
    assert answering
    assert all(
        systems.example_command(ruleset, kind).startswith(f"/{kind} rules:{ruleset.id} troop:") for ruleset in answering
    )


def test_systems_that_answer_without_a_game_come_first() -> None:
    assert systems.systems_with_action("rally")[0].id == "empire"
    assert next(iter(rulesets())) == "magdala", "fire and melee without rules: are Magdala's"
