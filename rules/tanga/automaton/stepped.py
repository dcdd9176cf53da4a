"""One small step of the British turn, and the marks it leaves of how far that turn has come (TA-2, TA-H.0)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rules.core.hexboard.hexes import Hex
from rules.core.play import Play
from rules.core.wording import in_a_row
from rules.tanga.decisions import Decision
from rules.tanga.field import acting_order
from rules.tanga.in_words import short_name
from rules.tanga.model import TangaState, TangaUnit


@dataclass(frozen=True)
class Stepped:
    """What a step came to. `told` is its clause of the headline, where it is worth one."""

    decision: Decision | None = None
    told: str = ""
    joined: str = ""
    """The clause as it goes when several stacks did the same: `advance towards entry hex 2516 (TA-9.A)`."""


StageRule: TypeAlias = Callable[[Play[TangaState], str, Hex | None], Stepped | None]
"""Takes the next step of a stage for the formation of that id, the umpire's word in place of what it decides.

None when it has nothing (more) to do there.
"""


def british(state: TangaState, **changed: Any) -> TangaState:
    """The state with those fields of the British turn changed."""
    return state.model_copy(update={"british": state.british.model_copy(update=changed)})


def mark(play: Play[TangaState], **changed: Any) -> None:
    """Changes fields of the British turn."""
    play.state = british(play.state, **changed)


def acted(play: Play[TangaState], units: Iterable[str]) -> None:
    """Those units have had their turn in this stage."""
    mark(play, acted=tuple(dict.fromkeys((*play.state.british.acted, *units))))


def in_order(state: TangaState, units: Iterable[TangaUnit]) -> list[TangaUnit]:
    """Units as they act, the lead first (TA-2)."""
    return sorted(units, key=lambda unit: acting_order(state, unit))


def ids(units: Iterable[TangaUnit]) -> tuple[str, ...]:
    """Their ids."""
    return tuple(unit.id for unit in units)


def names(state: TangaState, units: Sequence[TangaUnit]) -> str:
    """`A, B and Leader 1`: without the name of their formation."""
    return in_a_row(short_name(state, unit) for unit in units) or "nobody"


def plural(units: Sequence[object], one: str, more: str) -> str:
    """The verb that fits so many."""
    return one if len(units) == 1 else more
