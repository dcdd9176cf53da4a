"""The base of menus: like a button's, a menu's name says all, so it outlives a restart and is kept nowhere."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import discord
from discord import ui

from bot.runtime.errors import Stale
from cogs.kit import errors
from cogs.kit.cards.card import MOST_ID, PREFIX, cut
from cogs.kit.interaction import Interaction
from cogs.kit.rooms import room_check

from .button import FIELD, MOST_SEQ, UNREADABLE, number_in

MOST_OPTIONS = 25
"""Discord's limit."""
MOST_LETTERS = 100


def option(label: str, value: str, description: str = "", *, chosen: bool = False) -> discord.SelectOption:
    """An option of a menu, within Discord's limits."""
    told = cut(description, MOST_LETTERS) or None
    return discord.SelectOption(label=cut(label, MOST_LETTERS), value=value, description=told, default=chosen)


def menu_of(
    placeholder: str, options: Sequence[discord.SelectOption], action: str, *fields: str | int, most: int = 1
) -> ui.Select[Any]:
    """A menu named `umpire:<action>:<field>:…`: by that name the bot finds what choosing in it does."""
    custom_id = ":".join((PREFIX, action, *map(str, fields)))
    return ui.Select(custom_id=custom_id[:MOST_ID], placeholder=placeholder, options=list(options), max_values=most)


class Pick(ui.DynamicItem[ui.Select[Any]], template="(?!)"):
    """A menu named `umpire:<action>:<field>:…`. Subclasses say what choosing in it does."""

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
        """The menu as it was sent: what is chosen in it comes with the choice."""
        return cls(**match.groupdict())

    @property
    def values(self) -> Sequence[str]:
        """What was chosen. Raises Stale where nothing was."""
        if not self.item.values:
            raise Stale(UNREADABLE)
        return self.item.values

    def number(self, name: str) -> int:
        """A field that is a number. Raises Stale where it is none."""
        found = number_in(self.fields[name], most=MOST_SEQ)
        if found is None:
            raise Stale(UNREADABLE)
        return found

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Does what was chosen, and tells the user where it cannot."""
        async with errors.told(interaction):
            await room_check.enter(interaction)
            await self.chosen(interaction)

    async def chosen(self, interaction: Interaction) -> None:
        """What the choice does. May raise UserError and Refused."""
        raise NotImplementedError
