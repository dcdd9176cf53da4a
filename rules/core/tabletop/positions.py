"""Games without positions: the figures stand on a real table, and people measure the distances.

The choice is made when a game starts, and stored among its scenario's choices.
"""

from collections.abc import Mapping
from typing import Any

from rules.core.refusal import Refused
from rules.core.state import Unit
from rules.core.typed_text import normalize_text

from .battle import KEPT, NONE, POSITIONS, Place, S, TableState

NOTHING_IS_PUT = (
    "No positions are kept in this game: figures and ground are on your own table, and nothing is put anywhere here. "
    "{instead}"
)
INSTEAD = "Say distances as they are asked: /fire unit: target: range:9, /move unit: to:forward 6."
IN_SET_UP = "/army add, /army write and /unit add put units on the list; /turn next begins the battle."


def split_off_positions_choice(choices: Mapping[str, str]) -> tuple[bool, dict[str, str]]:
    """Return whether the game keeps positions, and the scenario's other choices. Raises Refused for a wrong value."""
    other_choices = {name: value for name, value in choices.items() if name != POSITIONS}
    chosen = normalize_text(choices.get(POSITIONS, KEPT))
    if chosen not in (KEPT, NONE):
        raise Refused(f"positions: “{chosen[:40]}” is none of {KEPT} and {NONE}.")
    return chosen == KEPT, other_choices


def remove_positions(state: S) -> S:
    """Return the state without markers, terrain and units' places, for a game without positions."""
    return state.model_copy(
        update={
            "choices": {**state.choices, POSITIONS: NONE},
            "units": {unit_id: _remove_places(unit) for unit_id, unit in state.units.items()},
            "hidden": {unit_id: _remove_places(unit) for unit_id, unit in state.hidden.items()},
            "markers": {},
            "terrain": (),
        }
    )


def position_field_names(unit: Unit) -> tuple[str, ...]:
    """Return the names of the unit's fields that hold a place."""
    return tuple(field for field, value in unit if isinstance(value, Place))


def require_no_place(state: TableState[Any]) -> None:
    """Raise Refused if a game without positions has a placed unit, a marker or terrain."""
    if state.keeps_positions:
        return
    has_places = any(position_field_names(unit) for unit in state.every_unit.values())
    if has_places or state.markers or state.terrain:
        raise Refused(NOTHING_IS_PUT.format(instead=INSTEAD if state.setting_up is None else IN_SET_UP))


def _remove_places(unit: Any) -> Any:
    return unit.model_copy(update=dict.fromkeys(position_field_names(unit)))
