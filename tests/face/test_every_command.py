"""Every command there is, given by everyone: always answered, never a fault, and never telling a secret."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
import simcord

from cogs.kit.cards.card import WARNING
from tests.daily import one_a_day

from .table import Answer, Table, raw, text
from .test_tree import GROUP, SUBCOMMAND, tree

STRING, INTEGER, BOOLEAN, USER, NUMBER, ATTACHMENT = 3, 4, 5, 6, 10, 11
SECRET = "-2"

ENDING = (
    "game new",
    "game end",
    "game import",
    "game leave",
    "umpire appoint",
    "umpire reveal",
    "umpire secret",
    "army remove",
)
"""Commands that end something for whoever gives them: they come last, and the umpire gives none."""


@dataclass(frozen=True)
class Game:
    """A game in which every command is given: what options are given by name, and in single commands."""

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
"""Options of the other way to ask, without a game."""
OF_OTHERS = ("table in inches", "campaign", "knows no battle", "has no map to paint")
"""In the refusals of what is for other systems."""
FEWEST = 3
"""Words of a refusal that says something."""
FAULT = "Something went wrong on our side"


def leaves(node: dict[str, Any], name: str = "") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Every command that can be given, with its options."""
    name = f"{name} {node['name']}".strip()
    below = [option for option in node.get("options", ()) if option["type"] in (SUBCOMMAND, GROUP)]
    for option in below:
        yield from leaves(option, name)
    if not below:
        yield name, node.get("options", [])


def filled(game: Game, command: str, option: dict[str, Any], table: Table) -> Any:
    """A fitting value for an option; None where it is left out."""
    name = option["name"]
    given = {"rules": game.rules, "scenario": game.scenario, "side": game.sides[0], "dice": "2d6", **game.options}
    given |= game.of.get(command, {})
    if name in given and (given[name] is None or not option.get("choices")) and option["type"] == STRING:
        return given[name]
    if name in game.of.get(command, {}):
        return given[name]
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


def plans(table: Table, game: Game, *, everything: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each command with its required options, or with all that speak of a game; what ends something last."""
    listed = [each for command in tree(table.env) for each in leaves(command)]
    for name, options in sorted(listed, key=lambda each: each[0] in ENDING):
        wanted = [
            option
            for option in options
            if option.get("required") or (everything and option["name"] not in AD_HOC - {"rules"})
        ]
        if everything and any(option["name"] == "unit" for option in options):
            wanted = [option for option in wanted if option["name"] not in ("rules", "secret", "to", "area")]
        values = {option["name"]: filled(game, name, option, table) for option in wanted}
        yield name, {option: value for option, value in values.items() if value is not None}


def everything_said(answer: Any) -> str:
    """All that was answered."""
    return "\n".join(map(text, answer.messages))


def refusals(answer: Any) -> list[Any]:
    """The messages of an answer that refuse, by their colour."""
    return [one for one in answer.messages if any(part.get("accent_color") == WARNING for part in raw(one))]


async def give(table: Table, actor: simcord.MemberActor, name: str, /, **options: Any) -> Answer:
    """Gives a command, which must say something, and refuse in private only and in words that say what to do."""
    answer = await table.give(actor, name, **options)
    said = everything_said(answer)
    assert answer.result.modal or said, f"/{name} said nothing"
    assert FAULT not in said, f"/{name}"
    for refusal in refusals(answer):
        assert refusal.ephemeral, f"/{name} refuses in public: {text(refusal)}"
        assert len(text(refusal).split()) >= FEWEST, f"/{name}: {text(refusal)}"
    return answer


async def test_every_command_is_answered_where_no_game_runs(table: Table) -> None:
    for name, options in plans(table, MAGDALA, everything=False):
        if name != "game new":
            await give(table, table.onlooker, name, **options)


async def given(table: Table, game: Game, who: str, *, everything: bool) -> tuple[int, list[str]]:
    """Every command is given by one of them: how many did what they are for, and which were refused."""
    actor: simcord.MemberActor = getattr(table, who)
    done, refused = 0, []
    for name, options in plans(table, game, everything=everything):
        if who == "umpire" and name in ENDING:
            continue
        answer = await give(table, actor, name, **options)
        if refusals(answer):
            refused.append(f"/{name} {options}: {everything_said(answer)}")
        else:
            done += 1
    return done, refused


@pytest.mark.usefixtures("real_maps")
@pytest.mark.parametrize("who", ["umpire", *one_a_day(["british", "mahdist", "onlooker"])])
@pytest.mark.parametrize("everything", [pytest.param(False, marks=pytest.mark.soak), True], ids=["least", "all"])
async def test_every_command_is_answered_in_a_game_and_tells_no_secret(
    table: Table, who: str, everything: bool
) -> None:
    await table.start()
    await table.give(table.umpire, "umpire secret", unit="amarar", value=SECRET)
    await table.give(table.umpire, "umpire set", unit="amarar", field="casualties", value="6")
    await given(table, MAGDALA, who, everything=everything)
    for reader in (table.british, table.mahdist, table.onlooker):
        for said in table.read_by(reader):
            assert "secret quality" not in said.casefold()
            assert "secret of" not in said


@pytest.mark.usefixtures("real_maps")
@pytest.mark.parametrize(
    ("who", "everything"),
    [("umpire", True), pytest.param("british", True, marks=pytest.mark.soak), ("onlooker", False)],
)
async def test_every_command_is_answered_in_a_game_of_the_great_war(table: Table, who: str, everything: bool) -> None:
    game = GREAT_WAR
    await table.give(table.umpire, "game new", rules=game.rules, scenario=game.scenario)
    for player, side in zip((table.british, table.mahdist), game.sides, strict=True):
        await table.give(player, "game join", side=side)
    await table.give(table.british, "order", unit="Daphne", action="order")
    for unit, place in (("Daphne", "0303"), ("84th Infantry", "0403")):
        await table.give(table.umpire, "umpire set", unit=unit, field="place", value=place)
    done, refused = await given(table, game, who, everything=everything)
    of_its_own = [one for one in refused if not any(words in one for words in OF_OTHERS)]
    assert who != "umpire" or done > len(of_its_own), "\n".join(of_its_own)


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
