"""What every cog shares: answering in time, cards, buttons, completion, errors. Loaded as an extension of its own."""

from typing import TYPE_CHECKING

from . import errors
from .panels import details, offer_press
from .rooms import room_check

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot


async def setup(bot: "UmpireBot") -> None:
    """Takes over the errors of commands and answers buttons, those of before a restart too."""
    bot.add_dynamic_items(offer_press.OfferButton, offer_press.PromptButton, details.DetailsButton)
    bot.tree.error(errors.on_command_error)
    bot.tree.interaction_check = room_check.check  # type: ignore[method-assign]
