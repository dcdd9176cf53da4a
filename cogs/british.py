"""`/british`: the side that the bot plays: moved on, asked why, answered, held up and set going again."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.games import Game
from rules.core.ruleset import Explained

from .kit import acting, answer, completion, open_now, pictures, presenter
from .kit.card import Card, Picture, safe
from .kit.interaction import Interaction, at_table
from .kit.options import Name, Words

if TYPE_CHECKING:
    from bot.client import UmpireBot

TURN, FORMATION, DECISION = "turn", "formation", "decision"
MOST_DECISIONS = 1000


async def played_by_bot(interaction: Interaction) -> Game:
    """The channel's game, in which the bot plays a side. Raises UserError where people play them all."""
    game = await completion.game_of(interaction)
    if game.ruleset.played_by_bot is None:
        raise UserError(
            f"In {game.ruleset.title} people play every side, and the bot none. Pass the turn on with /turn next."
        )
    return game


async def act(interaction: Interaction, kind: str, **args: Any) -> None:
    """Does an action of the side that the bot plays. Raises UserError, Refused."""
    game = await played_by_bot(interaction)
    if kind not in game.ruleset.actions:
        raise UserError(f"{game.ruleset.title} has no such order for the side that the bot plays.")
    await acting.perform(interaction, kind, args)


def open_to_say(kind: str, field: str) -> Callable[[Game, int], list[str]]:
    """The values of a field that an action of that kind may now have."""

    def found(game: Game, user: int) -> list[str]:
        actions = open_now.actions(game, game.viewer(user), kind)
        return list(
            dict.fromkeys(str(said) for action in actions if (said := getattr(action, field, None)) is not None)
        )

    return found


def said(kind: str, field: str) -> completion.Completer:
    """Completes the one thing that an action of that kind says."""
    values = open_to_say(kind, field)

    @completion.harmless
    async def found(interaction: Interaction, current: str) -> list[completion.Choice]:
        game = await played_by_bot(interaction)
        words = await asyncio.to_thread(values, game, interaction.user.id)
        return completion.matching(current, ((word, word) for word in words))

    return found


def asked(game: Game, user: int) -> Card:
    """What the side that the bot plays waits for, with the buttons that answer."""
    viewer = game.viewer(user)
    card = Card(presenter.turn_colour(game.state))
    open_now = game.ruleset.prompts(game.state)
    asks = (prompt for prompt in open_now if any(offer.kind == "answer" for offer in prompt.offers))
    prompts = presenter.visible(game, viewer, asks)
    card.text("Waiting for an answer:" if prompts else "Nothing is asked. `/british turn` goes on.")
    presenter.add_own_prompts(card, game, viewer, prompts)
    return card


async def reasons(interaction: Interaction, number: int | None) -> Card:
    """Why it did what it did. Raises UserError, Refused."""
    game = await played_by_bot(interaction)
    viewer = game.viewer(interaction.user.id)
    told = await asyncio.to_thread(game.ruleset.explain, game.state, viewer, number)
    if told is None:
        raise UserError("Nothing has been decided this turn. `/british turn` or `/british step` goes on.")
    if told.scene is None:
        return explained(told, None)
    drawn = pictures.weighed(interaction.client.workers, told.scene)
    return explained(told, await pictures.if_drawn(drawn, game))


def explained(told: Explained, picture: Picture | None) -> Card:
    """A decision as a card: a line a filter, each with its rule, and what was looked at."""
    card = Card().text(f"### {safe(told.title)}").picture(picture)
    return card.text("\n".join(presenter.step_line(line) for line in told.lines))


@at_table
class British(commands.GroupCog, group_name="british", group_description="The side that the bot plays"):
    """The bot's own side."""

    @app_commands.command()
    async def turn(self, interaction: Interaction) -> None:
        """Plays its turn, a message a step, until it ends or asks you something."""
        await act(interaction, "british", much=TURN)

    @app_commands.command()
    @app_commands.describe(
        much="How far: its next formation, or its next decision alone",
        formation="Which formation is next, if it is open",
    )
    @app_commands.choices(much=[app_commands.Choice(name=one, value=one) for one in (FORMATION, DECISION)])
    @app_commands.autocomplete(formation=said("british", "formation"))
    async def step(self, interaction: Interaction, much: str = FORMATION, formation: Name | None = None) -> None:
        """Plays a part of its turn and waits."""
        await act(interaction, "british", much=much, formation=formation)

    @app_commands.command()
    @app_commands.describe(number="Which of its last decisions, counted from 1; the last if you leave it out")
    async def why(
        self, interaction: Interaction, number: app_commands.Range[int, 1, MOST_DECISIONS] | None = None
    ) -> None:
        """Explains a decision: what it weighed, by which rules, and what it left out."""
        await answer.send(
            interaction, await answer.in_time(interaction, reasons(interaction, number), private=True), private=True
        )

    @app_commands.command(name="answer")
    @app_commands.describe(words="What you answer; leave it out to see what is asked")
    @app_commands.rename(words="answer")
    @app_commands.autocomplete(words=said("answer", "word"))
    async def answer_(self, interaction: Interaction, words: Words | None = None) -> None:
        """Answers what its turn waits for: whether you fire, or what your own table says."""
        if words is not None:
            await act(interaction, "answer", word=words)
            return
        game = await answer.in_time(interaction, played_by_bot(interaction), private=True)
        await answer.send(interaction, asked(game, interaction.user.id), private=True)

    @app_commands.command()
    async def pause(self, interaction: Interaction) -> None:
        """Holds its turn up after the present step."""
        await act(interaction, "pause")

    @app_commands.command()
    async def resume(self, interaction: Interaction) -> None:
        """Goes on with its turn."""
        await act(interaction, "resume")

    @app_commands.command()
    @app_commands.describe(to="What it does instead")
    @app_commands.autocomplete(to=said("overrule", "to"))
    async def overrule(self, interaction: Interaction, to: Name) -> None:
        """For the umpire: takes its last decision back and has it do otherwise."""
        await act(interaction, "overrule", to=to)


async def setup(bot: "UmpireBot") -> None:
    """Adds the commands."""
    await bot.add_cog(British())
