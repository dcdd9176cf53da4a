"""One throw against a score with all that is said of it: dice, chances, words and steps come from one description."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from .action_type import A, ActionType, Caption, Chance, P, S
from .dice import Throw
from .model import Cite
from .odds import Odds, Outcome, outcomes
from .play import Play
from .report import Step
from .throws import Against


@dataclass(frozen=True)
class Trial:
    """A throw of `unit` (an id): its name and rule, the hope, and what passing and failing are called.

    `against` says what the score is held against, where that is more than a number; `question` is that of the odds,
    where it is not the name. `reads` calls each score by a name, where there are more ends than two.
    """

    unit: str
    text: str
    cite: Cite
    test: Against
    hope: str
    passed: str
    failed: str
    against: str = ""
    question: str = ""
    reads: Callable[[int], str] | None = None
    subject: str = ""
    """The name at the head of `text`, if what follows is the kind of test."""
    kind: str = ""
    text_in_headline: bool = False
    verdict_in_headline: bool = False
    """Whether the headline of the action says the text, and what came of it."""

    @property
    def secret(self) -> bool:
        """Whether the umpire keeps a modifier of it to himself."""
        return any(modifier.secret for modifier in self.test.modifiers)

    @property
    def said_chance(self) -> Chance | None:
        """The chance to pass, or None where it is the umpire's secret."""
        return None if self.secret else Chance(self.test.chance)

    @property
    def step(self) -> Step:
        """Return the step known before the throw."""
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

    def throw(self, play: Play[Any]) -> bool:
        """Throws it and tells the sum: whether it passed. In a game what cannot fail is stated, but for a secret."""
        stated = play.state.scenario and play.state.throws_at_once and not self.secret
        if stated and self.test.chance == 1:
            verdict = f"{self.passed}, which cannot fail: no throw"
            play.say(self.step.model_copy(update={"verdict": verdict, "verdict_in_headline": False}))
            return True
        return self.test.passes(self.thrown(play))

    def thrown(self, play: Play[Any]) -> Throw:
        """The throw of it with the dice of the unit's side, its sum told."""
        thrown = play.throw(self.test.dice, self.test.sides, self.text, side=play.state.units[self.unit].side)
        verdict = self.end(self.test.score(thrown))
        start, score = Fraction(thrown.total), Fraction(self.test.score(thrown))
        sum_ = {"throws": (thrown,), "start": start, "score": score, "verdict": verdict}
        if self.test.saved(thrown) and not self.secret:
            sum_["verdict"] = f"{verdict}, as a roll of {self.test.always} or more always does"
            sum_["verdict_in_headline"] = False
        play.say(self.step.model_copy(update=sum_))
        return thrown

    def end(self, score: int) -> str:
        """Return the score's name."""
        return self.reads(score) if self.reads else self.passed if score >= self.test.least else self.failed

    def odds(self) -> Odds:
        """The chances, with the spread of the adjusted score."""
        test, chance = self.test, self.test.chance
        passed = Outcome(label=self.passed, chance=chance, good=True)
        failed = Outcome(label=self.failed, chance=1 - chance, good=False)
        read = outcomes(test.spread, lambda score: (self.end(score), score >= test.least))
        return Odds(
            question=self.question or self.text,
            steps=(self.step,),
            outcomes=read if self.reads else (passed, failed),
            spread=test.spread,
            spread_of="score" if test.modifiers else f"{test.dice if test.dice > 1 else ''}D{test.sides}",
            pass_from=test.pass_from,
        )


class TrialType(ActionType[S, A, P]):
    """An action by one trial: its words and odds are the trial's. Beside a system's own base it stands first."""

    says: ClassVar[str] = "{}"
    """What its button says before the chance, of a unit's name: `Clear {}`."""
    says_hope: ClassVar[bool] = False
    """Whether the button says what the chance is of: where its words alone would promise something else."""

    def trial(self, state: S, plan: P) -> Trial:
        """The throw of that plan."""
        raise NotImplementedError

    def caption(self, state: S, plan: P) -> Caption:
        """`Clear Gardner gun: 50%`, `Pursuit of Hussars: 33.3% to rally`."""
        trial = self.trial(state, plan)
        chance = trial.said_chance
        if chance is not None and self.says_hope:
            chance = chance._replace(hope=trial.hope)
        return Caption(self.says.format(state.units[trial.unit].name), chance)

    def odds(self, state: S, plan: P) -> Odds:
        """The exact chances of the throw."""
        return self.trial(state, plan).odds()
