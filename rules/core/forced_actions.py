"""Forced actions: consequences without a choice, executed with the causing action and reported together."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from .play import Play
from .report import Report, Standing, Step
from .state import Action, S

if TYPE_CHECKING:
    from .ruleset import Ruleset

MOST_FOLLOWS = 1000
"""Maximum number of actions executed together; far more than can follow one action."""


class ExecutedAction(NamedTuple):
    """An executed action, its report, and the condition of the report's units after it."""

    action: Action
    report: Report
    standing: tuple[Standing, ...]

    @property
    def has_only_standing(self) -> bool:
        """Whether the report has no result besides its units' condition."""
        return not self.report.outcome and self.report.standing == self.standing

    def without_turn(self) -> "ExecutedAction":
        """Return the executed action without a new turn's headline, because the game is over."""
        return self._replace(report=self.report.model_copy(update={"headline": ""})) if self.report.opens_turn else self

    @property
    def headline(self) -> str:
        """Return the report's headline; empty if a step in the short report says it."""
        told = (step for step in self.report.steps if step.tells and not step.is_said)
        states = any(step.text_in_headline or step.verdict_in_headline for step in told)
        return "" if states else self.report.headline


def follow_up(system: "Ruleset[S]", play: Play[S], asked: Action) -> None:
    """Execute forced actions after an action until none remain or the game ends; merge the reports."""

    def executed_action(action: Action) -> ExecutedAction:
        return ExecutedAction(action, play.report, system.standing(play.state, play.report.units))

    executed = [executed_action(asked)]
    while (action := system.next_forced_action(system.apply_consequences(play.state))) is not None:
        assert len(executed) < MOST_FOLLOWS, f"{action.kind} follows for ever"
        play.side = system.side_of(play.state, action)
        play.report = Report(headline="", side=play.side)
        play.do(action)
        executed.append(executed_action(action))
    if len(executed) > 1:
        is_over = system.apply_consequences(play.state).over is not None
        executed = [one.without_turn() if is_over and one is not executed[0] else one for one in executed]
        play.report = merge_reports(executed, lambda units: system.standing(play.state, units))


def merge_reports(
    executed: Sequence[ExecutedAction], standing: Callable[[Sequence[str]], tuple[Standing, ...]]
) -> Report:
    """Return the first report with the steps of all reports, without prompts.

    `standing` returns the condition of units (by id) in the end. If a pass is followed by another pass, as at the end
    of a turn, the last pass gives the headline.
    """
    reports = [each.report for each in executed]
    asked = executed[0].action
    same_kind = (each for each in executed[1:] if each.action.kind == asked.kind and not asked.by_unit)
    done = [executed[0], *same_kind][-1]
    outcomes = _outcomes(executed, done)
    return reports[0].model_copy(
        update={
            "headline": done.report.headline,
            "side": done.report.side,
            "steps": tuple(_steps(executed, done)),
            "outcome": " ".join(one for one in dict.fromkeys(outcomes) if one and one != done.report.headline),
            "standing": standing(_standing_units(executed)),
            "opens_turn": done.report.opens_turn,
            "warnings": tuple(dict.fromkeys(chain.from_iterable(report.warnings for report in reports))),
            "units": _units_of(reports),
            "prompts": (),
            "showed_hidden": any(report.showed_hidden for report in reports),
        }
    )


def _steps(executed: Sequence[ExecutedAction], done: ExecutedAction) -> Iterator[Step]:
    """Yield the steps of all actions; those of actions other than `done` are marked as consequences."""
    for place, each in enumerate(executed):
        if each is done:
            yield from each.report.steps
            continue
        is_told = _tells_headline(executed, place, done) and bool(each.headline)
        yield from (step.in_follow_up(headline_is_told=is_told) for step in each.report.steps)


def _tells_headline(executed: Sequence[ExecutedAction], place: int, done: ExecutedAction) -> bool:
    """Whether the outcome tells the headline of the action at `place`: a consequence that no later pass outdates.

    The name of a new turn or phase is left out: every message and log names it.
    """
    each = executed[place]
    is_consequence = each not in (executed[0], done) and not each.report.opens_turn
    return is_consequence and each.action.kind not in _pass_kinds(executed[place + 1 :])


def _pass_kinds(later: Sequence[ExecutedAction]) -> Collection[str]:
    return {each.action.kind for each in later if not each.action.by_unit}


def _standing_units(executed: Sequence[ExecutedAction]) -> tuple[str, ...]:
    """Return the units whose final condition is reported: the units of all reports without another result."""
    return _units_of(each.report for each in executed if each.has_only_standing)


def _outcomes(executed: Sequence[ExecutedAction], done: ExecutedAction) -> Iterator[str]:
    """Yield the outcomes of all actions, except those that later passes or the units' final condition outdate."""
    now = frozenset(_standing_units(executed))
    for place, each in enumerate(executed):
        asked, passes = each in (executed[0], done), _pass_kinds(executed[place + 1 :])
        if _tells_headline(executed, place, done):
            yield each.headline
        restated = each.standing and not now.isdisjoint(each.report.units)
        if (
            not (each.has_only_standing or restated)
            and (not each.action.by_unit or asked)
            and _still_holds(each.action, passes)
        ):
            yield each.report.outcome


def _still_holds(action: Action, passes: Collection[str]) -> bool:
    """Whether the outcome of `action` still holds after later passes of these kinds."""
    return not passes if action.by_unit else action.kind not in passes


def _units_of(reports: Iterable[Report]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(report.units for report in reports)))
