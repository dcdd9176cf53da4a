"""Questions without a game and with bad values: each gets a private sentence, in every place."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from cogs.kit.lookup.systems import EXAMPLES, THE_TROOP, askable_troops
from rules.registry import rulesets
from tests.daily_choice import choose_daily, one_a_day

from .table import Table, text
from .test_every_command import FAULT, FEWEST_WORDS, list_commands, refusals
from .test_tree import tree

GAMES = {"magdala": "suakin-1885", "charge": "bridge", "great_war": "trench"}
"""A game that runs in the channel beside the question, for some systems."""
MOST, LEAST = 10_000, 0
SYSTEMS = [system.id for system in rulesets().values()]
NOBODY = "Xyzzy’s Own"


def number_bounds(options: Mapping[str, Any]) -> dict[str, list[int]]:
    """Return the minimum and maximum that Discord accepts for each number option."""
    return {
        name: [max(option.get("min_value", LEAST), LEAST), min(option.get("max_value", MOST), MOST)]
        for name, option in options.items()
        if option["type"] in (4, 10)
    }


def make_questions(command: str, options: Mapping[str, Any], system: str) -> Iterator[dict[str, Any]]:
    """Yield questions to a system: valid, nonsensical, incomplete, out of range, and contradictory."""
    test = {"test": command.partition(":")[2]} if "test" in options else {}
    kind = test.get("test") or command
    base = {"rules": system, **test}
    ruleset = rulesets()[system]
    troops = (
        [troop_.name for troop_ in askable_troops(ruleset, kind)]
        if kind in ruleset.ad_hoc.question_fields_by_kind
        else []
    )
    yield base
    yield {**test, "troop": NOBODY}
    yield {**test, "rules": "no such rules", "troop": NOBODY}
    for troop in (NOBODY, *([choose_daily(troops)] if troops else [])):
        example = {
            name: troop if value == THE_TROOP else value
            for name, value in EXAMPLES.get(kind, {}).items()
            if name in options
        }
        question = {**base, "troop": troop, **example}
        yield question
        for name, values in number_bounds(options).items():
            yield from ({**question, name: value} for value in values)
        for name in ("with", "against", "state", "unit", "target"):
            if name in options:
                yield {**question, name: NOBODY}
        for name in example:
            yield {option: value for option, value in question.items() if option != name}


def question_commands(table: Table) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield every command that works without a game: its name, the kind of question, and its options."""
    for root in tree(table.env):
        for name, listed_options in list_commands(root):
            options = {option["name"]: option for option in listed_options}
            if {"rules", "troop"} <= options.keys():
                kinds = [f"odds:{kind}" for kind in EXAMPLES] if "test" in options else [name]
                yield from ((name, kind, options) for kind in kinds)


async def ask_all(table: Table, system: str, place: str) -> tuple[int, int]:
    """Ask every question in the channel or in direct messages. Return the numbers of questions and of refusals."""
    count_asked = refused = 0
    for command, kind, options in question_commands(table):
        for question in make_questions(kind, options, system):
            give = table.give if place == "channel" else table.write
            answer = await give(table.onlooker, command, **question)
            reply = "\n".join(map(text, answer.messages))
            assert len(reply.split()) >= FEWEST_WORDS, (command, question)
            assert FAULT not in reply, (command, question)
            for refusal in refusals(answer):
                assert refusal.ephemeral, (command, question)
                refused += 1
            count_asked += 1
    return count_asked, refused


def test_every_kind_of_question_has_an_example() -> None:
    assert {kind for system in rulesets().values() for kind in system.ad_hoc.question_fields_by_kind} <= EXAMPLES.keys()


@pytest.mark.parametrize("place", one_a_day(["channel", "direct messages"]))
@pytest.mark.parametrize("system", one_a_day(SYSTEMS))
async def test_bad_questions_are_refused_without_a_game(table: Table, system: str, place: str) -> None:
    count_asked, refused = await ask_all(table, system, place)
    assert refused > count_asked / 4


@pytest.mark.parametrize("game", one_a_day(list(GAMES)))
@pytest.mark.parametrize("system", one_a_day(SYSTEMS))
async def test_bad_questions_are_refused_beside_a_game(table: Table, system: str, game: str) -> None:
    await table.give(table.umpire, "game new", rules=game, scenario=GAMES[game])
    assert await table.seq() == 1
    count_asked, refused = await ask_all(table, system, "channel")
    assert refused > count_asked / 4


async def test_ch_2_5_a_volley_out_of_range_is_refused_in_a_sentence(table: Table) -> None:
    question = {"rules": "charge", "troop": "company", "figures": 16, "range": 7.0}
    for answer in (
        await table.give(table.onlooker, "fire", **question),
        await table.write(table.onlooker, "fire", **question),
    ):
        assert "CH-2" in answer.private_text
    await table.start()
    answer = await table.give(table.onlooker, "fire", **question)
    assert "CH-2" in answer.private_text
    assert not answer.private[0].attachments
