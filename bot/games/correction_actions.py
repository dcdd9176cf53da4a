"""Make actions from the umpire's corrections of units and markers. The chat and the live map use these functions."""

from typing import Any

from bot.journal.game import Game
from rules.core import fields
from rules.core.relative_values import resolve_relative_value
from rules.core.state import Action
from rules.core.tabletop.battle import Place
from rules.core.umpire import PLACE, RemoveUnit, SetField, SetSecret

HEX = "at"
"""Name of the field for a unit's hex."""


def make_correction(game: Game, user: int, unit: str, field: str, value: str, *, secret: bool = False) -> Action:
    """Return the action that sets a field of the unit or marker with the id `unit`.

    With `secret`, only the umpire knows the field. The values `+2` and `-1` change the present value. Raises
    Refused.
    """
    kind = SetSecret.kind if secret else game.ruleset.kind_meant_now(game.state, SetField.kind, unit)
    new_value = corrected_value(game, user, unit, field, value)
    return game.ruleset.parse(kind, {"unit": unit, "field": field, "value": new_value})


def make_removal(game: Game, unit: str) -> Action:
    """Return the action that removes the unit or marker with the id `unit`.

    Before the battle, the action only takes a unit off the table.
    """
    return game.ruleset.parse(game.ruleset.kind_meant_now(game.state, RemoveUnit.kind, unit), {"unit": unit})


def corrected_value(game: Game, user: int, unit: str, field: str, value: str) -> str:
    """Return the new value of a unit's field. A typed `+2` or `-1` changes the present value. Raises Refused."""
    view = game.ruleset.view(game.state, game.viewer(user))
    if unit not in view.every_unit:
        return value
    editable_fields = {**game.ruleset.editable_fields, **game.ruleset.secret_fields}
    return resolve_relative_value(view.every_unit[unit], editable_fields, field, value)


def describe_move(before: Any, after: Any) -> str:
    """Return a sentence with the old and the new position of a corrected unit or marker.

    The sentence gives coordinates if both positions have the same name on the map.
    """
    old, new = (getattr(counter, PLACE, getattr(counter, HEX, None)) for counter in (before, after))
    words = (_describe_place(old), _describe_place(new))
    if words[0] == words[1]:
        words = (fields.value_in_words(old), fields.value_in_words(new))
    start = f"from {words[0]} to" if old is not None else "to"
    return f"Move {before.name} {start} {words[1]} by correction."


def _describe_place(place: Any) -> str:
    return place.spot_in_words if isinstance(place, Place) else fields.value_in_words(place)
