"""What the journal keeps of a decision that the bot took itself, so that it can be thought again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import Through


@dataclass(frozen=True)
class Memory:
    """What the bot remembers of a side's turn: the units it has done with, and how many things the others have done."""

    through: tuple[Through, ...] = ()
    acted: Mapping[Through, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Thinking:
    """For which side it was taken and at which level; `through` are the units it had done with until then.

    `overruled`: the umpire chose otherwise than it had.
    """

    side: str
    level: Level
    through: tuple[Through, ...] = ()
    overruled: bool = False

    def stored(self) -> dict[str, Any]:
        """As a column has it."""
        through = [list(one) for one in self.through]
        return {"side": self.side, "level": self.level.value, "through": through, "overruled": self.overruled}


def thinking_of(stored: dict[str, Any] | None) -> Thinking | None:
    """What a column has; None where the bot decided nothing."""
    if stored is None:
        return None
    through = tuple((turn, phase, name) for turn, phase, name in stored["through"])
    return Thinking(stored["side"], Level(stored["level"]), through, stored["overruled"])


def seed(origin: str, base: int, level: Level) -> str:
    """What the bot's own dice follow from: the game, the entry whose state is thought about, and the level.

    `origin` is the tag of the game's first seed, which is the same where the game was imported.
    """
    return f"{origin}:{base}:{level}"
