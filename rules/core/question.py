"""A yes-or-no question of the umpire, decided by a die (a house rule)."""

from fractions import Fraction

from pydantic import Field
from typing_extensions import override

from .action_type import SimpleType
from .model import Cite, Mark
from .play import Play
from .refusal import Refused
from .report import Step
from .sealed_dice import clean_label
from .state import Action, S
from .typed_text import clean_name, has_only_visible_signs

LONGEST_QUESTION = 80
PERCENT, DIE = 100, 6
BY_DIE = Cite(rule="the umpire", mark=Mark.HOUSE)
YES, NO = "Yes.", "No."


class Question(Action):
    """A yes-or-no question. The `odds` are `2+` to `6+` on a D6, or `1%` to `99%`."""

    umpire_only = True
    is_unit_action = False

    text: str = Field(min_length=1, max_length=LONGEST_QUESTION)
    odds: str = Field(default="4+", pattern=r"^([2-6]\+|[1-9][0-9]?%)$")

    @property
    def is_percent(self) -> bool:
        """Whether a D100 decides: yes up to `number`. Otherwise a D6 decides: yes from `number` upwards."""
        return self.odds.endswith("%")

    @property
    def number(self) -> int:
        """Return the number in `odds`."""
        return int(self.odds[:-1])

    @property
    def chance(self) -> Fraction:
        """Return the chance of a yes."""
        return Fraction(self.number, PERCENT) if self.is_percent else Fraction(DIE + 1 - self.number, DIE)


class QuestionType(SimpleType[S, Question]):
    """The action type of the umpire's question. It changes nothing on the table."""

    action = Question
    says = "{text}"

    @override
    def check(self, state: S, action: Question) -> None:
        """Raise Refused if the question is not a single line of text."""
        question = clean_name(action.text)
        if not question or not has_only_visible_signs(question):
            raise Refused("Ask a question, in a line of words.")

    @override
    def resolve(self, play: Play[S], plan: Question) -> None:
        """Throw the die and report the answer."""
        question = clean_name(plan.text)
        throw = play.throw(1, PERCENT if plan.is_percent else DIE, clean_label(question))
        is_yes = throw.total <= plan.number if plan.is_percent else throw.total >= plan.number
        answer = YES if is_yes else NO
        needed, verdict = f"yes on {plan.odds}", answer.rstrip(".").lower()
        play.say(
            Step(
                text="A die decides",
                cite=BY_DIE,
                throws=(throw,),
                needed=needed,
                chance=plan.chance,
                hope="for yes",
                verdict=verdict,
            )
        )
        play.tell(headline=f"The umpire asks: {question}", outcome=answer)
