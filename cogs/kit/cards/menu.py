"""Menus and their options, within Discord's limits."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from .card import make_custom_id, shorten

MOST_OPTIONS = 25
"""Discord's limit of options in a menu."""
MOST_LETTERS = 100
"""Discord's limit of letters in an option's label and description."""


def make_option(label: str, value: str, description: str = "", *, chosen: bool = False) -> discord.SelectOption:
    """Return a menu option, with label and description cut to Discord's limits."""
    label, short_description = shorten(label, MOST_LETTERS), shorten(description, MOST_LETTERS) or None
    return discord.SelectOption(label=label, value=value, description=short_description, default=chosen)


def make_menu(
    placeholder: str, options: Sequence[discord.SelectOption], action: str, *fields: str | int, most: int = 1
) -> ui.Select[Any]:
    """Return a menu with the custom id of its action and fields."""
    custom_id = make_custom_id(action, *fields)
    return ui.Select(custom_id=custom_id, placeholder=placeholder, options=list(options), max_values=most)
