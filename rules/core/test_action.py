"""Tests against a score. One description of a test gives its dice, chances, words and steps."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from .action_type import A, ActionType, Caption, Chance, P
from .dice import Throw
from .model import Cite
from .odds import Odds, Outcome, combine_outcomes
from .play import Play
from .report import Step
from .state import S
from .throws import ScoreThrow


@dataclass(frozen=True)
class Trial:
    """A test of `unit` (an id): name (`text`), rule, hoped-for result, and the words for passing and failing.

    `against` replaces the words `against 5` in the test's step. `question` is the question that the odds answer, by
    default `text`. With more than two results, `reads` returns the result of a score in words.
    """

    unit: str
    text: str
    cite: Cite
    test: ScoreThrow
    hope: str
    passed: str
    failed: str
    against: str = ""
    question: str = ""
    reads: Callable[[int], str] | None = None
    subject: str = ""
    """The unit's name at the beginning of `text`, if `text` continues with the kind of test."""
    kind: str = ""
    text_in_headline: bool = False
    verdict_in_headline: bool = False
    """Whether the action's headline already states `text` or, for `verdict_in_headline`, the verdict."""

    @property
    def has_secret_modifier(self) -> bool:
        """Whether only the umpire knows some modifier."""
        return any(modifier.secret for modifier in self.test.modifiers)

    @property
    def public_chance(self) -> Chance | None:
        """Return the chance to pass, or None if only the umpire knows some modifier."""
        return None if self.has_secret_modifier else Chance(self.test.chance)

    @property
    def step(self) -> Step:
        """Return the test's step as known before the throw."""
        return Step(
            text=self.text,
            cite=self.cite,
            subject=self.subject,
            kind=self.kind,
            text_in_headline=self.text_in_headline,
            verdict_in_headline=self.verdict_in_headline,
            modifiers=self.test.modifiers,
            needed=self.against or f"against {self.test.needed}",
            chance=self.test.chance,
            hope=self.hope,
        )

    def take(self, play: Play[Any]) -> bool:
        """Throw the dice of the test, report the result, and return whether the test is passed.

        With `throws_at_once`, a test that cannot fail needs no throw, unless it has a secret modifier.
        """
        is_reported = play.state.scenario and play.state.throws_at_once and not self.has_secret_modifier
        if is_reported and self.test.chance == 1:
            verdict = f"{self.passed} automatically"
            play.say(self.step.model_copy(update={"verdict": verdict, "verdict_in_headline": False}))
            return True
        return self.test.passes(self.throw_dice(play))

    def throw_dice(self, play: Play[Any]) -> Throw:
        """Throw the dice of the test for the unit's side, report the result, and return the throw."""
        throw = play.throw(self.test.dice, self.test.sides, self.text, side=play.state.units[self.unit].side)
        verdict = self.result_of(self.test.score(throw))
        start, score = Fraction(throw.total), Fraction(self.test.score(throw))
        fields = {"throws": (throw,), "start": start, "score": score, "verdict": verdict}
        if self.test.passes_unadjusted(throw) and not self.has_secret_modifier:
            fields["verdict"] = f"{verdict}, as a roll of {self.test.always} or more always does"
            fields["verdict_in_headline"] = False
        play.say(self.step.model_copy(update=fields))
        return throw

    def result_of(self, score: int) -> str:
        """Return the words for the result that an adjusted score gives."""
        return self.reads(score) if self.reads else self.passed if score >= self.test.least else self.failed

    def odds(self) -> Odds:
        """Return the chances of the results, with the distribution of the adjusted score."""
        test, chance = self.test, self.test.chance
        passed = Outcome(label=self.passed, chance=chance, good=True)
        failed = Outcome(label=self.failed, chance=1 - chance, good=False)
        outcomes = combine_outcomes(test.distribution, lambda score: (self.result_of(score), score >= test.least))
        return Odds(
            question=self.question or self.text,
            steps=(self.step,),
            outcomes=outcomes if self.reads else (passed, failed),
            distribution=test.distribution,
            score_label="score" if test.modifiers else f"{test.dice if test.dice > 1 else ''}D{test.sides}",
            pass_from=test.pass_from,
        )


class TrialType(ActionType[S, A, P]):
    """Type of an action that one `Trial` decides. A class with two bases names this base first."""

    says: ClassVar[str] = "{}"
    """Format of the button's text before the chance, with the unit's name: `Clear {}`."""
    says_hope: ClassVar[bool] = False
    """Whether the button names the hoped-for result beside the chance, because a chance alone would mislead."""

    def trial(self, state: S, plan: P) -> Trial:
        """Return the test that decides the plan."""
        raise NotImplementedError

    def caption(self, state: S, plan: P) -> Caption:
        """Return a caption such as `Clear Gardner gun: 50%` or `Pursuit of Hussars: 33.3% to rally`."""
        trial = self.trial(state, plan)
        chance = trial.public_chance
        if chance is not None and self.says_hope:
            chance = chance._replace(hope=trial.hope)
        return Caption(self.says.format(state.units[trial.unit].name), chance)

    def odds(self, state: S, plan: P) -> Odds:
        """Return the exact chances of the plan's test."""
        return self.trial(state, plan).odds()
