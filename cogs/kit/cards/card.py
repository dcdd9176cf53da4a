"""A card: one message of text, pictures and buttons, kept within Discord's limits."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import accumulate
from typing import Any, TypeAlias

import discord
from discord import ui

from bot.markdown_escape import INVISIBLE, escape_markdown
from render.fixed_palette import recolour
from render.palette import SIDES

MOST_CHARACTERS = 3900
"""Maximum characters of all text in a message; Discord's limit is 4000."""
MOST_COMPONENTS = 40
MOST_ALT_TEXT = 1024
MOST_LABEL = 80
MOST_CUSTOM_ID = 100
MOST_BESIDE = 30
"""Maximum characters of the label of a button beside a line."""
BUTTONS_IN_A_ROW = 5
LONG_LINE = 200
"""Minimum characters of a line that is cut to fit. If fewer characters fit, the line is omitted."""
RESERVED_CHARACTERS = 500
"""Characters that a cut paragraph leaves free for the outcome and the prompts below."""

NEUTRAL = 0x6B7280
WARNING = 0xB45309

LEGEND_PREFIX = "-# On the picture: "
"""Beginning of the explanation of a picture's numbers."""
REST = "… the rest in `/game log`"

EVERYONE = re.compile(r"@(?=everyone|here)", re.IGNORECASE)
SIGNS = re.compile(r"@(?=\w)|<(?=[@#:/at])|\](?=\()|:(?=//)", re.IGNORECASE)
"""The characters that begin a mention, command, emoji, timestamp or link. Discord formats these everywhere."""
NO_WIDTH = "\u200b"
"""A zero-width space. After an @ it prevents a mention, whatever the message is allowed to mention."""

PREFIX = "umpire"
"""First part of the custom id of every button, menu and form."""

Button: TypeAlias = ui.Button[Any] | ui.DynamicItem[ui.Button[Any]]
Menu: TypeAlias = ui.Select[Any] | ui.DynamicItem[ui.Select[Any]] | ui.DynamicItem[ui.UserSelect[Any]]


@dataclass(frozen=True)
class Picture:
    """A picture for a card: its file, its alternative text, and a line of Markdown that explains its numbers."""

    name: str
    data: bytes
    alt: str
    key: str = ""
    keeps_colours: bool = False
    """Whether the style was requested: then the reader's palette does not replace it."""

    def file(self) -> discord.File:
        """Return a new upload of the file. Discord accepts an upload once."""
        return discord.File(BytesIO(self.data), filename=self.name, description=self.alt_text)

    @property
    def alt_text(self) -> str:
        """The alternative text in one line, cut to length. Mentions and links in the text have no effect."""
        line = " ".join(INVISIBLE.sub("", self.alt).split())
        return shorten(SIGNS.sub(f"\\g<0>{NO_WIDTH}", line), MOST_ALT_TEXT)


def picture_legend_line(numbers: Sequence[tuple[str, str]]) -> str:
    """Return a line with the meaning of each number on a picture, or an empty string without numbers."""
    return LEGEND_PREFIX + " · ".join(f"{number} = {safe(words)}" for number, words in numbers) if numbers else ""


def safe(text: str) -> str:
    """Escape text written by people. Discord then shows no formatting, links or mentions in the text."""
    return escape_markdown(EVERYONE.sub(f"@{NO_WIDTH}", text))


def discord_link(guild: int | None, channel: int, message: int | None = None) -> str:
    """Return a link to a channel, thread or message; `guild` is None for direct messages."""
    place = f"https://discord.com/channels/{guild or '@me'}/{channel}"
    return place if message is None else f"{place}/{message}"


def shorten(text: str, most: int) -> str:
    """Return at most `most` characters of a text. A cut text ends with an ellipsis."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def fit_lines(text: str, most: int) -> str:
    """Return the first lines of a text, in at most `most` characters. A long last line is cut instead of omitted."""
    head = text[: max(most - 1, 0)]
    lines, _, cut_line = head.rpartition("\n")
    if len(cut_line) <= LONG_LINE:
        return lines
    words = head.rpartition(" ")[0] if " " in cut_line else head
    return f"{words}…"


def count_fitting_lines(lines: Iterable[str], most: int) -> int:
    """Return how many lines, from the first on, fit in `most` characters."""
    return sum(length <= most for length in accumulate(map(len, lines)))


def colour_by_index(index: int | None) -> int:
    """Return the map colour of the side with this index. None gives the neutral colour."""
    return NEUTRAL if index is None else discord.Colour.from_rgb(*SIDES[index % len(SIDES)].colour).value


def make_custom_id(action: str, *fields: str | int) -> str:
    """Return a control's custom id, `umpire:<action>:<field>:…`. The action names the control's class."""
    return ":".join((PREFIX, action, *map(str, fields)))[:MOST_CUSTOM_ID]


def make_button(label: str, style: discord.ButtonStyle, action: str, *fields: str | int) -> ui.Button[Any]:
    """Return a button with the custom id of its action and fields."""
    return ui.Button(label=shorten(label, MOST_LABEL), style=style, custom_id=make_custom_id(action, *fields))


class Card:
    """A card, built from top to bottom. Content beyond Discord's limits is left out, and the card says so."""

    def __init__(self, accent: int = NEUTRAL) -> None:
        self._accent = accent
        self._parts: list[ui.Item[Any]] = []
        self._free = MOST_CHARACTERS - len(REST)
        self._components = 2
        self._cut = False
        self._words: list[str] = []
        self._pictures: tuple[Picture, ...] = ()
        self._attached: tuple[tuple[str, bytes], ...] = ()
        self._mentioned: tuple[int, ...] = ()

    def text(self, markdown: str) -> "Card":
        """Add a paragraph. A long paragraph is cut after a line or word, to leave space for later content."""
        if len(markdown) > self._free:
            self._cut = True
            markdown = fit_lines(markdown, self._free - RESERVED_CHARACTERS)
        if markdown and self._add_component(ui.TextDisplay(markdown), len(markdown)):
            self._words.append(markdown)
        return self

    def paragraphs(self, texts: Iterable[str]) -> "Card":
        """Add several paragraphs."""
        for markdown in texts:
            self.text(markdown)
        return self

    def mention(self, users: Sequence[int], words: str) -> "Card":
        """Add a line that mentions the users. Discord notifies them of a new message, not of an edit."""
        if users:
            self._mentioned += tuple(users)
            self.text(f"{', '.join(f'<@{user}>' for user in users)}: {words}")
        return self

    def add_line_with_button(self, markdown: str, button: Button) -> "Card":
        """Add a line with a button to its right. A button with a long label goes below the line."""
        label = (button.item if isinstance(button, ui.DynamicItem) else button).label or ""
        if len(label) > MOST_BESIDE:
            self.text(markdown).buttons([button])
        elif len(markdown) <= self._free:
            if self._add_component(ui.Section(markdown, accessory=button), len(markdown)):
                self._words.append(markdown)
        else:
            self.buttons([button])
        return self

    def add_footer(self, footer: str, button: Button | None) -> "Card":
        """Add the last line, with the button at its right."""
        if button is None:
            return self.text(footer)
        return self.add_line_with_button(footer, button) if footer else self.buttons([button])

    def buttons(self, buttons: Sequence[Button]) -> "Card":
        """Add buttons in rows of five."""
        for start in range(0, len(buttons), BUTTONS_IN_A_ROW):
            self._add_component(ui.ActionRow(*buttons[start : start + BUTTONS_IN_A_ROW]))
        return self

    def menu(self, menu: Menu) -> "Card":
        """Add a menu in the card's full width."""
        self._add_component(ui.ActionRow(menu))
        return self

    def picture(self, picture: Picture | None) -> "Card":
        """Add a picture in the card's full width, with the explanation of its numbers below."""
        if picture is None:
            return self
        item = discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.alt_text)
        if self._add_component(ui.MediaGallery(item)):
            self._pictures += (picture,)
            self.text(picture.key)
        return self

    def attach(self, name: str, data: bytes) -> "Card":
        """Attach a file for download."""
        if self._add_component(ui.File(f"attachment://{name}")):
            self._attached += ((name, data),)
        return self

    @property
    def has_pictures(self) -> bool:
        """Whether the card has pictures."""
        return bool(self._pictures)

    def use_palette(self, palette: str) -> None:
        """Recolour the card's pictures, except pictures that the user requested in a certain style."""
        self._pictures = tuple(
            picture if picture.keeps_colours else replace(picture, data=recolour(picture.data, palette))
            for picture in self._pictures
        )

    def view(self) -> ui.LayoutView:
        """Return the message to send. discord.py need not store it, because custom ids hold the buttons' data."""
        parts: list[ui.Item[Any]] = [*self._parts, ui.TextDisplay(REST)] if self._cut else self._parts
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.Container(*parts, accent_colour=self._accent))
        view.stop()
        return view

    @property
    def fits_in_message(self) -> bool:
        """Whether all content fits in the message."""
        return not self._cut

    @property
    def words(self) -> str:
        """The whole text of the card as Markdown, without pictures, files and buttons."""
        return "\n".join(self._words)

    def files(self) -> list[discord.File]:
        """Return new uploads of the card's pictures and files."""
        attached = [discord.File(BytesIO(data), filename=name) for name, data in self._attached]
        return [*(picture.file() for picture in self._pictures), *attached]

    @property
    def mentions(self) -> discord.AllowedMentions:
        """The allowed mentions of the message: only the users given to `mention`."""
        users = [discord.Object(user) for user in self._mentioned]
        return discord.AllowedMentions(everyone=False, users=users or False, roles=False, replied_user=False)

    @property
    def mentions_anybody(self) -> bool:
        """Whether the card mentions anybody."""
        return bool(self._mentioned)

    def _add_component(self, part: ui.Item[Any], characters: int = 0) -> bool:
        if self._components + part._total_count > MOST_COMPONENTS:
            self._cut = True
            return False
        self._parts.append(part)
        self._free -= characters
        self._components += part._total_count
        return True
