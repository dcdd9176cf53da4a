"""`/morale`, `/reaction`, `/fire` and `/melee`: the tests of a fight, in the channel's game or without a game."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from . import unit_tests
from .kit.command_traits import anywhere, does
from .kit.option_types import Name, Words
from .kit.request import Interaction
from .shared_options import Figures, Inches, Losses, takes

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot


class Combat(commands.Cog):
    """The commands for a fight. Every command takes a unit of the game, or a rule system, troops and numbers."""

    @does("morale")
    @anywhere
    @app_commands.command()
    @takes("unit", "rules", "troop", "losses", "with", "secret", kind="morale")
    async def morale(
        self,
        interaction: Interaction,
        unit: Name | None = None,
        rules: Name | None = None,
        troop: Name | None = None,
        losses: Losses | None = None,
        with_: Words | None = None,
        secret: bool | None = None,
    ) -> None:
        """Tests a unit's morale, or that of any troops with their losses."""
        await unit_tests.do_test(interaction, "morale")

    @does("reaction")
    @anywhere
    @app_commands.command()
    @takes("unit", "rules", "troop", "losses", "with", "secret", kind="reaction")
    async def reaction(
        self,
        interaction: Interaction,
        unit: Name | None = None,
        rules: Name | None = None,
        troop: Name | None = None,
        losses: Losses | None = None,
        with_: Words | None = None,
        secret: bool | None = None,
    ) -> None:
        """Tests how a unit reacts, as when friends run away."""
        await unit_tests.do_test(interaction, "reaction")

    @does("fire")
    @anywhere
    @app_commands.command()
    @takes("unit", "target", "range", "dice", "rules", "troop", "figures", "with", kind="fire")
    async def fire(
        self,
        interaction: Interaction,
        unit: Name | None = None,
        target: Name | None = None,
        range_: Inches | None = None,
        dice: Figures | None = None,
        rules: Name | None = None,
        troop: Name | None = None,
        figures: Figures | None = None,
        with_: Words | None = None,
    ) -> None:
        """Fires at an enemy unit, or throws the volley of any troops at a range."""
        await unit_tests.do_test(interaction, "fire")

    @does("melee")
    @anywhere
    @app_commands.command()
    @takes("unit", "target", "contact", "rules", "troop", "figures", "against", "against_figures", "with", kind="melee")
    async def melee(
        self,
        interaction: Interaction,
        unit: Name | None = None,
        target: Name | None = None,
        contact: Figures | None = None,
        rules: Name | None = None,
        troop: Name | None = None,
        figures: Figures | None = None,
        against: Name | None = None,
        against_figures: Figures | None = None,
        with_: Words | None = None,
    ) -> None:
        """Fights a round of melee, of two units or of any troops."""
        await unit_tests.do_test(interaction, "melee")


async def setup(bot: "UmpireBot") -> None:
    """Load the cog."""
    await bot.add_cog(Combat())
