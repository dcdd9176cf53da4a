"""The base of every button: all it needs is in its custom id, so it outlives a restart and is kept nowhere."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import discord
from discord import ui

from bot.runtime.errors import Stale
from cogs.kit import errors
from cogs.kit.cards.card import PREFIX, button_of
from cogs.kit.interaction import Interaction
from cogs.kit.rooms import room_check

FIELD = "[^:\x00-\x1f\ud800-\udfff]{0,60}"

MOST_SEQ = 2**31 - 1
"""The largest number of a journal's entry that the database holds."""
MOST_ID = 2**63 - 1
"""The largest id that Discord gives."""

UNREADABLE = (
    "This button can no longer be used: the game has gone on since, or it is from another version of Umpire. "
    "/turn status shows what the game waits for, /help what else there is."
)


class Press(ui.DynamicItem[ui.Button[Any]], template="(?!)"):
    """A button named `umpire:<action>:<field>:…`. Subclasses say what pressing it does."""

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
        """The button as it was sent."""
        assert isinstance(item, ui.Button)
        return cls(item.label or "", item.style, **match.groupdict())

    def number(self, name: str, *, least: int = 0, most: int = MOST_SEQ) -> int:
        """A field that is a number. Raises Stale where it is none, or out of its range."""
        found = number_in(self.fields[name], least=least, most=most)
        if found is None:
            raise Stale(UNREADABLE)
        return found

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Does what it is for, and tells the user where it cannot."""
        async with errors.told(interaction):
            await room_check.enter(interaction)
            await self.pressed(interaction)

    async def pressed(self, interaction: Interaction) -> None:
        """What pressing does. May raise UserError and Refused."""
        raise NotImplementedError


def number_in(text: str, *, least: int = 0, most: int = MOST_SEQ) -> int | None:
    """The number that a custom id holds; None where it holds none from `least` to `most`."""
    found = int(text) if text.isascii() and text.isdecimal() else None
    return found if found is not None and least <= found <= most else None
