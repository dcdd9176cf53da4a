"""The buttons of offers in messages. `panels/offer_press.py` handles their presses."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot.games.open_prompts import hash_offer
from rules.core.report import Offer, Prompt

from .card import make_button
from .menu import MOST_OPTIONS, make_menu, make_option

OFFER = "offer"
"""Kind of the button of a report's offer. Its custom id holds the game, the journal entry and the offer's index."""
PROMPT = "owed"
"""Kind of the button of an open prompt's offer. Its custom id holds the game and the offer's tag."""
CHOICES = "owes"
"""Kind of the menu with the offers of open prompts, used if buttons do not fit. Its custom id holds the game."""
DETAILS = "details"
"""Kind of the *Details* button. Its custom id holds the game and the first and last journal entry."""


def details_button(game: str, first: str, last: str | None = None) -> ui.Button[Any]:
    """Return the *Details* button of one journal entry, or of a range of entries."""
    return make_button("Details", discord.ButtonStyle.secondary, DETAILS, game, first, first if last is None else last)


ORDERS = "orders"
"""Kind of the button that opens the presser's order sheet of a game."""


def orders_button(game: str) -> ui.Button[Any]:
    """Return the button *Give orders*, for every message of a turn."""
    return make_button("Give orders", discord.ButtonStyle.secondary, ORDERS, game)


MAP = "page"
"""Kind of the button that gives the presser a link to the live map of a game."""


def map_button(game: str) -> ui.Button[Any]:
    """Return the button *Open the map*. If the bot serves the live map, every message of a turn has this button."""
    return make_button("Open the map", discord.ButtonStyle.secondary, MAP, game)


BOT = "bot"
"""Kind of the button that lets a resting bot play on in a game."""


def bot_button(game: str) -> ui.Button[Any]:
    """Return the button *Let the bot play on*, for a resting bot, which plays only on request."""
    return make_button("Let the bot play on", discord.ButtonStyle.primary, BOT, game)


def offer_button(game: str, entry: str, index: int, offer: Offer) -> ui.Button[Any]:
    """Return the button of a journal entry's offer: `entry` is the entry's name, `index` counts its offers from 0."""
    return make_button(offer.label, offer_style(offer), OFFER, game, entry, index)


def prompt_buttons(game: str, prompt: Prompt) -> list[ui.Button[Any]]:
    """Return a button for each offer of a prompt."""
    return [make_button(offer.label, offer_style(offer), PROMPT, game, hash_offer(offer)) for offer in prompt.offers]


def choices_menu(game: str, offers: Sequence[Offer]) -> ui.Select[Any]:
    """Return a menu of the first `MOST_OPTIONS` offers, each offer once."""
    labels = {hash_offer(offer): offer.label for offer in offers[:MOST_OPTIONS]}
    return make_menu("Choose what to do …", [make_option(label, tag) for tag, label in labels.items()], CHOICES, game)


def offer_style(offer: Offer) -> discord.ButtonStyle:
    """Return the button's style: red if the offer is dangerous, else blue."""
    return discord.ButtonStyle.danger if offer.danger else discord.ButtonStyle.primary
