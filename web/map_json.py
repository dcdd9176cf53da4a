"""Convert a scene to JSON for the page: the map, and the units in one viewer's view."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from render.hexmap.plane import hex_centre
from render.palette import USUAL_COLOURS
from rules.core.hexboard.hex_scene import Course, HexScene, Scene, Track
from rules.core.scene import TableScene
from rules.core.state import Side

from .ground import ground_name, map_box

Json = Mapping[str, Any]


def map_json(scene: Scene, photograph: bytes | None = None) -> Json:
    """Return the map without units: its rectangle and ground, and the hexes and notes of a map of hexes."""
    box = map_box(scene)
    common = {
        "left": round(box.left, 2),
        "top": round(box.top, 2),
        "width": round(box.width, 2),
        "height": round(box.height, 2),
        "ground": ground_name(scene, photograph),
        "title": scene.title,
        "alt": scene.alt,
    }
    if isinstance(scene, HexScene):
        cells = [(*_round_point(hex_centre(cell.hex)), cell.hex.label, cell.name) for cell in scene.board.cells]
        return {"kind": "hexes", **common, "hexes": cells, "notes": [*_notes_json(scene)]}
    goals = [
        {"name": goal.name, "at": _round_point(goal.at), "within": goal.within, "side": goal.side}
        for goal in scene.goals
    ]
    return {"kind": "table", **common, "goals": goals}


def sides_json(sides: Iterable[Side]) -> Sequence[Json]:
    """Return the sides, each with the colour and shape of its bases."""
    looks = USUAL_COLOURS.sides
    side_looks = ((side, looks[side.index % len(looks)]) for side in sides)
    return [
        {
            "id": side.id,
            "name": side.name,
            "colour": css_colour(look.colour),
            "fill": css_colour(look.fill),
            "solid": look.solid,
            "shape": look.shape,
        }
        for side, look in side_looks
    ]


def units_json(scene: Scene) -> Sequence[Json]:
    """Return the units on the map: their bases on a table, or their counters on hexes."""
    return [*_counters_json(scene)] if isinstance(scene, HexScene) else [*_bases_json(scene)]


def arrows_json(scene: Scene) -> Sequence[Json]:
    """Return the lines that the scene draws for moves and attacks."""
    if isinstance(scene, HexScene):
        return [_track_json(track) for track in scene.tracks]
    ends = [(arrow, [_round_point(arrow.start), _round_point(arrow.end)]) for arrow in scene.arrows]
    return [{"kind": arrow.kind, "side": arrow.side, "points": points} for arrow, points in ends]


def _track_json(track: Track) -> Json:
    """Return the path of a move over hexes, with the stops of a planned move."""
    line = {"kind": track.kind, "side": track.side, "points": [_round_point(hex_centre(at)) for at in track.hexes]}
    stops = track.stops if isinstance(track, Course) else ()
    return (
        {**line, "stops": [(*_round_point(hex_centre(stop.hex)), stop.time, stop.rest) for stop in stops]}
        if stops
        else line
    )


def _notes_json(scene: HexScene) -> Iterable[Json]:
    for note in scene.notes:
        yield {
            "at": _round_point(hex_centre(note.hex)),
            "hex": note.hex.label,
            "kind": note.kind.value,
            "text": note.text,
            "side": note.side,
            "words": note.words,
            "battle": note.battle,
        }


def attack_lines_json(attacks: Iterable[tuple[str, str]], units: Sequence[Json]) -> Sequence[Json]:
    """Return a line from each attacker to its target, if both are in `units`.

    `attacks` are pairs of unit ids. `units` is a result of `units_json`.
    """
    on_map = {unit["id"]: unit for unit in units if "at" in unit}
    pairs = [(on_map[unit], on_map[target]) for unit, target in attacks if unit in on_map and target in on_map]
    return [
        {"kind": "attack", "side": unit["side"], "points": [unit["at"], target["at"]]}
        for unit, target in pairs
        if unit["at"] != target["at"]
    ]


def _bases_json(scene: TableScene) -> Iterable[Json]:
    for base in scene.bases:
        yield {
            "id": base.unit,
            "name": base.name,
            "short": base.short,
            "side": base.side,
            "symbol": base.symbol.value,
            "at": _round_point(base.at),
            "facing": round(base.facing, 2),
            "frontage": round(base.frontage, 2),
            "depth": round(base.depth, 2),
            "strength": base.strength,
            "kills": base.kills,
            "hidden": base.hidden,
            "letter": base.letter,
            "markers": [marker.value for marker in base.markers],
            "figures": [(*_round_point(figure.at), round(figure.frontage, 2)) for figure in base.figures],
        }


def _counters_json(scene: HexScene) -> Iterable[Json]:
    for stack in scene.stacks:
        for place, counter in enumerate(stack.counters):
            yield {
                "id": counter.unit,
                "name": counter.name,
                "side": counter.side,
                "symbol": counter.symbol.value if counter.symbol is not None else "",
                "at": _round_point(hex_centre(stack.hex)),
                "hex": stack.hex.label,
                "place": place,
                "of": len(stack.counters),
                "left": counter.left,
                "middle": counter.middle,
                "right": counter.right,
                "formation": counter.formation,
                "down": counter.face_down,
                "pips": counter.pips,
                "old": counter.is_old,
                "markers": [marker.value for marker in counter.markers],
            }


def _round_point(at: tuple[float, float]) -> tuple[float, float]:
    return round(at[0], 2), round(at[1], 2)


def css_colour(colour: Sequence[int]) -> str:
    """Return a colour as CSS writes it: `#d8c9a3`."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
