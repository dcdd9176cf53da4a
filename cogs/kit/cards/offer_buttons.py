"""The buttons of offers in messages. `panels/offer_press.py` handles their presses."""

import json
from hashlib import blake2s
from typing import Any

import discord
from discord import ui

from cogs.kit.cards.card import button_of
from rules.core.report import Offer, Prompt

OFFER = "offer"
"""An offer of a journal entry's report: its name holds the game, the entry and the offer's index."""
PROMPT = "owed"
"""An offer of a prompt, whichever entry it came from: its name holds the game and the offer's tag."""
DETAILS = "details"
"""*Details* of a range of journal entries: the custom id holds the game and both ends."""


def details_button(game: str, first: str, last: str | None = None) -> ui.Button[Any]:
    """Return the *Details* button of one journal entry, or of a range of entries."""
    return button_of("Details", discord.ButtonStyle.secondary, DETAILS, game, first, first if last is None else last)


ORDERS = "orders"
"""Opens the presser's order sheet of a game."""


def orders_button(game: str) -> ui.Button[Any]:
    """*Give orders*, for every message of a turn."""
    return button_of("Give orders", discord.ButtonStyle.secondary, ORDERS, game)


BOT = "bot"
"""Lets a resting bot play on in a game."""


def bot_button(game: str) -> ui.Button[Any]:
    """*Let the bot play on*, where it waits to be asked."""
    return button_of("Let the bot play on", discord.ButtonStyle.primary, BOT, game)


def offer_button(game: str, entry: str, index: int, offer: Offer) -> ui.Button[Any]:
    """The button of offer `index` of the entry of that name."""
    return button_of(offer.label, style_of(offer), OFFER, game, entry, index)


def prompt_buttons(game: str, prompt: Prompt) -> list[ui.Button[Any]]:
    """Return a button for each offer of a prompt."""
    return [button_of(offer.label, style_of(offer), PROMPT, game, tag(offer)) for offer in prompt.offers]


def style_of(offer: Offer) -> discord.ButtonStyle:
    """Red for what may cost something."""
    return discord.ButtonStyle.danger if offer.danger else discord.ButtonStyle.primary


def tag(offer: Offer) -> str:
    """Return a hash of the offer, since its full content may be too long for a custom id."""
    content = json.dumps([offer.key, offer.kind, dict(offer.args)], sort_keys=True, default=str)
    return blake2s(content.encode(), digest_size=8).hexdigest()
