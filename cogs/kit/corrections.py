"""Corrections by the umpire of several units at once, and their removal."""

from collections.abc import Sequence

from bot.journal.game import Game
from rules.core.relative_values import resolve_value
from rules.core.state import Action

from . import game_actions
from .lookup import systems
from .lookup.unit_selection import select_units
from .request import Interaction


async def correct(interaction: Interaction, units: str, field: str, value: str) -> None:
    """Set a field of each of the named units, or change nothing. Raises UserError and Refused."""

    def make(game: Game) -> Sequence[Action]:
        systems.require_action(game.ruleset, "set")
        named = select_units(game, interaction.user.id, units)
        kinds = ((game.ruleset.meant_kind(game.state, "set", unit), unit) for unit in named)
        return [
            game.ruleset.parse(
                kind, {"unit": unit, "field": field, "value": value_of(game, interaction.user.id, unit, field, value)}
            )
            for kind, unit in kinds
        ]

    await game_actions.perform_batch(interaction, make)


def value_of(game: Game, user: int, unit: str, field: str, value: str) -> str:
    """Return the value to set for what was typed: `+2` and `-1` change the present value. Raises Refused."""
    seen = game.ruleset.view(game.state, game.viewer(user))
    if unit not in seen.every_unit:
        return value
    known = {**game.ruleset.editable, **game.ruleset.secrets}
    return resolve_value(seen.every_unit[unit], known, field, value)


async def remove(interaction: Interaction, units: str) -> None:
    """Remove each of the named units, or change nothing. Raises UserError and Refused."""

    def make(game: Game) -> Sequence[Action]:
        systems.require_action(game.ruleset, "remove_unit")
        named = select_units(game, interaction.user.id, units)
        kinds = ((game.ruleset.meant_kind(game.state, "remove_unit", unit), unit) for unit in named)
        return [game.ruleset.parse(kind, {"unit": unit}) for kind, unit in kinds]

    await game_actions.perform_batch(interaction, make)
