"""`/british`: play, explain, answer, pause, resume and overrule the side that a printed card plays."""

import asyncio
from typing import Any

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.games.open_prompts import filter_visible_prompts
from bot.journal.game import Game

from .actions import field_values
from .kit import game_actions, reply
from .kit.cards import pictures, report_card
from .kit.cards.card import Card, safe
from .kit.command_traits import mark_action_kinds, offer_in_servers
from .kit.lookup import completion, legal_now
from .kit.option_types import Name, Words
from .kit.panels import overrule_menu
from .kit.request import Interaction, game_of

TURN, FORMATION, DECISION = "turn", "formation", "decision"
MOST_DECISIONS = 1000


async def load_game_with_bot_side(interaction: Interaction) -> Game:
    """Return the channel's game. Raises UserError if no printed card plays a side in the game."""
    return require_bot_side(await game_of(interaction))


def require_bot_side(game: Game) -> Game:
    """Return the game. Raises UserError if no printed card plays a side in the game."""
    if game.ruleset.played_by_bot is None:
        raise UserError(
            f"In {game.ruleset.title} no card plays a side. /opponent side has the bot play one, /turn next passes on."
        )
    return game


async def do_bot_action(interaction: Interaction, kind: str, **args: Any) -> None:
    """Do an action for the side that the printed card plays. Raises UserError, Refused."""

    def require_action_kind(game: Game) -> str:
        if kind not in require_bot_side(game).ruleset.actions:
            raise UserError(f"In {game.ruleset.title} the side that the card plays has no such order.")
        return kind

    await game_actions.perform_action(interaction, require_action_kind, args)


def action_value_completer(kind: str, field: str) -> completion.Completer:
    """Return a completer that offers the values of `field` in the user's legal actions of this kind."""

    @completion.safe_completer
    async def complete_values(interaction: Interaction, current: str) -> list[completion.Choice]:
        game = await load_game_with_bot_side(interaction)
        viewer = game.viewer(interaction.user.id)
        words = await asyncio.to_thread(lambda: field_values(legal_now.legal_actions(game, viewer, kind), field))
        return completion.match_values(current, words)

    return complete_values


def open_questions_card(game: Game, user: int) -> Card:
    """Return the message with the open prompts of the printed card's side, and buttons that answer them."""
    viewer = game.viewer(user)
    card = Card(report_card.turn_colour(game.state))
    open_now = game.ruleset.open_prompts(game.state)
    answer_prompts = (prompt for prompt in open_now if any(offer.kind == "answer" for offer in prompt.offers))
    prompts = filter_visible_prompts(game, viewer, answer_prompts)
    card.text("Waiting for an answer:" if prompts else "It asks nothing. `/british turn` goes on.")
    report_card.add_private_prompts(card, game, viewer, prompts)
    return card


async def explanation_card(interaction: Interaction, number: int | None) -> Card:
    """Return the message that explains decision `number`, or the last decision for None. Raises UserError, Refused."""
    game = await load_game_with_bot_side(interaction)
    viewer = game.viewer(interaction.user.id)
    explain = game.ruleset.explain
    explanation = None if explain is None else await asyncio.to_thread(explain, game.state, viewer, number)
    if explanation is None:
        raise UserError("It has decided nothing this turn. `/british turn` or `/british step` goes on.")
    picture = None
    if explanation.scene is not None:
        drawing = pictures.draw_decision(interaction.client.workers, explanation.scene)
        picture = await pictures.draw_if_possible(drawing, game)
    card = Card().text(f"### {safe(explanation.title)}").picture(picture)
    card.text("\n".join(map(report_card.step_line, explanation.lines)))
    await asyncio.to_thread(overrule_menu.add_overrule_menu, card, game, interaction.user.id, explanation)
    return card


@offer_in_servers
class BritishCog(commands.GroupCog, group_name="british", group_description="The side that a printed card plays"):
    """The commands `/british`, for the side that a printed card plays."""

    @mark_action_kinds("british")
    @app_commands.command()
    async def turn(self, interaction: Interaction) -> None:
        """Plays this side's turn, a message for each step, until the turn ends or you are asked something."""
        await do_bot_action(interaction, "british", much=TURN)

    @app_commands.command()
    @app_commands.describe(
        much="How far: its next formation, or its next decision alone",
        formation="Which formation is next, if that is free to choose",
    )
    @app_commands.choices(much=[app_commands.Choice(name=value, value=value) for value in (FORMATION, DECISION)])
    @app_commands.autocomplete(formation=action_value_completer("british", "formation"))
    async def step(self, interaction: Interaction, much: str = FORMATION, formation: Name | None = None) -> None:
        """Plays a part of this side's turn, then waits."""
        await do_bot_action(interaction, "british", much=much, formation=formation)

    @app_commands.command()
    @app_commands.describe(number="Which of its last decisions, counted from 1; the last if you leave it out")
    async def why(
        self, interaction: Interaction, number: app_commands.Range[int, 1, MOST_DECISIONS] | None = None
    ) -> None:
        """Explains a decision: what was considered, by which rules, and what was ruled out."""
        await reply.send_privately_when_ready(interaction, explanation_card(interaction, number))

    @mark_action_kinds("answer")
    @app_commands.command(name="answer")
    @app_commands.describe(words="What you answer; leave it out to see what is asked")
    @app_commands.rename(words="answer")
    @app_commands.autocomplete(words=action_value_completer("answer", "word"))
    async def answer_(self, interaction: Interaction, words: Words | None = None) -> None:
        """Answers what this side's turn waits for: whether you fire, or the result of your own table."""
        if words is not None:
            await do_bot_action(interaction, "answer", word=words)
            return
        game = await reply.wait_for(interaction, load_game_with_bot_side(interaction), private=True)
        await reply.send(interaction, open_questions_card(game, interaction.user.id), private=True)

    @mark_action_kinds("pause")
    @app_commands.command()
    async def pause(self, interaction: Interaction) -> None:
        """Pauses this side's turn after the present step."""
        await do_bot_action(interaction, "pause")

    @mark_action_kinds("resume")
    @app_commands.command()
    async def resume(self, interaction: Interaction) -> None:
        """Continues this side's turn."""
        await do_bot_action(interaction, "resume")

    @mark_action_kinds("overrule")
    @app_commands.command()
    @app_commands.describe(to="What it does instead")
    @app_commands.autocomplete(to=action_value_completer("overrule", "to"))
    async def overrule(self, interaction: Interaction, to: Name) -> None:
        """For the umpire: takes back this side's last decision, and has another action done instead."""
        await do_bot_action(interaction, "overrule", to=to)
