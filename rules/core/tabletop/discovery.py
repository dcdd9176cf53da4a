"""What hidden units do, and how they and markers are found: by contact, by their own deeds, or by sight (house)."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from rules.core.dice import Dice
from rules.core.refusal import Refused
from rules.core.report import Report, Step
from rules.core.state import Action
from rules.core.umpire import BY_UMPIRE

from . import markers, table
from .battle import Marker, TableState
from .clearance import put_down
from .hidden_units import Hide, Unhide, all_shown, aside, in_secret, shown
from .set_up import Begin
from .unit_under_marker import is_deed, stays_under
from .ways import Ways

S = TypeVar("S", bound=TableState[Any])
Act = Callable[[S, Action, Dice], tuple[S, Report]]

STEP = 0.25
"""Inches by which a way is searched for who lies hidden on it."""


class Finding:
    """Acts on tables with hidden units and markers, by what an action does on a table without."""

    def __init__(self, ways: Ways[Any], sees: Callable[[Any, Any, Any], bool]) -> None:
        """`sees` is whether a unit of a state sees another, or a marker, that stands in the open."""
        self._ways, self._placement, self._sees = ways, ways.placement, sees

    def act(self, plain: Act[S], state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """As `plain` does on the units that are shown. Raises Refused."""
        after, report = self._act(plain, state, action, dice)
        return markers.tidied(after), report

    def _act(self, plain: Act[S], state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        if state.setting_up is not None and (in_secret(state) or action.kind == Begin.kind):
            return self._set_up(plain, state, action, dice)
        unit = state.hidden.get(action.unit or "")
        if unit is None or action.kind in (Hide.kind, Unhide.kind):
            after, report = plain(state, action, dice)
        else:
            after, report = self._by_hidden(plain, state, unit, action, dice)
        if report.audience is None and in_secret(after):
            return aside(after, tuple(after.units)), report
        after = _rested(state, markers.tidied(after))
        return self._found(state, after, report)

    def _set_up(self, plain: Act[S], state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Each side's own business, which the other does not see; both are shown as the battle begins."""
        whole = _known_to(state, action) if in_secret(state) else all_shown(state)
        after, report = plain(whole, action, dice)
        if after.setting_up is None:
            assert state.setting_up is not None
            return markers.lettered(aside(after, state.setting_up.in_ambush)), report
        if not in_secret(after):
            return markers.lettered(aside(after, after.setting_up.in_ambush)), report
        if (unit := whole.units.get(action.unit or "")) is not None:
            stays_under(markers.over(state, unit.id), unit, after.units.get(unit.id), action)
        return aside(after, tuple(after.units)), _told_to(report, _whose(state, action))

    def _by_hidden(self, plain: Act[S], state: S, unit: Any, action: Action, dice: Dice) -> tuple[S, Report]:
        """What is done by or to a hidden unit: it stays hidden where nobody else could tell, else it is shown with it.

        What has a target is told to everyone, whatever comes of it; and so is a charge from under a marker.
        """
        marker = markers.over(state, unit.id)
        out = shown(state, [unit.id])
        if marker is not None and is_deed(state, unit, action):
            after, report = self._from_under(plain, out, unit.id, action, dice)
        else:
            after, report = plain(out, action, dice)
            hidden = state.model_copy(update={"hidden": aside(after, [unit.id]).hidden})
            if _unnoticed(state, aside(after, [unit.id])) and getattr(action, "target", None) is None:
                stays_under(marker, unit, hidden.hidden.get(unit.id), action)
                return hidden, _told_to(report, unit.side)
        where = f" under {marker.name}" if marker is not None else ""
        what = f"{unit:have} lain hidden{where}, and {unit:show} {unit:themselves}"
        step = Step(text=what, cite=BY_UMPIRE, verdict=what)
        return after, report.model_copy(update={"steps": (step, *report.steps), "showed_hidden": True})

    def _from_under(self, plain: Act[S], out: S, unit: str, action: Action, dice: Dice) -> tuple[S, Report]:
        """The deed of a unit that comes out from under a marker: set where it has room, unless it needs no more."""
        placed = put_down(self._ways, out, unit)
        if placed is not out:
            with suppress(Refused):
                return plain(placed, action, dice)
        return plain(out, action, dice)

    def _found(self, before: S, after: S, report: Report) -> tuple[S, Report]:
        """With what an enemy came upon or sees: hidden units, and what lies under markers; the first on his way first.

        Who came upon it stops before it. Before the battle begins nothing under a marker is found.
        """
        for lies, here in sorted(self._lying(after), key=lambda one: _from_movers(before, after, one[0])):
            finder = next(self._finders(before, after, lies, here), None)
            if finder is None:
                continue
            after, enemy, by = finder
            if isinstance(lies, Marker):
                after, what, found = self._turned_over(after, lies, enemy)
                report = _with_found(report, f"{lies.name} is found by {by}: {what}", *found)
            else:
                after = shown(after, [lies.id])
                what = f"{lies:have} lain hidden at {lies.place.spoken}, and {lies:are} found by {by}"
                report = _with_found(report, what, lies.id)
        return after, report

    def _lying(self, state: S) -> Iterator[tuple[Any, table.Base]]:
        """What can be found, each with its base: hidden units, and markers in place of those under them."""
        under = {marker.unit for marker in state.markers.values()}
        for unit in state.hidden.values():
            if unit.id not in under and (here := self._placement.base(unit)) is not None:
                yield unit, here
        if state.setting_up is None:
            yield from ((marker, markers.base(marker)) for marker in state.markers.values())

    def _turned_over(self, state: S, marker: Marker, finder: str) -> tuple[S, str, tuple[str, ...]]:
        """The state with what lies under a marker put down clear of who found it; what that is, and its id."""
        after, unit = markers.without(state, marker.id), state.hidden.get(marker.unit)
        if unit is None:
            return after, "there is nothing under it", ()
        after = put_down(self._ways, shown(after, [unit.id]), unit.id, self._placement.base(state.units[finder]))
        return after, f"{unit:lie} under it", (unit.id,)

    def _finders(self, before: S, after: S, lies: Any, here: table.Base) -> Iterator[tuple[S, str, str]]:
        """Who finds what lies hidden on a base, by id and in words; before it, the table with that one stopped."""
        for enemy in after.enemies(lies.side):
            there = self._placement.base(enemy)
            if there is None:
                continue
            old = before.units.get(enemy.id)
            moved = old is not None and old.place is not None and old.place != enemy.place
            if moved and (stop := self._stopped(old, enemy, here)) is not None:
                yield after.changed(enemy.id, place=stop), enemy.id, enemy.name
            elif table.touching(here, there):
                yield after, enemy.id, enemy.name
            elif self._is_in_sight(after, enemy, lies, here):
                yield after, enemy.id, f"{enemy.name}, by sight"

    def _is_in_sight(self, state: Any, enemy: Any, lies: Any, here: table.Base) -> bool:
        """Whether an enemy is so near that he sees what is hidden, with nothing between."""
        there, inches = self._placement.base(enemy), state.options.sight
        near = inches and there is not None and table.within(here, there, inches)
        return bool(near) and self._sees(state, enemy, lies)

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


def _from_movers(before: S, after: S, lies: Any) -> float:
    """Inches from it to where the nearest of the enemies who moved set out; 0 where nobody did."""
    enemies = ((enemy, before.units.get(enemy.id)) for enemy in after.enemies(lies.side))
    old = (was.place for enemy, was in enemies if was is not None and was.place != enemy.place)
    return min((table.distance(place.point, lies.place.point) for place in old if place is not None), default=0.0)


def _with_found(report: Report, what: str, *units: str) -> Report:
    """The report with something that is found, which everyone is told."""
    return report.model_copy(
        update={
            "steps": (*report.steps, Step(text=what, cite=BY_UMPIRE, verdict=what)),
            "outcome": " ".join((report.outcome, f"{what}.")).strip(),
            "units": (*report.units, *units),
            "showed_hidden": True,
            "audience": None,
        }
    )


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


def _told_to(report: Report, side: Any) -> Report:
    """The report for that side alone, or for fewer where it is so already; for whom it is without a side."""
    if side is None or report.audience is not None:
        return report
    return report.model_copy(update={"audience": frozenset({str(side)})})


def _known_to(state: S, action: Action) -> S:
    """What the side knows whose business it is: its own, so that no refusal names or places another's. Else all."""
    side = _whose(state, action)
    return shown(state, [unit.id for unit in state.hidden.values() if side in (None, unit.side)])


def _whose(state: TableState[Any], action: Action) -> str | None:
    """The side of the unit or the marker, or for which something is put on; None where it is of no side."""
    actor = state.every_unit.get(action.unit or "") or state.markers.get(action.unit or "")
    side: str | None = actor.side if actor is not None else getattr(action, "side", None)
    return side
