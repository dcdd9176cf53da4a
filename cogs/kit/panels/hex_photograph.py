"""Lay the picture of a map under the hexes. The user says where in the picture three named hexes lie."""

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from bot.errors import UserError
from bot.games.photographs import find_hex, hex_scene
from bot.jobs.photograph import HexMark, PreparedPhotograph
from bot.journal.game import Game, Played
from cogs.kit import reply, turn_post
from cogs.kit.cards import pictures, report_card
from cogs.kit.cards.card import Card, Picture, safe
from cogs.kit.controls.control import PersistentButton
from cogs.kit.controls.form import BETWEEN, Form, read_first_input
from cogs.kit.request import Interaction, actor_of, channel_of
from render import photo_grid
from render.photo_grid import Square
from rules.core.hexboard.hex_scene import HexScene
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point

HEXES = "hexes"
MOST_TYPED = 160
COUNT = 3
FIRST = (
    "### Where do three hexes lie?\nChoose three hexes that you find in your picture, far apart and not on one line. "
    "Find the square in which the centre of each lies, then press the button and write each hex by its number or name, "
    "with its square: `{example}`. You see each square enlarged next."
)
THEN = (
    "### Where exactly?\nHere is each of the three squares, enlarged. Write the small squares in which the hexes' "
    "centres lie, each by the letter above and the number beside it, in the same order."
)
LAID = "-# The letters are the terrain that the rules use. If they do not fit, lay the picture again with /photo add."
NAME = (
    "Name three hexes with squares, such as {example}; or with pixels, such as 1406 120,80; 2416 900,700; 0212 60,600."
)
OUTSIDE = "{hex} lies outside the picture, which is {wide} by {high} pixels. Nothing was changed."
SQUARES = ("C3", "N3", "C12")
PIXELS = re.compile(r"(\d{1,5}(?:\.\d+)?),(\d{1,5}(?:\.\d+)?)", re.ASCII)


class HexInPicture(NamedTuple):
    """A hex and its typed place in the picture: a square such as `C3`, or a position in pixels."""

    hex: Hex
    place: str


class HexesForm(Form, action=HEXES, title="Three hexes in the picture"):
    """The form for three hexes and their squares in the picture, and then for the small squares within each."""

    def __init__(self, game: str, tag: str, hex_text: str) -> None:
        super().__init__()
        key, example = BETWEEN.join((game, tag, hex_text)), "D7, F12, C3" if hex_text else "1406 C3; 2416 N3; 0212 C12"
        note = "The small squares of the three hexes, in the same order." if hex_text else "Each hex with its square."
        self.add_text(key, "The three hexes", note, most=MOST_TYPED, hint=example)

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Show the named squares enlarged. If the form names small squares, lay the picture under the hexes."""
        (game_id, tag, hex_text), text = read_first_input(words, 3)
        game = await interaction.client.games.running_game(channel_of(interaction))
        if not hex_text:
            await show_enlarged_squares(interaction, game, tag, parse_hexes(game, text))
            return
        hexes = parse_hexes(game, hex_text)
        coarse = _parse_squares(" ".join(named_hex.place for named_hex in hexes))
        fine = _parse_squares(text, photo_grid.FINE)
        pairs = zip(fine, map(photo_grid.box_around_square, coarse), strict=True)
        at = [photo_grid.fine_square_centre(*pair) for pair in pairs]
        await lay_picture_under_hexes(interaction, game_id, tag, hexes, at)


class HexesButton(PersistentButton, action=HEXES, fields=("game", "tag", "named")):
    """The button that opens the form for the three hexes."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the form for the three hexes."""
        await HexesForm(*self.fields.values()).open(interaction)


async def ask_for_hexes(interaction: Interaction, game: Game, prepared: PreparedPhotograph, text: str | None) -> None:
    """Ask the umpire for three hexes and their places in the picture. Raises UserError.

    If `text` names squares for three hexes, show the squares enlarged. If `text` names pixels, lay the picture at once.
    """
    if text is None:
        picture = Picture("picture.jpg", prepared.gridded, "Your picture under a grid from A1 to P14.")
        button = HexesButton("Name three hexes", game=game.id, tag=prepared.tag, named="")
        card = Card().text(FIRST.format(example=example_hexes(hex_scene(game)))).picture(picture).buttons([button])
        await reply.send(interaction, card, private=True)
        return
    hexes = parse_hexes(game, text)
    pixels = [PIXELS.fullmatch(named_hex.place) for named_hex in hexes]
    if not all(pixels):
        await show_enlarged_squares(interaction, game, prepared.tag, hexes)
        return
    at = []
    for named_hex, match in zip(hexes, pixels, strict=True):
        x, y = (float(part) for part in (match.groups() if match else ()))
        if x > prepared.wide or y > prepared.high:
            raise UserError(OUTSIDE.format(hex=named_hex.hex, wide=prepared.wide, high=prepared.high))
        at.append((x / prepared.wide, y / prepared.high))
    await lay_picture_under_hexes(interaction, game.id, prepared.tag, hexes, at)


async def show_enlarged_squares(interaction: Interaction, game: Game, tag: str, hexes: Sequence[HexInPicture]) -> None:
    """Show the umpire each of the three squares enlarged. Raises UserError."""
    squares = _parse_squares(" ".join(named_hex.place for named_hex in hexes))
    photographs, channel = interaction.client.games.photographs, channel_of(interaction)
    work = photographs.enlarge_corners(channel, actor_of(interaction), game.id, tag, squares)
    images = await reply.wait_for(interaction, work, private=True)
    card = Card().text(THEN)
    for number, (named_hex, jpeg) in enumerate(zip(hexes, images, strict=True), 1):
        words = f"{named_hex.hex}, enlarged."
        card.text(f"**{number}. {named_hex.hex}** ({named_hex.place})")
        card.picture(Picture(f"hex-{number}.jpg", jpeg, words))
    hex_text = " ".join(f"{named_hex.hex} {named_hex.place};" for named_hex in hexes)
    button = HexesButton("Name the three places exactly", game=game.id, tag=tag, named=hex_text)
    await reply.send(interaction, card.buttons([button]), private=True)


async def lay_picture_under_hexes(
    interaction: Interaction, game: str, tag: str, hexes: Sequence[HexInPicture], at: Sequence[Point]
) -> None:
    """Lay the picture under the map, and show everyone the map. Raises UserError.

    `at` gives the three hexes' positions as fractions of the picture's width and height.
    """
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    marks = [HexMark(named_hex.hex, place) for named_hex, place in zip(hexes, at, strict=True)]
    work = games.photographs.lay_on_hexes(channel, actor, game, tag, marks, interaction=interaction.id)
    await show_changed_map(interaction, await reply.carry_out(interaction, work), has_letters=True)


async def show_changed_map(interaction: Interaction, played: Played, *, has_letters: bool = False) -> None:
    """Show everyone the map with the changed photograph. With `has_letters`, letters on the map mark the terrain."""
    game = played.game
    work = pictures.draw_table(interaction.client.workers, game, letters=has_letters)
    picture = await pictures.draw_if_possible(work, game)
    card = Card(report_card.turn_colour(game.state)).text(f"**{safe(played.entry.report.headline)}.**").picture(picture)
    await turn_post.send_with_next_step(interaction, card.text(LAID) if has_letters else card, game)


def parse_hexes(game: Game, text: str) -> Sequence[HexInPicture]:
    """Return the three hexes of a text such as `1406 C3; Trinkitat N3; 0212 C12`. Raises UserError, NoPlace."""
    name = NAME.format(example=example_hexes(hex_scene(game)))
    hexes: list[HexInPicture] = []
    for piece in filter(None, (part.strip() for part in re.split(r"[;\n]|,(?!\d)", text))):
        words, _, place = piece.rpartition(" ")
        is_square = re.fullmatch(r"[A-Za-z]\d{1,2}", place, re.ASCII) is not None
        if not words or not (is_square or PIXELS.fullmatch(place)):
            raise UserError(f"“{piece[:40]}” is not a hex with its place. {name} Nothing was changed.")
        hexes.append(HexInPicture(find_hex(game, words), place.upper()))
    if len(hexes) != COUNT:
        raise UserError(f"{name} You named {len(hexes)}. Nothing was changed.")
    for named_hex in hexes:
        if [other.hex for other in hexes].count(named_hex.hex) > 1:
            raise UserError(f"{named_hex.hex} is named twice. Name three hexes. Nothing was changed.")
    if len({PIXELS.fullmatch(named_hex.place) is None for named_hex in hexes}) > 1:
        raise UserError(f"{name} Use squares for all, or pixels for all. Nothing was changed.")
    return hexes


def example_hexes(scene: HexScene) -> str:
    """Return an example of three hexes and squares. The hexes lie far apart, and have names if possible."""
    cells = [cell for cell in scene.board.cells if cell.name] or list(scene.board.cells)
    ends = max(combinations(cells[:60], 2), key=lambda pair: pair[0].hex.distance(pair[1].hex), default=cells[:1])
    third = max(cells, key=lambda cell: min(cell.hex.distance(end.hex) for end in ends))
    three = sorted((*ends, third), key=lambda cell: cell.hex)
    return "; ".join(f"{cell.hex} {square}" for cell, square in zip(three, SQUARES, strict=False))


def _parse_squares(text: str, grid: photo_grid.Grid = photo_grid.COARSE) -> list[Square]:
    """Return the three squares in a text. Raises UserError."""
    try:
        return photo_grid.parse_squares(text, grid, COUNT)
    except ValueError as error:
        raise UserError(f"{error} Nothing was changed.") from None
