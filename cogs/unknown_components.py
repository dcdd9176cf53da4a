"""Answer forms that users submit, and controls of old messages that the bot no longer knows."""

import discord
from discord.ext import commands

from bot.errors import Stale

from .kit import errors, pressed_message
from .kit.controls import form
from .kit.controls.control import UNREADABLE
from .kit.request import Interaction, request_of


class UnknownComponents(commands.Cog):
    """The listener that answers submitted forms and unknown controls, so nobody sees "This interaction failed"."""

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Handle forms and unknown controls. discord.py has marked the known controls as handled before this call."""
        if interaction.type is discord.InteractionType.modal_submit:
            async with errors.handle_errors(interaction):
                await form.handle_form(interaction)
        elif interaction.type is discord.InteractionType.component and not request_of(interaction).is_handled:
            async with errors.handle_errors(interaction):
                if interaction.message is not None:
                    custom_id = str(dict(interaction.data or {}).get("custom_id"))
                    await pressed_message.remove_buttons(interaction, {custom_id})
                raise Stale(UNREADABLE)
