"""A decision of the British with its trace: who was weighed, and which row of the card put out whom (TA-0.3)."""

from enum import StrEnum

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Model


class Question(StrEnum):
    """What is decided."""

    TARGET = "target"
    OBJECTIVE = "objective"
    RETREAT_HEX = "RO hex"
    STEP = "next hex"
    STACK = "reorganising"
    LEADER = "leader"
    LANDING = "landing"


class RowOut(Model):
    """A row of a chart that was reached: its number and words, whom it put out, or that it was skipped."""

    row: str
    text: str
    cite: Cite
    out: tuple[Hex, ...] = ()
    skipped: str = ""
    """Why the row settled nothing: nobody passes it, or it is not for this unit or scenario."""


class Decision(Model):
    """One decision. `chosen` is one of `candidates`, or None where there was none; `why` says it in one line."""

    question: Question
    chart: str = ""
    """Id of the priority chart, where one decided."""
    units: tuple[str, ...]
    """Ids of the units it is made for."""
    candidates: tuple[Hex, ...]
    """In order of hex number."""
    rows: tuple[RowOut, ...] = ()
    chosen: Hex | None
    why: str
    cite: Cite
    overruled: bool = False
    """Made by the umpire's or player's word instead."""
