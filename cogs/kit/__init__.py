"""The parts that all cogs share: replies, cards, buttons, completion, errors. Loaded as an extension."""

from typing import TYPE_CHECKING

from . import errors
from .panels import details, offer_press, turn_account

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot


async def setup(bot: "UmpireBot") -> None:
    """Install the error handler and the check of commands, and load the buttons of reports."""
    bot.add_dynamic_items(
        offer_press.OfferButton,
        offer_press.PromptButton,
        offer_press.ChoicesMenu,
        details.DetailsButton,
        turn_account.AccountButton,
    )
    bot.tree.error(errors.on_command_error)
    bot.tree.interaction_check = errors.check_command  # type: ignore[method-assign]
