"""The card of a turn's account: what a side's units did, saw and lost, with the side's own map."""

from typing import Any

import discord
from discord import ui

from bot.journal.game import Entry, Game
from rules.core.model import Viewer
from rules.core.turn_account import Account

from . import report_card
from .card import Card, Picture, button_of, safe
from .offer_buttons import details_button

ACCOUNT = "account"
"""Kind of the button that shows the presser's own account. Its custom id holds the game and the journal entry."""


def account_button(game: Game, entry: Entry) -> ui.Button[Any]:
    """Return the button that shows a player what happened to the own units, by the system's label."""
    assert game.ruleset.turn_accounts is not None, "the system tells no accounts"
    label = game.ruleset.turn_accounts.button
    return button_of(label, discord.ButtonStyle.primary, ACCOUNT, game.id, entry.name)


def account_card(game: Game, side: Viewer, entry: Entry, account: Account, picture: Picture | None) -> Card:
    """Return the card of an account, with *Details*."""
    card = Card(report_card.side_colour(game.state, side)).text(f"### {safe(account.headline)}").picture(picture)
    card.text("\n".join(f"**{safe(line.head)}**: {safe(line.text)}" for line in account.lines))
    return card.buttons([details_button(game.id, entry.name)])
