"""The command tree: Discord's limits, and the contexts in which each command is available."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import simcord

from .table import Table

COMMANDS = Path(__file__).parents[2] / "docs" / "commands.md"
MOST_COMMANDS = 100
MOST_OPTIONS = 25
MOST_COMMAND_LETTERS = 8000
MOST_LEVELS = 3
SUBCOMMAND, GROUP = 1, 2

TESTS = {"morale", "reaction", "fire", "melee", "conduct", "rally", "critical", "odds"}
ANYWHERE = {"roll", "rule", "ruling", "help", "scenario", "game", *TESTS}
"""Commands that work without a game, and `/game`, because of `/game mine`."""


def tree(env: simcord.Env) -> list[dict[str, Any]]:
    """Return the commands as registered with Discord."""
    bot: Any = env.bot
    return [command.to_dict(bot.tree) for command in bot.tree.get_commands()]


def walk(node: dict[str, Any], depth: int = 1) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield a command and everything below it, with its depth."""
    yield node, depth
    for option in node.get("options", ()):
        yield from walk(option, depth + (option["type"] in (SUBCOMMAND, GROUP)))


def count_letters(node: dict[str, Any]) -> int:
    """Return the number of letters in names, descriptions and choices, which Discord limits."""
    own = len(node["name"]) + len(node.get("description", ""))
    own += sum(len(choice["name"]) + len(str(choice["value"])) for choice in node.get("choices", ()))
    return own + sum(count_letters(option) for option in node.get("options", ()))


async def test_tree_is_within_discords_limits(simcord_env: simcord.Env) -> None:
    commands = tree(simcord_env)
    assert 0 < len(commands) <= MOST_COMMANDS
    for command in commands:
        assert count_letters(command) <= MOST_COMMAND_LETTERS, command["name"]
        for node, depth in walk(command):
            place = f"{command['name']}: {node['name']}"
            assert depth <= MOST_LEVELS, place
            assert 1 <= len(node["name"]) <= 32, place
            assert node["name"] == node["name"].casefold(), place
            assert 1 <= len(node["description"]) <= 100, place
            assert len(node.get("options", ())) <= MOST_OPTIONS, place
            assert len(node.get("choices", ())) <= 25, place
            assert all(1 <= len(choice["name"]) <= 100 for choice in node.get("choices", ())), place
            assert not (node.get("autocomplete") and node.get("choices")), place


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
        "army add, army forget, army list, army load, army remove, army save, army show, army write, "
        "british answer, british overrule, british pause, british resume, british step, british turn, "
        "british why, campaign break-off, campaign dispatch, campaign dispatches, campaign fight, campaign gazette, "
        "campaign result, campaign status, "
        "conduct, critical, dice luck, dice reveal, dice verify, do, fire, game away, game board, "
        "game brief, game clock, "
        "game detail, game end, game export, game import, game join, game leave, game log, game mine, game new, "
        "game pings, game redo, game replay, game report, game since, game status, game substitute, "
        "game undo, help, map, melee, "
        "morale, move, odds, opponent level, opponent side, opponent step, opponent turn, opponent why, order, "
        "page open, page sessions, photo add, photo remove, rally, reaction, roll, rule, ruling ask, "
        "ruling list, ruling record, "
        "ruling remove, scenario list, scenario remove, scenario save, scenario show, scenario upload, "
        "terrain add, terrain list, terrain move, terrain paint, terrain remove, terrain turn, terrain write, "
        "turn next, turn orders, turn standing, turn status, umpire appoint, umpire event, umpire option, "
        "umpire reveal, umpire rooms, umpire secret, umpire set, unit add, unit detach, unit dummy, unit edit, "
        "unit hide, unit list, unit remove, unit show, unit unhide"
    )
    assert set(contract.split(", ")) == set(table.umpire.available_commands(table.channel))


def documented_commands() -> set[str]:
    """Return the commands in docs/commands.md: `/game new, join` names `game new` and `game join`."""
    commands = set[str]()
    for quoted in re.findall(r"`/([^`]+)`", COMMANDS.read_text(encoding="utf-8")):
        group, _, rest = quoted.partition(" ")
        commands |= {f"{group} {word.partition(' ')[0]}" for word in rest.split(", ")} if rest else {group}
    return commands


async def test_every_command_is_named_in_the_docs(table: Table) -> None:
    assert not set(table.umpire.available_commands(table.channel)) - documented_commands()


async def test_commands_without_games_work_in_every_context(simcord_env: simcord.Env) -> None:
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
