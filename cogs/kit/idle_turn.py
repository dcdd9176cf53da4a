"""The question before a turn is ended in which nothing was done, for whoever is about to end it."""

import discord

from bot.carrying import SIDE
from bot.idle_turns import EndsIdleTurn
from rules.core.state import Action, State

from .card import WARNING, Button, Card, button_of, safe
from .offers import orders_button

IDLE = "idle"
"""The button that ends the turn all the same: its name holds the game, how far it was, and the side's place."""
FIELDS = ("game", "seq", "side")
ANYWAY = "End the turn with nothing done"


def question(error: EndsIdleTurn, user: int) -> Card:
    """Return what is about to be given up, with the buttons that do it all the same and that give orders."""
    game = error.game
    card = Card(WARNING).text(safe(str(error)))
    stands, place = game.stands_for(game.viewer(user)), place_of(game.state, error.action)
    anyway = button_of(ANYWAY, discord.ButtonStyle.danger, IDLE, game.id, stands, place)
    return card.buttons([anyway, orders_button(game.id)])


def place_of(state: State, action: Action) -> str:
    """Return the place among the sides of the one that a pass names; nothing where it names none."""
    named = [side.id for side in state.sides if side.id == getattr(action, SIDE, None)]
    return str([side.id for side in state.sides].index(named[0])) if named else ""


def side_at(state: State, place: str) -> dict[str, str]:
    """Return the argument by which a pass names the side at that place; nothing for no place."""
    sides = {str(number): side.id for number, side in enumerate(state.sides)}
    return {SIDE: sides[place]} if place in sides else {}


def sheet_question(error: EndsIdleTurn, button: Button) -> Card:
    """Return what is about to be given up by an order sheet, with the sheet's own button that does it."""
    return Card(WARNING).text(safe(str(error))).buttons([button])
