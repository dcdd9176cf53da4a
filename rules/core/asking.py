"""What questions asked without a game have in common: the names they take, and whole numbers."""

from collections.abc import Collection, Mapping
from typing import Any

from .refused import Refused


def only(kind: str, given: Mapping[str, Any], taken: Collection[str]) -> None:
    """Whether nothing is given that the question does not take. Raises Refused with what it takes."""
    for name in given:
        if name not in taken:
            raise Refused(f"Without a game, {kind} takes {', '.join(taken)} and with. Leave out “{name[:40]}”.")


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
