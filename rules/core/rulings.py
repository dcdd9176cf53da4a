"""Options of a system's games: each a value with its rule, its mark, what it means, and the bounds of a number."""

from typing import Any

from pydantic import Field
from pydantic.config import JsonDict

from .model import Mark


def printed(default: Any, rule: str, description: str, least: float | None = None, most: float | None = None) -> Any:
    """A printed value, from which an umpire may depart."""
    return _option(Mark.TEXT, default, rule, description, least, most)


def ruling(default: Any, rule: str, description: str, least: float | None = None, most: float | None = None) -> Any:
    """A value that settles what the source leaves open."""
    return _option(Mark.RULING, default, rule, description, least, most)


def house(default: Any, rule: str, description: str, least: float | None = None, most: float | None = None) -> Any:
    """A value of a house rule."""
    return _option(Mark.HOUSE, default, rule, description, least, most)


def _option(mark: Mark, default: Any, rule: str, description: str, least: float | None, most: float | None) -> Any:
    extra: JsonDict = {"rule": rule, "mark": mark.value}
    return Field(default=default, description=description, ge=least, le=most, json_schema_extra=extra)
