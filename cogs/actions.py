"""Options that `/do` and `/order` share: kinds of action by name, and the fields in `more`."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bot.errors import UserError
from bot.journal.game import Game
from rules.core.model import Viewer
from rules.core.state import DEPUTY, Action
from rules.core.typed_text import simplify_signs
from rules.core.wording import as_identifier, as_words

from .kit.lookup import completion, legal_now
from .kit.request import Interaction, game_of
from .shared_options import Options

COMMAND_OPTIONS = ("unit", "target", "to", "with", "secret")
"""The fields of an action that are options of the command. All further fields are typed in the option `more`."""

KindFinder = Callable[[Interaction, Game, str], str]
"""A function that returns the kind of action named by the typed words. Raises UserError if they name no kind."""


def kinds_in_words(kinds: Iterable[str]) -> str:
    """Return the kinds of action in words, separated by commas."""
    return ", ".join(map(as_words, kinds))


def parse_further_fields(text: str | None) -> dict[str, str]:
    """Parse text such as `gun: naval gun, figures: 6` into values by field name.

    Raises UserError for a part without a name or value, and for a field that has its own command option.
    """
    values = {}
    for piece in filter(None, (part.strip() for part in simplify_signs(text or "").split(","))):
        name, colon, value = piece.partition(":")
        if not colon or not name.strip() or not value.strip():
            raise UserError(f"“{piece[:60]}” in “more” has no name. Write it as “figures: 6”, several by comma.")
        field = as_identifier(name)
        if field in COMMAND_OPTIONS:
            raise UserError(f"“{field}” is an option of its own: give it there, not in “more”.")
        values[field] = value.strip()
    return values


def read_action_fields(options: Options) -> dict[str, Any]:
    """Return an action's fields with their values, from the command's options and from the text in `more`."""
    option_fields = {name: options[name] for name in COMMAND_OPTIONS if name in options}
    return {**parse_further_fields(options.get("more")), **option_fields}


def typed_action_kind(interaction: Interaction) -> str:
    """Return the kind of action typed in the option `action`, in the spelling of the rules; it may be unknown."""
    return as_identifier(completion.typed_option(interaction, "action") or "")


def field_values(actions: Iterable[Action], field: str) -> list[str]:
    """Return the values of `field` in the actions, without repeats."""
    values = (getattr(action, field, None) for action in actions)
    return list(dict.fromkeys(str(value) for value in values if value is not None))


def suggest_missing_fields(game: Game, viewer: Viewer, kind: str, typed: Mapping[str, str]) -> list[str]:
    """Return texts such as `gun: naval gun` for fields that are not yet typed.

    The values come from the viewer's legal actions that match the `typed` values.
    """
    model_fields = game.ruleset.actions[kind].model_fields.items()
    fields = [name for name, field in model_fields if (field.alias or name) not in (*COMMAND_OPTIONS, DEPUTY)]
    values: dict[str, None] = {}
    for action in legal_now.legal_actions(game, viewer, kind):
        action_values = {name: str(value) for name in fields if (value := getattr(action, name)) is not None}
        if all(action_values.get(name, "").casefold() == value.casefold() for name, value in typed.items()):
            values.update((f"{name}: {value}", None) for name, value in action_values.items() if name not in typed)
    return list(values)


def further_fields_completer(kind_of: KindFinder) -> completion.Completer:
    """Return a completer for the option `more`. It offers further fields of the typed action, with legal values."""

    @completion.safe_completer
    async def complete_further_fields(interaction: Interaction, current: str) -> list[completion.Choice]:
        game = await game_of(interaction)
        kind = kind_of(interaction, game, completion.typed_option(interaction, "action") or "")
        earlier, _, _ = current.rpartition(",")
        start = f"{earlier.strip()}, " if earlier.strip() else ""
        viewer, typed_values = game.viewer(interaction.user.id), parse_further_fields(earlier)
        pieces = await asyncio.to_thread(suggest_missing_fields, game, viewer, kind, typed_values)
        return completion.match_choices(current, ((start + piece, start + piece) for piece in pieces))

    return complete_further_fields
