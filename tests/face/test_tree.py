"""The command tree within Discord's limits, in the places where each command belongs."""

from collections.abc import Iterator
from typing import Any

import simcord

from .table import Table

MOST_COMMANDS = 100
MOST_OPTIONS = 25
MOST_LETTERS_OF_A_COMMAND = 8000
DEEPEST = 3
SUBCOMMAND, GROUP = 1, 2

TESTS = {"morale", "reaction", "fire", "melee", "conduct", "rally", "critical", "odds"}
ANYWHERE = {"roll", "rule", "ruling", "help", "scenario", "game", *TESTS}
"""Commands that can do without a game, and `/game` for its `mine`."""


def tree(env: simcord.Env) -> list[dict[str, Any]]:
    """The commands as Discord is told of them."""
    bot: Any = env.bot
    return [command.to_dict(bot.tree) for command in bot.tree.get_commands()]


def walk(node: dict[str, Any], depth: int = 1) -> Iterator[tuple[dict[str, Any], int]]:
    """A command and everything in it, with how deep it lies."""
    yield node, depth
    for option in node.get("options", ()):
        yield from walk(option, depth + (option["type"] in (SUBCOMMAND, GROUP)))


def letters(node: dict[str, Any]) -> int:
    """Letters of names, descriptions and choices, which Discord adds up."""
    own = len(node["name"]) + len(node.get("description", ""))
    own += sum(len(choice["name"]) + len(str(choice["value"])) for choice in node.get("choices", ()))
    return own + sum(letters(option) for option in node.get("options", ()))


async def test_tree_is_within_discords_limits(simcord_env: simcord.Env) -> None:
    commands = tree(simcord_env)
    assert 0 < len(commands) <= MOST_COMMANDS
    for command in commands:
        assert letters(command) <= MOST_LETTERS_OF_A_COMMAND, command["name"]
        for node, depth in walk(command):
            where = f"{command['name']}: {node['name']}"
            assert depth <= DEEPEST, where
            assert 1 <= len(node["name"]) <= 32, where
            assert node["name"] == node["name"].casefold(), where
            assert 1 <= len(node["description"]) <= 100, where
            assert len(node.get("options", ())) <= MOST_OPTIONS, where
            assert len(node.get("choices", ())) <= 25, where
            assert all(1 <= len(choice["name"]) <= 100 for choice in node.get("choices", ())), where
            assert not (node.get("autocomplete") and node.get("choices")), where


async def test_required_options_come_first(simcord_env: simcord.Env) -> None:
    for command in tree(simcord_env):
        for node, _ in walk(command):
            required = [
                bool(option.get("required"))
                for option in node.get("options", ())
                if option["type"] not in (SUBCOMMAND, GROUP)
            ]
            assert required == sorted(required, reverse=True), f"{command['name']} {node['name']}"


async def test_contract_of_the_commands(table: Table) -> None:
    contract = (
        "game new, game join, game leave, game status, game log, game detail, game end, game undo, game redo, "
        "game export, game import, game since, game mine, game clock, game board, "
        "roll, dice verify, dice reveal, dice luck, morale, reaction, fire, melee, move, turn next, "
        "turn status, conduct, rally, critical, odds, unit add, unit edit, unit show, unit list, unit remove, "
        "unit detach, map, rule, ruling ask, ruling record, ruling list, umpire appoint, umpire option, "
        "umpire secret, umpire reveal, umpire set, scenario list, scenario show, scenario upload, british turn, "
        "british step, british why, british answer, british pause, british resume, order, help, "
        "opponent side, opponent turn, opponent step, opponent level"
    )
    missing = set(contract.split(", ")) - set(table.umpire.available_commands(table.channel))
    assert not missing


async def test_stateless_commands_go_anywhere_and_games_belong_to_servers(simcord_env: simcord.Env) -> None:
    for command in tree(simcord_env):
        anywhere = command["name"] in ANYWHERE
        assert command["contexts"] == ([0, 1, 2] if anywhere else [0]), command["name"]
        assert command["integration_types"] == ([0, 1] if anywhere else [0]), command["name"]


async def test_every_option_that_names_a_thing_of_the_game_completes(simcord_env: simcord.Env) -> None:
    completed = {"unit", "target", "scenario", "topic", "with", "rules", "troop", "state", "side", "field"}
    for command in tree(simcord_env):
        for node, _ in walk(command):
            for option in node.get("options", ()):
                if option["name"] in completed and option["type"] == 3:
                    assert option.get("autocomplete"), f"{command['name']} {node['name']} {option['name']}"
