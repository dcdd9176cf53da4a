"""Forced actions: consequences without a choice, executed with the causing action and reported together."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, Protocol, TypeVar

from .model import Viewer
from .play import Play
from .report import Report, Standing, Step
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

    def standing(self, state: S, units: Sequence[str]) -> tuple[Standing, ...]:
        """How units of these ids now stand."""


class Told(NamedTuple):
    """An executed action with its report, and its units' status afterwards."""

    action: Action
    report: Report
    standing: tuple[Standing, ...]

    @property
    def stands(self) -> bool:
        """Whether the report has no outcome but how its units stand."""
        return not self.report.outcome and self.report.standing == self.standing

    def without_turn(self) -> "Told":
        """Return the action as told when the game is over with it: it opens no turn any more."""
        return self._replace(report=self.report.model_copy(update={"headline": ""})) if self.report.opens_turn else self

    @property
    def headline(self) -> str:
        """Return the headline, unless a step told at a glance states the result."""
        told = (step for step in self.report.steps if step.tells and not step.is_said)
        states = any(step.text_in_headline or step.verdict_in_headline for step in told)
        return "" if states else self.report.headline


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
        is_over = system.settled(play.state).over is not None
        told = [one.without_turn() if is_over and one is not told[0] else one for one in told]
        play.report = merge_reports(told, lambda units: system.standing(play.state, units))


def merge_reports(told: Sequence[Told], standing: Callable[[Sequence[str]], tuple[Standing, ...]]) -> Report:
    """The first report with the steps of all, and no prompts; `standing` tells how units of these ids stand in the end.

    Where what was asked for comes about only after something else, as the end of a turn does, its headline is that.
    """
    reports = [each.report for each in told]
    asked = told[0].action
    done = [each for each in told if (each.action.kind == asked.kind and not asked.by_unit) or each is told[0]][-1]
    outcomes = _outcomes(told, done)
    return reports[0].model_copy(
        update={
            "headline": done.report.headline,
            "side": done.report.side,
            "steps": tuple(_steps(told, done)),
            "outcome": " ".join(one for one in dict.fromkeys(outcomes) if one and one != done.report.headline),
            "standing": standing(_standing_units(told)),
            "opens_turn": done.report.opens_turn,
            "warnings": tuple(dict.fromkeys(chain.from_iterable(report.warnings for report in reports))),
            "units": _units(reports),
            "prompts": (),
            "showed_hidden": any(report.showed_hidden for report in reports),
        }
    )


def _steps(told: Sequence[Told], done: Told) -> Iterator[Step]:
    """Yield the steps of all actions; those of others than `done` as of consequences."""
    for place, each in enumerate(told):
        if each is done:
            yield from each.report.steps
            continue
        is_told = _tells_headline(told, place, done) and bool(each.headline)
        yield from (step.in_follow_up(headline_is_told=is_told) for step in each.report.steps)


def _tells_headline(told: Sequence[Told], place: int, done: Told) -> bool:
    """Whether the outcome names the action at that place: a consequence that no later pass outdates."""
    each = told[place]
    return each not in (told[0], done) and each.action.kind not in _passes(told[place + 1 :])


def _passes(later: Sequence[Told]) -> Collection[str]:
    return {each.action.kind for each in later if not each.action.by_unit}


def _standing_units(told: Sequence[Told]) -> tuple[str, ...]:
    """Return the units whose status is told in the end: of all reports that tell nothing else."""
    return _units(each.report for each in told if each.stands)


def _outcomes(told: Sequence[Told], done: Told) -> Iterator[str]:
    """Yield the outcomes of all actions, without those outdated by later phases or by how units stand in the end."""
    now = frozenset(_standing_units(told))
    for place, each in enumerate(told):
        asked, passes = each in (told[0], done), _passes(told[place + 1 :])
        if _tells_headline(told, place, done):
            yield each.headline
        restated = each.standing and not now.isdisjoint(each.report.units)
        if not (each.stands or restated) and (not each.action.by_unit or asked) and _holds(each.action, passes):
            yield each.report.outcome


def _holds(action: Action, passes: Collection[str]) -> bool:
    """Whether the outcome still holds after passes of these kinds."""
    return not passes if action.by_unit else action.kind not in passes


def _units(reports: Iterable[Report]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(report.units for report in reports)))
