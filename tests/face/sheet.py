"""A player's order sheet, operated through its buttons, menus and forms. It counts every press."""

from typing import Any

import simcord
from simcord.components import walk_components

from .table import Answer, Message, Table, labels, raw, text

SELECT = 3


def menus(message: Message) -> dict[str, dict[str, Any]]:
    """Return the message's menus by placeholder."""
    return {
        component["placeholder"]: component
        for component in walk_components(raw(message))
        if component.get("type") == SELECT
    }


def options(message: Message, menu: str) -> dict[str, str]:
    """Return the menu's options: from label to value."""
    return {option["label"]: option["value"] for option in menus(message)[menu]["options"]}


class PlayersSheet:
    """A player's order sheet.

    `presses` counts commands, buttons and choices in menus; `public` counts public replies.
    """

    def __init__(self, table: Table, player: simcord.MemberActor) -> None:
        self.table, self.player = table, player
        self.presses = self.public = 0
        self._message: Message = None

    @property
    def message(self) -> Message:
        """The current version of the sheet's message."""
        history = self.table.channel.history(viewer=self.player)
        return next(message for message in history if message.id == self._message.id)

    @property
    def text(self) -> str:
        """The sheet's text."""
        return text(self.message)

    async def open(self, orders: str | None = None) -> Answer:
        """Open the sheet by its command, optionally with orders as text."""
        fields = {} if orders is None else {"text": orders}
        return self._show_opened(await self.table.give(self.player, "turn orders", **fields))

    async def open_under(self, message: Message) -> Answer:
        """Open the sheet by the button of a turn message."""
        return self._show_opened(await self.table.press(self.player, message, "Give orders"))

    async def choose(self, menu: str, *chosen: str) -> Answer:
        """Choose options in one of the sheet's menus, by the beginning of their labels."""
        choices = options(self.message, menu)
        values = [
            next(value for label, value in choices.items() if label.startswith(beginning)) for beginning in chosen
        ]
        custom_id = menus(self.message)[menu]["custom_id"]
        chose = await self.player.select(self.message, values, custom_id=custom_id)
        return self._count(Answer(chose, pressed=self._message.id))

    async def order(self, action: str, *units: str) -> None:
        """Choose units, then their order."""
        await self.choose("Which units?", *units)
        await self.choose("Do what?", action)

    async def press(self, label: str) -> Answer:
        """Press one of the sheet's buttons."""
        return self._count(await self.table.press(self.player, self.message, label))

    async def write(self, orders: str) -> Answer:
        """Replace the whole sheet in its form."""
        form = (await self.press("Write as text")).result
        (part,) = form.modal["components"]
        result = await self.player.submit_modal(form, {part["component"]["custom_id"]: orders})
        return self._count(Answer(result, pressed=self._message.id))

    async def write_condition(self, condition: str) -> Answer:
        """Write a condition for the last order in its form."""
        form = (await self.press("Only if …")).result
        (part,) = form.modal["components"]
        result = await self.player.submit_modal(form, {part["component"]["custom_id"]: condition})
        return self._count(Answer(result, pressed=self._message.id))

    @property
    def labels(self) -> list[str]:
        """The labels of the sheet's buttons."""
        return labels(self.message)

    def _show_opened(self, answer: Answer) -> Answer:
        (self._message,) = answer.private
        return self._count(answer)

    def _count(self, answer: Answer) -> Answer:
        self.presses += 1
        self.public += len(answer.public)
        return answer
