"""`/morale`, `/reaction`, `/fire` and `/melee` for any troops: with or without a game, and in direct messages."""

from typing import Any

import pytest

from cogs.kit.lookup.systems import example_command
from rules.registry import rulesets

from .loaded_dice import LoadedDice
from .table import Answer, Table, text

BRITISH = "british-breechloaders"


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch)


async def test_mm_5_5_morale_with_13_casualties_needs_11(table: Table, dice: LoadedDice) -> None:
    dice.fall(5, 6)
    answer = await table.give(table.onlooker, "morale", rules="magdala", troop=BRITISH, losses=13)
    reply = text(answer.announced)
    assert "2D6 [5][6] = 11" in reply
    assert "8.3%" in reply
    assert "Not part of a game" in reply


async def test_mm_5_6_morale_of_five_casualties_holds_on_a_four(table: Table, dice: LoadedDice) -> None:
    dice.fall(1, 3)
    answer = await table.give(table.onlooker, "morale", troop="British regulars, breechloaders", losses=5)
    reply = text(answer.announced)
    assert "= 5 against 5 casualties: they hold (91.7% to hold)" in reply


async def test_mm_3_2_twenty_four_british_throw_eight_dice(table: Table, dice: LoadedDice) -> None:
    dice.fall(6, 5, 4, 3, 2, 1, 1, 1)
    answer = await table.give(table.onlooker, "fire", troop=BRITISH, figures=24, range=10.0)
    assert "8D6 [6][5][4][3][2][1][1][1]" in text(answer.announced)


async def test_circumstances_count(table: Table) -> None:
    answer = await table.give(
        table.onlooker, "fire", troop=BRITISH, figures=24, range=10.0, **{"with": "half effect, target in cover"}
    )
    assert "2 dice" in text(answer.announced)


async def test_reaction(table: Table, dice: LoadedDice) -> None:
    dice.fall(3)
    answer = await table.give(table.onlooker, "reaction", troop=BRITISH, **{"with": "general"})
    assert "D6 [3]" in text(answer.announced)


async def test_melee(table: Table) -> None:
    answer = await table.give(table.onlooker, "melee", troop=BRITISH, figures=24, against="zulus", against_figures=40)
    reply = text(answer.announced)
    assert "MM-4.2" in reply
    assert "MM-4.3" in reply


async def test_a_secret_throw_is_private(table: Table) -> None:
    answer = await table.give(table.onlooker, "morale", troop=BRITISH, losses=3, secret=True)
    assert "2D6" in answer.private_text


QUESTIONS = [
    ("morale", {"troop": BRITISH, "losses": 5}),
    ("reaction", {"troop": BRITISH}),
    ("fire", {"troop": BRITISH, "figures": 24, "range": 10.0}),
    ("melee", {"troop": BRITISH, "figures": 24, "against": "zulus", "against_figures": 40}),
    ("odds", {"test": "morale", "troop": BRITISH, "losses": 5}),
    ("rule", {"topic": "morale"}),
]


async def test_works_in_direct_messages(table: Table) -> None:
    for command, options in QUESTIONS:
        answer = Answer(await table.onlooker.user.slash(command, **options))
        assert answer.result.acknowledged
        assert "MM-" in answer.text


async def test_a_game_in_the_channel_is_unchanged(table: Table) -> None:
    await table.start()
    games = table.env.bot.games
    before = await games.running_game(table.channel.id)
    answer = await table.give(table.onlooker, "morale", troop=BRITISH, losses=5)
    assert "Not part of a game" in text(answer.announced)
    assert await games.running_game(table.channel.id) == before


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("morale", {"unit": "berkshires", "troop": BRITISH}),
        ("reaction", {"unit": "berkshires", "losses": 3}),
        ("fire", {"unit": "berkshires", "figures": 3, "range": 5.0}),
        ("melee", {"unit": "berkshires", "target": "amarar", "against": "zulus"}),
        ("morale", {"unit": "berkshires", "rules": "magdala"}),
    ],
)
async def test_a_unit_and_troops_together_are_refused(command: str, options: dict[str, Any], table: Table) -> None:
    await table.start()
    answer = await table.give(table.umpire, command, **options)
    assert "do not go together" in answer.private_text
    assert f"/{command} unit:" in answer.private_text
    assert f"/{command} rules:magdala troop:" in answer.private_text


@pytest.mark.parametrize("command", ["morale", "reaction", "fire", "melee"])
async def test_a_command_without_unit_or_troops_explains_both_ways(command: str, table: Table) -> None:
    answer = await table.give(table.onlooker, command)
    assert f"/{command} unit:" in answer.private_text
    assert f"/{command} rules:magdala troop:" in answer.private_text


@pytest.mark.parametrize("command", ["morale", "reaction", "fire", "melee"])
async def test_the_example_of_a_refusal_can_be_sent_as_it_stands(command: str, table: Table) -> None:
    reply = (await table.give(table.onlooker, command)).private_text
    example = reply.replace("\\_", "_").rpartition(f"/{command} rules:")[2]
    options: dict[str, Any] = {}
    for piece in f"rules:{example}".split(" "):
        name, colon, value = piece.partition(":")
        if colon:
            options[name] = value
        else:
            options[name := list(options)[-1]] += f" {piece}"
    numbers = {"losses": int, "figures": int, "against_figures": int, "range": float}
    arguments = {name: numbers.get(name, str)(value) for name, value in options.items()}
    answer = await table.give(table.onlooker, command, **arguments)
    assert "Not part of a game" in text(answer.announced)


NONSENSE = [
    ("morale", {"troop": "brittish reglars", "losses": 5}, "British regulars"),
    ("morale", {"rules": "chess", "troop": BRITISH, "losses": 5}, "Magdala to Mafeking"),
    ("morale", {"troop": BRITISH, "losses": 9999}, "losses"),
    ("fire", {"troop": BRITISH, "figures": 9999, "range": 5.0}, "figures"),
    ("fire", {"troop": BRITISH, "figures": 24}, "range"),
    ("fire", {"troop": BRITISH, "figures": 24, "range": 9999.0}, "range"),
    ("fire", {"troop": BRITISH, "figures": 24, "range": 40.0}, "MM-3.6"),
    ("morale", {"losses": 5}, "troop"),
    ("morale", {"troop": BRITISH, "losses": 5, "with": "in sqare"}, "in square"),
    ("melee", {"troop": BRITISH, "figures": 24}, "against"),
]


async def test_nonsense_is_refused_privately(table: Table) -> None:
    for command, options, hint in NONSENSE:
        answer = await table.give(table.onlooker, command, **options)
        assert hint in answer.private_text


async def test_troops_and_circumstances_complete_without_a_game(table: Table) -> None:
    assert await table.complete(table.onlooker, "morale", "rules", "magd") == ["magdala"]
    assert (await table.complete(table.onlooker, "morale", "troop", "zulu"))[0] == "zulus"
    assert "zulus" in await table.complete(table.onlooker, "melee", "against", "zul", troop=BRITISH)
    assert "in square" in await table.complete(table.onlooker, "morale", "with", "in s", troop=BRITISH)
    both = await table.complete(table.onlooker, "fire", "with", "half effect, target in c", troop=BRITISH)
    assert "half effect, target in cover" in both


@pytest.mark.parametrize("kind", ["fire", "melee"])
@pytest.mark.parametrize(
    "name", [name for name, ruleset in rulesets().items() if "fire" in ruleset.ad_hoc.question_fields_by_kind]
)
def test_the_example_of_a_system_is_of_its_first_troops(name: str, kind: str) -> None:
    system = rulesets()[name]
    first = next(iter(system.troops.values()))
    assert example_command(system, kind).startswith(f"/{kind} rules:{name} troop:{first.name}")
