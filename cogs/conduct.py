"""`/conduct`, `/rally` and `/critical`: how units behave under fire, of the channel's game or ad hoc anywhere."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from . import forms
from .kit.interaction import Interaction, anywhere
from .kit.options import Name, Words
from .takes import takes

if TYPE_CHECKING:
    from bot.client import UmpireBot


class Conduct(commands.Cog):
    """Each names a unit of the game, or else a system and a kind of troops."""

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
        """Throws a unit's conduct, or that of any troops: how far it will go, or whether it stands."""
        options = {"unit": unit, "rules": rules, "troop": troop, "state": state, "with": with_}
        await forms.ask(interaction, "conduct", options)

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
        """Tries to rally a shaken unit, or any shaken troops."""
        options = {"unit": unit, "rules": rules, "troop": troop, "state": state, "with": with_}
        await forms.ask(interaction, "rally", options)

    @anywhere
    @app_commands.command()
    @takes(
        "unit", "rules", "troop", "with", kind="critical", unit="A commander, leader or mules of this channel's game"
    )
    async def critical(
        self,
        interaction: Interaction,
        unit: Name | None = None,
        rules: Name | None = None,
        troop: Name | None = None,
        with_: Words | None = None,
    ) -> None:
        """Throws whether a commander or mules exposed to fire come to harm."""
        options = {"unit": unit, "rules": rules, "troop": troop, "with": with_}
        await forms.ask(interaction, "critical", options)


async def setup(bot: "UmpireBot") -> None:
    """Loads the cog."""
    await bot.add_cog(Conduct())
