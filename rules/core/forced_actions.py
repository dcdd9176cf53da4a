"""Forced actions: consequences without a choice, executed with the causing action and reported together."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, Protocol, TypeVar

from .model import Viewer
from .play import Play
from .report import Report
from .state import Action, State

S = TypeVar("S", bound=State)
MOST_FOLLOWS = 1000
"""Far more than can follow one action."""


class Follows(Protocol[S]):
    """Interface of a rule system for forced actions."""

    def at_once(self, state: S) -> Action | None:
        """Return the next forced action, or None."""

    def settled(self, state: S) -> S:
        """Return the state after automatic consequences."""

    def side_of(self, state: S, action: Action) -> Viewer:
        """The side whose business the action is."""

    def standing(self, state: S, units: Sequence[str]) -> str:
        """How units of these ids now stand."""


class Told(NamedTuple):
    """An executed action with its report, and its units' status afterwards."""

    action: Action
    report: Report
    standing: str

    @property
    def stands(self) -> bool:
        """Whether the outcome contains only the units' status."""
        return self.report.outcome == self.standing

    @property
    def headline(self) -> str:
        """Return the headline, unless a step already states the result."""
        result = self.report.headline.removesuffix(".")
        said = (f"{step.text}: {step.verdict}".startswith(result) for step in self.report.steps)
        fell = (step.verdict in result for step in self.report.steps if step.throws and step.verdict)
        return "" if any(said) or any(fell) else self.report.headline


def follow_up(system: Follows[S], play: Play[S], asked: Action) -> None:
    """Execute forced actions after an action until none remain or the game ends; merge the reports."""

    def told_of(action: Action) -> Told:
        return Told(action, play.report, system.standing(play.state, play.report.units))

    told = [told_of(asked)]
    while (action := system.at_once(system.settled(play.state))) is not None:
        assert len(told) < MOST_FOLLOWS, f"{action.kind} follows for ever"
        play.side = system.side_of(play.state, action)
        play.report = Report(headline="", side=play.side)
        play.do(action)
        told.append(told_of(action))
    if len(told) > 1:
        play.report = merge_reports(told, lambda units: system.standing(play.state, units))


def merge_reports(told: Sequence[Told], standing: Callable[[Sequence[str]], str]) -> Report:
    """The first report with the steps of all, and no prompts; `standing` tells how units of these ids stand in the end.

    Where what was asked for comes about only after something else, as the end of a turn does, its headline is that.
    """
    reports = [each.report for each in told]
    asked = told[0].action
    done = [each for each in told if (each.action.kind == asked.kind and not asked.by_unit) or each is told[0]][-1]
    return reports[0].model_copy(
        update={
            "headline": done.report.headline,
            "side": done.report.side,
            "steps": tuple(chain.from_iterable(report.steps for report in reports)),
            "outcome": " ".join(dict.fromkeys(filter(None, _outcomes(told, done, standing)))),
            "warnings": tuple(dict.fromkeys(chain.from_iterable(report.warnings for report in reports))),
            "units": _units(reports),
            "prompts": (),
            "showed_hidden": any(report.showed_hidden for report in reports),
        }
    )


def _outcomes(told: Sequence[Told], done: Told, standing: Callable[[Sequence[str]], str]) -> Iterator[str]:
    """Yield the outcomes of all actions, and the units' final status, without sentences outdated by later phases."""
    now = _units([each.report for each in told if each.stands])
    for place, each in enumerate(told):
        asked, after = each in (told[0], done), [later.action for later in told[place + 1 :]]
        passes = {later.kind for later in after if not later.by_unit}
        if not asked and each.action.kind not in passes:
            yield each.headline
        restated = standing(each.report.units) and not frozenset(now).isdisjoint(each.report.units)
        if not (each.stands or restated) and (not each.action.by_unit or asked) and _holds(each.action, passes):
            yield each.report.outcome
    yield standing(now)


def _holds(action: Action, passes: Collection[str]) -> bool:
    """Whether the outcome still holds after passes of these kinds."""
    return not passes if action.by_unit else action.kind not in passes


def _units(reports: Iterable[Report]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(report.units for report in reports)))
