"""The bases of buttons and menus. A control's custom id holds all its data, so controls survive restarts."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Self, TypeVar

import discord
from discord import ui

from bot.errors import Stale
from cogs.kit import errors
from cogs.kit.cards.card import PREFIX, make_button
from cogs.kit.cards.menu import make_menu
from cogs.kit.request import Interaction, load_room

FIELD = "[^:\x00-\x1f\ud800-\udfff]{0,60}"

MOST_SEQ = 2**31 - 1
"""The largest number of a journal entry in the database."""
LARGEST_ID = 2**63 - 1
"""The largest id of a user or channel in Discord."""

UNREADABLE = (
    "This button can no longer be used: the game has gone on since, or it is from another version of Umpire. "
    "/turn status shows what the game waits for, /help what else there is."
)

Item = TypeVar("Item", bound=ui.Item[Any])


class Control(ui.DynamicItem[Item], template="(?!)"):
    """A button or menu with the custom id `umpire:<action>:<field>:…`. Subclasses say what the control does."""

    kinds: ClassVar[list[type[ui.DynamicItem[Any]]]] = []
    """All classes of controls that have an action. The bot finds the class of a pressed control in this list."""
    action: ClassVar[str]
    names: ClassVar[tuple[str, ...]]
    fields: dict[str, str]

    def __init_subclass__(cls, *, action: str | None = None, fields: Sequence[str] = ()) -> None:
        if action is None:
            super().__init_subclass__(template="(?!)")
            return
        cls.action, cls.names = action, tuple(fields)
        super().__init_subclass__(template=":".join((PREFIX, action, *(f"(?P<{name}>{FIELD})" for name in fields))))
        Control.kinds.append(cls)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Handle the interaction, and tell the user of errors. discord.py calls this method."""
        async with errors.handle_errors(interaction):
            await load_room(interaction)
            await self.handle(interaction)

    async def handle(self, interaction: Interaction) -> None:
        """Handle a press or a choice. May raise UserError and Refused."""
        raise NotImplementedError

    def number_field(self, name: str, *, least: int = 0, most: int = MOST_SEQ) -> int:
        """Return the field `name` as a number. Raises Stale if the field holds no number from `least` to `most`."""
        value = parse_number(self.fields[name], least=least, most=most)
        if value is None:
            raise Stale(UNREADABLE)
        return value


class PersistentButton(Control[ui.Button[Any]]):
    """A button. Subclasses say what a press does."""

    def __init__(
        self, label: str, style: discord.ButtonStyle = discord.ButtonStyle.primary, **fields: str | int
    ) -> None:
        self.fields = {name: str(fields[name]) for name in self.names}
        super().__init__(make_button(label, style, self.action, *self.fields.values()))

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /) -> Self:
        """Return the button whose custom id matched."""
        assert isinstance(item, ui.Button)
        return cls(item.label or "", item.style, **match.groupdict())


class PersistentMenu(Control[ui.Select[Any]]):
    """A menu. Subclasses say what a choice does."""

    def __init__(self, **fields: str) -> None:
        self.fields = fields
        super().__init__(make_menu("", (), self.action, *(fields[name] for name in self.names)))

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


def parse_number(text: str, *, least: int = 0, most: int = MOST_SEQ) -> int | None:
    """Return the number in a field of a custom id. Return None if the field holds no number from `least` to `most`."""
    value = int(text) if text.isascii() and text.isdecimal() else None
    return value if value is not None and least <= value <= most else None
