"""`/rule`: any system's rule by number, name or misspelt words, with its tables and its present values."""

import asyncio
from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.errors import NoGame, UserError
from bot.games import Game
from render.charts import draw_chart
from rules.core.book import Rule
from rules.core.chart import Chart
from rules.core.fields import in_words
from rules.core.model import MARK_WORDS, Model
from rules.core.ruleset import Ruleset
from rules.core.umpire import spoken
from rules.registry import rulesets

from .kit import answer, completion, errors
from .kit.card import Card, Picture, cut, safe
from .kit.interaction import Interaction, anywhere
from .kit.options import Words

if TYPE_CHECKING:
    from bot.client import UmpireBot

MOST_OTHERS = 12
MOST_CHOICE = 100
"""Characters of a choice in a menu."""
MOST_PICTURES = 4
MOST_WRITTEN = 3500
"""Characters of a page; a table that would pass it is shown as a picture only."""

Found = tuple[Ruleset[Any], Rule]


def find(topic: str, first: Ruleset[Any] | None) -> list[Found]:
    """Rules of every system that answer to `topic`: the best of each in turn, those of `first` before others'.

    A rule's own number stands alone.
    """
    systems = sorted(rulesets().values(), key=lambda system: first is None or system.id != first.id)
    for system in systems:
        for rule in system.book.rules:
            if rule.number.casefold() == topic.strip().casefold():
                return [(system, rule), *((system, other) for other in _within(system, rule))]
    ranked = [[(system, rule) for rule in system.book.search(topic)] for system in systems]
    return [found for found in chain.from_iterable(zip_longest(*ranked)) if found is not None]


def _within(system: Ruleset[Any], rule: Rule) -> list[Rule]:
    """The rules under a heading: MM-5.1, MM-5.2 … under MM-5."""
    return [other for other in system.book.rules if other.number.startswith(f"{rule.number}.")]


def present_values(system: Ruleset[Any], rule: Rule, game: Game | None) -> str:
    """The rule's options with the values they have in the channel's game, else those a game begins with."""
    in_game = game is not None and game.ruleset.id == system.id
    values: Model = game.state.options if game is not None and in_game else system.options_type()
    where = "in this channel's game" if in_game else "unless the umpire changes it"
    return "\n".join(
        f"▸ {safe(spoken(name))}: **{safe(in_words(getattr(values, name)))}** {where}. "
        f"{safe(system.options_type.model_fields[name].description or '')} `/umpire option {name}`"
        for name in rule.options
    )


def chart_text(chart: Chart) -> str:
    """The table as text, its columns under each other."""
    lines = [(chart.head, *chart.columns), *((row.label, *(cell.text for cell in row.cells)) for row in chart.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rows = ["  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    body = "\n".join(rows).replace("```", "")
    return f"**{safe(chart.title)}** ({chart.rule})\n```\n{body}\n```{safe(chart.note)}"


def chart_alt(chart: Chart) -> str:
    """The table read out."""
    rows = (
        f"{row.label}: " + ", ".join(f"{name} {cell.text}" for name, cell in zip(chart.columns, row.cells, strict=True))
        for row in chart.rows
    )
    return f"{chart.title}. " + "; ".join(rows) + "."


def draw_charts(charts: Sequence[Chart]) -> list[Picture]:
    """Each table as a picture."""
    return [Picture(f"table-{n}.png", draw_chart(chart), chart_alt(chart)) for n, chart in enumerate(charts, 1)]


async def page(system: Ruleset[Any], rule: Rule, game: Game | None) -> Card:
    """Title, number and mark, text, tables, present values."""
    charts = [system.charts[chart] for chart in rule.charts][:MOST_PICTURES]
    pictures = await asyncio.to_thread(draw_charts, charts)
    written = (
        f"### {safe(rule.name)}\n-# {safe(system.title)} · {MARK_WORDS[rule.mark]}",
        safe(rule.text),
        present_values(system, rule, game),
    )
    card = Card()
    for paragraph in written:
        card.text(paragraph)
    room = MOST_WRITTEN - sum(map(len, written))
    for chart, picture in zip(charts, pictures, strict=True):
        text = chart_text(chart)
        if len(text) <= room:
            card.text(text)
            room -= len(text)
        card.picture(picture)
    return card


async def game_here(interaction: Interaction) -> Game | None:
    """The channel's game, where there is one."""
    try:
        return await completion.game_of(interaction)
    except NoGame:
        return None


class OtherRules(ui.DynamicItem[ui.Select[Any]], template="umpire:rules"):
    """A menu of the other rules that answer to the same words. Whoever chooses reads alone."""

    def __init__(self, others: Sequence[Found]) -> None:
        choices = [
            discord.SelectOption(
                label=cut(rule.name, MOST_CHOICE),
                description=cut(system.title, MOST_CHOICE),
                value=cut(f"{system.id} {rule.number}", MOST_CHOICE),
            )
            for system, rule in others[:MOST_OTHERS]
        ]
        super().__init__(ui.Select(custom_id="umpire:rules", placeholder="See also …", options=choices))

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction[Any], _item: ui.Item[Any], _match: Any, /) -> "OtherRules":
        """The menu as it was sent: what is chosen in it says all."""
        return cls(())

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Shows the rule chosen."""
        async with errors.told(interaction):
            chosen = dict(interaction.data or {}).get("values")
            assert isinstance(chosen, list)
            system_id, _, number = str(chosen[0]).partition(" ")
            await show(interaction, find(number, rulesets().get(system_id))[:1], private=True)


async def show(interaction: Interaction, found: Sequence[Found], *, private: bool) -> None:
    """Answers with the first rule found, and a menu of the others."""

    async def work() -> Card:
        card = await page(*found[0], await game_here(interaction))
        return card.menu(OtherRules(found[1:])) if found[1:] else card

    await answer.send(interaction, await answer.in_time(interaction, work(), private=private), private=private)


class Rules(commands.Cog):
    """The rules as they are written here."""

    @anywhere
    @app_commands.command()
    @app_commands.describe(
        topic="A rule's number, its name, or words about it: “MM-5”, “morale”, “out of amunition”",
        secret="For your eyes only",
    )
    @app_commands.autocomplete(topic=completion.topics)
    async def rule(self, interaction: Interaction, topic: Words, secret: bool | None = None) -> None:
        """Looks a rule up: its text, its table, its present value."""
        game = await game_here(interaction)
        found = find(topic, game.ruleset if game else None)
        if not found:
            raise UserError(f"No rule answers to “{cut(topic, 60)}”. Choose one from the list as you type.")
        await show(interaction, found, private=bool(secret))


async def setup(bot: "UmpireBot") -> None:
    """Loads the cog and its menu."""
    bot.add_dynamic_items(OtherRules)
    await bot.add_cog(Rules())
