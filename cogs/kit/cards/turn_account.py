"""The card of a turn's account: what a side's units did, saw and lost, with the side's own map."""

from typing import Any

import discord
from discord import ui

from bot.journal.game import Entry, Game
from rules.core.model import Viewer
from rules.core.turn_account import Account

from . import report_card, telephone
from .card import Card, Picture, make_button, safe, shorten
from .offer_buttons import details_button

LENGTHS = (1000, 160, 80, 40)
"""Maximum characters of a line, longest first. The first length that lets the account fit a telephone is used."""
ACCOUNT = "account"
"""Kind of the button that shows the presser's own account. Its custom id holds the game and the journal entry."""


def account_button(game: Game, entry: Entry) -> ui.Button[Any]:
    """Return the button that shows a player's account of a turn, with the rule system's label."""
    assert game.ruleset.turn_accounts is not None, "the system tells no accounts"
    return make_button(game.ruleset.turn_accounts.button, discord.ButtonStyle.primary, ACCOUNT, game.id, entry.name)


def account_card(game: Game, side: Viewer, entry: Entry, account: Account, picture: Picture | None) -> Card:
    """Return the card of an account, with the button *Details*."""
    card = Card(report_card.side_colour(game.state, side)).text(f"### {safe(account.headline)}").picture(picture)
    texts = (_account_lines(account, most) for most in LENGTHS)
    fitting = (text for text in texts if len(telephone.wrap_lines(text)) < telephone.MOST_LINES)
    card.text(next(fitting, None) or _account_lines(account, LENGTHS[-1]))
    return card.buttons([details_button(game.id, entry.name)])


def _account_lines(account: Account, most: int) -> str:
    """Return the account's lines, each cut to `most` characters."""
    return "\n".join(f"**{safe(line.head)}**: {safe(shorten(line.text, most))}" for line in account.lines)
