"""Ask a player before an idle turn is ended."""

import discord

from bot.games.idle_turns import EndsIdleTurn
from bot.games.pass_action import SIDE
from cogs.kit.cards.card import WARNING, Button, Card, button_of, safe
from rules.core.state import Action, State

from .offer_buttons import orders_button

IDLE = "idle"
"""The button that ends the turn anyway. Its custom id holds the game, its latest entry, and the index of the side."""
FIELDS = ("game", "seq", "side")
ANYWAY = "End the turn with nothing done"


def idle_question(error: EndsIdleTurn, user: int) -> Card:
    """Return the units that could still act, with buttons that pass anyway or open the orders."""
    game = error.game
    card = Card(WARNING).text(safe(str(error)))
    stands, place = game.stands_for(game.viewer(user)), side_index(game.state, error.action)
    anyway = button_of(ANYWAY, discord.ButtonStyle.danger, IDLE, game.id, stands, place)
    return card.buttons([anyway, orders_button(game.id)])


def side_index(state: State, action: Action) -> str:
    """Return the index of the side that a pass names, or an empty string if it names none."""
    named = [side.id for side in state.sides if side.id == getattr(action, SIDE, None)]
    return str([side.id for side in state.sides].index(named[0])) if named else ""


def side_argument(state: State, place: str) -> dict[str, str]:
    """Return the argument by which a pass names the side with that index; nothing for no index."""
    sides = {str(number): side.id for number, side in enumerate(state.sides)}
    return {SIDE: sides[place]} if place in sides else {}


def idle_sheet_question(error: EndsIdleTurn, button: Button) -> Card:
    """Return the units that could still act, with the order sheet's own button that passes anyway."""
    return Card(WARNING).text(safe(str(error))).buttons([button])
