"""Stored progress of a British turn, which may pause and resume, and its decisions (TA-0.3, TA-2, TA-H.0)."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Self

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Model
from rules.core.play import Play
from rules.core.state import Named


class Question(StrEnum):
    """Question that a British decision answers."""

    TARGET = "target"
    OBJECTIVE = "objective"
    RETREAT_HEX = "RO hex"
    STEP = "next hex"
    STACK = "reorganising"
    LEADER = "leader"
    LANDING = "landing"


class RowEffect(Model):
    """Effect of a chart row on a decision."""

    row: str
    """Number of the row."""
    text: str
    cite: Cite
    out: tuple[Hex, ...] = ()
    """Hexes that the row excluded."""
    skipped: str = ""
    """Why the row was skipped: it would exclude all candidates, or does not apply to the unit or scenario."""


class Decision(Model):
    """A British decision for one of several candidate hexes, with its reason in one line."""

    chart: str = ""
    """Id of the priority chart, if a chart decided."""
    units: tuple[str, ...]
    """Ids of the deciding units."""
    candidates: tuple[Hex, ...]
    """The candidates, sorted by hex number."""
    rows: tuple[RowEffect, ...] = ()
    chosen: Hex | None
    """The chosen candidate; None without candidates."""
    why: str
    cite: Cite
    overruled: bool = False
    """Whether the umpire or a player replaced the chart's choice."""
    question: Question

    @property
    def chosen_hex(self) -> Hex:
        """Return the chosen hex. The decision must have candidates."""
        assert self.chosen is not None
        return self.chosen

    @property
    def has_alternatives(self) -> bool:
        """Whether the decision had several candidates."""
        return len(self.candidates) > 1

    @property
    def other_candidates(self) -> tuple[Hex, ...]:
        """Return the candidates that were not chosen, the last excluded first."""
        put_out = {hex_: place for place, row in enumerate(self.rows) for hex_ in row.out}
        others = [hex_ for hex_ in self.candidates if hex_ != self.chosen]
        return tuple(sorted(others, key=lambda hex_: -put_out.get(hex_, len(self.rows))))

    def overruled_by(self, choice: Hex | None) -> Self:
        """Return the decision with the umpire's `choice` as chosen hex; unchanged if it is None or chosen already."""
        if choice is None or choice == self.chosen:
            return self
        why = f"{choice} by the umpire's word; the card chose {'none' if self.chosen is None else self.chosen}"
        return self.model_copy(update={"chosen": choice, "overruled": True, "why": why})


def describe_deciding_row(rows: Iterable[RowEffect]) -> str:
    """Return the row that decided, in words: `row 3, hex with the least MF cost`; `no other` if no row did."""
    last = next((row for row in reversed(tuple(rows)) if row.out), None)
    if last is None:
        return "no other"
    return f"row {last.row}, {last.text}" if last.row.isdecimal() else last.text


class Stage(StrEnum):
    """Stage of a formation's activation, in order (TA-H.0)."""

    RECOVER = "recovery"
    RETREAT = "retreat and rout"
    DEBARK = "landing"
    REORGANISE = "reorganising"
    MOVE = "movement"
    LEADERS = "leaders"
    FIRE = "fire"
    MELEE = "melee"
    RALLY = "rally"


class March(Model):
    """The march of a stack (TA-9)."""

    units: tuple[Named, ...]
    goal: Hex
    left: int
    """Movement factors (MF) left to the slowest unit; for a retreat or rout, hexes left."""
    way: tuple[Hex, ...]
    """Path so far: the starting hex, then each hex entered."""
    retreats: bool = False
    """Whether the march is a retreat or rout."""
    aim: str = ""
    """The goal's name, if the stack marches towards it: `entry hex 2516`."""
    why: str = ""
    """The purpose of a march without `aim`: `to join C and D`."""
    rule: str = ""
    """Number of the rule that orders the march: `TA-9.A`."""

    @property
    def purpose(self) -> str:
        """Return the march's purpose: `towards entry hex 2516`, `to join C and D`; empty if it is not stated."""
        return f"towards {self.aim}" if self.aim else self.why

    @property
    def purpose_with_rule(self) -> str:
        """Return the purpose with its rule number: `towards entry hex 2516 (TA-9.A)`."""
        return f"{self.purpose} ({self.rule})" if self.rule else self.purpose


class QuestionKind(StrEnum):
    """Kind of question to a player: about German opportunity fire, or about a result of the player's own tables."""

    OPPORTUNITY_FIRE = "opportunity fire"
    FIRE_RESULT = "fire result"
    MELEE_RESULT = "melee result"
    RALLY_RESULT = "rally result"


class OpenQuestion(Model):
    """A question that pauses the British turn until answered."""

    key: str
    ask: QuestionKind
    text: str
    cite: Cite
    side: Named
    """Side that must answer."""
    answers: tuple[tuple[str, str], ...]
    """Answers as pairs of word and button label."""
    unit: Named
    """Id of the unit that may fire, has fired, fights or rallies."""
    at: Hex | None = None
    """Hex of the target, or of the unit that rallies."""


class BritishTurn(Model):
    """Progress of the British turn."""

    done: tuple[Named, ...] = ()
    """Ids of formations that have acted this turn."""
    formation: Named | None = None
    """Id of the active formation."""
    stage: Stage = Stage.RECOVER
    acted: tuple[Named, ...] = ()
    """Ids of units that have acted in this stage."""
    march: March | None = None
    offered: tuple[Named, ...] = ()
    """Ids of Germans who hold their fire at the march in its present hex, because their player answered so."""
    asked: OpenQuestion | None = None
    running: bool = False
    """Whether formations act one after the other automatically, except for questions (`/british turn`)."""
    waved: tuple[str, ...] = ()
    """Letters of beaches where a wave has landed this turn (TA-3)."""
    count: int = 0
    """Number of questions asked so far, used in the key of the next question."""


def change_progress(play: Play[Any], **changed: Any) -> None:
    """Change fields of the British turn's progress."""
    play.set(british=play.state.british.model_copy(update=changed))
