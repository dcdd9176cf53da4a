"""What every cog shares: answering in time, cards, buttons, completion, errors. Loaded as an extension of its own."""

from typing import TYPE_CHECKING

from . import buttons, details, errors, in_room

if TYPE_CHECKING:
    from bot.client import UmpireBot


async def setup(bot: "UmpireBot") -> None:
    """Takes over the errors of commands and answers buttons, those of before a restart too."""
    bot.add_dynamic_items(buttons.OfferButton, buttons.PromptButton, details.DetailsButton)
    bot.tree.error(errors.on_command_error)
    bot.tree.interaction_check = in_room.check  # type: ignore[method-assign]
