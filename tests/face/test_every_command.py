"""Every command there is, given by everyone: always answered, never a fault, and never telling a secret."""

from collections.abc import Iterator
from typing import Any

import pytest
import simcord

from .table import Table, text
from .test_tree import GROUP, SUBCOMMAND, tree

STRING, INTEGER, BOOLEAN, USER, NUMBER, ATTACHMENT = 3, 4, 5, 6, 10, 11
SECRET = "-2"

GIVEN: dict[str, Any] = {
    "unit": "amarar",
    "target": "berkshires",
    "rules": "magdala",
    "scenario": "suakin-1885",
    "side": "british",
    "dice": "2d6",
    "field": "morale",
    "value": "pinned",
    "test": "morale",
    "with": "umpire's call",
    "topic": "morale",
    "name": "refill within",
    "action": "refill",
    "to": "forward 3",
}
"""What options are given, by name."""
AD_HOC = {"rules", "troop", "state", "losses", "figures", "against", "against_figures", "range", "contact"}
"""Options of the other way to ask, without a game."""
FAULT = "Something went wrong on our side"


def leaves(node: dict[str, Any], name: str = "") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Every command that can be given, with its options."""
    name = f"{name} {node['name']}".strip()
    below = [option for option in node.get("options", ()) if option["type"] in (SUBCOMMAND, GROUP)]
    for option in below:
        yield from leaves(option, name)
    if not below:
        yield name, node.get("options", [])


def filled(option: dict[str, Any], table: Table) -> Any:
    """A fitting value for an option."""
    if option.get("choices"):
        return option["choices"][0]["value"]
    match option["type"]:
        case 4:
            return max(option.get("min_value", 1), 1)
        case 5:
            return False
        case 6:
            return table.onlooker
        case 10:
            return float(max(option.get("min_value", 1), 1))
        case 11:
            return ("game.json", b"{}")
    return GIVEN.get(option["name"], "4+")


def plans(table: Table, *, everything: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each command with its required options, or with all that speak of a game."""
    for command in tree(table.env):
        for name, options in leaves(command):
            wanted = [
                option
                for option in options
                if option.get("required") or (everything and option["name"] not in AD_HOC - {"rules"})
            ]
            if everything and any(option["name"] == "unit" for option in options):
                wanted = [option for option in wanted if option["name"] not in ("rules", "secret", "to", "area")]
            yield name, {option["name"]: filled(option, table) for option in wanted}


def everything_said(answer: Any) -> str:
    """All that was answered."""
    return "\n".join(map(text, answer.messages))


async def test_every_command_is_answered_where_no_game_runs(table: Table) -> None:
    for name, options in plans(table, everything=False):
        if name == "game new":
            continue
        answer = await table.give(table.onlooker, name, **options)
        assert answer.result.modal or everything_said(answer), f"/{name} said nothing"
        assert FAULT not in everything_said(answer), f"/{name}"


@pytest.mark.usefixtures("drawn")
@pytest.mark.parametrize("who", ["umpire", "british", "mahdist", "onlooker"])
@pytest.mark.parametrize("everything", [False, True], ids=["least", "all"])
async def test_every_command_is_answered_in_a_game_and_tells_no_secret(
    table: Table, who: str, everything: bool
) -> None:
    await table.start()
    await table.give(table.umpire, "umpire secret", unit="amarar", value=SECRET)
    await table.give(table.umpire, "umpire set", unit="amarar", field="casualties", value="6")
    actor: simcord.MemberActor = getattr(table, who)
    ending = ("game new", "game end", "game import", "game leave", "umpire appoint", "umpire reveal", "umpire secret")
    for name, options in plans(table, everything=everything):
        if who == "umpire" and name in ending:
            continue
        answer = await table.give(actor, name, **options)
        assert answer.result.modal or everything_said(answer), f"/{name} said nothing"
        assert FAULT not in everything_said(answer), f"/{name}"
    for reader in (table.british, table.mahdist, table.onlooker):
        for said in table.read_by(reader):
            assert "secret quality" not in said.casefold()
            assert "secret of" not in said


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
