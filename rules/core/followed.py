"""An action and what followed it without a choice, told as one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from .report import Report
from .state import Action


class Told(NamedTuple):
    """One of them and its report, and how its units stood after it, as its outcome may say by itself."""

    action: Action
    report: Report
    standing: str

    @property
    def outcome(self) -> str:
        """What it came to, beside how its units stood."""
        return "" if self.report.outcome == self.standing else self.report.outcome

    @property
    def headline(self) -> str:
        """What happened, where none of its steps says so already."""
        said = (f"{step.text}: {step.verdict}" for step in self.report.steps)
        result = self.report.headline.removesuffix(".")
        return "" if any(each.startswith(result) for each in said) else self.report.headline


def as_one(told: Sequence[Told], standing: Callable[[Sequence[str]], str]) -> Report:
    """The first report, with the steps of all; `standing` tells how units of these ids stand in the end, each once.

    Where what was asked for comes about only after something else, as the end of a turn does, its headline is that.
    """
    reports = [each.report for each in told]
    done = [each for each in told if each.action.kind == told[0].action.kind][-1]
    return reports[0].model_copy(
        update={
            "headline": done.report.headline,
            "side": done.report.side,
            "steps": tuple(chain.from_iterable(report.steps for report in reports)),
            "outcome": " ".join(dict.fromkeys(filter(None, _outcomes(told, done, standing)))),
            "warnings": tuple(dict.fromkeys(chain.from_iterable(report.warnings for report in reports))),
            "units": _units(reports),
            "showed_hidden": any(report.showed_hidden for report in reports),
        }
    )


def _outcomes(told: Sequence[Told], done: Told, standing: Callable[[Sequence[str]], str]) -> Iterator[str]:
    """What each came to, but for phases passed since, and for how units stood that something befell since."""
    restated = _units([each.report for each in told if not each.outcome])
    for place, each in enumerate(told):
        after = told[place + 1 :]
        if not each.action.by_unit and each.action.kind in (later.action.kind for later in after):
            continue
        if each not in (told[0], done):
            yield each.headline
        later_units = {*restated} & {*_units([later.report for later in after])}
        if later_units.isdisjoint(each.report.units) or not standing(each.report.units):
            yield each.outcome
    yield standing(restated)


def _units(reports: Iterable[Report]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(report.units for report in reports)))
