"""`/photo`: lay the umpire's photograph of the real table, or picture of a map, flat under the units."""

from collections.abc import Mapping, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import BadFile, UserError
from bot.games.photographs import is_on_hexes, table_scene
from render import photo_grid
from render.photo_grid import Square
from render.photograph import MOST_BYTES
from rules.core.scene import Point

from .kit import reply
from .kit.cards.card import WARNING, Card, Picture
from .kit.command_traits import offer_in_servers
from .kit.controls.control import PersistentButton
from .kit.controls.form import BETWEEN, Form, read_first_input
from .kit.option_types import Words
from .kit.panels.hex_photograph import ask_for_hexes, show_changed_map
from .kit.request import Interaction, actor_of, channel_of

CORNERS, OLD_GRID = "corners", "photo"
"""Kinds of button under a photograph: the present kind, and the kind of messages with an earlier version's grid."""
MOST_TYPED = 100
ORDER = "top left, top right, bottom right, bottom left"
FIRST = (
    "### Where are the table's four corners?\nFind the square in which each lies, as the map shows the table, with "
    f"north above: {ORDER}. Then press the button and write all four, as `C3, N2, P11, A12`. You see each closely next."
)
THEN = (
    "### Where exactly?\nHere is each of the four squares, enlarged. Write the small squares in which the corners lie, "
    "each by the letter above and the number beside it, all four in the same order."
)
PIXELS = "Or give all four in pixels, such as 120,80 2300,95 2410,1600 40,1580."
OUTSIDE = "A corner lies outside the photograph, which is {wide} by {high} pixels. Nothing was changed."
OLD = "The grid has other squares now. Send the photograph again by /photo add. Nothing was changed."
PLACES = [place.strip().capitalize() for place in ORDER.split(",")]


class CornersForm(Form, action=CORNERS, title="The table's four corners"):
    """The form that asks in which squares the table's four corners lie, then in which small squares."""

    def __init__(self, game: str, tag: str, square_names: str) -> None:
        super().__init__()
        key, example = BETWEEN.join((game, tag, square_names)), "C3, N2, P11, A12"
        self.add_text(key, "The four squares", f"{ORDER.capitalize()}.", most=MOST_TYPED, hint=example)

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Show the named squares enlarged. If the form names small squares, lay the photograph flat."""
        (game, tag, square_names), text = read_first_input(words, 3)
        if not square_names:
            await show_enlarged_corners(interaction, game, tag, _parse_squares(text))
            return
        squares, parts = _parse_squares(text, photo_grid.FINE), _parse_squares(square_names)
        pairs = zip(squares, map(photo_grid.box_around_square, parts), strict=True)
        await lay_photograph(interaction, game, tag, [photo_grid.fine_square_centre(*pair) for pair in pairs])


class CornersButton(PersistentButton, action=CORNERS, fields=("game", "tag", "named")):
    """The button that opens the form for the four corners."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the form."""
        await CornersForm(*self.fields.values()).open(interaction)


class OutdatedGridButton(PersistentButton, action=OLD_GRID, fields=("game", "tag", "named")):
    """The button of a photograph whose grid of squares is no longer in use."""

    async def handle(self, interaction: Interaction) -> None:
        """Tell the umpire to send the photograph again."""
        await reply.send(interaction, Card(WARNING).text(OLD), private=True)


@offer_in_servers
class PhotoCog(
    commands.GroupCog, group_name="photo", group_description="A photograph of your real table under the units"
):
    """The commands for photographs under the map."""

    @app_commands.command()
    @app_commands.describe(
        file="JPEG, PNG or WebP: the photograph with all four corners of the table, or the picture of a map",
        corners="Its four corners in pixels, if you know them: 120,80 2300,95 2410,1600 40,1580",
        hexes="For a map of hexes: three hexes with their pixels, such as 1406 120,80; 2416 900,700; 0212 60,600",
    )
    async def add(
        self,
        interaction: Interaction,
        file: discord.Attachment,
        corners: Words | None = None,
        hexes: Words | None = None,
    ) -> None:
        """For the umpire: lay a photograph of the table, or a picture of the real map, under the units."""
        if file.size > MOST_BYTES:
            raise BadFile(f"That file has {file.size:,} bytes; the limit is {MOST_BYTES:,}. Nothing was changed.")
        exactly = None if corners is None else photo_grid.parse_pixel_corners(corners)
        squares = None if corners is None or exactly is not None else _parse_squares(corners, hint=PIXELS)
        games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
        preparing = games.photographs.store_pending_photograph(channel, actor, file.read)
        game, prepared = await reply.wait_for(interaction, preparing, private=True)
        if hexes is not None or (corners is None and is_on_hexes(game)):
            await ask_for_hexes(interaction, game, prepared, hexes)
            return
        table_scene(game)
        if squares is not None:
            await show_enlarged_corners(interaction, game.id, prepared.tag, squares)
        elif exactly is not None:
            wide, high = prepared.wide, prepared.high
            if any(x > wide or y > high for x, y in exactly):
                raise UserError(OUTSIDE.format(wide=wide, high=high))
            await lay_photograph(interaction, game.id, prepared.tag, [(x / wide, y / high) for x, y in exactly])
        else:
            picture = Picture("photograph.jpg", prepared.gridded, "Your photograph under a grid from A1 to P14.")
            button = CornersButton("Name the four corners", game=game.id, tag=prepared.tag, named="")
            await reply.send(interaction, Card().text(FIRST).picture(picture).buttons([button]), private=True)

    @app_commands.command()
    async def remove(self, interaction: Interaction) -> None:
        """For the umpire: take the photograph away; the map is drawn again."""
        games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
        work = games.photographs.remove_photograph(channel, actor, interaction=interaction.id)
        await show_changed_map(interaction, await reply.carry_out(interaction, work))


async def show_enlarged_corners(interaction: Interaction, game: str, tag: str, squares: Sequence[Square]) -> None:
    """Show the umpire each of the four squares enlarged. Raises UserError."""
    photographs, channel, actor = interaction.client.games.photographs, channel_of(interaction), actor_of(interaction)
    work = photographs.enlarge_corners(channel, actor, game, tag, squares)
    images = await reply.wait_for(interaction, work, private=True)
    card, names = Card().text(THEN), photo_grid.square_names(squares)
    for number, (place, square, jpeg) in enumerate(zip(PLACES, names.split(), images, strict=True), 1):
        card.text(f"**{number}. {place}** ({square})")
        card.picture(Picture(f"corner-{number}.jpg", jpeg, f"{place}, enlarged."))
    button = CornersButton("Name the four corners exactly", game=game, tag=tag, named=names)
    await reply.send(interaction, card.buttons([button]), private=True)


async def lay_photograph(interaction: Interaction, game: str, tag: str, corners: Sequence[Point]) -> None:
    """Lay the photograph flat under the units, and show everyone the map. Raises UserError.

    `corners` are the table's corners in the photograph, in fractions of its width and height.
    """
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    work = games.photographs.lay_on_table(channel, actor, game, tag, corners, interaction=interaction.id)
    await show_changed_map(interaction, await reply.carry_out(interaction, work))


def _parse_squares(text: str, grid: photo_grid.Grid = photo_grid.COARSE, *, hint: str = "") -> list[Square]:
    """Return the four squares in a text. Raises UserError, which says how to write squares and ends with `hint`."""
    try:
        return photo_grid.parse_squares(text, grid)
    except ValueError as error:
        raise UserError(" ".join(filter(None, (str(error), hint, "Nothing was changed.")))) from None
