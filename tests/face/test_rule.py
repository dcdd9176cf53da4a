"""`/rule`: passages of the game's own system first, related rules as buttons, the whole page behind *More*."""

import threading
from collections.abc import Iterable

import pytest

from bot.workers import ThreadWorkers
from cogs.kit.cards.card import REST
from cogs.kit.lookup import topics
from cogs.rule_page import draw_rule_charts, rule_page_card
from rules.registry import rulesets

from .table import Answer, Table, labels, raw, text

SELECT = 3


def list_menus(message) -> list[dict]:
    from simcord.components import walk_components

    return [component for component in walk_components(raw(message)) if component.get("type") == SELECT]


def list_rules() -> Iterable[tuple[str, str]]:
    return [(system.id, rule.number) for system in rulesets().values() for rule in system.book.rules]


FOUND_TOPICS = [
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


async def test_a_rule_is_found_by_number_name_or_misspelt_words(table: Table) -> None:
    for topic, title in FOUND_TOPICS:
        answer = await table.give(table.onlooker, "rule", topic=topic)
        assert text(answer.announced).startswith(f"### {title}")


async def whole_page(table: Table, topic: str) -> Answer:
    """Return the page behind the button *More* of an answer."""
    answer = await table.give(table.onlooker, "rule", topic=topic)
    return await table.press(table.onlooker, answer.announced, "More")


async def test_printed_text_and_rulings_are_separate(table: Table) -> None:
    reply = text((await table.give(table.onlooker, "rule", topic="MM-2.1")).announced)
    assert "**Printed:** 6 inches in close order, 8 in skirmish order." in reply
    assert "**Ruling:** A unit may change its order once a turn" in reply
    assert "option" not in reply


async def test_a_question_gets_its_passage_and_row(table: Table) -> None:
    reply = text((await table.give(table.onlooker, "rule", topic="how do I refil ammo from a wagon?")).announced)
    assert reply.startswith("### MM-3.9 Ammunition")
    assert "A wagon or mules may refill regulars." in reply
    row = text((await table.give(table.onlooker, "rule", topic="zulus in hand to hand")).announced)
    assert "▸ Zulus or Mahdists: +1" in row


async def test_the_page_has_text_and_a_narrow_table_as_text_and_picture(table: Table) -> None:
    page = await whole_page(table, "MM-4.4")
    reply = page.private_text
    assert "Magdala to Mafeking" in reply
    assert "**Printed:**" in reply
    assert "**Ruling:**" in reply
    assert "```" in reply
    assert page.private[0].attachments


async def test_a_wide_table_is_a_picture_with_a_description(table: Table) -> None:
    page = await whole_page(table, "MM-2")
    assert "```" not in page.private_text
    assert "regular infantry, close order" in page.private_text
    (picture,) = page.private[0].attachments
    assert (await picture.read()).startswith(b"\x89PNG")
    assert "regular cavalry: " in page.private_text


async def test_an_options_value_comes_from_the_channels_game(table: Table) -> None:
    outside = await whole_page(table, "MM-2.9")
    assert "unless the umpire changes it" in outside.private_text
    await table.start()
    before = await table.give(table.onlooker, "rule", topic="MM-2.9")
    assert "In this game" not in text(before.announced)
    await table.give(table.umpire, "umpire option", name="going", value="1/3")
    inside = await table.give(table.onlooker, "rule", topic="MM-2.9")
    assert "In this game going: **⅓**" in text(inside.announced)
    assert "**⅓** in this channel's game" in (await whole_page(table, "MM-2.9")).private_text


async def test_a_house_ruling_is_shown_with_its_rule(table: Table) -> None:
    await table.give(table.umpire, "ruling record", text="Reaction tests are taken before movement")
    answer = await table.give(table.onlooker, "rule", topic="reaction")
    assert "Reaction tests are taken before movement" in text(answer.announced)
    second_rule = await table.give(table.onlooker, "rule", topic="MM-2.9")
    assert "Reaction tests" not in text(second_rule.announced)


async def test_buttons_of_related_rules_answer_privately(table: Table) -> None:
    answer = await table.give(table.onlooker, "rule", topic="turns of ammunition: half effect", rules="magdala")
    assert text(answer.announced).startswith("### MM-3.9")
    near = [label for label in labels(answer.announced) if label != "More"]
    assert near
    assert len(near) <= 4
    await table.restart()
    pressed = await table.press(table.british, answer.announced, near[0])
    assert pressed.private_text.startswith(f"### {near[0].split()[0]}")
    assert not pressed.public


async def test_the_page_offers_the_rest_of_the_chapter_and_survives_a_restart(table: Table) -> None:
    answer = await table.give(table.onlooker, "rule", topic="MM-5.4")
    await table.restart()
    page = await table.press(table.british, answer.announced, "More")
    (menu,) = list_menus(page.private[0])
    values = [option["value"] for option in menu["options"]]
    assert "magdala MM-5.1" in values
    assert "magdala MM-5.4" not in values
    chosen = await table.british.select(page.private[0], ["magdala MM-5.1"], custom_id=menu["custom_id"])
    assert chosen.response.ephemeral
    assert text(chosen.response).startswith("### MM-5.1")


async def test_the_games_own_system_answers(table: Table) -> None:
    await table.start()
    own = await table.give(table.onlooker, "rule", topic="turn order")
    assert text(own.announced).startswith("### MM-1")
    foreign_rule = await table.give(table.onlooker, "rule", topic="stevedores")
    assert "No rule of Magdala to Mafeking fits. This one is of Tanga 1914" in text(foreign_rule.announced)
    chosen = await table.give(table.onlooker, "rule", topic="turn order", rules="Tanga 1914")
    assert text(chosen.announced).startswith("### TA-H.0")
    assert "fits" not in text(chosen.announced)


async def test_the_search_is_prepared_at_start_outside_the_event_loop(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    monkeypatch.setattr(topics, "build_search_indexes", lambda: threads.append(threading.current_thread()))
    await table.restart()
    (prepared,) = threads
    assert prepared is not threading.current_thread()


async def test_an_unknown_system_is_refused_with_the_known_systems(table: Table) -> None:
    refused = await table.give(table.onlooker, "rule", topic="morale", rules="chess")
    assert "Tanga 1914" in refused.private_text


async def test_a_short_rule_is_complete_without_the_button_more(table: Table) -> None:
    answer = await table.give(table.onlooker, "rule", topic="CH-3.1")
    assert labels(answer.announced) == []


async def test_a_button_that_names_no_rule_is_refused(table: Table) -> None:
    answer = await table.give(table.onlooker, "rule", topic="MM-5.4")
    for custom_id in ("umpire:rulepage:chess:MM-5.4", "umpire:rule:magdala:MM-99:morale"):
        pressed = await table.press_late(table.onlooker, answer.announced, custom_id)
        assert "can no longer be used" in pressed.private_text


async def test_a_secret_answer_is_private(table: Table) -> None:
    answer = await table.give(table.onlooker, "rule", topic="MM-5", secret=True)
    assert "MM-5" in answer.private_text


UNKNOWN_TOPICS = ["?!", "zzzz qqqq", "hello", "the weather in Spain", "xylophone", "asdf", "-", "MM 9", "MM-5.99"]


async def test_an_unknown_topic_is_refused_privately(table: Table) -> None:
    for topic in UNKNOWN_TOPICS:
        answer = await table.give(table.onlooker, "rule", topic=topic)
        assert "No rule matches" in answer.private_text
        assert "The nearest: " in answer.private_text or "Give a number" in answer.private_text


async def test_topics_complete(table: Table) -> None:
    assert "MM-5.10: reacton" in await table.complete(table.onlooker, "rule", "topic", "reacton")
    assert "MM-3.6" in await table.complete(table.onlooker, "rule", "topic", "MM-3.")
    chosen = await table.complete(table.onlooker, "rule", "topic", "moral", rules="tanga")
    assert chosen
    assert all(number.startswith("TA-") for number in chosen)
    await table.start()
    assert all(number.startswith("MM-") for number in await table.complete(table.onlooker, "rule", "topic", "gun"))
    assert (await table.complete(table.onlooker, "rule", "topic", ""))[0] == "MM-1"


async def test_a_completed_rule_still_answers_the_question(table: Table) -> None:
    await table.start()
    completions = await table.complete(table.onlooker, "rule", "topic", "refill ammo from a wagon")
    assert completions[0] == "MM-3.9: refill ammo from a wagon"
    reply = text((await table.give(table.onlooker, "rule", topic=completions[0])).announced)
    assert reply.startswith("### MM-3.9 Ammunition")
    assert "A wagon or mules may refill regulars." in reply
    assert await table.complete(table.onlooker, "rule", "topic", completions[0]) == completions


@pytest.mark.parametrize(("system_id", "number"), list_rules())
async def test_every_rule_fits_a_message(system_id: str, number: str) -> None:
    system = rulesets()[system_id]
    rule = system.book.get(number)
    card = rule_page_card(system, rule, None, (), await draw_rule_charts(ThreadWorkers(), system, rule))
    components = str(card.view().to_components())
    assert number in components
    assert REST not in components
