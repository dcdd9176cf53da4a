"""A decision of the British with its trace: who was weighed, and which row of the card put out whom (TA-0.3)."""

from enum import StrEnum

from rules.core.automaton import decisions
from rules.core.hexboard.hexes import Hex


class Question(StrEnum):
    """What is decided."""

    TARGET = "target"
    OBJECTIVE = "objective"
    RETREAT_HEX = "RO hex"
    STEP = "next hex"
    STACK = "reorganising"
    LEADER = "leader"
    LANDING = "landing"


class RowOut(decisions.RowOut[Hex]):
    """A row of one of the card's charts that was reached."""


class Decision(decisions.Decision[Hex]):
    """One decision of the card's; candidates in order of hex number."""

    question: Question
    rows: tuple[RowOut, ...] = ()
