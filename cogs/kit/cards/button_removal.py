"""Remove buttons from a sent message."""

from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urlsplit

import discord
from discord import ui

from cogs.kit.cards.card import PREFIX

from .offer_buttons import BOT, CHOICES, OFFER, ORDERS, PROMPT

UPLOADS = "/attachments/"
"""Part of the address of every file uploaded to Discord."""
NEXT_STEP_KINDS = (OFFER, PROMPT, CHOICES, ORDERS, BOT)
"""Kinds of the buttons and menus of a game's next step. In a custom id, the game's id follows the kind."""


def remove_next_step_buttons(view: ui.LayoutView, game: str) -> bool:
    """Remove the buttons of a game's next step from a message. Return whether the message had any."""
    steps = tuple(f"{PREFIX}:{kind}:{game}" for kind in NEXT_STEP_KINDS)
    names = {getattr(item, "custom_id", None) or "" for item in view.walk_children()}
    custom_ids = {name for name in names if name.startswith(steps)}
    remove_buttons_from(view, custom_ids)
    return bool(custom_ids)


def games_with_next_step(view: ui.LayoutView) -> set[str]:
    """Return the ids of the games that have next-step buttons on a message."""
    names = (getattr(item, "custom_id", None) or "" for item in view.walk_children())
    parts = (name.split(":") for name in names)
    return {fields[2] for fields in parts if len(fields) > 2 and fields[1] in NEXT_STEP_KINDS}


def remove_buttons_from(view: ui.LayoutView, custom_ids: Collection[str]) -> None:
    """Remove the buttons with these custom ids from a message. The line beside a removed button stays."""
    for container in [child for child in view.children if isinstance(child, ui.Container)]:
        parts = list(container.children)
        container.clear_items()
        for part in parts:
            for item in _components_without_buttons(part, custom_ids):
                container.add_item(item)


def _components_without_buttons(part: ui.Item[Any], custom_ids: Collection[str]) -> Sequence[ui.Item[Any]]:
    """Return what remains of a component after the buttons with these custom ids are removed."""
    if isinstance(part, ui.Section) and getattr(part.accessory, "custom_id", None) in custom_ids:
        return part.children
    if isinstance(part, ui.ActionRow):
        for button in list(part.children):
            if getattr(button, "custom_id", None) in custom_ids:
                part.remove_item(button)
        return [part] if part.children else []
    return [part]


def replace_picture_addresses(view: ui.LayoutView) -> None:
    """Replace the addresses of a message's pictures, which expire, by the names of the uploaded files."""
    for gallery in [item for item in view.walk_children() if isinstance(item, ui.MediaGallery)]:
        gallery.items = [
            discord.MediaGalleryItem(f"attachment://{name}", description=item.description, spoiler=item.spoiler)
            if (name := uploaded_file_name(item.media.url))
            else item
            for item in gallery.items
        ]


def uploaded_file_name(url: str) -> str:
    """Return the file name in the address of an upload to Discord, or an empty string for other addresses."""
    path = urlsplit(url).path
    return path.rpartition("/")[2] if UPLOADS in path else ""
