"""JSON for an umpire who changes the ground: kinds and pieces of terrain, or the paint of hexes."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.games.rights import require_umpire
from bot.games.terrain_changes import TerrainChange
from bot.journal.game import Game
from render.hexmap.looks import hex_look
from render.scenes import USUAL
from rules.core.catalog import TerrainEffect
from rules.core.hexboard.hex_scene import HexGround, HexScene
from rules.core.hexboard.painting import PaintKind
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop.terrain import describe_piece, piece_index_by_name
from rules.core.tabletop.terrain_words import terrain_kinds

from .map_json import css_colour
from .sessions import PageSeat
from .table_changes import require_table

Json = Mapping[str, Any]
MOST_NAMED = 4
"""Maximum number of points named in the description of a line."""
MEANS_NOTHING = "In {system} no rule asks for a {kind}: it is only drawn."


def terrain_json(seat: PageSeat) -> Json:
    """Return the kinds and pieces of terrain on a table, or the paint and terrain of a map of hexes.

    Raises NotAllowed unless the user is the umpire, Refused.
    """
    require_umpire(seat.game, seat.session.user, "change the ground")
    if paints := list_paint_kinds(seat.game):
        return _paint_json(seat, paints)
    table = require_table(seat.game)
    meanings = seat.game.ruleset.places.terrain_meanings(table)
    return {
        "kinds": [
            _kind_json(feature, meanings.get(feature, ()))
            for feature in sorted(Feature, key=lambda f: f not in meanings)
        ],
        "pieces": [_piece_json(name, table.terrain[at]) for name, at in piece_index_by_name(table.terrain).items()],
    }


def list_paint_kinds(game: Game) -> Sequence[PaintKind]:
    """Return the kinds of paint that the umpire may use on the game's hexes now."""
    return () if game.ruleset.paint_kinds is None else game.ruleset.paint_kinds(game.state)


def _paint_json(seat: PageSeat, kinds: Sequence[PaintKind]) -> Json:
    """Return the kinds of paint with their colours, and the terrain of each hex as a letter."""
    scene = seat.game.ruleset.scene(seat.state, seat.viewer)
    assert isinstance(scene, HexScene)
    look = hex_look(USUAL)
    colours = {**look.tints, HexGround.SEA: look.sea[0]}
    return {
        "kinds": [
            {
                "word": kind.word,
                "stroke": kind.stroke.value,
                "letter": kind.letter,
                "colour": "" if kind.ground is None else css_colour(colours[kind.ground]),
            }
            for kind in kinds
        ],
        "letters": {cell.hex.label: cell.letter for cell in scene.board.cells},
    }


def terrain_change_json(game: Game, change: TerrainChange) -> Json:
    """Return a new or changed piece of terrain, with lines about its effects in the rules."""
    lines = [f"{meaning} ({meaning.cite})" for meaning in change.meanings]
    if change.moved_to:
        lines.insert(0, f"It lies at {change.moved_to} now.")
    if not change.meanings:
        lines.append(MEANS_NOTHING.format(system=game.ruleset.title, kind=change.piece.feature.value))
    return {**_piece_json(change.name, change.piece), "lines": lines}


def _kind_json(feature: Feature, meanings: Sequence[TerrainEffect]) -> Json:
    """Return a kind of terrain as JSON.

    The key `matters` tells whether a rule mentions the kind, `line` whether it is a line, such as a road.
    """
    usual = next((kind for kind in terrain_kinds() if kind.feature is feature and not kind.crossing), None)
    line, width = (False, 1.0) if usual is None else (usual.line, usual.width)
    return {"feature": feature.value, "line": line, "width": width, "matters": bool(meanings)}


def _piece_json(name: str, piece: TerrainPiece) -> Json:
    return {
        "name": name,
        "words": _describe_piece(piece),
        "points": [(round(x, 2), round(y, 2)) for x, y in piece.points],
        "closed": piece.closed,
        "width": piece.width,
    }


def _describe_piece(piece: TerrainPiece) -> str:
    """Return the piece in words. For a line with many points, name only both ends."""
    if piece.closed or len(piece.points) <= MOST_NAMED:
        return describe_piece(piece)
    return describe_piece(piece.model_copy(update={"points": (piece.points[0], piece.points[-1])}))
