"""One throw against a score with all that is said of it: dice, chances, words and steps come from one description."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from .action_type import A, ActionType, P, S
from .model import Cite
from .odds import Odds, Outcome
from .play import Play
from .report import Step
from .throws import Against
from .wording import percent


@dataclass(frozen=True)
class Trial:
    """A throw of `unit` (an id): its name and rule, the hope, and what passing and failing are called.

    `against` says what the score is held against, where that is more than a number; `question` is that of the odds,
    where it is not the name.
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

    @property
    def secret(self) -> bool:
        """Whether the umpire keeps a modifier of it to himself."""
        return any(modifier.secret for modifier in self.test.modifiers)

    @property
    def said_chance(self) -> str:
        """`: 58%`, or nothing where it is the umpire's secret."""
        return "" if self.secret else f": {percent(self.test.chance)}"

    @property
    def step(self) -> Step:
        """What can be told of it before it is thrown."""
        return Step(
            text=self.text,
            cite=self.cite,
            modifiers=self.test.modifiers,
            needed=self.against or f"against {self.test.needed}",
            chance=self.test.chance,
            hope=self.hope,
        )

    def throw(self, play: Play[Any]) -> bool:
        """Throws it with the dice of the unit's side, and tells the sum: whether it passed."""
        thrown = play.throw(self.test.dice, self.test.sides, self.text, side=play.state.units[self.unit].side)
        passed = self.test.passes(thrown)
        verdict = self.passed if passed else self.failed
        if self.test.saved(thrown) and not self.secret:
            verdict += f", as a roll of {self.test.always} or more always does"
        start, score = Fraction(thrown.total), Fraction(self.test.score(thrown))
        sum_ = {"throws": (thrown,), "start": start, "score": score, "verdict": verdict}
        play.say(self.step.model_copy(update=sum_))
        return passed

    def odds(self) -> Odds:
        """The chances, with the spread of the adjusted score."""
        chance = self.test.chance
        return Odds(
            question=self.question or self.text,
            steps=(self.step,),
            outcomes=(
                Outcome(label=self.passed, chance=chance, good=True),
                Outcome(label=self.failed, chance=1 - chance, good=False),
            ),
            spread=self.test.spread,
            spread_of="score",
            pass_from=self.test.pass_from,
        )


class TrialType(ActionType[S, A, P]):
    """An action by one trial: its words and odds are the trial's. Beside a system's own base it stands first."""

    says: ClassVar[str] = "{}"
    """What its button says before the chance, of a unit's name: `Clear {}`."""

    def trial(self, state: S, plan: P) -> Trial:
        """The throw of that plan."""
        raise NotImplementedError

    def label(self, state: S, plan: P) -> str:
        """`Clear Gardner gun: 50%`."""
        trial = self.trial(state, plan)
        return f"{self.says.format(state.units[trial.unit].name)}{trial.said_chance}"

    def odds(self, state: S, plan: P) -> Odds:
        """The exact chances of the throw."""
        return self.trial(state, plan).odds()
