"""The umpire's corrections: change a field of several units at once."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from discord import app_commands

from bot.games.correction_actions import make_correction
from bot.journal.game import Game
from rules.core.state import Action

from . import game_actions
from .lookup import completion, field_completion, systems
from .lookup.unit_selection import select_units
from .request import Interaction

C = TypeVar("C", bound=Callable[..., Any])


def add_correction_options(callback: C) -> C:
    """Decorate a command that corrects a field of units: add descriptions and completion of its options."""
    app_commands.describe(
        unit="The unit, several by comma, or all of a name or side",
        field="What to change",
        value="Its new value, or +2, -1",
    )(callback)
    return app_commands.autocomplete(
        unit=completion.complete_unit_lists, field=field_completion.fields, value=field_completion.field_values
    )(callback)


async def correct_units(interaction: Interaction, units: str, field: str, value: str) -> None:
    """Set a field of each of the named units, or change nothing. Raises UserError and Refused."""

    def make_corrections(game: Game) -> Sequence[Action]:
        systems.require_action(game.ruleset, "set")
        user = interaction.user.id
        return [make_correction(game, user, unit, field, value) for unit in select_units(game, user, units)]

    await game_actions.perform_actions(interaction, make_corrections)
