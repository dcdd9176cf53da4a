"""`/game`: start, join, show, undo, export and end a channel's game."""

from functools import partial
from typing import TYPE_CHECKING

from .board import CHANGES_EVERY, update_boards
from .commands import GameCog
from .endgame import AgainButton, EndButton, ReportButton
from .local_restart import LocalRestart
from .overdue import REMINDERS_EVERY, remind
from .own_table import AgainFormButton
from .pause import AgreeButton
from .remedies import LateButton, SubstituteMenu
from .seats import JoinButton
from .start import StartButton
from .substitute import SeatOfferButton
from .undo import AskButton, ConsentButton, UndoButton

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot


async def setup(bot: "UmpireBot") -> None:
    """Add the commands and their buttons, and start the regular reminders and board updates."""
    bot.add_dynamic_items(JoinButton, UndoButton, AskButton, ConsentButton, EndButton, ReportButton, AgainButton)
    bot.add_dynamic_items(AgreeButton, SeatOfferButton, StartButton, LateButton, SubstituteMenu, AgainFormButton)
    bot.run_every(REMINDERS_EVERY, "reminders", partial(remind, bot))
    bot.run_every(CHANGES_EVERY, "boards", partial(update_boards, bot))
    await bot.add_cog(GameCog())
    await bot.add_cog(LocalRestart(bot))
