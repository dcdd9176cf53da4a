"""/rule: by number, name or misspelt words; text, mark, table, present value, and what the house ruled."""

from collections.abc import Iterable

import pytest

from bot.workers import Threads
from cogs.kit.cards.card import REST
from cogs.kit.lookup.topics import find_rules
from cogs.rule_page import page, pictures_of
from rules.registry import rulesets

from .table import Table, raw, text

SELECT = 3


def menus(message) -> list[dict]:
    from simcord.components import walk_components

    return [one for one in walk_components(raw(message)) if one.get("type") == SELECT]


def every_rule() -> Iterable[tuple[str, str]]:
    return [(system.id, rule.number) for system in rulesets().values() for rule in system.book.rules]


FOUND = [
    ("MM-5.4", "MM-5.4"),
    ("mm-5.4", "MM-5.4"),
    ("MM 5.4", "MM-5.4"),
    ("be6a", "BE-6a"),
    ("3.9", "MM-3.9"),
    ("mêlée", "MM-4 "),
    ("re-roll", "MM-6"),
    ("amunition", "MM-3.9"),
    ("reaction", "MM-5.10"),
    ("bad going", "MM-2.9"),
    ("field defenses", "MM-7"),
    ("pinned", "MM-5.1"),
    ("ammuniton", "MM-3.9"),
    ("Halving the dice", "MM-3.4"),
]


async def test_found_by_number_name_or_misspelt_words(table: Table) -> None:
    for topic, title in FOUND:
        answer = await table.give(table.onlooker, "rule", topic=topic)
        assert text(answer.announced).startswith(f"### {title}")


async def test_shows_mark_text_and_a_narrow_table_as_text_and_picture(table: Table) -> None:
    answer = await table.give(table.onlooker, "rule", topic="MM-4.4")
    said = text(answer.announced)
    assert "Magdala to Mafeking · printed" in said
    assert "```" in said
    assert answer.announced.attachments


async def test_shows_a_wide_table_as_a_picture_and_reads_it_out(table: Table) -> None:
    answer = await table.give(table.onlooker, "rule", topic="MM-2")
    said = text(answer.announced)
    assert "```" not in said
    assert "regular infantry, close order" in said
    (picture,) = answer.announced.attachments
    assert (await picture.read()).startswith(b"\x89PNG")
    assert "regular cavalry: " in said


async def test_present_value_is_that_of_the_channels_game(table: Table) -> None:
    outside = await table.give(table.onlooker, "rule", topic="MM-2.9")
    assert "unless the umpire changes it" in text(outside.announced)
    await table.start()
    await table.give(table.umpire, "umpire option", name="going", value="1/3")
    inside = await table.give(table.onlooker, "rule", topic="MM-2.9")
    assert "**⅓** in this channel's game" in text(inside.announced)


async def test_a_house_rule_stands_beside_it(table: Table) -> None:
    await table.give(table.umpire, "ruling record", text="Reaction tests are taken before movement")
    answer = await table.give(table.onlooker, "rule", topic="reaction")
    assert "Reaction tests are taken before movement" in text(answer.announced)
    other = await table.give(table.onlooker, "rule", topic="MM-2.9")
    assert "Reaction tests" not in text(other.announced)


async def test_others_that_answer_are_in_a_menu_and_read_alone(table: Table) -> None:
    answer = await table.give(table.onlooker, "rule", topic="MM-5")
    (menu,) = menus(answer.announced)
    values = [option["value"] for option in menu["options"]]
    assert "magdala MM-5.4" in values
    chosen = await table.british.select(answer.announced, ["magdala MM-5.4"], custom_id=menu["custom_id"])
    assert chosen.response.ephemeral
    assert text(chosen.response).startswith("### MM-5.4")


async def test_the_menu_survives_a_restart(table: Table) -> None:
    answer = await table.give(table.onlooker, "rule", topic="MM-5")
    await table.restart()
    (menu,) = menus(answer.announced)
    chosen = await table.british.select(answer.announced, ["magdala MM-5.4"], custom_id=menu["custom_id"])
    assert text(chosen.response).startswith("### MM-5.4")


async def test_secret_is_read_alone(table: Table) -> None:
    answer = await table.give(table.onlooker, "rule", topic="MM-5", secret=True)
    assert "MM-5" in answer.private_text


NOT_FOUND = ["?!", "zzzz qqqq", "hello", "the weather in Spain", "xylophone", "asdf", "-", "MM 9", "MM-5.99"]


async def test_nothing_found_says_so_privately(table: Table) -> None:
    for topic in NOT_FOUND:
        answer = await table.give(table.onlooker, "rule", topic=topic)
        assert "No rule matches" in answer.private_text
        assert "The nearest: " in answer.private_text or "Give a number" in answer.private_text


def test_words_of_two_systems_are_answered_best_first() -> None:
    found = [rule for _, rule in find_rules("square", None)]
    assert {rule.number.partition("-")[0] for rule in found} >= {"BE", "MM"}
    by_word = [rule.number for rule in found if "square" in rule.words]
    in_text = [rule.number for rule in found if "square" not in rule.name.casefold() and "square" not in rule.words]
    assert by_word
    assert in_text
    assert [rule.number for rule in found][: len(by_word)] == by_word
    assert [rule.number for rule in found][-len(in_text) :] == in_text


async def test_topics_complete(table: Table) -> None:
    assert "MM-5.10" in await table.complete(table.onlooker, "rule", "topic", "reacton")
    assert "MM-3.6" in await table.complete(table.onlooker, "rule", "topic", "MM-3.")


@pytest.mark.parametrize(("system_id", "number"), every_rule())
async def test_every_rule_fits_a_message(system_id: str, number: str) -> None:
    system = rulesets()[system_id]
    rule = system.book.get(number)
    card = page(system, rule, None, (), await pictures_of(Threads(), system, rule))
    shown = str(card.view().to_components())
    assert number in shown
    assert REST not in shown


def test_the_games_own_system_comes_first() -> None:
    system = rulesets()["magdala"]
    found = find_rules("morale", system)
    assert found[0][0] is system
