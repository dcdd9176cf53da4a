"""`/rule`: show a rule of any system, found by number, name or misspelt words, and the house rules about it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.errors import NoGame, Stale, Unreadable, UserError
from bot.games.rulings import Ruling
from bot.journal.game import Game
from rules.core.book import Rule
from rules.core.ruleset import Ruleset
from rules.registry import rulesets

from .kit import errors, illustration, reply
from .kit.cards.card import Card, Picture, shorten
from .kit.command_traits import anywhere, looks_up
from .kit.controls.button import UNREADABLE
from .kit.lookup import completion, topics
from .kit.lookup.topics import Found
from .kit.option_types import Words
from .kit.request import Interaction, find_room, game_of, scope_key_of
from .rule_page import house_rules, page, pictures_of

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot

MOST_OTHERS = 12
MOST_CHOICE = 100
"""Maximum characters of a choice in a menu."""
MOST_RULINGS = 3


async def game_here(interaction: Interaction) -> Game | None:
    """Return the channel's game, or None if it has no game or the game cannot be read."""
    try:
        return await game_of(interaction)
    except (NoGame, Unreadable):
        return None


async def find_rulings(interaction: Interaction, topic: str, rule: Rule | None) -> list[Ruling]:
    """Return the house rules that match the words `topic`, or the number or title of `rule`."""
    found: dict[int, Ruling] = {}
    for words in (topic, *((rule.number, rule.title) if rule else ())):
        for ruling in await interaction.client.rulings.search(scope_key_of(interaction), words, MOST_RULINGS):
            found.setdefault(ruling.id, ruling)
    return list(found.values())[:MOST_RULINGS]


class OtherRules(ui.DynamicItem[ui.Select[Any]], template="umpire:rules"):
    """A menu of other matching rules. The answer to a choice is private."""

    def __init__(self, others: Sequence[Found]) -> None:
        choices = [
            discord.SelectOption(
                label=shorten(rule.name, MOST_CHOICE),
                description=shorten(system.title, MOST_CHOICE),
                value=shorten(f"{system.id} {rule.number}", MOST_CHOICE),
            )
            for system, rule in others[:MOST_OTHERS]
        ]
        super().__init__(ui.Select(custom_id="umpire:rules", placeholder="See also …", options=choices))

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction[Any], _item: ui.Item[Any], _match: Any, /) -> "OtherRules":
        """Return the menu without choices. The chosen value in the interaction names the rule."""
        return cls(())

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the chosen rule privately. Raises nothing: errors are told to the user."""
        async with errors.handle_errors(interaction):
            await find_room(interaction)
            if not self.item.values:
                raise Stale(UNREADABLE)
            system_id, _, number = self.item.values[0].partition(" ")
            await show_rule(interaction, number, rulesets().get(system_id), private=True)


async def show_rule(interaction: Interaction, topic: str, first: Ruleset[Any] | None, *, private: bool) -> None:
    """Answer with the rule that fits `topic` best, and a menu of further rules. Raises UserError without any.

    Among equals, rules of `first` come first, or else rules of the game's system.
    """
    game = await game_here(interaction)
    found = topics.find_rules(topic, first or (game.ruleset if game else None))
    rulings = await find_rulings(interaction, topic, found[0][1] if found else None)
    if not found and not rulings:
        near = topics.similar_names(topic)
        hint = f"The nearest: {', '.join(near)}." if near else "Give a number or a word, such as “morale”."
        raise UserError(f"No rule matches “{shorten(topic, 60)}”. {hint}")
    if not found:
        await reply.send(interaction, Card().text(house_rules(rulings)), private=private)
        return
    system, rule = found[0]

    def card(pictures: Sequence[Picture]) -> Card:
        shown = page(system, rule, game, rulings, pictures)
        return shown.menu(OtherRules(found[1:])) if found[1:] else shown

    drawing = pictures_of(interaction.client.workers, system, rule)
    await illustration.send_with_pictures(interaction, drawing, card, private=private)


class Rules(commands.Cog):
    """The command `/rule`."""

    @anywhere
    @looks_up
    @app_commands.command()
    @app_commands.describe(
        topic="A rule's number, its name, or words about it, as “out of ammunition”",
        secret="For your eyes only",
    )
    @app_commands.autocomplete(topic=completion.topics)
    async def rule(self, interaction: Interaction, topic: Words, secret: bool | None = None) -> None:
        """Looks up a rule: its text, its tables, its present values."""
        await show_rule(interaction, topic, None, private=bool(secret))


async def setup(bot: "UmpireBot") -> None:
    """Load the cog and its menu."""
    bot.add_dynamic_items(OtherRules)
    await bot.add_cog(Rules())
