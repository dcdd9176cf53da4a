"""The whole page of a rule: its texts, its charts as text and pictures, its options, and house rules."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from bot.games.rulings import Ruling
from bot.jobs import pictures as jobs
from bot.journal.game import Game
from bot.workers import Workers
from rules.core.book import Rule
from rules.core.chart import Chart
from rules.core.fields import value_in_words
from rules.core.model import MARK_LABELS, Model
from rules.core.ruleset import Ruleset
from rules.core.wording import as_words

from .kit.cards.card import Card, Picture, safe
from .ruling import ruling_line

MOST_PICTURES = 4
MOST_WRITTEN = 3500
"""Maximum characters of a page. A table that exceeds the limit appears only as a picture."""
WIDEST = 54
"""Maximum characters of a line in a message. A wider table is shown only as a picture."""


def option_value_lines(system: Ruleset[Any], rule: Rule, game: Game | None) -> str:
    """Return the rule's options with their values in the channel's game, or with the defaults without a game."""
    in_game = game is not None and game.ruleset.id == system.id
    values: Model = game.state.options if game is not None and in_game else system.options_type()
    scope = "in this channel's game" if in_game else "unless the umpire changes it"
    return "\n".join(
        f"▸ {safe(as_words(name))}: **{safe(value_in_words(getattr(values, name)))}** {scope}. "
        f"{safe(system.options_type.model_fields[name].description or '')}"
        for name in rule.options
    )


def chart_text(chart: Chart) -> str:
    """Return the chart as aligned text, or an empty string if it is too wide for a message."""
    lines = [(chart.head, *chart.columns), *((row.label, *(cell.text for cell in row.cells)) for row in chart.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rows = ["  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    if max(map(len, rows)) > WIDEST:
        return ""
    body = "\n".join(rows).replace("```", "")
    return f"**{safe(chart.title)}** ({chart.rule})\n```\n{body}\n```"


def chart_in_words(chart: Chart) -> str:
    """Return the whole chart in words, as the alternative text of its picture."""
    cells = ((row.label, zip(chart.columns, row.cells, strict=True)) for row in chart.rows)
    rows = (f"{label}: " + ", ".join(f"{name} {cell.text}" for name, cell in pairs) for label, pairs in cells)
    return f"{chart.title}. " + "; ".join(rows) + f". {chart.note}"


async def draw_rule_charts(workers: Workers, system: Ruleset[Any], rule: Rule) -> Sequence[Picture]:
    """Draw the rule's charts. Return their pictures."""
    charts = _charts_of_rule(system, rule)
    images = await workers.run(jobs.draw_charts, charts) if charts else ()
    numbered = enumerate(zip(charts, images, strict=True), 1)
    return [Picture(f"table-{number}.png", png, chart_in_words(chart)) for number, (chart, png) in numbered]


def _charts_of_rule(system: Ruleset[Any], rule: Rule) -> Sequence[Chart]:
    return [system.charts[chart] for chart in rule.charts][:MOST_PICTURES]


def house_rule_lines(rulings: Sequence[Ruling]) -> str:
    """Return a heading and a line for each ruling, or an empty string without rulings."""
    return "\n".join(("**House rules here**", *map(ruling_line, rulings))) if rulings else ""


def rule_page_card(
    system: Ruleset[Any], rule: Rule, game: Game | None, rulings: Sequence[Ruling], pictures: Sequence[Picture]
) -> Card:
    """Return a rule's full page, with the pictures of its tables if they are drawn."""
    paragraphs = (
        f"### {safe(rule.name)}\n-# {safe(system.title)}",
        *(f"**{MARK_LABELS[mark]}:** {safe(text)}" for mark, text in rule.parts),
        option_value_lines(system, rule, game),
        house_rule_lines(rulings),
    )
    card = Card().paragraphs(paragraphs)
    free = MOST_WRITTEN - sum(map(len, paragraphs))
    for chart, picture in zip_longest(_charts_of_rule(system, rule), pictures):
        text = chart_text(chart)
        if len(text) <= free:
            card.text(text)
            free -= len(text)
        card.picture(picture)
    return card
