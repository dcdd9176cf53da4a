"""Completion of settings: a game's options, a unit's fields, and their values."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic.fields import FieldInfo

from bot.journal.game import Game
from cogs.kit.request import Interaction, game_of
from rules.core.fields import AS_IT_IS, allowed_values, is_place_field, value_in_words
from rules.core.ruleset import Ruleset
from rules.core.wording import as_identifier, as_words

from .completion import Choice, Completer, NamedValues, game_completer, match_choices, safe_completer, typed_option
from .notes import add_note, strip_note


@game_completer
def complete_game_options(game: Game) -> NamedValues:
    """Complete the name of an option of the game's system. The choices show the present values."""
    values = ((name, getattr(game.state.options, name)) for name in game.ruleset.option_fields)
    return ((name, add_note(as_words(name), value_in_words(value))) for name, value in values)


@safe_completer
async def complete_option_values(interaction: Interaction, current: str) -> list[Choice]:
    """Complete the value of the typed option. The present value comes first."""
    game = await game_of(interaction)
    return _match_values(game.ruleset.option_fields, typed_option(interaction, "name"), game.state.options, current)


def field_completer(fields: Callable[[Ruleset[Any]], Mapping[str, FieldInfo]]) -> Completer:
    """Return a completer for the names of a unit's fields, in words."""
    return game_completer(lambda game: ((as_words(name), as_words(name)) for name in fields(game.ruleset)))


def value_completer(fields: Callable[[Ruleset[Any]], Mapping[str, FieldInfo]]) -> Completer:
    """Return a completer for the typed field's values. If the user may know the present value, it comes first."""

    @safe_completer
    async def complete_field_values(interaction: Interaction, current: str) -> list[Choice]:
        game = await game_of(interaction)
        view = game.ruleset.view(game.state, game.viewer(interaction.user.id))
        unit = view.units.get(typed_option(interaction, "unit") or "")
        places = game.ruleset.places.names(game.state)
        return _match_values(fields(game.ruleset), typed_option(interaction, "field"), unit, current, places)

    return complete_field_values


@game_completer
def complete_place_names(game: Game) -> NamedValues:
    """Complete a place with the map's named places: squares of a table, or named hexes."""
    return ((name, name) for name in game.ruleset.places.names(game.state))


fields = field_completer(lambda system: system.editable_fields)
field_values = value_completer(lambda system: system.editable_fields)
secrets = field_completer(lambda system: system.secret_fields)
secret_values = value_completer(lambda system: system.secret_fields)


def _match_values(
    fields: Mapping[str, FieldInfo], spoken_name: str | None, model: Any, current: str, places: Sequence[str] = ()
) -> list[Choice]:
    name = as_identifier(strip_note(spoken_name or ""))
    if name not in fields:
        return []
    now = value_in_words(getattr(model, name)) if model is not None else None
    present = [(now, f"{now}{AS_IT_IS}")] if now else []
    words = (*allowed_values(fields[name]), *(places if is_place_field(fields[name]) else ()))
    return match_choices(current, [*present, *((word, word) for word in words if word != now)])
