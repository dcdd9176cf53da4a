"""What the table may ask of the British: play on, stop, an answer, another decision (TA-H.0)."""

from typing import ClassVar, Literal

from rules.core.state import Action


class BritishStep(Action):
    """Plays the British on: a formation's activation, one decision, or the whole turn."""

    kind: ClassVar[str] = "british"
    by_unit: ClassVar[bool] = False

    much: Literal["formation", "decision", "turn"] = "formation"
    formation: str | None = None


class Overrule(Action):
    """Takes another candidate of the last decision instead, and plays on from there.

    `decision` names the decision that was meant, so that an old button overrules no newer one.
    """

    kind: ClassVar[str] = "overrule"
    by_unit: ClassVar[bool] = False

    to: str
    decision: str | None = None


class Pause(Action):
    """The British turn plays itself on no longer."""

    kind: ClassVar[str] = "pause"
    by_unit: ClassVar[bool] = False


class Resume(Action):
    """The British turn plays itself on."""

    kind: ClassVar[str] = "resume"
    by_unit: ClassVar[bool] = False
