"""The buttons of offers as they are sent. What pressing them does is in `buttons`."""

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
"""The whole reckoning of entries of a game, from one to another: its name holds the game and both."""


def details_button(game: str, first: str, last: str | None = None) -> ui.Button[Any]:
    """The button that shows the whole reckoning of an entry, or of all up to the last."""
    return button_of("Details", discord.ButtonStyle.secondary, DETAILS, game, first, first if last is None else last)


ORDERS = "orders"
"""Opens the presser's order sheet of a game."""


def orders_button(game: str) -> ui.Button[Any]:
    """*Give orders*, for every message of a turn."""
    return button_of("Give orders", discord.ButtonStyle.secondary, ORDERS, game)


BOT = "bot"
"""Has the bot play on in a game, where it waits to be asked."""


def bot_button(game: str) -> ui.Button[Any]:
    """*Let the bot play on*, where it waits to be asked."""
    return button_of("Let the bot play on", discord.ButtonStyle.primary, BOT, game)


def offer_button(game: str, entry: str, index: int, offer: Offer) -> ui.Button[Any]:
    """The button of offer `index` of the entry of that name."""
    return button_of(offer.label, style_of(offer), OFFER, game, entry, index)


def prompt_buttons(game: str, prompt: Prompt) -> list[ui.Button[Any]]:
    """A button for each offer of a prompt."""
    return [button_of(offer.label, style_of(offer), PROMPT, game, tag(offer)) for offer in prompt.offers]


def style_of(offer: Offer) -> discord.ButtonStyle:
    """Red for what may cost something."""
    return discord.ButtonStyle.danger if offer.danger else discord.ButtonStyle.primary


def tag(offer: Offer) -> str:
    """A short name of an offer, for what it does in full may be too long for a custom id."""
    content = json.dumps([offer.key, offer.kind, dict(offer.args)], sort_keys=True, default=str)
    return blake2s(content.encode(), digest_size=8).hexdigest()
