"""`/help`: show pages of help in the chat. Some pages are the bot's own, others come with the rule systems."""

import tomllib
from collections.abc import Mapping
from functools import cache

import discord
from discord import app_commands
from discord.ext import commands
from pydantic import Field
from rapidfuzz import fuzz, process

from bot.errors import UserError
from rules.core import naming
from rules.core.data_files import data_files_ending
from rules.core.model import Model
from rules.registry import rulesets

from .kit import reply
from .kit.cards.card import Card
from .kit.command_traits import mark_as_look_up, offer_everywhere
from .kit.controls.control import PersistentButton
from .kit.lookup import completion, systems
from .kit.option_types import Name
from .kit.request import Interaction

FIRST = "start"
SURE = 70.0


class HelpPage(Model):
    """A page of the help. The first page has a button for each page with a `role`, such as “I umpire”."""

    id: str
    title: str
    text: str
    role: str = ""
    words: tuple[str, ...] = ()


class _HelpFile(Model):
    pages: tuple[HelpPage, ...] = Field(alias="topic")


@cache
def all_help_pages() -> Mapping[str, HelpPage]:
    """Return all pages by id: the bot's own, then those of each system (`data/help.toml` of its package)."""
    packages = (__package__, *(type(system).__module__.rpartition(".")[0] for system in rulesets().values()))
    files = [file for package in packages for file in data_files_ending(package, "help.toml")]
    help_files = [_HelpFile.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))) for file in files]
    return {page.id: page for help_file in help_files for page in help_file.pages}


def _example_commands() -> str:
    """Return example commands, separated by commas: for each system, a test without a game."""
    examples = (
        next(filter(None, (systems.example_command(system, kind) for kind in systems.EXAMPLES)), "")
        for system in rulesets().values()
    )
    return ", ".join(f"`{example}`" for example in examples if example)


def _test_commands() -> str:
    """Return a line for each system that has test commands, with these commands: `/morale`, `/fire`."""
    return "\n".join(
        f"- *{system.title}*: " + ", ".join(f"`/{kind}`" for kind in kinds)
        for system in rulesets().values()
        if (kinds := [kind for kind in systems.EXAMPLES if kind in system.actions])
    )


class HelpPageButton(PersistentButton, action="help", fields=("topic",)):
    """The button that shows a page."""

    async def handle(self, interaction: Interaction) -> None:
        """Show the page to the user alone."""
        await reply.send(interaction, help_page_card(find_help_page(self.fields["topic"])), private=True)


def find_help_page(text: str) -> HelpPage:
    """Return the page that `text` names by its id, title or a keyword. Raises UserError with the existing pages."""
    pages = all_help_pages()
    titles, words = {id_: page.title for id_, page in pages.items()}, {id_: page.words for id_, page in pages.items()}
    ids = naming.find_matches(text, titles, words)
    if len(ids) == 1:
        return pages[ids[0]]
    pages_by_word = {word: page for page in pages.values() for word in (page.id, page.title, *page.words)}
    best = process.extractOne(text.strip().casefold(), list(pages_by_word), scorer=fuzz.ratio, score_cutoff=SURE)
    if best is None:
        raise UserError(f"There is no help on “{text[:60]}”. There is help on: {', '.join(pages)}. /rule finds rules.")
    return pages_by_word[best[0]]


def help_page_card(page: HelpPage) -> Card:
    """Return the card of a page, with its placeholders filled. The first page has buttons for further pages."""
    text, topic_list = page.text.strip(), ", ".join(f"`{topic}`" for topic in all_help_pages() if topic != FIRST)
    for gap, words in (("topics", topic_list), ("examples", _example_commands()), ("tests", _test_commands())):
        text = text.replace(f"{{{gap}}}", words)
    card = Card().text(f"### {page.title}").text(text)
    if page.id == FIRST:
        others = [other for other in all_help_pages().values() if other.role]
        card.buttons([HelpPageButton(other.role, discord.ButtonStyle.secondary, topic=other.id) for other in others])
    return card


@completion.safe_completer
async def complete_topics(_: Interaction, current: str) -> list[completion.Choice]:
    """Complete `topic` with the pages of help."""
    return completion.match_choices(current, ((topic.id, topic.title) for topic in all_help_pages().values()))


class HelpCog(commands.Cog):
    """The command `/help`."""

    @mark_as_look_up
    @app_commands.command(name="help")
    @app_commands.describe(topic="What about")
    @app_commands.autocomplete(topic=complete_topics)
    @offer_everywhere
    async def help_(self, interaction: Interaction, topic: Name = FIRST) -> None:
        """First steps for players, umpires and onlookers, and what each command does."""
        await reply.send(interaction, help_page_card(find_help_page(topic)), private=True)
