"""Record of a bot decision in the journal, for repeating the decision."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import UnitInPhase


@dataclass(frozen=True)
class Memory:
    """The bot's memory of a side's turn: finished units, and number of opposing actions."""

    through: tuple[UnitInPhase, ...] = ()
    acted: Mapping[UnitInPhase, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Thinking:
    """Side and level of a decision; `through` lists the units finished before.

    `overruled`: the umpire chose otherwise than it had.
    """

    side: str
    level: Level
    through: tuple[UnitInPhase, ...] = ()
    overruled: bool = False

    def stored(self) -> dict[str, Any]:
        """Return the record as a JSON column."""
        through = [list(one) for one in self.through]
        return {"side": self.side, "level": self.level.value, "through": through, "overruled": self.overruled}


def thinking_of(stored: dict[str, Any] | None) -> Thinking | None:
    """Return what a column has; None where the bot decided nothing."""
    if stored is None:
        return None
    through = tuple((turn, phase, name) for turn, phase, name in stored["through"])
    return Thinking(stored["side"], Level(stored["level"]), through, stored["overruled"])


def seed(origin: str, base: int, level: Level) -> str:
    """Return what the bot's own dice follow from: the game, the entry whose state is thought about, and the level.

    `origin` is the tag of the game's first seed, which is the same where the game was imported.
    """
    return f"{origin}:{base}:{level}"
