"""The report of an action, as data. Other modules turn a report into messages, log lines and pages."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pydantic import Field

from .dice import Throw
from .model import UMPIRE, Cite, Exact, Model, Viewer, Viewers


class Modifier(Model):
    """An adjustment of a score (`+1`) or, with `times`, a factor of a number of dice (`x 3/2`), with its reason.

    Only the umpire sees the value and reason of a `secret` modifier, and the sums that include it.
    """

    value: Exact
    reason: str
    cite: Cite
    times: bool = False
    secret: bool = False


class CountedDie(NamedTuple):
    """A die's value after adjustment, and whether the die hits or kills."""

    value: int
    hits: bool


class Step(Model):
    """One step of a calculation: dice, modifiers, required score and result.

    `chance` is the exact chance of the good result `hope` ("to hold") before the throw, `verdict` the actual result. A
    step without dice and verdict only calculates. In a step that is a single sentence, `text` and `verdict` are equal.
    Only the umpire and the sides in `only_for` may read the step; None means everyone.
    """

    text: str
    cite: Cite
    subject: str = ""
    """In a test, the unit's name at the beginning of `text`: `Berkshires` in `Berkshires: reaction`."""
    kind: str = ""
    """In a test, the words of `text` after the name: `reaction`. Tests of one kind may share a line."""
    throws: tuple[Throw, ...] = ()
    counted: tuple[CountedDie, ...] = ()
    """The adjusted dice, if the verdict is only a list of them. Messages mark the dice that hit or kill."""
    start: Exact | None = None
    modifiers: tuple[Modifier, ...] = ()
    score: Exact | None = None
    needed: str = ""
    against: Exact | None = None
    """The number that `needed` describes, if the previous step calculated it."""
    chance: Exact | None = None
    hope: str = ""
    verdict: str = ""
    text_in_headline: bool = False
    """Whether the report's headline or outcome already states the text."""
    verdict_in_headline: bool = False
    """Whether the report's headline or outcome already states the verdict."""
    follows: bool = False
    """Whether the step belongs to a forced action, instead of the action that a person chose."""
    only_for: Viewers | None = None

    @property
    def reports_event(self) -> bool:
        """Whether the step reports an event, not only a calculation."""
        return bool(self.throws or self.verdict)

    @property
    def is_in_headline(self) -> bool:
        """Whether the headline already states everything in the step."""
        return not self.throws and self.text_in_headline and self.verdict_in_headline

    def as_consequence(self, *, headline_is_told: bool) -> "Step":
        """Return this step of a forced action for the report of the action that caused it.

        With `headline_is_told`, that report repeats the forced action's headline.
        """
        is_told = headline_is_told and self.is_in_headline
        changes = {} if is_told else {"text_in_headline": False, "verdict_in_headline": False}
        return self.model_copy(update={"follows": True, **changes})

    def view_for(self, viewer: Viewer) -> "Step":
        """Return the step as `viewer` may read it. `Report.view_for` checks `only_for`.

        One unnamed modifier replaces secret modifiers; score and chance are then left out.
        """
        if viewer == UMPIRE or not any(modifier.secret for modifier in self.modifiers):
            return self
        public = tuple(m for m in self.modifiers if not m.secret)
        unnamed = Modifier(
            value=Fraction(0),
            reason="umpire's modifier",
            cite=next(m.cite for m in self.modifiers if m.secret),
            secret=True,
        )
        return self.model_copy(update={"modifiers": (*public, unnamed), "score": None, "chance": None})


class Offer(Model):
    """An action offered as a button: its kind and its arguments.

    `key` names the prompt that the offer answers. The offer is stale once the game has closed that prompt.
    """

    label: str
    kind: str
    args: Mapping[str, Any] = Field(default_factory=dict)
    side: Viewer
    key: str
    danger: bool = False


class Prompt(Model):
    """An open test, retreat or choice. Nobody can end the turn or phase before a `required` prompt is settled.

    `occasion` is the key in `Ruleset.occasions` under which a side may store a standing answer; empty if none is
    allowed.
    """

    key: str
    unit: str
    side: Viewer
    text: str
    cite: Cite
    offers: tuple[Offer, ...] = ()
    required: bool = True
    occasion: str = ""


class Standing(NamedTuple):
    """A unit's id and its condition after an action, in a sentence such as `Berkshires: 18 of 24 figures, halted`."""

    unit: str
    text: str


class ReportAnnex(NamedTuple):
    """A titled section after the entries of a game's report. Each paragraph has a heading and lines."""

    title: str
    parts: Sequence[tuple[str, Sequence[str]]]


class Report(Model):
    """The complete report of one action.

    `outcome` states the result in sentences, `standing` the units' condition after the action, and `ending` how the
    game ended. With `opens_turn`, the headline is the new turn's name. `offers` are buttons besides those of the
    prompts. Undoing an action that revealed a hidden fact (`showed_hidden`) requires consent. Only the umpire and the
    sides in `audience` may read the report; None means everyone.
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
        """Return the outcome, the units' standing and the game's ending as one text."""
        return " ".join(filter(None, (self.outcome, *(standing.text for standing in self.standing), self.ending)))

    @property
    def throws(self) -> tuple[Throw, ...]:
        """Return every throw of the action, in order."""
        return tuple(throw for step in self.steps for throw in step.throws)

    def view_for(self, viewer: Viewer) -> "Report | None":
        """Return the parts of the report that `viewer` may read; None if the whole report is secret."""
        if self.audience is not None and viewer != UMPIRE and viewer not in self.audience:
            return None
        steps = tuple(
            step.view_for(viewer)
            for step in self.steps
            if step.only_for is None or viewer == UMPIRE or viewer in step.only_for
        )
        return self.model_copy(update={"steps": steps})
