"""Actions of hidden units, and discovery of hidden units and markers: contact, own attacks, or sight (house)."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from rules.core.dice import Dice
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.state import Action
from rules.core.umpire import umpire_step

from . import markers, table
from .battle import Marker, TableState
from .clearance import put_down
from .hidden_units import Hide, Unhide, all_shown, hide_units, in_secret, show_units
from .set_up import Begin
from .unit_under_marker import is_deed, stays_under
from .ways import Ways

S = TypeVar("S", bound=TableState[Any])
Act = Callable[[S, Action, Dice], tuple[S, Report]]

STEP = 0.25
"""Step in inches when searching a path for hidden units."""


class HiddenPlay:
    """Execute actions on tables with hidden units and markers, and reveal what an action discovers."""

    def __init__(self, ways: Ways[Any], sees: Callable[[Any, Any, Any], bool]) -> None:
        """Create the rules; `sees` tells whether one unit sees another unit or marker."""
        self._ways, self._placement, self._sees = ways, ways.placement, sees

    def act(self, plain: Act[S], state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute the action; `plain` executes an action among shown units only. Raises Refused."""
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
            return hide_units(after, tuple(after.units)), report
        after = _rested(state, markers.tidied(after))
        return self._found(state, after, report)

    def _set_up(self, plain: Act[S], state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute a set-up action, hidden from the other side; both sides are revealed when the battle begins."""
        whole = _known_to(state, action) if in_secret(state) else all_shown(state)
        after, report = plain(whole, action, dice)
        if after.setting_up is None:
            assert state.setting_up is not None
            return markers.lettered(hide_units(after, state.setting_up.in_ambush)), report
        if not in_secret(after):
            return markers.lettered(hide_units(after, after.setting_up.in_ambush)), report
        if (unit := whole.units.get(action.unit or "")) is not None:
            stays_under(markers.marker_over(state, unit.id), unit, after.units.get(unit.id), action)
        return hide_units(after, tuple(after.units)), _limited_to(report, _whose(state, action))

    def _by_hidden(self, plain: Act[S], state: S, unit: Any, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute an action by or on a hidden unit; the unit stays hidden unless others could notice.

        An action with a target, or an attack from under a marker, reveals the unit.
        """
        marker = markers.marker_over(state, unit.id)
        out = show_units(state, [unit.id])
        if marker is not None and is_deed(state, unit, action):
            after, report = self._from_under(plain, out, unit.id, action, dice)
        else:
            after, report = plain(out, action, dice)
            hidden = state.model_copy(update={"hidden": hide_units(after, [unit.id]).hidden})
            if _unnoticed(state, hide_units(after, [unit.id])) and getattr(action, "target", None) is None:
                stays_under(marker, unit, hidden.hidden.get(unit.id), action)
                return hidden, _limited_to(report, unit.side)
        where = f" under {marker.name}" if marker is not None else ""
        what = f"{unit:have} lain hidden{where}, and {unit:show} {unit:themselves}"
        step = umpire_step(what)
        return after, report.model_copy(update={"steps": (step, *report.steps), "showed_hidden": True})

    def _from_under(self, plain: Act[S], out: S, unit: str, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute the attack of a unit leaving its marker, placed with clearance if needed."""
        placed = put_down(self._ways, out, unit)
        if placed is not out:
            with suppress(Refused):
                return plain(placed, action, dice)
        return plain(out, action, dice)

    def _found(self, before: S, after: S, report: Report) -> tuple[S, Report]:
        """Reveal the hidden units and markers that an enemy touches or sees, those nearest to the movers' start first.

        A mover stops in front of the unit or marker that it touches. Markers are not found before the battle begins.
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
                after = show_units(after, [lies.id])
                what = f"{lies:have} lain hidden at {lies.place.spoken}, and {lies:are} found by {by}"
                report = _with_found(report, what, lies.id)
        return after, report

    def _lying(self, state: S) -> Iterator[tuple[Any, table.Base]]:
        """Yield discoverable objects with bases: hidden units and markers."""
        under = {marker.unit for marker in state.markers.values()}
        for unit in state.hidden.values():
            if unit.id not in under and (here := self._placement.base(unit)) is not None:
                yield unit, here
        if state.setting_up is None:
            yield from ((marker, markers.base(marker)) for marker in state.markers.values())

    def _turned_over(self, state: S, marker: Marker, finder: str) -> tuple[S, str, tuple[str, ...]]:
        """Return the state with a marker turned over, a description, and the found unit's id."""
        after, unit = markers.without(state, marker.id), state.hidden.get(marker.unit)
        if unit is None:
            return after, "there is nothing under it", ()
        after = put_down(self._ways, show_units(after, [unit.id]), unit.id, self._placement.base(state.units[finder]))
        return after, f"{unit:lie} under it", (unit.id,)

    def _finders(self, before: S, after: S, lies: Any, here: table.Base) -> Iterator[tuple[S, str, str]]:
        """Yield discoverers of a hidden object by id and in words, with the table after stopping the mover."""
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
        """Whether an enemy is close enough to see the hidden unit, with a clear line."""
        there, inches = self._placement.base(enemy), state.options.sight
        near = inches and there is not None and table.is_within(here, there, inches)
        return bool(near) and self._sees(state, enemy, lies)

    def _stopped(self, old: Any, now: Any, hidden: table.Base) -> Any:
        """Return the last place on a straight path clear of the hidden unit; None if blocked throughout."""
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
    """Return the distance in inches to the nearest starting place of moved enemies; 0 without moves."""
    enemies = ((enemy, before.units.get(enemy.id)) for enemy in after.enemies(lies.side))
    old = (was.place for enemy, was in enemies if was is not None and was.place != enemy.place)
    return min((table.distance(place.point, lies.place.point) for place in old if place is not None), default=0.0)


def _with_found(report: Report, what: str, *units: str) -> Report:
    """Return the report with a discovery, made public."""
    return report.model_copy(
        update={
            "steps": (*report.steps, umpire_step(what, in_headline=True)),
            "outcome": " ".join((report.outcome, f"{what}.")).strip(),
            "units": (*report.units, *units),
            "showed_hidden": True,
            "audience": None,
        }
    )


def _unnoticed(before: S, after: S) -> bool:
    """Whether the states differ only in hidden units and counters."""
    same = {name: getattr(before, name) for name in ("hidden", *before.deed_counters)}
    return after.model_copy(update=same) == before


def _rested(before: S, after: S) -> S:
    """Reset what hidden units did in the turn when the next side's turn begins (house)."""
    if not after.hidden or (before.turn, before.active) == (after.turn, after.active):
        return after
    rested = {unit.id: unit.rested() for unit in after.hidden.values()}
    return after.model_copy(update={"hidden": rested})


def _limited_to(report: Report, side: Any) -> Report:
    """Restrict the report to one side, unless already restricted further; without a side, leave it unchanged."""
    if side is None or report.audience is not None:
        return report
    return report.model_copy(update={"audience": frozenset({str(side)})})


def _known_to(state: S, action: Action) -> S:
    """Return the acting side's view, so that refusals reveal nothing about other sides; without a side, everything."""
    side = _whose(state, action)
    return show_units(state, [unit.id for unit in state.hidden.values() if side in (None, unit.side)])


def _whose(state: TableState[Any], action: Action) -> str | None:
    """Return the side of the action's unit or marker, or of a new unit; None without a side."""
    actor = state.every_unit.get(action.unit or "") or state.markers.get(action.unit or "")
    side: str | None = actor.side if actor is not None else getattr(action, "side", None)
    return side
