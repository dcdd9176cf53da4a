"""The short answer of `/rule`: the passages that answer a question, at most eight lines on a telephone."""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.games.rulings import Ruling
from bot.journal.game import Game
from rules.core.book import INLINE_MARK, Rule
from rules.core.fields import value_in_words
from rules.core.model import MARK_LABELS
from rules.core.rule_excerpt import Excerpt
from rules.core.rule_tables import LINE, count_phone_lines
from rules.core.ruleset import Ruleset
from rules.core.wording import as_words

from .kit.cards.card import Button, Card, safe, shorten
from .kit.lookup.topics import Answer

MOST_LINES = 8
FEWEST_LINES = 3
"""Minimum number of lines for passages."""
MOST_CHANGED = 2
"""Maximum number of changed options in an answer."""
ITALICS = r"*\g<0>*"
"""Replacement that writes a match in italics."""


def source_line(answer: Answer, first: Ruleset[Any] | None) -> str:
    """Return the title of the answer's system; if that is not `first`, add that no rule of `first` fits."""
    if first is None or first.id == answer.system.id:
        return answer.system.title
    return f"No rule of {first.title} fits. This one is of {answer.system.title}"


def changed_option_lines(rule: Rule, system: Ruleset[Any], game: Game | None) -> list[str]:
    """Return the rule's options that the channel's game has changed, with their values."""
    if game is None or game.ruleset.id != system.id:
        return []
    values = game.state.options
    standard = system.options_type()
    changed = [name for name in rule.options if getattr(values, name) != getattr(standard, name)][:MOST_CHANGED]
    pairs = ((safe(as_words(name)), safe(value_in_words(getattr(values, name)))) for name in changed)
    return [f"▸ In this game {name}: **{value}**" for name, value in pairs]


def answer_card(
    answer: Answer,
    topic: str,
    first: Ruleset[Any] | None,
    *,
    game: Game | None,
    rulings: Sequence[Ruling],
    more_button: Button,
    near: Sequence[Button] = (),
) -> Card:
    """Return the card of the passages that answer `topic`, with `more_button` if the rule has further text."""
    heading = (answer.rule.name, source_line(answer, first))
    ruling_lines = [f"**Agreed here:** {safe(shorten(ruling.text, LINE))}" for ruling in rulings[:1]]
    extra_lines = [*changed_option_lines(answer.rule, answer.system, game), *ruling_lines]
    free = MOST_LINES - sum(map(count_phone_lines, (*heading, *extra_lines)))
    excerpt = answer.excerpt(topic, most=max(free, FEWEST_LINES))
    card = Card().text(f"### {safe(heading[0])}\n-# {safe(heading[1])}")
    card.text("\n".join((*_passage_lines(excerpt), *extra_lines)))
    is_whole_rule = excerpt.is_whole and not answer.rule.charts and not answer.rule.options and len(rulings) <= 1
    return card.buttons([*([] if is_whole_rule else [more_button]), *near])


def _passage_lines(excerpt: Excerpt) -> Iterator[str]:
    for passage in excerpt.passages:
        yield f"**{MARK_LABELS[passage.mark]}:** {INLINE_MARK.sub(ITALICS, safe(passage.text))}"
    for row in excerpt.rows:
        yield f"▸ {INLINE_MARK.sub(ITALICS, safe(row.text))}"
