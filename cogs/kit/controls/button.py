"""The base of every button. A button's custom id holds all its data, so buttons need no memory and survive restarts."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import discord
from discord import ui

from bot.errors import Stale
from cogs.kit.cards.card import PREFIX, button_of

from .control import Control

FIELD = "[^:\x00-\x1f\ud800-\udfff]{0,60}"

MOST_SEQ = 2**31 - 1
"""The largest number of a journal entry in the database."""
LARGEST_ID = 2**63 - 1
"""The largest id of a user or channel in Discord."""

UNREADABLE = (
    "This button can no longer be used: the game has gone on since, or it is from another version of Umpire. "
    "/turn status shows what the game waits for, /help what else there is."
)


class PersistentButton(Control, ui.DynamicItem[ui.Button[Any]], template="(?!)"):
    """A button with the custom id `umpire:<action>:<field>:…`. Subclasses say what the button does."""

    action: ClassVar[str]
    names: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, *, action: str, fields: Sequence[str]) -> None:
        cls.action, cls.names = action, tuple(fields)
        super().__init_subclass__(template=":".join((PREFIX, action, *(f"(?P<{name}>{FIELD})" for name in fields))))

    def __init__(
        self, label: str, style: discord.ButtonStyle = discord.ButtonStyle.primary, **fields: str | int
    ) -> None:
        self.fields = {name: str(fields[name]) for name in self.names}
        super().__init__(button_of(label, style, self.action, *self.fields.values()))

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /) -> Self:
        """Return the button whose custom id matched."""
        assert isinstance(item, ui.Button)
        return cls(item.label or "", item.style, **match.groupdict())

    def number(self, name: str, *, least: int = 0, most: int = MOST_SEQ) -> int:
        """Return the field `name` as a number. Raises Stale if it holds no number from `least` to `most`."""
        found = number_in(self.fields[name], least=least, most=most)
        if found is None:
            raise Stale(UNREADABLE)
        return found


def number_in(text: str, *, least: int = 0, most: int = MOST_SEQ) -> int | None:
    """Return the number in a field of a custom id, or None if the field holds no number from `least` to `most`."""
    found = int(text) if text.isascii() and text.isdecimal() else None
    return found if found is not None and least <= found <= most else None
