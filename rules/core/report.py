"""What an action did, as data. Presenters turn it into messages, log lines and pages."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

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


class CountedDie(NamedTuple):
    """A die as it counts after adjustment, and whether it hits or kills."""

    value: int
    hits: bool


class Step(Model):
    """One step of a calculation: dice, modifiers, required score and result.

    `score` and `needed` are compared; `chance` is the exact chance beforehand of `hope` ("to hold"). `verdict` is what
    came of it: a step with neither dice nor verdict only reckons, and a sentence that is its own verdict has it as text
    as well. A step with `only_for` is read by those sides and the umpire alone; None is everyone.

    The short report repeats nothing: it leaves out what is `text_in_headline` and `verdict_in_headline`.
    """

    text: str
    cite: Cite
    subject: str = ""
    """The name at the head of `text` in a test, `Berkshires: reaction`."""
    kind: str = ""
    """What is tested: the words behind the name. Tests of one kind may be told together."""
    throws: tuple[Throw, ...] = ()
    counted: tuple[CountedDie, ...] = ()
    """The dice as they count, if the verdict shows nothing else."""
    start: Exact | None = None
    modifiers: tuple[Modifier, ...] = ()
    score: Exact | None = None
    needed: str = ""
    against: Exact | None = None
    """The number in `needed`, if the step before comes to it."""
    chance: Exact | None = None
    hope: str = ""
    verdict: str = ""
    text_in_headline: bool = False
    """Whether the report's headline or outcome says the text."""
    verdict_in_headline: bool = False
    """Whether the report's headline or outcome says the verdict."""
    follows: bool = False
    """Whether the step belongs to a forced action, a consequence of the action that was asked for."""
    only_for: Viewers | None = None

    @property
    def tells(self) -> bool:
        """Whether the step reports an event; other steps only calculate."""
        return bool(self.throws or self.verdict)

    @property
    def is_said(self) -> bool:
        """Whether the headline says all that the step has to tell."""
        return not self.throws and self.text_in_headline and self.verdict_in_headline

    def in_follow_up(self, *, headline_is_told: bool) -> "Step":
        """Return the step of a forced action in the report of the action that was asked for.

        That report has another headline. It may still tell that of the forced action, in its outcome.
        """
        said = {} if headline_is_told and self.is_said else {"text_in_headline": False, "verdict_in_headline": False}
        return self.model_copy(update={"follows": True, **said})

    def seen_by(self, viewer: Viewer) -> "Step":
        """Return the step for `viewer`: without secret modifiers, and without the score and chance they changed.

        `only_for` is not checked here: `Report.seen_by` leaves out the steps that `viewer` may not read.
        """
        if viewer == UMPIRE or not any(modifier.secret for modifier in self.modifiers):
            return self
        shown = tuple(m for m in self.modifiers if not m.secret)
        unnamed = Modifier(
            value=Fraction(0),
            reason="umpire's modifier",
            cite=next(m.cite for m in self.modifiers if m.secret),
            secret=True,
        )
        return self.model_copy(update={"modifiers": (*shown, unnamed), "score": None, "chance": None})


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


class Standing(NamedTuple):
    """How a unit (an id) stands after an action, in a sentence such as `Berkshires: 18 of 24 figures, halted`."""

    unit: str
    text: str


class Report(Model):
    """Complete report of one action.

    `outcome` tells in sentences what came of it, `standing` how its units stand now, and `ending` how the game ended
    with it. A report that `opens_turn` has a new turn's name as its headline.

    `audience` limits the whole report (a secret test): None is everyone. `showed_hidden` says that something
    hidden became known, after which undoing is no longer free. `offers` are next steps beside the prompts.
    """

    headline: str
    side: Viewer = UMPIRE
    steps: tuple[Step, ...] = ()
    outcome: str = ""
    standing: tuple[Standing, ...] = ()
    ending: str = ""
    opens_turn: bool = False
    prompts: tuple[Prompt, ...] = ()
    offers: tuple[Offer, ...] = ()
    warnings: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    audience: Viewers | None = None
    showed_hidden: bool = False

    @property
    def whole_outcome(self) -> str:
        """Return all that came of the action: its outcome, how its units stand, and how the game ended."""
        return " ".join(filter(None, (self.outcome, *(one.text for one in self.standing), self.ending)))

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
