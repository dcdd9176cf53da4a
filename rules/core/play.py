"""Execution or sketch of one action: current state, dice and report."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from typing_extensions import override

from .dice import Dice, Throw
from .model import UMPIRE, Cite, Viewer
from .report import Report, Step
from .state import Action, State

S = TypeVar("S", bound=State)


class Play(Generic[S]):
    """Working context of an action, the only mutable object during its resolution.

    `state` is the game as it stands now, `before` as it stood when the action began, `side` whose action it is, and
    `report` what there is to tell so far. Where it `is_sketch`, nothing is really done: what is hidden is not drawn.
    """

    is_sketch = False

    def __init__(
        self, state: S, dice: Dice, side: Viewer = UMPIRE, within: "Callable[[Play[S], Action], None] | None" = None
    ) -> None:
        """`within` carries out an action inside this one; only the system knows how."""
        self.before = state
        self.state = state
        self.dice = dice
        self.side = side
        self.report = Report(headline="", side=side)
        self._within = within

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Throws `count` dice of `sides` sides, which are those of the side that acts unless another is named."""
        return self.dice.throw(count, sides, label, side=self.side if side is None else side, hidden=hidden)

    def change(self, unit: str, **fields: object) -> None:
        """Changes fields of the unit of that id. Raises KeyError where there is none."""
        self.state = self.state.changed(unit, **fields)

    def remember(self, unit: str, **memory: object) -> None:
        """Changes what its turn remembers of the unit, `this_turn`."""
        self.change(unit, this_turn=self.state.units[unit].this_turn.model_copy(update=memory))

    def set(self, **fields: object) -> None:
        """Changes fields of the state."""
        self.state = self.state.model_copy(update=fields)

    def say(self, *steps: Step) -> None:
        """Adds steps to the report."""
        self.tell(steps=(*self.report.steps, *steps))

    def note(self, text: str, cite: Cite, verdict: str = "", *, in_headline: bool = False) -> None:
        """Adds something that happens without dice: what it came to, or the text alone where it says that itself.

        `in_headline`: the report's headline says it, too.
        """
        told = verdict or text
        self.say(
            Step(text=text, cite=cite, verdict=told, text_in_headline=in_headline, verdict_in_headline=in_headline)
        )

    def note_of(self, name: str, cite: Cite, verdict: str) -> None:
        """Adds how a unit of that name fares without dice. Several who fare alike may be told together."""
        self.say(Step(text=name, cite=cite, subject=name, verdict=verdict))

    def reckon(self, text: str, cite: Cite, comes_to: str = "") -> None:
        """Add a calculation step, hidden from the short report; `comes_to` is its result."""
        self.say(Step(text=text, cite=cite, needed=comes_to))

    @property
    def said(self) -> int:
        """Return the number of report steps so far."""
        return len(self.report.steps)

    def say_before(self, place: int, *steps: Step) -> None:
        """Insert steps before all steps reported since position `place`, as their summary."""
        told = self.report.steps
        self.tell(steps=(*told[:place], *steps, *told[place:]))

    def tell(self, **fields: Any) -> None:
        """Sets fields of the report: its headline, outcome, warnings, the units it is about."""
        self.report = self.report.model_copy(update=fields)

    def do(self, action: Action) -> None:
        """Carries out another action within this one; its steps follow. Raises Refused."""
        assert self._within is not None, "this play knows of no other actions"
        self._within(self, action)


@dataclass(frozen=True)
class Sketch(Generic[S]):
    """How the game might stand afterwards, as far as a side may know.

    `before` and `state` are that side's view of it, `report` tells of it with its warnings. It is only `about` right
    where dice decide: they are supposed to fall in the middle.
    """

    before: S
    state: S
    report: Report
    about: bool


@dataclass
class MiddlingDice(Dice):
    """Dice of no game, spread evenly over their faces: one in the middle, six dice from one to six."""

    thrown: list[Throw] = field(default_factory=list)

    @override
    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Return evenly spread faces: each covers an equal share of the range."""
        faces = tuple(-(-(2 * place + 1) * sides // (2 * count)) for place in range(count))
        self.thrown.append(Throw(number=len(self.thrown) + 1, label=label, sides=sides, dice=faces, side=side))
        return self.thrown[-1]
