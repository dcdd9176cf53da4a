"""Build the view of a seat: everything that the page shows, as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.order_sheets.model import StoredSheet
from rules.core.hexboard.hex_scene import Scene
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset, describe_strengths, describe_tally
from rules.core.state import State
from rules.core.wording import join_with_and

from .dispatches import dispatches_json
from .map_json import arrows_json, map_json, sides_json, units_json
from .sessions import PageSeat
from .sheet_json import prompts_json, sheet_json

Json = Mapping[str, Any]


def view_json(seat: PageSeat, stored: StoredSheet | None) -> Json:
    """Return the seat's view: game, map, units, prompts, order sheet, awaited sides, and dispatches."""
    game, viewer, system = seat.game, seat.viewer, seat.game.ruleset
    names = {side.id: side.name for side in seat.state.sides}
    scene = system.scene(seat.state, viewer)
    return {
        "progress": seat.progress,
        "game": {
            "id": game.id,
            "name": game.name,
            "system": system.title,
            "turn": seat.state.turn_title_with_total,
            "over": "" if seat.state.over is None else seat.state.over.why,
            "ended": game.ended is not None,
            "tally": describe_tally(system, seat.view),
        },
        "seat": {
            "role": seat.role,
            "side": viewer if viewer in names else "",
            "sideName": names.get(viewer, ""),
            "mayOrder": stored is not None,
            "orders": seat.order_side,
            "represents": sorted(seat.view.sides_represented_by(seat.order_side)),
        },
        "sides": sides_json(seat.state.sides),
        "map": _view_map_json(seat, scene),
        "units": [*_units_with_cards(system, seat.state, viewer, units_json(scene))],
        "arrows": arrows_json(scene),
        "prompts": prompts_json(game, viewer),
        "sheet": None if stored is None else sheet_json(game, stored),
        "acting": list(seat.state.acting_sides),
        "waiting": describe_awaited_sides(seat),
        "dispatches": dispatches_json(seat, is_own=stored is not None),
        "strengths": dict(describe_strengths(system, seat.state, viewer)),
    }


def _view_map_json(seat: PageSeat, scene: Scene) -> Json:
    """Return the map as JSON. Its kind is `none` for a game without positions or photograph.

    The key `ways` tells whether players draw the paths of moves.
    """
    if not seat.state.keeps_positions and seat.game.photograph is None:
        return {"kind": "none", "ground": "", "title": scene.title}
    return {**map_json(scene, seat.game.photograph), "ways": seat.game.ruleset.places.draws_ways}


def _units_with_cards(system: Ruleset[Any], state: State, viewer: Viewer, units: Sequence[Json]) -> Sequence[Json]:
    """Return the units on the map, then the viewer's other known units, each with the first line of its card."""
    cards = {card.id: card for card in system.roster(state, viewer)}
    on_map = [{**unit, "line": cards[unit["id"]].line if unit["id"] in cards else ""} for unit in units]
    placed_ids = {unit["id"] for unit in units}
    off_map = [card for card in cards.values() if card.id not in placed_ids]
    return [*on_map, *({"id": card.id, "name": card.name, "side": card.side, "line": card.line} for card in off_map)]


def describe_awaited_sides(seat: PageSeat) -> str:
    """Return a sentence about the sides for which the game waits."""
    game, state = seat.game, seat.state
    if game.ended is not None or state.over is not None:
        return "The game is over."
    sides = [side for side in state.sides if side.id in game.all_awaited_sides]
    if seat.order_side in {side.id for side in sides}:
        return "It is your turn." if len(sides) == 1 else "The game waits for you and others."
    return f"Waiting for {join_with_and(f'{side:the}' for side in sides)}." if sides else "Nobody is waited for."
