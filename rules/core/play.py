"""Execution or sketch of one action: current state, dice and report."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic

from typing_extensions import override

from .dice import Dice, Throw
from .model import UMPIRE, Cite, Viewer
from .report import Report, Step
from .state import Action, S


class Play(Generic[S]):
    """The working context of an action, the only object that changes while the action is resolved.

    `before` is the state when the action began, and `side` the acting side. In a sketch (`is_sketch`), hidden facts are
    not drawn at random.
    """

    is_sketch = False

    def __init__(
        self, state: S, dice: Dice, side: Viewer = UMPIRE, within: "Callable[[Play[S], Action], None] | None" = None
    ) -> None:
        """Create the context with an empty report. `within` executes another action inside this one."""
        self.before = state
        self.state = state
        self.dice = dice
        self.side = side
        self.report = Report(headline="", side=side)
        self._within = within

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Throw `count` dice of `sides` sides for `side`, by default for the acting side."""
        return self.dice.throw(count, sides, label, side=self.side if side is None else side, hidden=hidden)

    def change(self, unit: str, **fields: object) -> None:
        """Change fields of the unit with this id. Raises KeyError."""
        self.state = self.state.changed(unit, **fields)

    def remember(self, unit: str, **memory: object) -> None:
        """Change fields of the unit's `this_turn`, which holds what the unit did this turn."""
        self.change(unit, this_turn=self.state.units[unit].this_turn.model_copy(update=memory))

    def set(self, **fields: object) -> None:
        """Change fields of the state."""
        self.state = self.state.model_copy(update=fields)

    def say(self, *steps: Step) -> None:
        """Add steps to the report."""
        self.tell(steps=(*self.report.steps, *steps))

    def note(self, text: str, cite: Cite, verdict: str = "", *, in_headline: bool = False) -> None:
        """Add a step for an event without dice; `verdict` is the event's result, by default the text itself.

        With `in_headline`, the report's headline already states the event.
        """
        result = verdict or text
        self.say(
            Step(text=text, cite=cite, verdict=result, text_in_headline=in_headline, verdict_in_headline=in_headline)
        )

    def note_unit_result(self, name: str, cite: Cite, verdict: str) -> None:
        """Add a step for the result of a unit (`name`) without dice. Units with equal results may share a line."""
        self.say(Step(text=name, cite=cite, subject=name, verdict=verdict))

    def note_calculation(self, text: str, cite: Cite, result: str = "") -> None:
        """Add a calculation step with its result. The short report omits such steps."""
        self.say(Step(text=text, cite=cite, needed=result))

    @property
    def step_count(self) -> int:
        """Return the number of report steps so far."""
        return len(self.report.steps)

    def insert_steps(self, place: int, *steps: Step) -> None:
        """Insert steps at index `place` of the report's steps, as a summary of the steps after them."""
        report_steps = self.report.steps
        self.tell(steps=(*report_steps[:place], *steps, *report_steps[place:]))

    def tell(self, **fields: Any) -> None:
        """Set fields of the report, such as the headline, the outcome, the warnings or the units."""
        self.report = self.report.model_copy(update=fields)

    def do(self, action: Action) -> None:
        """Execute another action within this one and append the steps to the report. Raises Refused."""
        assert self._within is not None, "this play knows of no other actions"
        self._within(self, action)


@dataclass(frozen=True)
class Sketch(Generic[S]):
    """The expected result of an action, as far as a side may know it.

    `before` and `state` are the side's views before and after the action; `report` includes the warnings. If the
    action throws dice, the result is an estimate (`about`) with average dice.
    """

    before: S
    state: S
    report: Report
    about: bool


@dataclass
class AverageDice(Dice):
    """Dice for sketches, spread evenly over their faces: one D6 shows the middle, six D6 show one to six."""

    thrown: list[Throw] = field(default_factory=list)

    @override
    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Return a throw whose faces are spread evenly from 1 to `sides`."""
        faces = tuple(-(-(2 * place + 1) * sides // (2 * count)) for place in range(count))
        self.thrown.append(Throw(number=len(self.thrown) + 1, label=label, sides=sides, dice=faces, side=side))
        return self.thrown[-1]
