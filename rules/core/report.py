"""What an action did, as data. Presenters turn it into messages, log lines and pages."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pydantic import Field

from .dice import Throw
from .model import UMPIRE, Cite, Exact, Model, Viewer, Viewers


class Modifier(Model):
    """One adjustment of a score (`+1`) or of a number of dice (`x 3/2`, when `times`), with its reason.

    `secret` ones are the umpire's: nobody else sees value or reason, nor any sum they went into.
    """

    value: Exact
    reason: str
    cite: Cite
    times: bool = False
    secret: bool = False


class Step(Model):
    """One step of a calculation: dice, modifiers, required score and result.

    `score` and `needed` are compared; `chance` is the exact chance beforehand of `hope` ("to hold"). `verdict` is what
    came of it: a step with neither dice nor verdict only reckons, and a sentence that is its own verdict has it as text
    as well. A step with `only_for` is read by those sides and the umpire alone; None is everyone.
    """

    text: str
    cite: Cite
    throws: tuple[Throw, ...] = ()
    start: Exact | None = None
    modifiers: tuple[Modifier, ...] = ()
    score: Exact | None = None
    needed: str = ""
    chance: Exact | None = None
    hope: str = ""
    verdict: str = ""
    only_for: Viewers | None = None

    @property
    def tells(self) -> bool:
        """Whether the step reports an event; other steps only calculate."""
        return bool(self.throws or self.verdict)

    def seen_by(self, viewer: Viewer) -> "Step":
        """The step without what only the umpire may know: a secret modifier takes sum and chance with it."""
        if viewer == UMPIRE or not any(modifier.secret for modifier in self.modifiers):
            return self
        hidden = tuple(m for m in self.modifiers if not m.secret)
        unnamed = Modifier(
            value=Fraction(0),
            reason="umpire's modifier",
            cite=next(m.cite for m in self.modifiers if m.secret),
            secret=True,
        )
        return self.model_copy(update={"modifiers": (*hidden, unnamed), "score": None, "chance": None})


class Offer(Model):
    """A next action someone may take at a press of a button: an action's kind and its arguments.

    `key` is that of the prompt it answers: once the game no longer has that open, the offer is stale.
    """

    label: str
    kind: str
    args: Mapping[str, Any] = Field(default_factory=dict)
    side: Viewer
    key: str
    danger: bool = False


class Prompt(Model):
    """A test, retreat or choice that the game waits for; the turn does not pass on silently over it."""

    key: str
    unit: str
    side: Viewer
    text: str
    cite: Cite
    offers: tuple[Offer, ...] = ()
    required: bool = True


class Report(Model):
    """Complete report of one action.

    `audience` limits the whole report (a secret test): None is everyone. `showed_hidden` says that something
    hidden became known, after which undoing is no longer free. `offers` are next steps beside the prompts.
    """

    headline: str
    side: Viewer = UMPIRE
    steps: tuple[Step, ...] = ()
    outcome: str = ""
    prompts: tuple[Prompt, ...] = ()
    offers: tuple[Offer, ...] = ()
    warnings: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    audience: Viewers | None = None
    showed_hidden: bool = False

    @property
    def throws(self) -> tuple[Throw, ...]:
        """Every throw of the action, in order."""
        return tuple(throw for step in self.steps for throw in step.throws)

    def seen_by(self, viewer: Viewer) -> "Report | None":
        """Return the report for `viewer`, or None if hidden from the viewer."""
        if self.audience is not None and viewer != UMPIRE and viewer not in self.audience:
            return None
        steps = tuple(
            step.seen_by(viewer)
            for step in self.steps
            if step.only_for is None or viewer == UMPIRE or viewer in step.only_for
        )
        return self.model_copy(update={"steps": steps})
