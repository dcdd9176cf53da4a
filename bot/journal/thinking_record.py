"""Record of a bot decision in the journal, for repeating the decision."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import UnitInPhase


@dataclass(frozen=True)
class Memory:
    """The bot's memory of a side's turn: finished units (`through`), and how often each unit acted (`acted`)."""

    through: tuple[UnitInPhase, ...] = ()
    acted: Mapping[UnitInPhase, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Thinking:
    """How the bot reached a decision: its side, its level, and the units it had finished (`through`).

    `overruled`: the umpire replaced the bot's decision.
    """

    side: str
    level: Level
    through: tuple[UnitInPhase, ...] = ()
    overruled: bool = False

    def to_column(self) -> dict[str, Any]:
        """Return the record as stored in the JSON column `thought`."""
        through = [list(one) for one in self.through]
        return {"side": self.side, "level": self.level.value, "through": through, "overruled": self.overruled}


def read_thinking(stored: dict[str, Any] | None) -> Thinking | None:
    """Parse the column `thought`; None for an entry without a decision of the bot."""
    if stored is None:
        return None
    through = tuple((turn, phase, name) for turn, phase, name in stored["through"])
    return Thinking(stored["side"], Level(stored["level"]), through, stored["overruled"])


def derive_seed(origin: str, base: int, level: Level) -> str:
    """Return the seed of the bot's own dice for a decision at `level` from the state of entry `base`.

    `origin` is the tag of the game's first seed; an imported game keeps the tag.
    """
    return f"{origin}:{base}:{level}"
