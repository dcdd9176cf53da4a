"""What hidden units do, and how they are found: by contact, by their own deeds, or by sight (house)."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from rules.core.dice import Dice
from rules.core.report import Report, Step
from rules.core.state import Action
from rules.core.umpire import BY_UMPIRE

from . import table
from .battle import TableState, TableUnit
from .hiding import Hide, Unhide, all_shown, aside, in_secret, shown
from .placement import Placement
from .setting_up import Begin

S = TypeVar("S", bound=TableState[Any])
Act = Callable[[S, Action, Dice], tuple[S, Report]]

STEP = 0.25
"""Inches by which a way is searched for who lies hidden on it."""


class Finding:
    """Acts on tables with hidden units, by what an action does on a table without."""

    def __init__(self, placement: Placement[Any], sees: Callable[[Any, Any, Any], bool]) -> None:
        """`sees` is whether a unit of a state sees another that stands in the open."""
        self._placement, self._sees = placement, sees

    def act(self, plain: Act[S], state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """As `plain` does on the units that are shown. Raises Refused."""
        if state.setting_up is not None and (in_secret(state) or action.kind == Begin.kind):
            return self._set_up(plain, state, action, dice)
        unit = state.hidden.get(action.unit or "")
        if unit is None or action.kind in (Hide.kind, Unhide.kind):
            after, report = plain(state, action, dice)
        else:
            after, report = _by_hidden(plain, state, unit, action, dice)
        if report.audience is None and in_secret(after):
            return aside(after, tuple(after.units)), report
        after = _rested(state, after)
        return self._found(state, after, report) if after.hidden else (after, report)

    def _set_up(self, plain: Act[S], state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Each side's own business, which the other does not see; both are shown as the battle begins."""
        whole = all_shown(state)
        after, report = plain(whole, action, dice)
        if after.setting_up is None:
            assert state.setting_up is not None
            return aside(after, state.setting_up.in_ambush), report
        if not in_secret(after):
            return aside(after, after.setting_up.in_ambush), report
        unit = whole.units.get(action.unit or "")
        side = unit.side if unit is not None else getattr(action, "side", None)
        audience = None if side is None else frozenset({str(side)})
        return aside(after, tuple(after.units)), report.model_copy(update={"audience": audience})

    def _found(self, before: S, after: S, report: Report) -> tuple[S, Report]:
        """With the hidden units that an enemy came upon or sees; who came upon one stops before it."""
        for unit in tuple(after.hidden.values()):
            finder = next(self._finders(before, after, unit), None)
            if finder is None:
                continue
            after, by = finder
            after = shown(after, [unit.id])
            what = f"{unit:have} lain hidden at {unit.place.spoken}, and {unit:are} found by {by}"
            report = report.model_copy(
                update={
                    "steps": (*report.steps, Step(text=what, cite=BY_UMPIRE, verdict=what)),
                    "outcome": " ".join((report.outcome, f"{what}.")).strip(),
                    "units": (*report.units, unit.id),
                    "showed_hidden": True,
                    "audience": None,
                }
            )
        return after, report

    def _finders(self, before: S, after: S, unit: TableUnit) -> Iterator[tuple[S, str]]:
        """Who finds a hidden unit, and the table with that one stopped where it did."""
        here = self._placement.base(unit)
        if here is None:
            return
        for enemy in after.enemies(unit.side):
            there = self._placement.base(enemy)
            if there is None:
                continue
            old = before.units.get(enemy.id)
            moved = old is not None and old.place is not None and old.place != enemy.place
            if moved and (stop := self._stopped(old, enemy, here)) is not None:
                yield after.changed(enemy.id, place=stop), enemy.name
            elif table.touching(here, there):
                yield after, enemy.name
            elif self._is_in_sight(after, enemy, unit):
                yield after, f"{enemy.name}, by sight"

    def _is_in_sight(self, state: Any, enemy: Any, unit: Any) -> bool:
        """Whether an enemy is so near that he sees who is hidden, with nothing between."""
        here, there, inches = self._placement.base(unit), self._placement.base(enemy), state.options.sight
        near = inches and here is not None and there is not None and table.within(here, there, inches)
        return bool(near) and self._sees(state, enemy, unit)

    def _stopped(self, old: Any, now: Any, hidden: table.Base) -> Any:
        """The last place on the way straight there that is clear of the hidden unit; None where all of it is."""
        start, end = old.place.point, now.place.point
        whole = table.distance(start, end)
        last = old.place
        for at in range(int(whole / STEP) + 2):
            part = min(at * STEP / whole, 1.0) if whole else 1.0
            x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
            place = now.place.model_copy(update={"x": x, "y": y})
            if table.overlapping(self._placement.base_at(now, place), hidden):
                return last
            last = place
        return None


def _by_hidden(plain: Act[S], state: S, unit: Any, action: Action, dice: Dice) -> tuple[S, Report]:
    """What is done by or to a hidden unit: it stays hidden where nobody else could tell, else it is shown with it.

    What has a target is told to everyone, whatever comes of it.
    """
    after, report = plain(shown(state, [unit.id]), action, dice)
    hidden = state.model_copy(update={"hidden": aside(after, [unit.id]).hidden})
    if _unnoticed(state, aside(after, [unit.id])) and getattr(action, "target", None) is None:
        return hidden, report.model_copy(update={"audience": frozenset({unit.side})})
    what = f"{unit:have} lain hidden, and {unit:show} {unit:themselves}"
    step = Step(text=what, cite=BY_UMPIRE, verdict=what)
    return after, report.model_copy(update={"steps": (step, *report.steps), "showed_hidden": True})


def _unnoticed(before: S, after: S) -> bool:
    """Whether all but hidden units is as it was, and what only counts what was done."""
    same = {name: getattr(before, name) for name in ("hidden", *before.counts_deeds)}
    return after.model_copy(update=same) == before


def _rested(before: S, after: S) -> S:
    """A hidden unit acts anew in each side's turn (house)."""
    if not after.hidden or (before.turn, before.active) == (after.turn, after.active):
        return after
    rested = {unit.id: unit.rested() for unit in after.hidden.values()}
    return after.model_copy(update={"hidden": rested})
