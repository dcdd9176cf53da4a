"""Buttons that take an offer. They carry all they need in their custom id, so they outlive a restart."""

import re
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from hashlib import blake2s
from typing import Any

import discord
from discord import ui

from bot.errors import Stale
from bot.games import Game, Played
from rules.core.report import Offer, Owed

from . import answer, errors
from .card import Button, cut
from .interaction import Interaction, actor_of, channel_of

MOST_LABEL = 80
GAME = r"(?P<game>[^:]{1,40})"
PREFIX = "umpire:"
"""Of every custom id."""


def style_of(offer: Offer) -> discord.ButtonStyle:
    """Red for what may cost something."""
    return discord.ButtonStyle.danger if offer.danger else discord.ButtonStyle.primary


def tag(key: str) -> str:
    """A short name of an obligation's key: keys may be longer than a custom id can be."""
    return blake2s(key.encode(), digest_size=6).hexdigest()


class OfferButton(ui.DynamicItem[ui.Button[Any]], template=rf"{PREFIX}offer:{GAME}:(?P<seq>[0-9]+):(?P<index>[0-9]+)"):
    """Takes offer `index` of a journal entry's report."""

    def __init__(self, game: str, seq: int, index: int, label: str, style: discord.ButtonStyle) -> None:
        super().__init__(
            ui.Button(label=cut(label, MOST_LABEL), style=style, custom_id=f"{PREFIX}offer:{game}:{seq}:{index}")
        )
        self.game, self.seq, self.index = game, seq, index

    @classmethod
    def of(cls, game: str, seq: int, index: int, offer: Offer) -> "OfferButton":
        """The button of an offer."""
        return cls(game, seq, index, offer.label, style_of(offer))

    @classmethod
    async def from_custom_id(cls, _: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> "OfferButton":
        """The button as it was sent."""
        assert isinstance(item, ui.Button)
        return cls(match["game"], int(match["seq"]), int(match["index"]), item.label or "", item.style)

    async def callback(self, interaction: Interaction) -> None:
        """Does what it offers."""
        await press(
            interaction,
            lambda: interaction.client.games.press(
                self.game, self.seq, self.index, actor_of(interaction), interaction=interaction.id
            ),
        )


class OwedButton(ui.DynamicItem[ui.Button[Any]], template=rf"{PREFIX}owed:{GAME}:(?P<tag>[0-9a-f]+):(?P<index>[0-9]+)"):
    """Takes offer `index` of what is owed in the game now, whichever entry it came from."""

    def __init__(self, game: str, key_tag: str, index: int, label: str, style: discord.ButtonStyle) -> None:
        super().__init__(
            ui.Button(label=cut(label, MOST_LABEL), style=style, custom_id=f"{PREFIX}owed:{game}:{key_tag}:{index}")
        )
        self.game, self.tag, self.index = game, key_tag, index

    @classmethod
    def all_of(cls, game: str, owed: Owed) -> list[Button]:
        """A button for each way to settle a debt."""
        return [
            cls(game, tag(owed.key), index, offer.label, style_of(offer)) for index, offer in enumerate(owed.offers)
        ]

    @classmethod
    async def from_custom_id(cls, _: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> "OwedButton":
        """The button as it was sent."""
        assert isinstance(item, ui.Button)
        return cls(match["game"], match["tag"], int(match["index"]), item.label or "", item.style)

    async def callback(self, interaction: Interaction) -> None:
        """Does what it offers, if that is still owed."""

        async def settle() -> Played:
            channel = channel_of(interaction)
            game = await interaction.client.games.running(channel)
            offer = self._offer(game)
            return await interaction.client.games.order(
                channel, actor_of(interaction), offer.kind, offer.args, interaction=interaction.id
            )

        await press(interaction, settle)

    def _offer(self, game: Game) -> Offer:
        for owed in game.ruleset.owed(game.state) if game.id == self.game else ():
            if tag(owed.key) == self.tag and self.index < len(owed.offers):
                return owed.offers[self.index]
        raise Stale("That is no longer owed. `/turn status` shows what is.")


async def press(interaction: Interaction, work: Callable[[], Awaitable[Played]]) -> None:
    """Takes an offer, answers, and takes away those buttons of the pressed message whose moment has passed."""
    async with errors.told(interaction):
        try:
            played = await answer.in_time(interaction, work(), quietly=True)
        except Stale:
            await refresh(interaction)
            raise
        await refresh(interaction)
        await answer.show(interaction, played)


async def refresh(interaction: Interaction) -> None:
    """Sends the pressed message again with the buttons that can still be pressed."""
    assert interaction.message is not None
    view = ui.LayoutView.from_message(interaction.message, timeout=None)
    spent = {custom_id for custom_id in offers_on(view) if not await is_open(interaction, custom_id)}
    prune(view, spent)
    view.stop()
    if interaction.response.is_done():
        await interaction.edit_original_response(view=view)
    else:
        await interaction.response.edit_message(view=view)


def offers_on(view: ui.LayoutView) -> Iterator[str]:
    """Custom ids of the offers on a message."""
    for item in view.walk_children():
        custom_id = getattr(item, "custom_id", "")
        if isinstance(custom_id, str) and custom_id.startswith((f"{PREFIX}offer:", f"{PREFIX}owed:")):
            yield custom_id


async def is_open(interaction: Interaction, custom_id: str) -> bool:
    """Whether the offer behind a button can still be taken."""
    games = interaction.client.games
    try:
        game = await games.running(channel_of(interaction))
    except errors.TOLD:
        return False
    owed = game.ruleset.owed(game.state)
    if match := OwedButton.__discord_ui_compiled_template__.fullmatch(custom_id):
        return match["game"] == game.id and match["tag"] in {tag(one.key) for one in owed}
    match = OfferButton.__discord_ui_compiled_template__.fullmatch(custom_id)
    if match is None or match["game"] != game.id:
        return False
    try:
        offers = await games.offers(game.id, int(match["seq"]))
    except errors.TOLD:
        return False
    index = int(match["index"])
    return index < len(offers) and offers[index].key in {one.key for one in owed}


def prune(view: ui.LayoutView, spent: Collection[str]) -> None:
    """Takes buttons off a message; a line beside whose button went stays as a line."""
    for container in [child for child in view.children if isinstance(child, ui.Container)]:
        parts = list(container.children)
        container.clear_items()
        for part in parts:
            for kept in _without(part, spent):
                container.add_item(kept)


def _without(part: ui.Item[Any], spent: Collection[str]) -> Sequence[ui.Item[Any]]:
    if isinstance(part, ui.Section) and getattr(part.accessory, "custom_id", None) in spent:
        return part.children
    if isinstance(part, ui.ActionRow):
        for button in list(part.children):
            if getattr(button, "custom_id", None) in spent:
                part.remove_item(button)
        return [part] if part.children else []
    return [part]
