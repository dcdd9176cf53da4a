"""`/conduct`, `/rally` and `/critical`: tests of units under fire, in the channel's game or without a game."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from . import unit_tests
from .kit.command_traits import anywhere, does
from .kit.option_types import Name, Words
from .kit.request import Interaction
from .shared_options import takes

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot


class Conduct(commands.Cog):
    """The commands for tests under fire. Every command takes a unit of the game, or a rule system and troops."""

    @does("conduct")
    @anywhere
    @app_commands.command()
    @takes("unit", "rules", "troop", "state", "with", kind="conduct")
    async def conduct(
        self,
        interaction: Interaction,
        unit: Name | None = None,
        rules: Name | None = None,
        troop: Name | None = None,
        state: Name | None = None,
        with_: Words | None = None,
    ) -> None:
        """Tests the conduct of a unit, or of any troops."""
        await unit_tests.do_test(interaction, "conduct")

    @does("rally")
    @anywhere
    @app_commands.command()
    @takes("unit", "rules", "troop", "state", "with", kind="rally")
    async def rally(
        self,
        interaction: Interaction,
        unit: Name | None = None,
        rules: Name | None = None,
        troop: Name | None = None,
        state: Name | None = None,
        with_: Words | None = None,
    ) -> None:
        """Tries to rally a unit, or any troops."""
        await unit_tests.do_test(interaction, "rally")

    @does("critical")
    @anywhere
    @app_commands.command()
    @takes("unit", "rules", "troop", "with", kind="critical")
    async def critical(
        self,
        interaction: Interaction,
        unit: Name | None = None,
        rules: Name | None = None,
        troop: Name | None = None,
        with_: Words | None = None,
    ) -> None:
        """Throws for a critical hit on a unit, or on any troops."""
        await unit_tests.do_test(interaction, "critical")


async def setup(bot: "UmpireBot") -> None:
    """Load the cog."""
    await bot.add_cog(Conduct())
