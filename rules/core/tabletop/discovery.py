"""Execute actions of hidden units, and reveal hidden units and markers that are touched, seen or attack (house)."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from rules.core.dice import Dice
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.state import Action
from rules.core.umpire import umpire_step

from . import markers, table
from .battle import Marker, S
from .clearance import move_back_until_clear
from .hidden_units import Hide, Unhide, hide_units, is_secret_set_up, show_units
from .set_up import Begin
from .unit_under_marker import require_stays_under_marker, reveals_unit
from .ways import Ways

Act = Callable[[S, Action, Dice], tuple[S, Report]]

STEP = 0.25
"""Distance in inches between the points of a path that are tested for contact with a hidden unit."""


class HiddenActionExecutor:
    """Executes actions on a table, and reveals the hidden units and markers that they discover."""

    def __init__(self, ways: Ways[Any], sees: Callable[[Any, Any, Any], bool]) -> None:
        """Store the rules. `sees` tells whether, in a state, a unit sees another unit or a marker."""
        self._ways, self._placement, self._sees = ways, ways.placement, sees

    def act(self, execute: Act[S], state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute the action, then reveal the hidden units and markers that it discovers. Raises Refused.

        `execute` is the system's function for actions of visible units.
        """
        after, report = self._act_and_reveal(execute, state, action, dice)
        return markers.tidy_markers(after), report

    def _act_and_reveal(self, execute: Act[S], state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute the action and reveal its discoveries, without tidying the markers afterwards."""
        if state.setting_up is not None and (is_secret_set_up(state) or action.kind == Begin.kind):
            return self._act_in_set_up(execute, state, action, dice)
        unit = state.hidden.get(action.unit or "")
        if unit is None or action.kind in (Hide.kind, Unhide.kind):
            after, report = execute(state, action, dice)
        else:
            after, report = self._act_with_hidden_unit(execute, state, unit, action, dice)
        if report.audience is None and is_secret_set_up(after):
            return hide_units(after, tuple(after.units)), report
        after = _reset_hidden_turn_records(state, markers.tidy_markers(after))
        return self._reveal_discoveries(state, after, report)

    def _act_in_set_up(self, execute: Act[S], state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute an action of a secret set-up, or the action that begins the battle.

        During a secret set-up the rules see only the acting side's units, so refusals reveal nothing about
        other sides. Only this side may read the report. When the battle begins, all units except ambushes
        become visible.
        """
        actor = state.every_unit.get(action.unit or "") or state.markers.get(action.unit or "")
        acting_side: str | None = actor.side if actor is not None else getattr(action, "side", None)
        side = acting_side if is_secret_set_up(state) else None
        visible_state = show_units(state, [unit.id for unit in state.hidden.values() if side in (None, unit.side)])
        after, report = execute(visible_state, action, dice)
        if after.setting_up is None:
            assert state.setting_up is not None
            return markers.publish_marker_letters(hide_units(after, state.setting_up.in_ambush)), report
        if not is_secret_set_up(after):
            return markers.publish_marker_letters(hide_units(after, after.setting_up.in_ambush)), report
        if (unit := visible_state.units.get(action.unit or "")) is not None:
            require_stays_under_marker(markers.marker_over_unit(state, unit.id), unit, after.units.get(unit.id), action)
        return hide_units(after, tuple(after.units)), _limit_audience(report, side)

    def _act_with_hidden_unit(
        self, execute: Act[S], state: S, unit: Any, action: Action, dice: Dice
    ) -> tuple[S, Report]:
        """Execute an action of a hidden unit, or an action on a hidden unit.

        The unit stays hidden if the action has no target and changes nothing that other sides could notice. An
        attack from under a marker always reveals it.
        """
        marker = markers.marker_over_unit(state, unit.id)
        visible_state = show_units(state, [unit.id])
        if marker is not None and reveals_unit(state, unit, action):
            after, report = self._act_from_marker(execute, visible_state, unit.id, action, dice)
        else:
            after, report = execute(visible_state, action, dice)
            hidden_after = hide_units(after, [unit.id])
            counters = {name: getattr(state, name) for name in ("hidden", *state.action_counters)}
            is_unnoticed = hidden_after.model_copy(update=counters) == state
            if is_unnoticed and getattr(action, "target", None) is None:
                require_stays_under_marker(marker, unit, hidden_after.hidden.get(unit.id), action)
                return state.model_copy(update={"hidden": hidden_after.hidden}), _limit_audience(report, unit.side)
        marker_words = f" under {marker.name}" if marker is not None else ""
        step = umpire_step(f"{unit:have} lain hidden{marker_words}, and {unit:show} {unit:themselves}")
        return after, report.model_copy(update={"steps": (step, *report.steps), "showed_hidden": True})

    def _act_from_marker(
        self, execute: Act[S], visible_state: S, unit: str, action: Action, dice: Dice
    ) -> tuple[S, Report]:
        """Execute an attack from under a marker, from the nearest place with clearance.

        If the rules refuse the attack from there, the unit attacks from the marker's place.
        """
        moved_state = move_back_until_clear(self._ways, visible_state, unit)
        if moved_state is not visible_state:
            with suppress(Refused):
                return execute(moved_state, action, dice)
        return execute(visible_state, action, dice)

    def _reveal_discoveries(self, before: S, after: S, report: Report) -> tuple[S, Report]:
        """Reveal the hidden units and markers that an enemy touches or sees, and report each.

        Targets nearest to the start of an enemy's move come first. A moving enemy stops in front of a unit or marker
        that it touches.
        """
        targets = self._hidden_targets(after)
        for target, base in sorted(targets, key=lambda pair: _inches_from_move_start(before, after, pair[0])):
            finder = next(self._iterate_finders(before, after, target, base), None)
            if finder is None:
                continue
            after, enemy, finders = finder
            if isinstance(target, Marker):
                after, contents, unit_ids = self._turn_over_marker(after, target, enemy)
                report = _add_discovery(report, f"{target.name} is found by {finders}: {contents}", *unit_ids)
            else:
                after = show_units(after, [target.id])
                text = f"{target:have} lain hidden at {target.place.spot_in_words}, and {target:are} found by {finders}"
                report = _add_discovery(report, text, target.id)
        return after, report

    def _hidden_targets(self, state: S) -> Iterator[tuple[Any, table.Base]]:
        """Yield each hidden unit without a marker and, after the set-up, each marker, with their bases."""
        under_marker = {marker.unit for marker in state.markers.values()}
        for unit in state.hidden.values():
            if unit.id not in under_marker and (base := self._placement.base(unit)) is not None:
                yield unit, base
        if state.setting_up is None:
            yield from ((marker, markers.base_of_marker(marker)) for marker in state.markers.values())

    def _turn_over_marker(self, state: S, marker: Marker, finder: str) -> tuple[S, str, tuple[str, ...]]:
        """Turn over a marker that the unit `finder` has found.

        Return the state without the marker, its contents in words, and the id of any unit under it.
        """
        after, unit = markers.remove_marker(state, marker.id), state.hidden.get(marker.unit)
        if unit is None:
            return after, "there is nothing under it", ()
        after = move_back_until_clear(
            self._ways, show_units(after, [unit.id]), unit.id, self._placement.base(state.units[finder])
        )
        return after, f"{unit:lie} under it", (unit.id,)

    def _iterate_finders(self, before: S, after: S, target: Any, base: table.Base) -> Iterator[tuple[S, str, str]]:
        """Yield each enemy that touches or sees `target`, a hidden unit or a marker with this `base`.

        Yield a state, the enemy's id and its description. In this state an enemy that moved stops before the target.
        """
        sight = after.options.sight
        for enemy in after.enemies(target.side):
            enemy_base = self._placement.base(enemy)
            if enemy_base is None:
                continue
            old = before.units.get(enemy.id)
            moved = old is not None and old.place is not None and old.place != enemy.place
            if moved and (stop := self._place_before_overlap(old, enemy, base)) is not None:
                yield after.changed(enemy.id, place=stop), enemy.id, enemy.name
            elif table.are_touching(base, enemy_base):
                yield after, enemy.id, enemy.name
            elif sight and table.is_within(base, enemy_base, sight) and self._sees(after, enemy, target):
                yield after, enemy.id, f"{enemy.name}, by sight"

    def _place_before_overlap(self, old: Any, now: Any, hidden: table.Base) -> Any:
        """Return the last place on a straight move before the unit overlaps a `hidden` base, or None.

        The unit is `old` before the move and `now` after it.
        """
        start, end = old.place.point, now.place.point
        length = table.distance(start, end)
        last = old.place
        for at in range(int(length / STEP) + 2):
            part = min(at * STEP / length, 1.0) if length else 1.0
            x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
            place = now.place.model_copy(update={"x": x, "y": y})
            if table.are_overlapping(self._placement.base_at(now, place), hidden):
                return last
            last = place
        return None


def _inches_from_move_start(before: S, after: S, target: Any) -> float:
    """Return the inches from the target to the nearest start of an enemy's move; 0 if no enemy moved."""
    enemies = ((enemy, before.units.get(enemy.id)) for enemy in after.enemies(target.side))
    starts = (old.place for enemy, old in enemies if old is not None and old.place != enemy.place)
    return min((table.distance(place.point, target.place.point) for place in starts if place is not None), default=0.0)


def _add_discovery(report: Report, text: str, *units: str) -> Report:
    """Make the report public and add the `text` of a discovery. `units` are the ids of the found units."""
    return report.model_copy(
        update={
            "steps": (*report.steps, umpire_step(text, in_headline=True)),
            "outcome": " ".join((report.outcome, f"{text}.")).strip(),
            "units": (*report.units, *units),
            "showed_hidden": True,
            "audience": None,
        }
    )


def _reset_hidden_turn_records(before: S, after: S) -> S:
    """Clear the `this_turn` records of hidden units if a new turn has begun (house)."""
    if not after.hidden or (before.turn, before.active) == (after.turn, after.active):
        return after
    hidden = dict(after.hidden)
    for unit_id, unit in after.hidden.items():
        if (field := type(unit).model_fields.get("this_turn")) is not None:
            hidden[unit_id] = unit.model_copy(update={"this_turn": field.get_default()})
    return after.model_copy(update={"hidden": hidden})


def _limit_audience(report: Report, side: Any) -> Report:
    """Limit the report to the audience `side`, unless `side` is None or the report already has an audience."""
    if side is None or report.audience is not None:
        return report
    return report.model_copy(update={"audience": frozenset({str(side)})})
