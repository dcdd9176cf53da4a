"""Options of a system's games: each a value with its rule, its mark, what it means, and the bounds of a number."""

from functools import partial
from typing import Any

from pydantic import Field
from pydantic.config import JsonDict

from .model import Mark


def _option(
    mark: Mark, default: Any, rule: str, description: str, least: float | None = None, most: float | None = None
) -> Any:
    extra: JsonDict = {"rule": rule, "mark": mark.value}
    return Field(default=default, description=description, ge=least, le=most, json_schema_extra=extra)


printed = partial(_option, Mark.TEXT)
"""A printed value, from which an umpire may depart."""
ruling = partial(_option, Mark.RULING)
"""A value that settles what the source leaves open."""
house = partial(_option, Mark.HOUSE)
"""A value of a house rule."""
