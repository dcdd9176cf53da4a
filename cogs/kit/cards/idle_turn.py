"""Ask a player before ending a turn in which units can still act."""

import discord

from bot.games.idle_turns import IdleTurnRefusal
from bot.games.pass_action import SIDE
from cogs.kit.cards.card import WARNING, Card, make_button, safe

from .offer_buttons import orders_button

IDLE = "idle"
"""Kind of the button that ends an idle turn. Its custom id holds the game, its latest entry, and the side's index."""
FIELDS = ("game", "seq", "side")
ANYWAY = "End the turn with nothing done"


def idle_turn_card(error: IdleTurnRefusal, user: int) -> Card:
    """Return the card that names the units still able to act. Its buttons pass anyway, or open the order sheet."""
    game = error.game
    card = Card(WARNING).text(safe(str(error)))
    named_side, sides = getattr(error.action, SIDE, None), game.state.sides
    index = next((str(index) for index, side in enumerate(sides) if side.id == named_side), "")
    progress = game.progress_for(game.viewer(user))
    anyway = make_button(ANYWAY, discord.ButtonStyle.danger, IDLE, game.id, progress, index)
    return card.buttons([anyway, orders_button(game.id)])
