"""Options of a game: each has a description, and is printed, a ruling or a house rule."""

from functools import partial
from typing import Any

from pydantic import Field
from pydantic.config import JsonDict

from .model import Mark, Model


def _declare_option(
    mark: Mark, default: Any, rule: str, description: str, least: float | None = None, most: float | None = None
) -> Any:
    extra: JsonDict = {"rule": rule, "mark": mark.value}
    return Field(default=default, description=description, ge=least, le=most, json_schema_extra=extra)


printed = partial(_declare_option, Mark.TEXT)
"""Declare an option with a printed value, which an umpire may change."""
ruling = partial(_declare_option, Mark.RULING)
"""Declare an option that settles what the source leaves open."""
house = partial(_declare_option, Mark.HOUSE)
"""Declare an option of a house rule."""


class Options(Model):
    """A game's rulings and house values. Each field has a description; `json_schema_extra` holds the rule and mark."""

    throw_at_once: bool = house(
        True,
        "the umpire",
        "Tests and moves without a choice follow at once; else each waits for its button.",
    )
