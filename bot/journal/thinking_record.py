"""Record of a bot decision in the journal, for repeating the decision."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import TypeAdapter

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import UnitInPhase


@dataclass(frozen=True)
class TurnMemory:
    """What the bot remembers of a side's turn: finished units (`through`), and how often each unit `acted`."""

    through: tuple[UnitInPhase, ...] = ()
    acted: Mapping[UnitInPhase, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ThinkingRecord:
    """How the bot reached a decision: its side, its level, and the units it had finished (`through`).

    `overruled`: the umpire replaced the bot's decision.
    """

    side: str
    level: Level
    through: tuple[UnitInPhase, ...] = ()
    overruled: bool = False


THINKING: TypeAdapter[ThinkingRecord | None] = TypeAdapter(ThinkingRecord | None)
"""Reads and writes the JSON column `thought`; None for an entry without a decision of the bot."""


def derive_bot_seed(origin: str, base: int, level: Level) -> str:
    """Return the seed of the bot's own dice for a decision at `level` from the state of entry `base`.

    `origin` is the tag of the game's first seed; an imported game keeps the tag.
    """
    return f"{origin}:{base}:{level}"
