"""Look up a part of a hex map by name: a hex `2411`, a span `2208-2616`, a place or a unit."""

import re

from render.area_lookup import find_by_name
from render.geometry import Box
from rules.core.hexboard.hex_scene import Counter, HexScene
from rules.core.hexboard.hexes import Hex
from rules.core.typed_text import simplify_signs

from .land_shapes import KeyedBoard, board_box
from .plane import box_around_hexes, hex_centre

AROUND = 3.0
"""Margin in hexes around a looked-up place."""
_SPAN = re.compile(r"(\d{4})(?:\s*(?:-|to|:)\s*(\d{4}))?", re.IGNORECASE)


def map_box(scene: HexScene) -> Box:
    """Return the box of the whole map in the hexes' plane."""
    return board_box(KeyedBoard(scene.board.key, scene.board))


def find_area(scene: HexScene, text: str) -> Box:
    """Return the box, in the hexes' plane, of the hex, span, place or unit that `text` names.

    Raises ValueError, with the allowed names, for other text.
    """
    query = simplify_signs(text).strip()
    board, hexes = map_box(scene), [cell.hex for cell in scene.board.cells]
    example = f"{hexes[0].label}-{hexes[len(hexes) // 2].label}"
    allowed = f"a hex ({min(hexes).label} to {max(hexes).label}), a span such as {example}, a place, or a unit"
    span = _SPAN.fullmatch(query)
    if span is None:
        hex_ = find_by_name(query, [*_named_places(scene), *_named_units(scene)], allowed)
        return box_around_hexes([hex_]).grow(AROUND).clip_to(board)
    ends = [Hex.from_label(label) for label in span.groups() if label]
    if not set(ends).issubset(hexes):
        raise ValueError(f"“{query}” is not on this map. Give {allowed}.")
    return box_around_hexes(ends).grow(AROUND if len(ends) == 1 else 0).clip_to(board)


def list_areas(scene: HexScene) -> list[tuple[str, str]]:
    """Return the names that `find_area` accepts, with labels for completion: units, places, hexes."""
    names = [(unit, f"around {name}") for unit, name, _ in _named_units(scene)]
    names += [(place, name) for place, name, _ in _named_places(scene)]
    return names + [(cell.hex.label,) * 2 for cell in scene.board.cells]


def describe_area(scene: HexScene, area: Box) -> str:
    """Return the alternative text of a picture of `area`, which lists the units there."""
    standing = [
        f"{', '.join(counter_name(counter) for counter in stack.counters)} in {stack.hex.label}"
        for stack in scene.stacks
        if stack.counters and area.contains(hex_centre(stack.hex))
    ]
    return f"{scene.title}, a part of the map. On it: {'; '.join(standing) or 'nobody'}."


def counter_name(counter: Counter) -> str:
    """Return a counter's name with its formation, or `a face-down counter`."""
    if counter.face_down:
        return "a face-down counter"
    return counter.name if counter.formation in counter.name else f"{counter.name} {counter.formation}".strip()


def _named_units(scene: HexScene) -> list[tuple[str, str, Hex]]:
    visible = ((stack.hex, counter) for stack in scene.stacks for counter in stack.counters if not counter.face_down)
    return [(counter.unit, counter_name(counter), hex_) for hex_, counter in visible]


def _named_places(scene: HexScene) -> list[tuple[str, str, Hex]]:
    across = [(name.name, name.name, name.hex) for name in scene.board.names]
    return across + [(cell.name, cell.name, cell.hex) for cell in scene.board.cells if cell.name]
