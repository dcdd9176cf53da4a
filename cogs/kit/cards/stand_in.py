"""Buttons that have the bot play for sides that have missed their turns."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.games.opponents import sides_for_substitute_bot
from bot.games.rights import can_act_for
from bot.journal.game import Game
from rules.core.model import UMPIRE, Viewer

from .card import make_button

STAND_IN = "stand_in"
"""Kind of the buttons. Their custom id holds the game and the side."""


def stand_in_buttons(game: Game, viewer: Viewer = UMPIRE) -> Sequence[ui.Button[Any]]:
    """Return a button for each side that missed its turns and that `viewer` may give to the bot."""
    grave = discord.ButtonStyle.danger
    sides = [side for side in sides_for_substitute_bot(game) if can_act_for(game, viewer, side) and viewer != side]
    return [make_button(f"The bot plays {game.the_side(side)}", grave, STAND_IN, game.id, side) for side in sides]
