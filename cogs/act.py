"""`/do`: every action of a system that has no command of its own."""

from typing import TYPE_CHECKING, Any

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.games import Game

from .actions import OF_NO_UNIT, as_kind, further, in_words, kind_typed, listed, read_more
from .kit import acting, completion
from .kit.interaction import Interaction, at_table
from .kit.options import Name, Words
from .takes import takes

if TYPE_CHECKING:
    from bot.client import UmpireBot

OWN_COMMANDS = (
    "morale", "reaction", "fire", "melee", "conduct", "rally", "critical", "move", "detach", *OF_NO_UNIT
)  # fmt: skip
"""Kinds of action with commands of their own, beside the umpire's."""


def further_kinds(game: Game) -> tuple[str, ...]:
    """The kinds of action of the game's system that have no command but `/do`."""
    actions = game.ruleset.actions.items()
    return tuple(sorted(kind for kind, action in actions if not action.umpire_only and kind not in OWN_COMMANDS))


def kind_of(game: Game, words: str) -> str:
    """The kind of action meant. Raises UserError with those there are."""
    kind = as_kind(words)
    if kind in further_kinds(game):
        return kind
    if kind in OWN_COMMANDS:
        raise UserError(f"“{in_words(kind)}” has a command of its own: type / and its name.")
    raise UserError(f"There is no action “{words[:60]}” for /do here. There are: {listed(further_kinds(game))}.")


@completion.harmless
async def actions(interaction: Interaction, current: str) -> list[completion.Choice]:
    """The further kinds of action, in words."""
    game = await completion.game_of(interaction)
    return completion.matching(current, ((in_words(kind), in_words(kind)) for kind in further_kinds(game)))


class Act(commands.Cog):
    """Every further action."""

    @at_table
    @app_commands.command()
    @app_commands.autocomplete(action=actions, more=further(kind_of))
    @takes(
        "unit",
        "target",
        "to",
        "with",
        "secret",
        kind=kind_typed,
        action="What to do: offers the other actions of the game's rules",
        target="The unit it is done to, or with: friend or enemy",
        more="What else the action asks for, as “figures: 6”, several by comma",
    )
    async def do(
        self,
        interaction: Interaction,
        action: Name,
        unit: Name | None = None,
        target: Name | None = None,
        to: Name | None = None,
        with_: Words | None = None,
        more: Words | None = None,
        secret: bool | None = None,
    ) -> None:
        """Does any action of the game's rules that has no command of its own."""
        args: dict[str, Any] = {"unit": unit, "target": target, "to": to, "with": with_, "secret": secret}
        await acting.perform(interaction, lambda game: kind_of(game, action), {**read_more(more), **args})


async def setup(bot: "UmpireBot") -> None:
    """Loads the cog."""
    await bot.add_cog(Act())
