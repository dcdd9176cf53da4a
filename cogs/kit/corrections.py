"""Corrections by the umpire of several units at once."""

from collections.abc import Sequence

from bot.journal.game import Game
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
        return [game.ruleset.parse(kind, {"unit": unit, "field": field, "value": value}) for kind, unit in kinds]

    await game_actions.perform_batch(interaction, make)
