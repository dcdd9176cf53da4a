"""`/rule`: answer a question about the rules from the game's own system, with the house rules about it."""

import re
from collections.abc import Sequence
from typing import Any

import discord

from bot.errors import NoGame, Stale, UnreadableGame, UserError
from bot.games.rulings import Ruling
from bot.journal.game import Game
from rules.core.book import Rule
from rules.core.ruleset import Ruleset
from rules.registry import rulesets

from .kit import illustration, reply
from .kit.cards.card import Card, Picture, shorten
from .kit.cards.menu import MOST_LETTERS, make_menu, make_option
from .kit.command_traits import mark_as_look_up, offer_everywhere
from .kit.controls.control import UNREADABLE, PersistentButton, PersistentMenu
from .kit.lookup import completion, name_lookup, topics
from .kit.lookup.topics import Answer
from .kit.option_types import Words
from .kit.request import Interaction, game_of, storage_key_of
from .rule_answer import answer_card
from .rule_page import draw_rule_charts, house_rule_lines, rule_page_card
from .shared_options import Option, Options, command_with_options, shared_option

MOST_OTHERS = 12
MOST_RULINGS = 3
MOST_NEAR = 4
"""Maximum number of buttons for other rules that may answer the question."""
MOST_NAME = 38
"""Maximum characters of a rule's name on the button of a rule."""
MOST_TOPIC = 60
"""Maximum characters of the question in the custom id of a rule's button."""
UNSTORABLE = re.compile(r"[:\x00-\x1f\ud800-\udfff]+")
"""Matches the characters of a question that a button's custom id cannot hold."""


async def find_readable_game(interaction: Interaction) -> Game | None:
    """Return the channel's game, or None if no game runs or its state cannot be read."""
    try:
        return await game_of(interaction)
    except (NoGame, UnreadableGame):
        return None


async def find_rulings(interaction: Interaction, topic: str, rule: Rule | None) -> list[Ruling]:
    """Return the house rules that contain the words `topic`, or the number or title of `rule`."""
    rulings_by_id: dict[int, Ruling] = {}
    for words in (topic, *((rule.number, rule.title) if rule else ())):
        for ruling in await interaction.client.rulings.search(storage_key_of(interaction), words, MOST_RULINGS):
            rulings_by_id.setdefault(ruling.id, ruling)
    return list(rulings_by_id.values())[:MOST_RULINGS]


class OtherRulesMenu(PersistentMenu, action="rules", fields=()):
    """The menu that shows another rule of the chapter to the user alone."""

    async def handle(self, interaction: Interaction) -> None:
        """Show the chosen rule."""
        system_id, _, number = self.values[0].partition(" ")
        await answer_question(interaction, number, rulesets().get(system_id), private=True)


class WholeRuleButton(PersistentButton, action="rulepage", fields=("system", "number")):
    """The button that shows all of a rule to the user alone, with its charts and options."""

    async def handle(self, interaction: Interaction) -> None:
        """Show the rule's page."""
        await show_whole_rule(interaction, _find_rule(self.fields["system"], self.fields["number"]))


class AlternativeRuleButton(PersistentButton, action="rule", fields=("system", "number", "topic")):
    """The button that privately shows another rule that may answer the question `topic`."""

    async def handle(self, interaction: Interaction) -> None:
        """Show the rule's passages that answer the question."""
        answer = _find_rule(self.fields["system"], self.fields["number"])
        await show_best_answer(interaction, self.fields["topic"], [answer], answer.system, private=True)


def _find_rule(system_id: str, number: str) -> Answer:
    """Return the rule that a button names. Raises Stale if there is no such rule."""
    try:
        system = rulesets()[system_id]
        return Answer(system, system.book.get(number))
    except KeyError:
        raise Stale(UNREADABLE) from None


async def answer_question(interaction: Interaction, topic: str, first: Ruleset[Any] | None, *, private: bool) -> None:
    """Answer with the rule that fits `topic` best. Rules of the system `first` take precedence.

    If no rule fits, answer with house rules. Raises UserError if no house rule fits either.
    """
    answers = topics.find_answers(topic, first)
    if answers:
        _, question = topics.split_chosen_topic(topic)
        await show_best_answer(interaction, question, answers, first, private=private)
        return
    rulings = await find_rulings(interaction, topic, None)
    if not rulings:
        near = topics.similar_rule_names(topic, first)
        hint = f"The nearest: {', '.join(near)}." if near else "Give a number or a word, such as “morale”."
        raise UserError(f"No rule matches “{shorten(topic, 60)}”. {hint}")
    await reply.send(interaction, Card().text(house_rule_lines(rulings)), private=private)


async def show_best_answer(
    interaction: Interaction, topic: str, answers: Sequence[Answer], first: Ruleset[Any] | None, *, private: bool
) -> None:
    """Show the passages of the best rule, the first of `answers`. Add buttons for rules that fit nearly as well."""
    best, *rest = answers
    game = await find_readable_game(interaction)
    rulings = await find_rulings(interaction, topic, best.rule)
    more_button = WholeRuleButton("More", discord.ButtonStyle.primary, system=best.system.id, number=best.rule.number)
    near = [alternative_rule_button(answer, topic) for answer in rest if answer.is_nearly_best][:MOST_NEAR]
    card = answer_card(best, topic, first, game=game, rulings=rulings, more_button=more_button, near=near)
    await reply.send(interaction, card, private=private)


def alternative_rule_button(answer: Answer, topic: str) -> AlternativeRuleButton:
    """Return the button of another rule that may answer the question. Its custom id holds the start of the question."""
    label, question = shorten(answer.rule.name, MOST_NAME), UNSTORABLE.sub(" ", topic)[:MOST_TOPIC]
    fields = {"system": answer.system.id, "number": answer.rule.number, "topic": question}
    return AlternativeRuleButton(label, discord.ButtonStyle.secondary, **fields)


async def show_whole_rule(interaction: Interaction, answer: Answer) -> None:
    """Show all of a rule privately, with a menu of the other rules of its chapter."""
    game = await find_readable_game(interaction)
    system, rule = answer.system, answer.rule
    rulings = await find_rulings(interaction, rule.number, rule)
    chapter = [other for other in system.book.rules if other.chapter == rule.chapter and other.number != rule.number]
    values = ((other.name, shorten(f"{system.id} {other.number}", MOST_LETTERS)) for other in chapter[:MOST_OTHERS])
    options = [make_option(name, value) for name, value in values]

    def make_rule_card(pictures: Sequence[Picture]) -> Card:
        page_card = rule_page_card(system, rule, game, rulings, pictures)
        return page_card.menu(make_menu("See also …", options, OtherRulesMenu.action)) if options else page_card

    drawing = draw_rule_charts(interaction.client.workers, system, rule)
    await illustration.send_with_pictures(interaction, drawing, make_rule_card, private=True)


@offer_everywhere
@mark_as_look_up
@command_with_options(
    Option(
        "topic",
        Words,
        "A question, words, or a rule's number: “out of ammo”, “can I fire after moving”",
        completion.complete_topics,
        is_required=True,
    ),
    shared_option("rules", description="The rule system; else that of this channel's game"),
    "secret",
)
async def rule(interaction: Interaction, options: Options) -> None:
    """Looks up a rule: the passage that answers you, its tables, its present values."""
    rules = options.get("rules")
    game = await find_readable_game(interaction) if rules is None else None
    first = name_lookup.find_system_by_name(rules) if rules is not None else game.ruleset if game is not None else None
    await answer_question(interaction, options["topic"], first, private=bool(options.get("secret")))
