"""`/help`: a first page for everyone, a button for each role, and pages that fit a message."""

import re
from importlib.resources import files

from cogs.help import all_help_pages, find_help_page, help_page_card
from cogs.kit.cards.card import MOST_CHARACTERS
from cogs.kit.lookup import systems
from rules.registry import rulesets

from .table import Table, labels, text


async def test_first_page_is_private_and_leads_to_the_roles(table: Table) -> None:
    answer = await table.give(table.onlooker, "help")
    assert "/game new" in answer.private_text
    assert labels(answer.private[0]) == ["I play", "I umpire", "I look on", "I play alone"]


async def test_role_button_shows_first_steps(table: Table) -> None:
    first = await table.give(table.onlooker, "help")
    answer = await table.press(table.onlooker, first.private[0], "I play")
    assert "/game join" in answer.private_text


async def test_every_page_fits_a_message(table: Table) -> None:
    for topic in all_help_pages():
        answer = await table.give(table.umpire, "help", topic=topic)
        assert all_help_pages()[topic].title in answer.private_text
        assert "… the rest" not in answer.private_text
        assert len(answer.private_text) <= MOST_CHARACTERS


async def test_help_in_direct_messages(table: Table) -> None:
    result = await table.onlooker.user.slash("help", topic="dice")
    assert result.acknowledged
    assert "seal" in text(result.response)


async def test_unknown_topic_names_the_pages(table: Table) -> None:
    answer = await table.give(table.umpire, "help", topic="zzzzqqq")
    assert "There is no help on" in answer.private_text
    assert "umpire" in answer.private_text


def test_a_misspelt_topic_is_found() -> None:
    assert find_help_page("verfy").id == "dice"
    assert find_help_page("shooting").id == "tests"


async def test_topic_completes(table: Table) -> None:
    assert "umpire" in await table.complete(table.umpire, "help", "topic", "ump")
    assert set(await table.complete(table.umpire, "help", "topic")) == set(all_help_pages())


async def test_every_command_in_the_help_exists(table: Table) -> None:
    commands = {name for page in all_help_pages().values() for name in re.findall(r"`/([a-z]+(?: [a-z]+)?)", page.text)}
    known_commands = set(table.umpire.available_commands(table.channel))
    roots = {command.split()[0] for command in known_commands if " " in command}
    for command in commands:
        first = command.split()[0]
        assert (command if first in roots else first) in known_commands, f"/{command} is no command"


def test_pages_have_no_unfilled_placeholders() -> None:
    assert not re.search(r"\{[a-z]+\}", "".join(help_page_card(topic).words for topic in all_help_pages().values()))


COMMON_WORDS = {"charge"}
"""Ids of systems that are also common words of wargaming."""


def test_the_bots_own_pages_name_no_system() -> None:
    own = files("cogs").joinpath("data/help.toml").read_text().casefold()
    for system in rulesets().values():
        assert system.id in COMMON_WORDS or not re.search(rf"\b{system.id}\b", own)
        assert f"rules:{system.id}" not in own
        assert system.title.casefold() not in own


def test_examples_and_tests_come_from_the_systems() -> None:
    start, tests = help_page_card(all_help_pages()["start"]).words, help_page_card(all_help_pages()["tests"]).words
    for system in rulesets().values():
        has_tests = any(kind in system.actions for kind in systems.EXAMPLES)
        assert (f"*{system.title}*: `/" in tests) is has_tests
    assert "rules:magdala troop:" in start
    assert "rules:empire troop:" in start
