"""How far a British turn has come, so that it can stop anywhere and go on; what it decided (TA-0.3, TA-2, TA-H.0)."""

from enum import StrEnum
from typing import Any

from rules.core.automaton import decisions
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Model
from rules.core.play import Play
from rules.core.state import Named


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


class Stage(StrEnum):
    """What a formation does, in this order (TA-H.0)."""

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
    """A stack on its way: who marches, where to, and what is left of the MF of the slowest (TA-9)."""

    units: tuple[Named, ...]
    goal: Hex
    left: int
    way: tuple[Hex, ...]
    """Hexes so far, the first where it began."""
    retreats: bool = False
    """It retreats or routs: `left` counts hexes, not MF."""
    why: str = ""
    """Where to in words, with the rule: `towards entry hex 2516 (TA-9.A)`."""


class Ask(StrEnum):
    """What a question is about: the German's opportunity fire, or what the table of the player's own box says."""

    OPPORTUNITY_FIRE = "opportunity fire"
    FIRE_RESULT = "fire result"
    MELEE_RESULT = "melee result"
    RALLY_RESULT = "rally result"


class Asked(Model):
    """A question that holds the British turn up until it is answered."""

    key: str
    ask: Ask
    text: str
    cite: Cite
    side: Named
    """Whose it is to answer."""
    answers: tuple[tuple[str, str], ...]
    """(word, label of its button)."""
    unit: Named
    """Id of the unit that may fire, has fired, fights or rallies."""
    at: Hex | None = None
    """The hex fired at or fought for."""


class BritishTurn(Model):
    """Where the British are in their turn; empty before its first formation and after its last."""

    done: tuple[Named, ...] = ()
    """Ids of formations that have acted this turn."""
    formation: Named | None = None
    """Id of the formation that is acting."""
    stage: Stage = Stage.RECOVER
    acted: tuple[Named, ...] = ()
    """Ids of units that have had their turn in this stage."""
    march: March | None = None
    offered: tuple[Named, ...] = ()
    """Ids of Germans whose fire at the marching stack in its present hex is settled."""
    asked: Asked | None = None
    running: bool = False
    """The turn plays itself on, formation after formation, unless something is asked (`/british turn`)."""
    waved: tuple[str, ...] = ()
    """Letters of beaches that have landed a wave this turn (TA-3)."""
    count: int = 0
    """Questions asked so far, for their keys."""


def mark(play: Play[Any], **changed: Any) -> None:
    """Changes fields of the British turn."""
    play.set(british=play.state.british.model_copy(update=changed))
