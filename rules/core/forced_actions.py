"""Forced actions: consequences without a choice, executed and reported with the action that caused them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from .play import Play
from .report import Report, Standing, Step
from .state import Action, S

if TYPE_CHECKING:
    from .ruleset import Ruleset

MOST_FOLLOWS = 1000
"""Maximum number of actions executed together; far more than one action can cause."""


class ExecutedAction(NamedTuple):
    """An executed action, its report, and the condition of the report's units after the action."""

    action: Action
    report: Report
    standing: tuple[Standing, ...]

    @property
    def has_only_conditions(self) -> bool:
        """Whether the report states nothing but the condition of its units."""
        return not self.report.outcome and self.report.standing == self.standing

    def without_turn_headline(self) -> "ExecutedAction":
        """Return the executed action without a new turn's headline, which no longer holds after the game's end."""
        return self._replace(report=self.report.model_copy(update={"headline": ""})) if self.report.opens_turn else self

    @property
    def headline(self) -> str:
        """Return the report's headline; empty if a step of the short report already says it."""
        steps = (step for step in self.report.steps if step.reports_event and not step.is_in_headline)
        states = any(step.text_in_headline or step.verdict_in_headline for step in steps)
        return "" if states else self.report.headline


def execute_forced_actions(system: "Ruleset[S]", play: Play[S], first_action: Action) -> None:
    """Execute the forced actions that follow `first_action`, and merge all reports into `play.report`."""

    def record_execution(action: Action) -> ExecutedAction:
        return ExecutedAction(action, play.report, system.unit_standings(play.state, play.report.units))

    executions = [record_execution(first_action)]
    while (action := system.next_forced_action(system.apply_verdict(play.state))) is not None:
        assert len(executions) < MOST_FOLLOWS, f"{action.kind} follows for ever"
        play.side = system.side_of(play.state, action)
        play.report = Report(headline="", side=play.side)
        play.do(action)
        executions.append(record_execution(action))
    if len(executions) > 1:
        is_over = system.apply_verdict(play.state).over is not None
        executions = [
            execution.without_turn_headline() if is_over and execution is not executions[0] else execution
            for execution in executions
        ]
        play.report = merge_reports(executions, lambda units: system.unit_standings(play.state, units))


def merge_reports(
    executions: Sequence[ExecutedAction], standing: Callable[[Sequence[str]], tuple[Standing, ...]]
) -> Report:
    """Merge the reports of one command's actions into one report, without prompts.

    `standing` returns the final condition of units (by id). If the turn changed more than once, the last change gives
    the headline.
    """
    reports = [execution.report for execution in executions]
    first_action = executions[0].action
    same_kind = (
        execution
        for execution in executions[1:]
        if execution.action.kind == first_action.kind and not first_action.is_unit_action
    )
    main = [executions[0], *same_kind][-1]
    outcomes = _merged_outcomes(executions, main)
    return reports[0].model_copy(
        update={
            "headline": main.report.headline,
            "side": main.report.side,
            "steps": tuple(_merged_steps(executions, main)),
            "outcome": " ".join(
                outcome for outcome in dict.fromkeys(outcomes) if outcome and outcome != main.report.headline
            ),
            "standing": standing(_units_with_only_conditions(executions)),
            "opens_turn": main.report.opens_turn,
            "warnings": tuple(dict.fromkeys(chain.from_iterable(report.warnings for report in reports))),
            "units": _units_of_reports(reports),
            "prompts": (),
            "showed_hidden": any(report.showed_hidden for report in reports),
        }
    )


def _merged_steps(executions: Sequence[ExecutedAction], main: ExecutedAction) -> Iterator[Step]:
    """Yield the steps of all actions, marked as consequences except for the steps of `main`."""
    for place, execution in enumerate(executions):
        if execution is main:
            yield from execution.report.steps
            continue
        is_told = _repeats_headline(executions, place, main) and bool(execution.headline)
        yield from (step.as_consequence(headline_is_told=is_told) for step in execution.report.steps)


def _repeats_headline(executions: Sequence[ExecutedAction], place: int, main: ExecutedAction) -> bool:
    """Whether the merged outcome includes the headline of the action at index `place`.

    It includes the headlines of consequences, except two kinds: a new turn, which every message names anyway, and a
    turn change that a later turn change replaces.
    """
    execution = executions[place]
    is_consequence = execution not in (executions[0], main) and not execution.report.opens_turn
    return is_consequence and execution.action.kind not in _kinds_of_turn_changes(executions[place + 1 :])


def _kinds_of_turn_changes(later: Sequence[ExecutedAction]) -> Collection[str]:
    return {execution.action.kind for execution in later if not execution.action.is_unit_action}


def _units_with_only_conditions(executions: Sequence[ExecutedAction]) -> tuple[str, ...]:
    """Return the ids of the units in those reports that state nothing but the condition of units."""
    return _units_of_reports(execution.report for execution in executions if execution.has_only_conditions)


def _merged_outcomes(executions: Sequence[ExecutedAction], main: ExecutedAction) -> Iterator[str]:
    """Yield the headlines to include in the merged outcome, and the outcomes that still hold after all actions."""
    now = frozenset(_units_with_only_conditions(executions))
    for place, execution in enumerate(executions):
        is_leading, later_changes = execution in (executions[0], main), _kinds_of_turn_changes(executions[place + 1 :])
        if _repeats_headline(executions, place, main):
            yield execution.headline
        is_restated = execution.standing and not now.isdisjoint(execution.report.units)
        is_current = (
            is_leading and not later_changes
            if execution.action.is_unit_action
            else execution.action.kind not in later_changes
        )
        if is_current and not (execution.has_only_conditions or is_restated):
            yield execution.report.outcome


def _units_of_reports(reports: Iterable[Report]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(report.units for report in reports)))
