"""The pieces of terrain that a previewed action changes, and what the rules say about each piece."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.errors import UserError
from bot.journal.game import Game
from rules.core.catalog import TerrainEffect
from rules.core.hexboard.hex_scene import HexScene
from rules.core.model import Viewer
from rules.core.scene import TerrainPiece
from rules.core.state import State
from rules.core.tabletop.squares import spot_name
from rules.core.tabletop.terrain import describe_piece, mean_point, piece_index_by_name

from .map_previews import Preview

ON_HEXES = "{system} is played on hexes: its ground is printed on the map."


@dataclass(frozen=True)
class TerrainChange:
    """A new or changed piece of terrain. `meanings` are the effects that the rules give to this kind of terrain."""

    name: str
    piece: TerrainPiece
    meanings: Sequence[TerrainEffect]
    moved_to: str = ""
    """New position of a moved piece's middle, in words."""

    @property
    def description(self) -> str:
        """The kind, size and place of the piece: `hill, 12" x 8", C3`."""
        return describe_piece(self.piece)


def list_terrain(game: Game, state: State, viewer: Viewer) -> tuple[TerrainPiece, ...]:
    """Return the pieces of terrain in the view of `viewer`. Raises UserError on a map of hexes."""
    scene = game.ruleset.scene(state, viewer)
    if isinstance(scene, HexScene):
        raise UserError(ON_HEXES.format(system=game.ruleset.title))
    return scene.terrain


def list_terrain_changes(preview: Preview) -> Sequence[TerrainChange]:
    """Return the pieces that the previewed action adds or changes; none in a game without positions."""
    if not preview.after.keeps_positions:
        return ()
    before, after = (list_terrain(preview.game, state, preview.viewer) for state in (preview.before, preview.after))
    pairs = (
        (name, before[at] if at < len(before) else None, after[at])
        for name, at in piece_index_by_name(after).items()
        if at >= len(before) or before[at] != after[at]
    )
    meanings = preview.game.ruleset.places.terrain_meanings(preview.game.state)
    return [
        TerrainChange(name, piece, meanings.get(piece.feature, ()), _describe_new_place(old_piece, piece))
        for name, old_piece, piece in pairs
    ]


def _describe_new_place(old_piece: TerrainPiece | None, piece: TerrainPiece) -> str:
    spot = spot_name(mean_point(piece.points))
    return "" if old_piece is None or spot_name(mean_point(old_piece.points)) == spot else spot
