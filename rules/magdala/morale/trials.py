"""A test of a unit's in words: the dice against their score, and what passing or failing it means (MM-4.6, MM-5)."""

from dataclasses import dataclass
from fractions import Fraction

from rules.core.model import Cite, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.report import Step
from rules.core.throws import Against
from rules.core.wording import percent
from rules.magdala.model import MagdalaPlay


@dataclass(frozen=True)
class Trial:
    """The throw, its name and rule, what it is against, the hope, and what comes of it."""

    text: str
    cite: Cite
    test: Against
    against: str
    hope: str
    passed: str
    failed: str

    @property
    def secret(self) -> bool:
        """Whether the umpire keeps a modifier of it to himself."""
        return any(modifier.secret for modifier in self.test.modifiers)

    @property
    def said_chance(self) -> str:
        """`: 58%`, or nothing where it is the umpire's secret."""
        return "" if self.secret else f": {percent(self.test.chance)}"

    def throw(self, play: MagdalaPlay, side: Viewer) -> bool:
        """Throws it for a side, and tells the sum: whether it passed."""
        thrown = play.throw(self.test.dice, self.test.sides, self.text, side=side)
        passed = self.test.passes(thrown)
        verdict = self.passed if passed else self.failed
        if self.test.saved(thrown) and not self.secret:
            verdict += f", as a roll of {self.test.always} or more always does"
        score = Fraction(self.test.score(thrown))
        sum_ = {"throws": (thrown,), "start": Fraction(thrown.total), "score": score, "verdict": verdict}
        play.say(self._step.model_copy(update=sum_))
        return passed

    def odds(self, question: str = "") -> Odds:
        """The chances, with the spread of the adjusted score."""
        chance = self.test.chance
        return Odds(
            question=question or self.text,
            steps=(self._step,),
            outcomes=(
                Outcome(label=self.passed, chance=chance, good=True),
                Outcome(label=self.failed, chance=1 - chance, good=False),
            ),
            spread=self.test.spread,
            spread_of="score",
            pass_from=self._pass_from,
        )

    @property
    def _pass_from(self) -> int | None:
        """The least score that passes."""
        always = self.test.needed if self.test.always is None else self.test.always + self.test.adjustment
        scores = (score for score, _ in self.test.spread if score >= min(self.test.needed, always))
        return next(scores, None)

    @property
    def _step(self) -> Step:
        return Step(
            text=self.text,
            cite=self.cite,
            modifiers=self.test.modifiers,
            needed=self.against,
            chance=self.test.chance,
            hope=self.hope,
        )
