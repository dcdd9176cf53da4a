"""`/do`: every action of a system that has no command of its own."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.games import Game
from rules.core.model import Viewer

from .kit import answer, completion
from .kit.interaction import Interaction, at_table
from .kit.options import Name, Words
from .takes import takes

if TYPE_CHECKING:
    from bot.client import UmpireBot

ELSEWHERE = ("morale", "reaction", "fire", "melee", "move", "turn_next", "detach")
"""Kinds of action with commands of their own, beside the umpire's."""
GIVEN = ("unit", "target", "to", "with", "secret")
"""Fields of an action that are options of the command; any other is given in `more`."""


def in_words(kind: str) -> str:
    """`bug_out` as people write it: `bug out`."""
    return kind.replace("_", " ")


def further_kinds(game: Game) -> tuple[str, ...]:
    """The kinds of action of the game's system that only `/do` does."""
    actions = game.ruleset.actions.items()
    return tuple(sorted(kind for kind, action in actions if not action.umpire_only and kind not in ELSEWHERE))


def kind_of(game: Game, words: str) -> str:
    """The kind of action meant. Raises UserError with what there is."""
    kind = "_".join(words.casefold().split()).replace("-", "_")
    if kind in further_kinds(game):
        return kind
    if kind in ELSEWHERE:
        raise UserError(f"“{in_words(kind)}” has a command of its own: type / and its name.")
    known = ", ".join(in_words(one) for one in further_kinds(game))
    raise UserError(f"There is no action “{words[:60]}” for /do here. There are: {known}.")


def read_more(text: str) -> dict[str, str]:
    """`gun: naval gun, figures: 6` as names and values. Raises UserError on a piece without a name."""
    found = {}
    for piece in filter(None, (part.strip() for part in text.split(","))):
        name, colon, value = piece.partition(":")
        if not colon or not name.strip() or not value.strip():
            raise UserError(f"“{piece[:60]}” in “more” has no name. Write it as “figures: 6”, several by comma.")
        field = "_".join(name.casefold().split())
        if field in GIVEN:
            raise UserError(f"“{field}” is an option of its own: give it there, not in “more”.")
        found[field] = value.strip()
    return found


@completion.harmless
async def actions(interaction: Interaction, current: str) -> list[completion.Choice]:
    """The further kinds of action, in words."""
    game = await completion.game_of(interaction)
    return completion.matching(current, ((in_words(kind), in_words(kind)) for kind in further_kinds(game)))


@completion.harmless
async def circumstances(interaction: Interaction, current: str) -> list[completion.Choice]:
    """`with` of the action already chosen."""
    game = await completion.game_of(interaction)
    kind = kind_of(game, completion.option(interaction, "action") or "")
    return await completion.circumstances(kind)(interaction, current)


@completion.harmless
async def further(interaction: Interaction, current: str) -> list[completion.Choice]:
    """`more` of the action already chosen: what it can still be told, with the values now open for it."""
    game = await completion.game_of(interaction)
    kind = kind_of(game, completion.option(interaction, "action") or "")
    done, _, _ = current.rpartition(",")
    start = f"{done.strip()}, " if done.strip() else ""
    pieces = await asyncio.to_thread(open_values, game, game.viewer(interaction.user.id), kind, read_more(done))
    return completion.matching(current, ((start + piece, start + piece) for piece in pieces))


def open_values(game: Game, viewer: Viewer, kind: str, given: Mapping[str, str]) -> list[str]:
    """Fields and values of the actions open to the viewer that agree with what is already given."""
    known = game.ruleset.actions[kind].model_fields.items()
    fields = [name for name, field in known if (field.alias or name) not in GIVEN]
    found: dict[str, None] = {}
    for action in game.ruleset.legal(game.ruleset.view(game.state, viewer), viewer, kind):
        said = {name: str(value) for name in fields if (value := getattr(action, name)) is not None}
        if all(said.get(name, "").casefold() == value.casefold() for name, value in given.items()):
            found.update((f"{name}: {value}", None) for name, value in said.items() if name not in given)
    return list(found)


class Act(commands.Cog):
    """Every further action."""

    @at_table
    @app_commands.command()
    @takes(
        "unit",
        "target",
        "to",
        "with",
        "secret",
        action="What to do: completes the further actions of the game's rules",
        more="What else the action asks for, as “figures: 6”, several by comma",
    )
    @app_commands.autocomplete(action=actions, with_=circumstances, more=further)
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
        """Does any action that has no command of its own: refill, clear a jam, build, bug out."""
        game = await completion.game_of(interaction)
        kind = kind_of(game, action)
        args: dict[str, Any] = {"unit": unit, "target": target, "to": to, "with": with_, "secret": secret}
        await answer.perform(interaction, kind, {**(read_more(more) if more else {}), **args})


async def setup(bot: "UmpireBot") -> None:
    """Loads the cog."""
    await bot.add_cog(Act())
