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


NUMBERS = {
    Phase.REINFORCEMENTS: "1",
    Phase.BAYONETS: "2",
    Phase.INITIATIVE: "3",
    Phase.COMMANDERS: "4A",
    Phase.UNITS: "4B",
    Phase.EXPLOITATION: "4a",
    Phase.MARKERS: "5",
    Phase.ARTILLERY: "6",
    Phase.RIFLES: "7",
    Phase.MELEE: "8",
    Phase.CRITICAL: "9",
}
"""As the sequence of play numbers them."""

MOVEMENT = (Phase.COMMANDERS, Phase.UNITS, Phase.EXPLOITATION)
"""One side after the other, the winner of the initiative first."""
SIMULTANEOUS = (Phase.ARTILLERY, Phase.RIFLES, Phase.MELEE)
"""Thrown in any order by both sides; results land together when the phase ends."""
SEQUENCE = Cite(rule="BE-1")


def title(phase: Phase) -> str:
    """`phase 7 (rifle and machine gun fire)`."""
    return f"phase {NUMBERS[phase]} ({phase.value})"
