"""Play without positions: the figures stand on a real table, and people measure there.

Positions are a choice made when a game starts, stored among the choices of its scenario.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from rules.core.refusal import Refused
from rules.core.state import Unit
from rules.core.typed_text import exact_form

from .battle import KEPT, NONE, POSITIONS, Place, TableState

S = TypeVar("S", bound=TableState[Any])

NOTHING_IS_PUT = (
    "No positions are kept in this game: figures and ground are on your own table, and nothing is put anywhere here. "
    "{instead}"
)
INSTEAD = "Say distances as they are asked: /fire unit: target: range:9, /move unit: to:forward 6."
IN_SET_UP = "/army add, /army write and /unit add put units on the list; /turn next begins the battle."


def split_choices(choices: Mapping[str, str]) -> tuple[bool, dict[str, str]]:
    """Return whether positions are kept, and the other choices. Raises Refused on an unknown value."""
    others = {name: value for name, value in choices.items() if name != POSITIONS}
    chosen = exact_form(choices.get(POSITIONS, KEPT))
    if chosen not in (KEPT, NONE):
        raise Refused(f"positions: “{chosen[:40]}” is none of {KEPT} and {NONE}.")
    return chosen == KEPT, others


def without_places(state: S) -> S:
    """Return the state without units' places and ground. Its choices say that no positions are kept."""
    return state.model_copy(
        update={
            "choices": {**state.choices, POSITIONS: NONE},
            "units": {unit: _without_place(each) for unit, each in state.units.items()},
            "hidden": {unit: _without_place(each) for unit, each in state.hidden.items()},
            "markers": {},
            "terrain": (),
        }
    )


def places_of(unit: Unit) -> tuple[str, ...]:
    """Return the fields of the unit that hold a place."""
    return tuple(field for field, value in unit if isinstance(value, Place))


def require_no_place(state: TableState[Any]) -> None:
    """Raise Refused if an action places something in a game without positions."""
    if state.keeps_positions:
        return
    placed = any(places_of(unit) for unit in state.every_unit.values())
    if placed or state.markers or state.terrain:
        raise Refused(NOTHING_IS_PUT.format(instead=INSTEAD if state.setting_up is None else IN_SET_UP))


def _without_place(unit: Any) -> Any:
    return unit.model_copy(update=dict.fromkeys(places_of(unit)))
