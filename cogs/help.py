"""/help: the first steps, in the chat."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands
from pydantic import Field
from rapidfuzz import fuzz, process

from bot.errors import UserError
from rules.core import naming
from rules.core.model import Model

from .kit import answer, completion
from .kit.card import Card
from .kit.interaction import Interaction, anywhere
from .kit.options import Name
from .kit.press import Press

if TYPE_CHECKING:
    from bot.client import UmpireBot

FIRST = "start"
SURE = 70.0


class Topic(Model):
    """A page of the help. Those with a `role` are offered as buttons under the first page."""

    id: str
    title: str
    text: str
    role: str = ""
    words: tuple[str, ...] = ()


class _Pages(Model):
    topics: tuple[Topic, ...] = Field(alias="topic")


@cache
def topics() -> Mapping[str, Topic]:
    """Every page by id, in order."""
    text = files(__package__).joinpath("data/help.toml").read_text(encoding="utf-8")
    return {topic.id: topic for topic in _Pages.model_validate(tomllib.loads(text)).topics}


class HelpButton(Press, action="help", fields=("topic",)):
    """Shows a page."""

    async def pressed(self, interaction: Interaction) -> None:
        """Shows it, to the user alone."""
        await answer.send(interaction, page(find(self.fields["topic"])), private=True)


def find(text: str) -> Topic:
    """The page meant, by id, title or a word of it. Raises UserError with the pages there are."""
    named = naming.meant(
        text, {one.id: one.title for one in topics().values()}, {one.id: one.words for one in topics().values()}
    )
    if len(named) == 1:
        return topics()[named[0]]
    known = {word: topic for topic in topics().values() for word in (topic.id, topic.title, *topic.words)}
    best = process.extractOne(text.strip().casefold(), list(known), scorer=fuzz.ratio, score_cutoff=SURE)
    if best is None:
        raise UserError(f"There is no help on “{text[:60]}”. There is on: {', '.join(topics())}. /rule finds rules.")
    return known[best[0]]


def page(topic: Topic) -> Card:
    """A page as a card; the first leads to the others."""
    others = ", ".join(f"`{other}`" for other in topics() if other != FIRST)
    card = Card().text(f"### {topic.title}").text(topic.text.strip().replace("{topics}", others))
    if topic.id == FIRST:
        roles = [other for other in topics().values() if other.role]
        card.buttons([HelpButton(other.role, discord.ButtonStyle.secondary, topic=other.id) for other in roles])
    return card


@completion.harmless
async def named(_: Interaction, current: str) -> list[completion.Choice]:
    """`topic`: the pages."""
    return completion.matching(current, ((topic.id, topic.title) for topic in topics().values()))


class HelpCog(commands.Cog):
    """The help."""

    @app_commands.command(name="help")
    @app_commands.describe(topic="What about")
    @app_commands.autocomplete(topic=named)
    @anywhere
    async def help_(self, interaction: Interaction, topic: Name = FIRST) -> None:
        """First steps for players, umpires and onlookers, and what each command does."""
        await answer.send(interaction, page(find(topic)), private=True)


async def setup(bot: "UmpireBot") -> None:
    """Adds the command and its buttons."""
    bot.add_dynamic_items(HelpButton)
    await bot.add_cog(HelpCog())
