"""Ground that the umpire's commands put on a table, for the tests of systems: what is done is done by the system."""

from typing import Any, TypeVar

from rules.core.dice import NoDice
from rules.core.ruleset import Ruleset
from rules.core.state import State

S = TypeVar("S", bound=State)


def done(system: Ruleset[S], state: S, kind: str, **args: Any) -> S:
    """The table after something that the umpire does with its ground."""
    return system.act(state, system.parse(kind, args), NoDice())[0]


def laid(system: Ruleset[S], state: S, feature: str, at: str, size: str, **more: Any) -> S:
    """The table with a rectangle of ground round a place."""
    return done(system, state, "terrain_add", feature=feature, shape="rectangle", at=at, size=size, **more)


def drawn(system: Ruleset[S], state: S, feature: str, at: str, **more: Any) -> S:
    """The table with a line of ground through these points."""
    return done(system, state, "terrain_add", feature=feature, shape="line", at=at, **more)
