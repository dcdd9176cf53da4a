"""A player's order sheet as he uses it: opened, chosen in, pressed; every press is counted."""

from typing import Any

import simcord
from simcord.components import walk_components

from .table import Answer, Message, Table, labels, raw, text

SELECT = 3


def menus(message: Message) -> dict[str, dict[str, Any]]:
    """The menus of a message by what stands in them while nothing is chosen."""
    return {one["placeholder"]: one for one in walk_components(raw(message)) if one.get("type") == SELECT}


def options(message: Message, menu: str) -> dict[str, str]:
    """The options of a menu: their labels, each with its value."""
    return {one["label"]: one["value"] for one in menus(message)[menu]["options"]}


class PlayersSheet:
    """The order sheet of one player; `presses` counts commands, buttons and choices in menus, `public` messages."""

    def __init__(self, table: Table, player: simcord.MemberActor) -> None:
        self.table, self.player = table, player
        self.presses = self.public = 0
        self._message: Message = None

    @property
    def message(self) -> Message:
        """The sheet as it stands in the chat now."""
        history = self.table.channel.history(viewer=self.player)
        return next(one for one in history if one.id == self._message.id)

    @property
    def text(self) -> str:
        """All it says."""
        return text(self.message)

    async def open(self, orders: str | None = None) -> Answer:
        """By the command, perhaps with orders as text."""
        given = {} if orders is None else {"text": orders}
        return self._opened(await self.table.give(self.player, "turn orders", **given))

    async def open_under(self, message: Message) -> Answer:
        """By the button under a message of the turn."""
        return self._opened(await self.table.press(self.player, message, "Give orders"))

    async def choose(self, menu: str, *chosen: str) -> Answer:
        """Chooses in one of its menus, by what the options begin with."""
        shown = options(self.message, menu)
        values = [next(value for label, value in shown.items() if label.startswith(one)) for one in chosen]
        custom_id = menus(self.message)[menu]["custom_id"]
        chose = await self.player.select(self.message, values, custom_id=custom_id)
        return self._counted(Answer(chose, pressed=self._message.id))

    async def order(self, what: str, *units: str) -> None:
        """Chooses units, then what they do."""
        await self.choose("Which units?", *units)
        await self.choose("Do what?", what)

    async def press(self, label: str) -> Answer:
        """Presses one of its buttons."""
        return self._counted(await self.table.press(self.player, self.message, label))

    async def write(self, orders: str) -> Answer:
        """Writes the whole sheet anew, in the form."""
        form = (await self.press("Write as text")).result
        (part,) = form.modal["components"]
        sent = await self.player.submit_modal(form, {part["component"]["custom_id"]: orders})
        return self._counted(Answer(sent, pressed=self._message.id))

    async def write_condition(self, condition: str) -> Answer:
        """Gives the last order a condition, in the form."""
        form = (await self.press("Only if …")).result
        (part,) = form.modal["components"]
        sent = await self.player.submit_modal(form, {part["component"]["custom_id"]: condition})
        return self._counted(Answer(sent, pressed=self._message.id))

    @property
    def labels(self) -> list[str]:
        """Its buttons."""
        return labels(self.message)

    def _opened(self, answer: Answer) -> Answer:
        (self._message,) = answer.private
        return self._counted(answer)

    def _counted(self, answer: Answer) -> Answer:
        self.presses += 1
        self.public += len(answer.public)
        return answer
