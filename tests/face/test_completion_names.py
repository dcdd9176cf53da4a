"""Completions are also accepted by their name: Discord sends the shown name if the user typed it in full."""

import pytest
import simcord

from rules.core.automaton.own_dice import SeededDice
from rules.registry import rulesets

from .table import Table, text
from .test_every_command import ENDING_COMMANDS, GREAT_WAR, MAGDALA, Game, list_commands, refusals, value_for
from .test_tree import tree

CHOICES_TRIED = 2
"""Number of choices per option typed by name: the first and the last."""
NEEDED_OPTIONS = {"move": ("unit",), "order": ("unit", "action"), "do": ("unit", "action"), "umpire option": ("name",)}
"""Options that another option of the command needs."""


async def type_names(table: Table, actor: simcord.MemberActor, game: Game) -> tuple[int, list[str]]:
    """Give every command with names of choices in place of values. Return the number of tries, and the refusals."""
    names_typed, refused = 0, list[str]()
    for command, options in sorted(command for root in tree(table.env) for command in list_commands(root)):
        if command in ENDING_COMMANDS:
            continue
        needed = {
            option["name"]: value_for(game, command, option, table)
            for option in options
            if option.get("required") or option["name"] in NEEDED_OPTIONS.get(command, ())
        }
        values = {name: value for name, value in needed.items() if value is not None}
        for option in (option["name"] for option in options if option.get("autocomplete")):
            other_options = {name: value for name, value in values.items() if name != option}
            choices = await actor.autocomplete(table.channel, command, option, "", **other_options)
            for choice in [choices[0], choices[-1]][:CHOICES_TRIED] if choices else ():
                if choice["name"] == choice["value"]:
                    continue
                answer = await table.give(actor, command, **other_options, **{option: choice["name"]})
                names_typed += 1
                if refusals(answer):
                    by_value = await table.give(actor, command, **other_options, **{option: choice["value"]})
                    refused += [
                        f"/{command} {option}:{choice['name']}: {text(message)}"
                        for message in refusals(answer)
                        if not refusals(by_value)
                    ]
    return names_typed, refused


@pytest.mark.usefixtures("real_maps")
async def test_magdala_accepts_names_of_choices(table: Table) -> None:
    await table.start()
    names_typed, refused = await type_names(table, table.umpire, MAGDALA)
    assert not refused, "\n".join(refused)
    assert names_typed > 20


@pytest.mark.soak
@pytest.mark.usefixtures("real_maps")
async def test_the_great_war_accepts_names_of_choices(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="great_war", scenario="trench")
    names_typed, refused = await type_names(table, table.umpire, GREAT_WAR)
    assert not refused, "\n".join(refused)
    assert names_typed > 10


@pytest.mark.soak
@pytest.mark.usefixtures("real_maps")
@pytest.mark.parametrize("rules", sorted({*rulesets()} - {"magdala", "great_war"}))
async def test_other_systems_accept_names_of_choices(table: Table, rules: str) -> None:
    system = rulesets()[rules]
    scenario = next(iter(system.scenarios))
    await table.give(table.umpire, "game new", rules=rules, scenario=scenario)
    sides = [side.id for side in system.setup(scenario, {}, SeededDice("names")).sides]
    game = Game(rules, scenario, (sides[0], sides[1]), {})
    names_typed, refused = await type_names(table, table.umpire, game)
    assert not refused, "\n".join(refused)
    assert names_typed > 10


async def test_names_of_saved_things_are_accepted(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "army save", name="Camel Corps", side="british")
    await table.give(table.umpire, "scenario save", title="Mine")
    occasion = {"when": "Fire at chargers before a melee"}
    options: list[tuple[simcord.MemberActor, str, str, dict[str, str]]] = [
        (table.british, "turn standing", "when", {"answer": "never"}),
        (table.british, "turn standing", "answer", occasion),
        (table.umpire, "army save", "name", {"side": "british"}),
        (table.umpire, "army forget", "name", {}),
        (table.umpire, "scenario remove", "scenario", {}),
    ]
    for actor, command, option, other_options in options:
        choices = await actor.autocomplete(table.channel, command, option, "", **other_options)
        assert choices, (command, option)
        for choice in choices:
            answer = await table.give(actor, command, **other_options, **{option: choice["name"]})
            assert not refusals(answer), f"/{command} {option}:{choice['name']}: {answer.text}"


async def test_names_of_the_bots_seats_and_decisions_are_accepted(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="magdala", scenario="suakin-1885")
    await table.give(table.umpire, "opponent side", side="mahdists", level="easy")
    for command, option, other_options in (
        ("opponent why", "number", {}),
        ("opponent level", "side", {"level": "hard"}),
    ):
        choices = await table.umpire.autocomplete(table.channel, command, option, "", **other_options)
        assert choices, (command, option)
        for choice in choices[:CHOICES_TRIED]:
            answer = await table.give(table.umpire, command, **other_options, **{option: choice["name"]})
            assert not refusals(answer), f"/{command} {option}:{choice['name']}: {answer.text}"
