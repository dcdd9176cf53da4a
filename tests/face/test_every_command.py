"""Everyone gives every command: each gets an answer, without a fault and without a secret."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
import simcord

from cogs.kit.cards.card import WARNING
from tests.daily_choice import one_a_day

from .table import Answer, Table, raw, text
from .test_tree import GROUP, SUBCOMMAND, tree

STRING, INTEGER, BOOLEAN, USER, NUMBER, ATTACHMENT = 3, 4, 5, 6, 10, 11
SECRET = "-2"

ENDING_COMMANDS = (
    "game new",
    "game end",
    "game import",
    "game leave",
    "umpire appoint",
    "umpire reveal",
    "umpire secret",
    "army remove",
)
"""Commands that end something. They are given last, and never by the umpire."""


@dataclass(frozen=True)
class Game:
    """A game for every command.

    `options` are values of options by name; `of` are values for single commands, where None omits the option.
    """

    rules: str
    scenario: str
    sides: tuple[str, str]
    options: Mapping[str, Any]
    of: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


MAGDALA = Game(
    "magdala",
    "suakin-1885",
    ("british", "mahdists"),
    {
        "unit": "amarar",
        "target": "berkshires",
        "field": "morale",
        "value": "pinned",
        "test": "morale",
        "with": "umpire's call",
        "topic": "morale",
        "name": "refill within",
        "action": "refill",
        "to": "forward 3",
    },
)
GREAT_WAR = Game(
    "great_war",
    "trench",
    ("british", "germans"),
    {
        "unit": "Daphne",
        "target": "84th Infantry",
        "field": "figures",
        "value": "1",
        "test": "melee",
        "topic": "GW-6",
        "name": "orders",
        "action": "order",
        "to": "0303",
        "area": "0303",
        "with": None,
        "more": None,
        "quiet": "22-7 UTC",
        "troop": "infantry",
    },
    {
        "help": {"topic": "great_war"},
        "order": {"unit": "1st Essex", "target": None},
        "do": {"unit": "2nd Durhams", "target": None},
        "fire": {"unit": "Vickers section", "dice": None},
        "umpire event": {"picture": None},
        "melee": {"with": "butt & bayonet"},
        "turn orders": {"text": "Deborah: order"},
        "odds": {"dice": None, "with": "butt & bayonet"},
        "unit add": {"name": "10th Foot", "at": None, "x": None, "y": None, "facing": None},
        "unit remove": {"unit": "10th Foot"},
    },
)
AD_HOC = {"rules", "troop", "state", "losses", "figures", "against", "against_figures", "range", "contact"}
"""Options of questions without a game."""
WORDS_OF_OTHER_SYSTEMS = ("table in inches", "campaign", "knows no battle", "has no map to paint")
"""Words in refusals of commands that belong to other systems."""
FEWEST_WORDS = 3
"""Minimum number of words in a useful refusal."""
FAULT = "Something went wrong on our side"


def list_commands(node: dict[str, Any], name: str = "") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the full name and the options of every command below a node."""
    name = f"{name} {node['name']}".strip()
    below = [option for option in node.get("options", ()) if option["type"] in (SUBCOMMAND, GROUP)]
    for option in below:
        yield from list_commands(option, name)
    if not below:
        yield name, node.get("options", [])


def value_for(game: Game, command: str, option: dict[str, Any], table: Table) -> Any:
    """Return a valid value for an option, or None to omit the option."""
    name = option["name"]
    values = {"rules": game.rules, "scenario": game.scenario, "side": game.sides[0], "dice": "2d6", **game.options}
    values |= game.of.get(command, {})
    if name in values and (values[name] is None or not option.get("choices")) and option["type"] == STRING:
        return values[name]
    if name in game.of.get(command, {}):
        return values[name]
    if option.get("choices"):
        return option["choices"][0]["value"]
    match option["type"]:
        case 4:
            return max(option.get("min_value", 1), 1)
        case 5:
            return False
        case 6:
            return table.onlooker
        case 7:
            return table.channel
        case 10:
            return float(max(option.get("min_value", 1), 1))
        case 11:
            return ("game.json", b"{}")
    return "4+"


def plan_commands(table: Table, game: Game, *, everything: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each command with its required options, or with all options about the game.

    Commands in `ENDING` come last.
    """
    commands = [plan for command in tree(table.env) for plan in list_commands(command)]
    for name, options in sorted(commands, key=lambda command: command[0] in ENDING_COMMANDS):
        options_to_give = [
            option
            for option in options
            if option.get("required") or (everything and option["name"] not in AD_HOC - {"rules"})
        ]
        if everything and any(option["name"] == "unit" for option in options):
            options_to_give = [
                option for option in options_to_give if option["name"] not in ("rules", "secret", "to", "area")
            ]
        values = {option["name"]: value_for(game, name, option, table) for option in options_to_give}
        yield name, {option: value for option, value in values.items() if value is not None}


def full_text(answer: Any) -> str:
    """Return the text of all messages of an answer."""
    return "\n".join(map(text, answer.messages))


def refusals(answer: Any) -> list[Any]:
    """Return the answer's messages in the colour of refusals."""
    return [message for message in answer.messages if any(part.get("accent_color") == WARNING for part in raw(message))]


async def give(table: Table, actor: simcord.MemberActor, name: str, /, **options: Any) -> Answer:
    """Give a command. Fail if the answer is empty or a fault, or if a refusal is public or too short."""
    answer = await table.give(actor, name, **options)
    reply = full_text(answer)
    assert answer.result.modal or reply, f"/{name} said nothing"
    assert FAULT not in reply, f"/{name}"
    for refusal in refusals(answer):
        assert refusal.ephemeral, f"/{name} refuses in public: {text(refusal)}"
        assert len(text(refusal).split()) >= FEWEST_WORDS, f"/{name}: {text(refusal)}"
    return answer


async def test_every_command_is_answered_without_a_game(table: Table) -> None:
    for name, options in plan_commands(table, MAGDALA, everything=False):
        if name != "game new":
            await give(table, table.onlooker, name, **options)


async def give_all(table: Table, game: Game, role: str, *, everything: bool) -> tuple[int, list[str]]:
    """Let one person give every command. Return the number of successes, and the refused commands."""
    actor: simcord.MemberActor = getattr(table, role)
    count_done, refused = 0, []
    for name, options in plan_commands(table, game, everything=everything):
        if role == "umpire" and name in ENDING_COMMANDS:
            continue
        answer = await give(table, actor, name, **options)
        if refusals(answer):
            refused.append(f"/{name} {options}: {full_text(answer)}")
        else:
            count_done += 1
    return count_done, refused


@pytest.mark.usefixtures("real_maps")
@pytest.mark.parametrize("role", ["umpire", *one_a_day(["british", "mahdist", "onlooker"])])
@pytest.mark.parametrize("everything", [pytest.param(False, marks=pytest.mark.soak), True], ids=["least", "all"])
async def test_every_command_in_a_game_answers_and_tells_no_secret(table: Table, role: str, everything: bool) -> None:
    await table.start()
    await table.give(table.umpire, "umpire secret", unit="amarar", value=SECRET)
    await table.give(table.umpire, "umpire set", unit="amarar", field="casualties", value="6")
    await give_all(table, MAGDALA, role, everything=everything)
    for reader in (table.british, table.mahdist, table.onlooker):
        for reply in table.read_by(reader):
            assert "secret quality" not in reply.casefold()
            assert "secret of" not in reply


@pytest.mark.usefixtures("real_maps")
@pytest.mark.parametrize(
    ("role", "everything"),
    [("umpire", True), pytest.param("british", True, marks=pytest.mark.soak), ("onlooker", False)],
)
async def test_every_command_answers_in_a_game_of_the_great_war(table: Table, role: str, everything: bool) -> None:
    game = GREAT_WAR
    await table.give(table.umpire, "game new", rules=game.rules, scenario=game.scenario)
    for player, side in zip((table.british, table.mahdist), game.sides, strict=True):
        await table.give(player, "game join", side=side)
    await table.give(table.british, "order", unit="Daphne", action="order")
    for unit, place in (("Daphne", "0303"), ("84th Infantry", "0403")):
        await table.give(table.umpire, "umpire set", unit=unit, field="place", value=place)
    count_done, refused = await give_all(table, game, role, everything=everything)
    of_its_own = [refusal for refusal in refused if not any(words in refusal for words in WORDS_OF_OTHER_SYSTEMS)]
    assert role != "umpire" or count_done > len(of_its_own), "\n".join(of_its_own)


async def test_nothing_sent_can_ping_anyone(table: Table, simcord_env: simcord.Env) -> None:
    await table.start()
    await table.give(table.onlooker, "roll", dice="1d6", label="@everyone")
    await table.give(table.onlooker, "game status")
    bodies = [
        entry.json.get("data", entry.json)
        for entry in simcord_env.backend.http_requests
        if entry.method in ("POST", "PATCH") and isinstance(entry.json, dict) and "components" in str(entry.json)
    ]
    assert bodies
    assert all(body.get("allowed_mentions") == {"parse": []} for body in bodies)
