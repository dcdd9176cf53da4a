"""Record of a bot decision in the journal, for repeating the decision."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import TypeAdapter

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import UnitInPhase


@dataclass(frozen=True)
class TurnMemory:
    """What the bot remembers of a side's turn."""

    through: tuple[UnitInPhase, ...] = ()
    """Units that have finished the turn."""
    acted: Mapping[UnitInPhase, int] = field(default_factory=dict)
    """Number of actions of each unit."""


@dataclass(frozen=True)
class ThinkingRecord:
    """The facts from which a decision of the bot can be repeated."""

    side: str
    level: Level
    through: tuple[UnitInPhase, ...] = ()
    """Units that had finished the turn before the decision."""
    overruled: bool = False
    """Whether the umpire replaced the bot's decision."""


THINKING: TypeAdapter[ThinkingRecord | None] = TypeAdapter(ThinkingRecord | None)
"""Reads and writes the JSON column `thought`; None for an entry without a decision of the bot."""


def derive_bot_seed(origin: str, base: int, level: Level) -> str:
    """Return the seed of the bot's own dice for a decision in the state of entry `base`.

    `origin` is the tag of the game's first seed, which an imported game keeps.
    """
    return f"{origin}:{base}:{level}"
