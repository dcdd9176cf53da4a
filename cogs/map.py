"""`/map`: show the table as a picture, in the public view or in a side's view."""

import asyncio

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from render import scenes
from render.palette import STYLES
from rules.core.model import PUBLIC

from .kit import one_at_a_time, reply
from .kit.cards import pictures, report_card, unit_list
from .kit.cards.card import Card
from .kit.command_traits import offer_in_servers
from .kit.lookup import completion
from .kit.lookup.views import find_viewer
from .kit.option_types import Name
from .kit.request import Interaction, actor_of, channel_of, game_of, room_of
from .kit.rooms import messages

ME, GAME = "me", "game"
"""For whom to keep a palette: for the user's pictures, or for all pictures of the game."""
KEPT = {
    ME: "Pictures that you alone see are drawn in **{palette}** from now on, in every game. "
    "The same command with another style changes it.",
    GAME: "Everyone's pictures in this game are drawn in **{palette}** from now on. "
    "Only the umpire may change it, by the same command; /map for:me is anyone's own choice.",
}


@completion.safe_completer
async def complete_areas(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `area` with units on the map, named places, and squares or hexes."""
    game = await game_of(interaction)
    scene = await asyncio.to_thread(game.ruleset.scene, game.state, PUBLIC)
    return completion.match_choices(current, scenes.list_areas(scene))


async def store_palette(interaction: Interaction, style: str | None, owner: str) -> None:
    """Store the palette for the user's own pictures, or for all pictures of the game if `owner` is GAME.

    Raises UserError without a palette, NoGame without a running game, NotAllowed unless the user may choose.
    """
    if style is None:
        raise UserError("Choose the palette to keep with “style”. Nothing was changed.")
    if owner == ME:
        choice = interaction.client.user_palettes.store_palette(interaction.user.id, style)
        await reply.carry_out(interaction, choice, private=True)
        return
    channel, actor = channel_of(interaction), actor_of(interaction)
    work = interaction.client.games.settings.set_palette(channel, actor, style, interaction=interaction.id)
    await reply.carry_out(interaction, work)


class MapCog(commands.Cog):
    """The command `/map`."""

    @offer_in_servers
    @app_commands.command()
    @app_commands.describe(
        area="A square or hex, a span as B2-D4, a place or a unit to look at closely; else the whole map",
        side="As this side sees it, for your eyes only; else as everyone, or in a side's room that side, sees it",
        style="How it is drawn, without a photograph; as usual if you leave it out",
        keep_for="Keep this palette: for me, in what you alone see; for the game (its umpire), in what everyone sees",
    )
    @app_commands.autocomplete(area=complete_areas, side=completion.complete_views)
    @app_commands.rename(keep_for="for")
    @app_commands.choices(
        style=[app_commands.Choice(name=style, value=style) for style in STYLES],
        keep_for=[app_commands.Choice(name=owner, value=owner) for owner in (ME, GAME)],
    )
    async def map(
        self,
        interaction: Interaction,
        area: Name | None = None,
        side: Name | None = None,
        style: str | None = None,
        keep_for: str | None = None,
    ) -> None:
        """Shows the table as a picture."""
        private = side is not None or keep_for == ME
        game, room = await interaction.client.games.running_or_last_game(channel_of(interaction)), room_of(interaction)
        if keep_for is not None:
            await store_palette(interaction, style, keep_for)
        viewer = find_viewer(game, interaction.user.id, side)
        if side is None and room is not None:
            viewer = messages.room_viewer(room, game)
        reader = str(interaction.user.id) if private else None
        with one_at_a_time.reserve_public_work(interaction, "This map", str(viewer), reader, area, style):
            drawing = pictures.draw_table(interaction.client.workers, game, viewer, area=area, style=style)
            picture = await reply.wait_for(interaction, drawing, private=private)
            if picture is None:
                raise UserError(unit_list.NO_MAP)
            card = Card(report_card.turn_colour(game.state))
            if keep_for is not None and style is not None:
                card.text(KEPT[keep_for].format(palette=style))
            card.picture(picture)
            if side is None and room is None and game.state.can_have_hidden_units:
                card.text("-# As everyone sees it. `/map side:` shows you alone what your side sees.")
            await reply.send(interaction, card, private=private)
