"""The phases of a turn, in order (BE-1)."""

from enum import StrEnum

from rules.core.model import Cite


class Phase(StrEnum):
    """The nine phases of a turn; the fourth has three parts."""

    REINFORCEMENTS = "reinforcements"
    BAYONETS = "fix bayonets"
    INITIATIVE = "initiative"
    COMMANDERS = "movement of commanders"
    UNITS = "movement of units"
    EXPLOITATION = "exploitation moves"
    MARKERS = "markers off"
    ARTILLERY = "artillery fire"
    RIFLES = "rifle and machine gun fire"
    MELEE = "melee"
    CRITICAL = "critical hits"


NUMBERS = dict(zip(Phase, ("1", "2", "3", "4A", "4B", "4a", "5", "6", "7", "8", "9"), strict=True))
"""Numbers of the phases in the printed sequence of play."""
MOVEMENT = (Phase.COMMANDERS, Phase.UNITS, Phase.EXPLOITATION)
"""Phases in which the sides act one after the other. The winner of the initiative chooses who acts first."""
SEQUENCE = Cite(rule="BE-1")


def phase_title(phase: Phase) -> str:
    """Return a title such as `phase 7 (rifle and machine gun fire)`."""
    return f"phase {NUMBERS[phase]} ({phase.value})"
