"""A card: one message of text, pictures and buttons, kept within Discord's limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, TypeAlias

import discord
from discord import ui

MOST_CHARACTERS = 3900
"""Of all text in a message; Discord's limit is 4000."""
MOST_COMPONENTS = 40
MOST_ALT_TEXT = 1024
BUTTONS_IN_A_ROW = 5

NEUTRAL = 0x6B7280
WARNING = 0xB45309
SIDE_COLOURS = (0xD55E00, 0x0072B2, 0x009E73, 0xE69F00, 0xCC79A7, 0x56B4E9)
"""Okabe and Ito's palette, told apart by the colour-blind, by a side's index."""

REST = "… the rest in `/game log`"

Button: TypeAlias = ui.DynamicItem[ui.Button[Any]]
Menu: TypeAlias = ui.DynamicItem[ui.Select[Any]]


@dataclass(frozen=True)
class Picture:
    """A picture to show on a card: its file, and what it shows in words."""

    name: str
    data: bytes
    alt: str

    def file(self) -> discord.File:
        """A fresh upload: one can be sent only once."""
        return discord.File(BytesIO(self.data), filename=self.name, description=self.alt[:MOST_ALT_TEXT])


def safe(text: str) -> str:
    """Text that people had a hand in, so that it neither formats nor mentions."""
    return discord.utils.escape_mentions(discord.utils.escape_markdown(text))


def cut(text: str, most: int) -> str:
    """At most `most` characters, the last one an ellipsis where something is left out."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def colour_of(index: int | None) -> int:
    """A side's accent colour; None is nobody's."""
    return NEUTRAL if index is None else SIDE_COLOURS[index % len(SIDE_COLOURS)]


class Card:
    """Built from top to bottom; what no longer fits is left out, and the card says so."""

    def __init__(self, accent: int = NEUTRAL) -> None:
        self._accent = accent
        self._parts: list[ui.Item[Any]] = []
        self._characters = len(REST)
        self._components = 2
        self._full = False
        self.pictures: tuple[Picture, ...] = ()
        self._attached: tuple[tuple[str, bytes], ...] = ()

    def text(self, markdown: str) -> "Card":
        """A paragraph; cut where the message is full."""
        room = MOST_CHARACTERS - self._characters
        if self._full or not markdown:
            return self
        if len(markdown) > room:
            kept = markdown[: max(room, 0)].rpartition("\n")[0]
            self._full = True
            if kept:
                self._add(ui.TextDisplay(kept), len(kept))
            return self
        if self._fits(1):
            self._add(ui.TextDisplay(markdown), len(markdown))
        return self

    def beside(self, markdown: str, button: Button) -> "Card":
        """A line with a button at its right."""
        if not self._full and self._fits(3) and len(markdown) <= MOST_CHARACTERS - self._characters:
            self._add(ui.Section(markdown, accessory=button), len(markdown))
        else:
            self._full = True
        return self

    def buttons(self, buttons: Sequence[Button]) -> "Card":
        """Buttons in rows of five."""
        for start in range(0, len(buttons), BUTTONS_IN_A_ROW):
            row = buttons[start : start + BUTTONS_IN_A_ROW]
            if not self._full and self._fits(1 + len(row)):
                self._add(ui.ActionRow(*row), 0)
        return self

    def menu(self, menu: Menu) -> "Card":
        """A menu over the card's width."""
        if not self._full and self._fits(2):
            self._add(ui.ActionRow(menu), 0)
        return self

    def picture(self, picture: Picture | None) -> "Card":
        """A picture over the card's width."""
        if picture is not None and self._fits(1):
            self.pictures += (picture,)
            gallery: ui.MediaGallery[Any] = ui.MediaGallery(
                discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.alt[:MOST_ALT_TEXT])
            )
            self._add(gallery, 0)
        return self

    def attach(self, name: str, data: bytes) -> "Card":
        """A file to take away."""
        if self._fits(1):
            self._attached += ((name, data),)
            self._add(ui.File(f"attachment://{name}"), 0)
        return self

    def view(self) -> ui.LayoutView:
        """The message. Nothing of it is kept in memory: its buttons speak for themselves."""
        parts: list[ui.Item[Any]] = [*self._parts, ui.TextDisplay(REST)] if self._full else self._parts
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.Container(*parts, accent_colour=self._accent))
        view.stop()
        return view

    def files(self) -> list[discord.File]:
        """The uploads it needs."""
        attached = [discord.File(BytesIO(data), filename=name) for name, data in self._attached]
        return [*(picture.file() for picture in self.pictures), *attached]

    def _fits(self, components: int) -> bool:
        if self._components + components > MOST_COMPONENTS:
            self._full = True
        return not self._full

    def _add(self, part: ui.Item[Any], characters: int) -> None:
        self._parts.append(part)
        self._characters += characters
        self._components += part._total_count


def note(sentence: str, accent: int = NEUTRAL) -> Card:
    """A card of one paragraph."""
    return Card(accent).text(sentence)
