"""`/unit`: list, show, add, change, hide and remove units of the channel's game."""

from collections.abc import Sequence
from typing import Any

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.games.correction_actions import make_removal
from bot.games.marker_actions import make_hiding_actions, make_marker_action
from bot.journal.game import Game
from rules.core.state import Action

from .game import pages
from .kit import corrections, reply
from .kit.cards import report_card, unit_list
from .kit.cards.card import Card, safe
from .kit.command_traits import mark_action_kinds, mark_as_look_up, offer_in_servers
from .kit.game_actions import perform_action, perform_actions
from .kit.lookup import completion, field_completion, name_lookup, systems
from .kit.lookup.unit_selection import select_units
from .kit.option_types import Name, Words
from .kit.request import Interaction, game_of

MOST_FIGURES = 500
LARGEST_TABLE = 240
"""Largest coordinate of a unit on the table, in inches."""


@offer_in_servers
class UnitCog(commands.GroupCog, group_name="unit", group_description="The units of this channel's game"):
    """The commands `/unit`."""

    @mark_as_look_up
    @app_commands.command(name="list")
    @app_commands.describe(side="Only this side's")
    @app_commands.autocomplete(side=completion.complete_sides)
    async def list_(self, interaction: Interaction, side: Name | None = None) -> None:
        """All units and their state, as far as you may know."""
        game = await reply.wait_for(interaction, game_of(interaction), private=True)
        side_id = name_lookup.find_side_id(game.state, side) if side else None
        card = Card(report_card.side_colour(game.state, side_id) if side_id else report_card.turn_colour(game.state))
        card.text(pages.game_heading(game))
        card.paragraphs(unit_list.side_paragraphs(game, game.viewer(interaction.user.id), side_id))
        await reply.send(interaction, card, private=True)

    @mark_as_look_up
    @app_commands.command()
    @app_commands.describe(unit="The unit")
    @app_commands.autocomplete(unit=completion.complete_units)
    async def show(self, interaction: Interaction, unit: Name) -> None:
        """Everything you may know of a unit, and what the game waits for from it."""
        game = await reply.wait_for(interaction, game_of(interaction), private=True)
        viewer = game.viewer(interaction.user.id)
        roster = game.ruleset.roster(game.state, viewer)
        unit_id = name_lookup.find_unit_id(roster, unit)
        unit_card = next(card for card in roster if card.id == unit_id)
        card = Card(report_card.side_colour(game.state, unit_card.side))
        card.text(f"### {safe(unit_card.name)}\n{safe(game.name_of(unit_card.side))}")
        details = unit_card.details or (("State", unit_card.line),)
        card.text("\n".join(f"**{safe(label)}:** {safe(value)}" for label, value in details))
        prompts = [prompt for prompt in game.ruleset.open_prompts(game.state) if prompt.unit == unit_id]
        report_card.add_private_prompts(card, game, viewer, prompts)
        await reply.send(interaction, card, private=True)

    @app_commands.command()
    @app_commands.describe(
        troop="The kind of troops",
        side="Its side",
        name="Its name",
        figures="How many figures or crew, if not the usual number",
        at="Where, such as “C2” or “C2 NW facing south”",
        x="Instead: inches from the west edge",
        y="Instead: inches from the north edge",
        facing="Instead: degrees clockwise from north",
    )
    @app_commands.autocomplete(
        troop=completion.complete_troops, side=completion.complete_sides, at=field_completion.complete_place_names
    )
    async def add(
        self,
        interaction: Interaction,
        troop: Name,
        side: Name,
        name: app_commands.Range[str, 1, 60],
        figures: app_commands.Range[int, 1, MOST_FIGURES] | None = None,
        at: Words | None = None,
        x: app_commands.Range[float, 0, LARGEST_TABLE] | None = None,
        y: app_commands.Range[float, 0, LARGEST_TABLE] | None = None,
        facing: app_commands.Range[float, 0, 360] | None = None,
    ) -> None:
        """For the umpire: add a unit."""

        def make_unit_args(game: Game) -> dict[str, Any]:
            if at is not None and not (x is y is facing is None):
                raise UserError("Say where once: by “at”, or by “x”, “y” and “facing”.")
            place = (
                {"x": x, "y": y, "facing": facing}
                if at is None
                else game.ruleset.places.locate(game.state, at, name_lookup.find_side_id(game.state, side))
            )
            return {"troop": troop, "side": side, "name": name, "figures": figures, **place}

        await perform_action(interaction, "add_unit", make_unit_args)

    @app_commands.command()
    @corrections.add_correction_options
    async def edit(self, interaction: Interaction, unit: Words, field: Name, value: Words) -> None:
        """For the umpire: correct a field of units; the log shows the correction."""
        await corrections.correct_units(interaction, unit, field, value)

    @mark_action_kinds("remove_unit", "take_off", "take_marker")
    @app_commands.command()
    @app_commands.describe(unit="The unit, several by comma, all, or all of a name or side")
    @app_commands.autocomplete(unit=completion.complete_unit_lists)
    async def remove(self, interaction: Interaction, unit: Words) -> None:
        """For the umpire: remove units from the game, as if they had never been there."""

        def make_removals(game: Game) -> Sequence[Action]:
            systems.require_action(game.ruleset, "remove_unit")
            return [make_removal(game, unit_id) for unit_id in select_units(game, interaction.user.id, unit)]

        await perform_actions(interaction, make_removals)

    @mark_action_kinds("hide")
    @app_commands.command()
    @app_commands.describe(unit="The unit", marker="Whether a marker shows that something may be there")
    @app_commands.autocomplete(unit=completion.complete_units)
    async def hide(self, interaction: Interaction, unit: Name, marker: bool = False) -> None:
        """Hide a unit: the other side sees nothing of it until it is found or shows itself."""
        if not marker:
            await perform_action(interaction, "hide", {"unit": unit}, private=True)
            return

        def make_hide_actions(game: Game) -> Sequence[Action]:
            unit_id = select_units(game, interaction.user.id, unit)[0]
            systems.require_action(game.ruleset, "hide")
            return make_hiding_actions(game, interaction.user.id, unit_id)

        await perform_actions(interaction, make_hide_actions, hides_command=True)

    @mark_action_kinds("put_marker")
    @app_commands.command()
    @app_commands.describe(side="Whose it is", at="Where, such as “C2” or “C2 NW facing south”")
    @app_commands.autocomplete(side=completion.complete_sides, at=field_completion.complete_place_names)
    async def dummy(self, interaction: Interaction, side: Name, at: Words) -> None:
        """Put a marker without troops on the table: the other side cannot tell it from a real one."""

        def make_dummy_action(game: Game) -> Sequence[Action]:
            side_id = name_lookup.find_side_id(game.state, side)
            place = game.ruleset.places.locate(game.state, at, side_id)
            systems.require_action(game.ruleset, "put_marker")
            return [make_marker_action(game, side_id, place)]

        await perform_actions(interaction, make_dummy_action, hides_command=True)

    @mark_action_kinds("unhide")
    @app_commands.command()
    @app_commands.describe(unit="The unit")
    @app_commands.autocomplete(unit=completion.complete_units)
    async def unhide(self, interaction: Interaction, unit: Name) -> None:
        """Show everyone a hidden unit, where it stands."""
        await perform_action(interaction, "unhide", {"unit": unit})

    @mark_action_kinds("detach")
    @app_commands.command()
    @app_commands.describe(unit="The unit it leaves", figures="How many figures go", name="Its name")
    @app_commands.autocomplete(unit=completion.complete_units)
    async def detach(
        self,
        interaction: Interaction,
        unit: Name,
        figures: app_commands.Range[int, 1, MOST_FIGURES],
        name: app_commands.Range[str, 1, 60] | None = None,
    ) -> None:
        """Send a detachment out."""
        await perform_action(interaction, "detach", {"unit": unit, "figures": figures, "name": name})
