"""The base of every menu. A menu's custom id holds all its data, so menus need no memory and survive restarts."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import discord
from discord import ui

from bot.errors import Stale
from cogs.kit.cards.card import MOST_CUSTOM_ID, PREFIX, shorten

from .button import FIELD, MOST_SEQ, UNREADABLE, number_in
from .control import Control

MOST_OPTIONS = 25
"""Discord's limit of options in a menu."""
MOST_LETTERS = 100


def option(label: str, value: str, description: str = "", *, chosen: bool = False) -> discord.SelectOption:
    """Return a menu option, with label and description cut to Discord's limits."""
    told = shorten(description, MOST_LETTERS) or None
    return discord.SelectOption(label=shorten(label, MOST_LETTERS), value=value, description=told, default=chosen)


def menu_of(
    placeholder: str, options: Sequence[discord.SelectOption], action: str, *fields: str | int, most: int = 1
) -> ui.Select[Any]:
    """Return a menu with the custom id `umpire:<action>:<field>:…`, by which the bot finds the menu's class."""
    custom_id = ":".join((PREFIX, action, *map(str, fields)))
    return ui.Select(
        custom_id=custom_id[:MOST_CUSTOM_ID], placeholder=placeholder, options=list(options), max_values=most
    )


class PersistentMenu(Control, ui.DynamicItem[ui.Select[Any]], template="(?!)"):
    """A menu with the custom id `umpire:<action>:<field>:…`. Subclasses say what a choice does."""

    action: ClassVar[str]
    names: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, *, action: str, fields: Sequence[str]) -> None:
        cls.action, cls.names = action, tuple(fields)
        super().__init_subclass__(template=":".join((PREFIX, action, *(f"(?P<{name}>{FIELD})" for name in fields))))

    def __init__(self, **fields: str) -> None:
        self.fields = fields
        super().__init__(menu_of("", (), self.action, *(fields[name] for name in self.names)))

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction[Any], _item: ui.Item[Any], match: re.Match[str], /) -> Self:
        """Return the menu whose custom id matched. The interaction holds the chosen values."""
        return cls(**match.groupdict())

    @property
    def values(self) -> Sequence[str]:
        """The chosen values. Raises Stale if no value is chosen."""
        if not self.item.values:
            raise Stale(UNREADABLE)
        return self.item.values

    def number(self, name: str) -> int:
        """Return the field `name` as a number. Raises Stale if the field holds no number."""
        found = number_in(self.fields[name], most=MOST_SEQ)
        if found is None:
            raise Stale(UNREADABLE)
        return found
