"""`/terrain`: the umpire puts pieces of ground on a table in inches, moves, turns and removes them; paints hexes."""

from typing import TypeAlias

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.games.terrain_changes import list_terrain
from bot.journal.game import Game
from rules.core.hexboard.painting import PAINT
from rules.core.scene import TerrainPiece
from rules.core.tabletop.terrain import LONGEST, Shape, describe_piece, piece_index_by_name
from rules.core.tabletop.terrain_lines import LONGEST_LIST

from .kit import reply
from .kit.cards.card import Card, safe
from .kit.command_traits import offer_in_servers
from .kit.game_actions import perform_action
from .kit.lookup import completion, field_completion
from .kit.lookup.notes import add_note, strip_note
from .kit.option_types import Name, Words
from .kit.panels import lay_out
from .kit.panels.map_preview import show_preview
from .kit.request import Interaction, game_of

Degrees: TypeAlias = app_commands.Range[float, -360.0, 360.0]
MOST_PAINTED = 3000
"""Maximum characters of the typed list of hexes to paint."""
MOST_WORDS = 500
"""Maximum characters of the typed points of a polygon or line."""
NOTHING = "The table is bare. `/terrain add` puts a piece on."


def visible_terrain(game: Game, user: int) -> tuple[TerrainPiece, ...]:
    """Return the pieces of terrain that the user sees. Raises UserError on a map of hexes."""
    return list_terrain(game, game.state, game.viewer(user))


@completion.safe_completer
async def complete_pieces(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `piece` with the table's terrain."""
    terrain = visible_terrain(await game_of(interaction), interaction.user.id)
    return completion.match_values(current, piece_index_by_name(terrain))


@completion.game_completer
def complete_terrain_kinds(game: Game) -> completion.NamedValues:
    """Complete `kind` with the kinds of terrain that have a meaning in the game's rules. Choices show the meaning."""
    kinds = game.ruleset.places.terrain_meanings(game.state)
    return ((kind.value, add_note(str(kind), "; ".join(map(str, meanings)))) for kind, meanings in kinds.items())


@completion.game_completer
def complete_paint_kinds(game: Game) -> completion.NamedValues:
    """Complete `kind` with the kinds of terrain that may be painted on hexes now. Choices show the kind's letter."""
    kinds = game.ruleset.paint_kinds(game.state) if game.ruleset.paint_kinds is not None else ()
    return ((kind.word, add_note(kind.word, kind.letter)) for kind in kinds)


@offer_in_servers
class TerrainCog(commands.GroupCog, group_name="terrain", group_description="The ground of this table"):
    """The commands `/terrain`."""

    @app_commands.command()
    @app_commands.describe(
        kind="The kind of ground: those that mean anything in this game's rules, and what each means",
        shape="Its shape",
        at="Its middle, such as “C2 NW” or “30,12”; for a polygon or line its points: “C2; 30,12; D3”",
        size="Size of an ellipse or rectangle, such as “12 x 8”",
        width="Of a line: inches across",
        turned="Degrees that it is turned, clockwise",
        name="What it is called",
    )
    @app_commands.choices(
        shape=[app_commands.Choice(name=shape.value, value=shape.value) for shape in Shape],
    )
    @app_commands.autocomplete(kind=complete_terrain_kinds)
    async def add(
        self,
        interaction: Interaction,
        kind: Name,
        shape: str,
        at: app_commands.Range[str, 1, MOST_WORDS],
        size: Words | None = None,
        width: app_commands.Range[float, 0.1, 240.0] | None = None,
        turned: Degrees | None = None,
        name: app_commands.Range[str, 1, LONGEST] | None = None,
    ) -> None:
        """For the umpire: put a piece of terrain on the table. You see it first."""
        args = {"feature": strip_note(kind), "shape": shape, "at": at, "size": size, "width": width}
        await show_preview(interaction, "terrain_add", {**args, "turned": turned, "name": name})

    @app_commands.command()
    @app_commands.describe(lines="Pieces of ground, by semicolons or lines; leave it out for a form with the armies")
    async def write(
        self, interaction: Interaction, lines: app_commands.Range[str, 1, LONGEST_LIST] | None = None
    ) -> None:
        """For the umpire: write all the ground, and the armies, in one form. You see the table first."""
        game = await game_of(interaction)
        if lines is None:
            await lay_out.open_layout_form(interaction, game)
        else:
            await lay_out.show_layout(interaction, game, lay_out.TypedLayout(lines, {}))

    @app_commands.command()
    @app_commands.describe(piece="The piece", to="Where its middle goes, such as “C2 NW” or “30,12”")
    @app_commands.autocomplete(piece=complete_pieces, to=field_completion.complete_place_names)
    async def move(self, interaction: Interaction, piece: Name, to: Words) -> None:
        """For the umpire: move a piece of terrain. You see it first."""
        await show_preview(interaction, "terrain_move", {"piece": piece, "to": to})

    @app_commands.command()
    @app_commands.describe(piece="The piece", degrees="How far, clockwise; less than 0 is the other way")
    @app_commands.autocomplete(piece=complete_pieces)
    async def turn(self, interaction: Interaction, piece: Name, degrees: Degrees) -> None:
        """For the umpire: turn a piece of terrain about its middle. You see it first."""
        await show_preview(interaction, "terrain_turn", {"piece": piece, "degrees": degrees})

    @app_commands.command()
    @app_commands.describe(piece="The piece")
    @app_commands.autocomplete(piece=complete_pieces)
    async def remove(self, interaction: Interaction, piece: Name) -> None:
        """For the umpire: take a piece of terrain off the table."""
        await perform_action(interaction, "terrain_remove", {"piece": piece})

    @app_commands.command()
    @app_commands.describe(
        kind="Terrain by its name or letter, or a road, river, ford or bridge",
        at="Hexes, such as “1406 1407-1508”; for a river its hexsides, such as “1406/1407 1407/1507”",
        name="Name of the road or river",
    )
    @app_commands.autocomplete(kind=complete_paint_kinds)
    async def paint(
        self,
        interaction: Interaction,
        kind: Name,
        at: app_commands.Range[str, 1, MOST_PAINTED],
        name: app_commands.Range[str, 1, LONGEST] | None = None,
    ) -> None:
        """For the umpire: paint a campaign's map of hexes, until its first day ends."""
        game = await game_of(interaction)
        if game.ruleset.paint_kinds is None:
            title = game.ruleset.title
            raise UserError(f"{title} has no map to paint: /terrain paint is for the maps of campaigns.")
        await perform_action(interaction, PAINT, {"what": strip_note(kind), "at": at, "name": name or ""})

    @app_commands.command(name="list")
    async def list_(self, interaction: Interaction) -> None:
        """What lies on this table, and where."""
        game = await reply.wait_for(interaction, game_of(interaction), private=True)
        terrain = visible_terrain(game, interaction.user.id)
        pieces = {name: terrain[index] for name, index in piece_index_by_name(terrain).items()}
        lines = [f"- **{safe(name)}**: {describe_piece(piece)}" for name, piece in pieces.items()]
        await reply.send(interaction, Card().text("\n".join(lines) or NOTHING), private=True)
