"""The base of every form. A form's custom id names its class, so any process handles the form, after a restart too."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import discord
from discord import ui

from bot.errors import Stale, UserError
from cogs.kit import reply
from cogs.kit.cards.card import PREFIX
from cogs.kit.request import Interaction, load_room

UNKNOWN = "This form is from another version of Umpire and cannot be used. Give the command again; you wrote: {words}"


BETWEEN = "/"
"""Separator of the fields in the custom id of an input."""


def read_first_input(words: Mapping[str, str], fields: int) -> tuple[Sequence[str], str]:
    """Return the fields in the custom id of the first input, and the input's text. A missing field is ""."""
    key, text = next(iter(words.items()), ("", ""))
    return [*key.split(BETWEEN, fields - 1), *[""] * fields][:fields], text


class Form(ui.Modal):
    """A form with the custom id `umpire:form:<action>`. Subclasses say what a submitted form does."""

    kinds: ClassVar[dict[str, type["Form"]]] = {}
    action: ClassVar[str]

    def __init_subclass__(cls, *, action: str, title: str) -> None:
        super().__init_subclass__(title=title)
        cls.action = f"{PREFIX}:form:{action}"
        Form.kinds[cls.action] = cls

    def __init__(self) -> None:
        super().__init__(custom_id=self.action)

    def add_text(
        self,
        custom_id: str,
        label: str,
        description: str,
        *,
        most: int,
        text: str = "",
        hint: str = "",
        is_long: bool = False,
        is_required: bool = True,
    ) -> None:
        """Add an input of at most `most` characters, filled with `text`. A long input has several lines."""
        text_input: ui.TextInput[Any] = ui.TextInput(
            custom_id=custom_id,
            style=discord.TextStyle.paragraph if is_long else discord.TextStyle.short,
            default=text or None,
            placeholder=hint or None,
            required=is_required,
            max_length=most,
        )
        self.add_item(ui.Label(text=label, description=description, component=text_input))

    async def open(self, interaction: Interaction) -> None:
        """Show the form; do not wait for its answer. Raises UserError if the interaction is already acknowledged."""
        self.stop()
        try:
            await reply.send_first_answer(interaction, interaction.response.send_modal(self))
        except discord.InteractionResponded:
            raise UserError("The form took too long to open. Try again.") from None

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Handle a submitted form; `words` are its inputs by custom id. May raise UserError and Refused."""
        raise NotImplementedError


async def handle_form(interaction: Interaction) -> None:
    """Handle a submitted form. Raises Stale if no form class has its custom id; the error repeats the inputs."""
    data: Mapping[str, Any] = dict(interaction.data or {})
    words = dict(_input_values(data.get("components")))
    kind = Form.kinds.get(str(data.get("custom_id")))
    if kind is None:
        raise Stale(UNKNOWN.format(words=" / ".join(words.values())))
    await load_room(interaction)
    await kind.submit(interaction, words)


def _input_values(components: Any) -> Iterator[tuple[str, str]]:
    """Yield the custom id and the value of every input. The value of a menu has a line for each choice."""
    for part in components or ():
        if isinstance(part.get("value"), str):
            yield str(part.get("custom_id")), part["value"]
        elif isinstance(part.get("values"), list):
            yield str(part.get("custom_id")), "\n".join(map(str, part["values"]))
        yield from _input_values(part.get("components"))
        yield from _input_values([part["component"]] if isinstance(part.get("component"), dict) else ())
