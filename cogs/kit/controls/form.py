"""The base of every form: its name says what it is for, so it outlives a restart, and any process may take it."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import discord
from discord import ui

from bot.runtime.errors import Stale, UserError
from cogs.kit import response
from cogs.kit.cards.card import PREFIX
from cogs.kit.interaction import Interaction
from cogs.kit.rooms import room_check

UNKNOWN = "This form is from another version of Umpire and cannot be used. Give the command again; you wrote: {words}"

TOO_LATE = "The form took too long to open. Try again."


class Form(ui.Modal):
    """A form named `umpire:form:<action>`. Subclasses say what comes of it when it is sent."""

    kinds: ClassVar[dict[str, type["Form"]]] = {}
    action: ClassVar[str]

    def __init_subclass__(cls, *, action: str, title: str) -> None:
        super().__init_subclass__(title=title)
        cls.action = f"{PREFIX}:form:{action}"
        Form.kinds[cls.action] = cls

    def __init__(self) -> None:
        super().__init__(custom_id=self.action)

    async def open(self, interaction: Interaction) -> None:
        """Show the form. The form itself is not stored. Raises UserError if the interaction has expired."""
        self.stop()
        try:
            await response.first(interaction, interaction.response.send_modal(self))
        except discord.InteractionResponded:
            raise UserError(TOO_LATE) from None

    @classmethod
    async def sent(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """What comes of what was written, by the custom ids of its fields. May raise UserError and Refused."""
        raise NotImplementedError


async def take(interaction: Interaction) -> None:
    """Takes a form that comes back. Raises Stale, with what was written, where there is no such form any more."""
    data: Mapping[str, Any] = dict(interaction.data or {})
    words = dict(_fields(data.get("components")))
    kind = Form.kinds.get(str(data.get("custom_id")))
    if kind is None:
        raise Stale(UNKNOWN.format(words=" / ".join(words.values())))
    await room_check.enter(interaction)
    await kind.sent(interaction, words)


def _fields(components: Any) -> Iterator[tuple[str, str]]:
    """Yield the custom id and value of every field, at any depth. A menu's chosen values are one line each."""
    for part in components or ():
        if isinstance(part.get("value"), str):
            yield str(part.get("custom_id")), part["value"]
        elif isinstance(part.get("values"), list):
            yield str(part.get("custom_id")), "\n".join(map(str, part["values"]))
        yield from _fields(part.get("components"))
        yield from _fields([part["component"]] if isinstance(part.get("component"), dict) else ())
