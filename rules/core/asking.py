"""What questions asked without a game have in common: whole numbers, and a throwaway table."""

from collections.abc import Mapping
from typing import Any, TypeVar

from .refused import Refused
from .state import Side, State, Unit

S = TypeVar("S", bound=State)

OURS, THEIRS = "ours", "theirs"


def whole(given: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """The whole number given under that name. Raises Refused on anything else, or out of bounds."""
    said = given[name]
    try:
        value = int(said)
    except (TypeError, ValueError, OverflowError):
        value = None
    if value is None or isinstance(said, bool) or (isinstance(said, float) and said != value):
        raise Refused(f"{name}: “{str(said)[:20]}” is no whole number. Give {low} to {high}.")
    if not low <= value <= high:
        raise Refused(f"{name}: {str(said)[:20]} is out of bounds. Give {low} to {high}.")
    return value


def throwaway(state_type: type[S], *units: Unit, **more: Any) -> S:
    """A table of these units, ours to move; `more` are further fields of the state."""
    sides = (Side(id=OURS, name="Ours", index=0), Side(id=THEIRS, name="Theirs", index=1))
    return state_type(scenario="", sides=sides, active=OURS, units={unit.id: unit for unit in units}, **more)
