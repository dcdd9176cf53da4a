"""Terrain put on a table by the umpire's commands, for the tests of the systems."""

from typing import Any

from rules.core.dice import NoDice
from rules.core.ruleset import Ruleset
from rules.core.state import S


def after_action(system: Ruleset[S], state: S, kind: str, **args: Any) -> S:
    """Return the table after a terrain command of the umpire."""
    return system.act(state, system.parse(kind, args), NoDice())[0]


def with_rectangle(system: Ruleset[S], state: S, feature: str, at: str, size: str, **fields: Any) -> S:
    """Return the table with a rectangle of terrain around a place."""
    return after_action(system, state, "terrain_add", feature=feature, shape="rectangle", at=at, size=size, **fields)


def with_line(system: Ruleset[S], state: S, feature: str, at: str, **fields: Any) -> S:
    """Return the table with a line of terrain through these points."""
    return after_action(system, state, "terrain_add", feature=feature, shape="line", at=at, **fields)
