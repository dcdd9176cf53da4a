"""`/move`: moves a unit, measured where positions are kept."""

import asyncio
from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot.games import Game
from rules.core.model import UMPIRE, Viewer

from .kit import acting, completion, naming
from .kit.interaction import Interaction, at_table
from .kit.options import Name, Words
from .kit.own_commands import does
from .takes import takes

if TYPE_CHECKING:
    from bot.client import UmpireBot


def places_to_go(game: Game, viewer: Viewer, unit_id: str) -> list[str]:
    """Places the unit can be sent to now, as `to` writes them; none for a unit of another side."""
    seen = game.ruleset.view(game.state, viewer)
    if viewer not in (UMPIRE, seen.units[unit_id].side):
        return []
    return list(game.ruleset.places(seen, viewer, unit_id))


@completion.harmless
async def places(interaction: Interaction, current: str) -> list[completion.Choice]:
    """`to`: of the unit already named."""
    game = await completion.game_of(interaction)
    viewer = game.viewer(interaction.user.id)
    roster = game.ruleset.roster(game.state, viewer)
    unit_id = naming.unit_id(roster, completion.option(interaction, "unit") or "")
    found = await asyncio.to_thread(places_to_go, game, viewer, unit_id)
    return completion.matching(current, ((place, place) for place in found))


class Move(commands.Cog):
    """Movement."""

    @does("move")
    @at_table
    @app_commands.command()
    @takes("unit", "to", "with", kind="move")
    @app_commands.autocomplete(to=places)
    async def move(
        self, interaction: Interaction, unit: Name, to: Words | None = None, with_: Words | None = None
    ) -> None:
        """Moves a unit, turns it or changes its formation."""
        await acting.perform(interaction, "move", {"unit": unit, "to": to, "with": with_})


async def setup(bot: "UmpireBot") -> None:
    """Loads the cog."""
    await bot.add_cog(Move())
