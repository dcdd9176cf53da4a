"""Corrections by the umpire of several units at once, and their removal."""

from collections.abc import Sequence

from bot.games.correction_actions import make_correction, make_removal
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
        user = interaction.user.id
        return [make_correction(game, user, unit, field, value) for unit in select_units(game, user, units)]

    await game_actions.perform_batch(interaction, make)


async def remove(interaction: Interaction, units: str) -> None:
    """Remove each of the named units, or change nothing. Raises UserError and Refused."""

    def make(game: Game) -> Sequence[Action]:
        systems.require_action(game.ruleset, "remove_unit")
        return [make_removal(game, unit) for unit in select_units(game, interaction.user.id, units)]

    await game_actions.perform_batch(interaction, make)
