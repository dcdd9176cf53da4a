"""Every text option of every command accepts telephone typing: wide letters, odd spaces, dashes and quotes."""

from typing import Any

import pytest
import simcord

from rules.core.automaton.own_dice import SeededDice
from rules.registry import rulesets
from tests.fuzz import get_daily_seed

from .table import Table, text
from .test_completion_names import NEEDED_OPTIONS
from .test_every_command import ENDING_COMMANDS, GREAT_WAR, MAGDALA, STRING, Game, list_commands, refusals, value_for
from .test_tree import tree

TELEPHONE = str.maketrans(
    {" ": "\u00a0", "-": "\u2011", "'": "’", '"': "”", ":": "：", ",": "，", "+": "＋", "(": "（", ")": "）"}
    | {str(digit): chr(0xFF10 + digit) for digit in range(10)}
)
"""Translation to characters of telephones and word processors."""
DAILY_INTERVAL = 6
"""The quick test tries one in this many commands."""
LITERAL_OPTIONS = {"name", "text", "reason", "title", "note"}
"""Options whose text is stored as typed."""


async def type_by_telephone(
    table: Table, actor: simcord.MemberActor, game: Game, *, every: int = 1
) -> tuple[int, list[str]]:
    """Give each `every`th command with one option as typed by a telephone.

    Return the number of tries, and the refusals.
    """
    names_typed, refused = 0, list[str]()
    commands = sorted(command for root in tree(table.env) for command in list_commands(root))
    for command, options in commands[get_daily_seed() % every :: every]:
        if command in ENDING_COMMANDS:
            continue
        options_needed = [
            option_
            for option_ in options
            if option_.get("required") or option_["name"] in NEEDED_OPTIONS.get(command, ())
        ]
        needed = {option_["name"]: value_for(game, command, option_, table) for option_ in options_needed}
        arguments = {name: value for name, value in needed.items() if value is not None}
        for option in options:
            name = option["name"]
            if option["type"] != STRING or option.get("choices") or name in LITERAL_OPTIONS:
                continue
            other_options = {option_name: value for option_name, value in arguments.items() if option_name != name}
            choices = (
                await actor.autocomplete(table.channel, command, name, "", **other_options)
                if has_autocomplete(option)
                else []
            )
            values = {choices[0]["value"], choices[0]["name"]} if choices else {value_for(game, command, option, table)}
            for value in values - {None}:
                answer = await table.give(actor, command, **other_options, **{name: value.translate(TELEPHONE)})
                names_typed += 1
                if refusals(answer) and not refusals(
                    await table.give(actor, command, **other_options, **{name: value})
                ):
                    refused += [f"/{command} {name}:{value}: {text(message)}" for message in refusals(answer)]
    return names_typed, refused


def has_autocomplete(option: dict[str, Any]) -> bool:
    return bool(option.get("autocomplete"))


async def test_some_magdala_commands_accept_telephone_typing(table: Table) -> None:
    await table.start()
    names_typed, refused = await type_by_telephone(table, table.umpire, MAGDALA, every=DAILY_INTERVAL)
    assert not refused, "\n".join(refused)
    assert names_typed > 10


@pytest.mark.soak
@pytest.mark.parametrize("rules", sorted(rulesets()))
async def test_every_text_option_accepts_telephone_typing(table: Table, rules: str) -> None:
    system = rulesets()[rules]
    scenario = next(iter(system.scenarios))
    sides = [side.id for side in system.setup(scenario, {}, SeededDice("names")).sides]
    games = {"magdala": MAGDALA, "great_war": GREAT_WAR}
    game = games.get(rules, Game(rules, scenario, (sides[0], sides[1]), {}))
    await table.give(table.umpire, "game new", rules=rules, scenario=game.scenario)
    names_typed, refused = await type_by_telephone(table, table.umpire, game)
    assert not refused, "\n".join(refused)
    assert names_typed > 100
