"""The base of buttons and menus."""

from typing import Any

import discord

from cogs.kit import errors
from cogs.kit.request import Interaction, find_room


class Control:
    """A button or menu of the bot. Subclasses say what the control does."""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Handle the interaction, and tell the user of errors. discord.py calls this method."""
        async with errors.handle_errors(interaction):
            await find_room(interaction)
            await self.handle(interaction)

    async def handle(self, interaction: Interaction) -> None:
        """Handle a press or a choice. May raise UserError and Refused."""
        raise NotImplementedError
