"""Record of a bot decision in the journal, for repeating the decision."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import TypeAdapter

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import UnitInPhase


@dataclass(frozen=True)
class TurnMemory:
    """What the bot remembers of a side's turn.

    `through` are the units that have finished the turn. `acted` is the number of actions of each unit.
    """

    through: tuple[UnitInPhase, ...] = ()
    acted: Mapping[UnitInPhase, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ThinkingRecord:
    """How the bot came to a decision.

    The record has the side, the bot's level, and the units that had finished the turn (`through`). With `overruled`,
    the umpire replaced the bot's decision.
    """

    side: str
    level: Level
    through: tuple[UnitInPhase, ...] = ()
    overruled: bool = False


THINKING: TypeAdapter[ThinkingRecord | None] = TypeAdapter(ThinkingRecord | None)
"""Reads and writes the JSON column `thought`; None for an entry without a decision of the bot."""


def derive_bot_seed(origin: str, base: int, level: Level) -> str:
    """Return the seed of the bot's own dice for one decision.

    The bot decides at `level`, in the state of entry `base`. `origin` is the tag of the game's first seed, which an
    imported game keeps.
    """
    return f"{origin}:{base}:{level}"
