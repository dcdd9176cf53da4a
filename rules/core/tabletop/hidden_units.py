"""Hidden units, stored apart so that no rule, picture or count includes them by mistake (house).

A state stores them in `hidden`, not in `units`. A view has the viewer's own hidden units in `units` too.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from typing_extensions import override

from rules.core.model import UMPIRE, Viewer
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.state import Action
from rules.core.umpire import UmpireActionType, UmpireTools, umpire_step
from rules.core.unit_lookup import find_unit

from . import markers
from .battle import Marker, S, TableState
from .clearance import move_back_until_clear
from .ways import Ways

NOT_ALLOWED = (
    "Troops are not hidden in this game. The umpire allows it with /umpire option, hidden troops: yes; "
    "then everyone is told who sees all."
)
NO_MARKERS = (
    "No positions are kept in this game, so no markers lie anywhere here. Leave “marker” out: the unit is hidden until "
    "/unit unhide shows it, or it fires or fights. What marks it on your own table is yours."
)
BRING_ON = "The umpire puts {unit:them} somewhere first: /umpire set, field place."


class Hide(Action):
    """Hide a unit from the other sides. The unit keeps its place.

    With `marker` the unit lies under a marker that its side has put at that place.
    """

    is_unit_action = False

    unit: str
    marker: bool = False


class Unhide(Action):
    """Show a hidden unit where it stands, or turn over a marker. `unit` is the id of the unit or marker."""

    is_unit_action = False

    unit: str


class HidingType(UmpireActionType[S]):
    """The action type of `Hide` or `Unhide`. The umpire may use it at any time, and each side during set-up."""

    @override
    def side(self, state: S, action: Action) -> Viewer:
        """Return the umpire, or during set-up the side of the unit or marker."""
        return UMPIRE if state.setting_up is None else str(_find_marker_or_unit(state, action.unit).side)


def hide_units(state: S, units: Iterable[str]) -> S:
    """Return the state with these units (by id) hidden, and without references to them. Unknown ids are ignored."""
    hidden = {unit: state.units[unit] for unit in units if unit in state.units}
    for unit in hidden:
        state = state.without_unit(unit)
    return state.model_copy(update={"hidden": {**state.hidden, **hidden}}) if hidden else state


def show_units(state: S, units: Iterable[str]) -> S:
    """Return the state with these hidden units (by id) visible.

    Their references to units that are still hidden are removed. Other ids are ignored.
    """
    revealed_units = {unit: state.hidden[unit] for unit in units if unit in state.hidden}
    if not revealed_units:
        return state
    still_hidden = {unit_id: unit for unit_id, unit in state.hidden.items() if unit_id not in revealed_units}
    visible = {**state.units, **revealed_units}
    for unit in revealed_units.values():
        references = {field: getattr(unit, field) for field in unit.refers_to}
        missing = [field for field, value in references.items() if value is not None and value not in visible]
        visible[unit.id] = unit.model_copy(update=dict.fromkeys(missing)) if missing else unit
    return state.model_copy(update={"units": visible, "hidden": still_hidden})


def hidden_units_known_to(state: TableState[Any], viewer: Viewer) -> Mapping[str, Any]:
    """Return the hidden units that the viewer may know, by id. The umpire knows all hidden units, a side its own."""
    return {unit_id: unit for unit_id, unit in state.hidden.items() if viewer in (UMPIRE, unit.side)}


def make_view(state: S, viewer: Viewer) -> S:
    """Return the viewer's view of the state, without the hidden units of other sides.

    The viewer's hidden units are in `units`, too, except those off the table, which no rule lets act.
    """
    state = markers.hide_marker_contents(state, viewer, secretly=is_secret_set_up(state))
    state = keep_own_ambushes(state, state, viewer)
    if not state.hidden:
        return state
    known_units = hidden_units_known_to(state, viewer)
    on_table = {unit_id: unit for unit_id, unit in known_units.items() if not is_off_table(state, unit)}
    return state.model_copy(update={"hidden": known_units, "units": {**state.units, **on_table}})


def keep_own_ambushes(state: S, full_state: S, viewer: Viewer) -> S:
    """Return the state of a set-up without the ambushes of sides other than the viewer.

    `full_state` lists all ambushes. After the set-up, or for the umpire, return the state unchanged.
    """
    if viewer == UMPIRE or full_state.setting_up is None:
        return state
    ambushes = full_state.setting_up.in_ambush
    return _set_ambushes(state, [unit for unit in ambushes if _belongs_to(full_state, unit, viewer)])


def merge_ambushes(then: S, now: S, viewer: Viewer) -> S:
    """Return the earlier set-up `then` with other sides' ambushes of the present set-up `now`.

    If another side's unit has left its ambush since `then`, it lies in ambush again.
    """
    if then.setting_up is None or now.setting_up is None:
        return then
    earlier, present = then.setting_up.in_ambush, now.setting_up.in_ambush
    restored = (unit for unit in earlier if _belongs_to(then, unit, viewer) or unit in now.units)
    other_ambushes = (unit for unit in present if not _belongs_to(now, unit, viewer))
    return _set_ambushes(then, dict.fromkeys((*restored, *other_ambushes)))


def _belongs_to(state: TableState[Any], unit: str, side: Viewer) -> bool:
    """Whether the state has a visible or hidden unit with this id that belongs to `side`."""
    target = state.every_unit.get(unit)
    return target is not None and target.side == side


def _set_ambushes(state: S, units: Iterable[str]) -> S:
    """Return the state of a set-up with exactly these units in ambush."""
    assert state.setting_up is not None
    setting_up = state.setting_up.model_copy(update={"in_ambush": tuple(units)})
    return state.model_copy(update={"setting_up": setting_up})


def is_off_table(state: TableState[Any], unit: Any) -> bool:
    """Whether a hidden unit has no place on the table, in a battle with positions that has begun."""
    if unit.place is not None or state.setting_up is not None:
        return False
    own = (other for other in state.hidden.values() if other.side == unit.side)
    return any(other.place is not None for other in (*state.units.values(), *own))


def is_unit_hidden(state: TableState[Any], unit: str) -> bool:
    """Whether the unit (by id) is hidden or, during the set-up, will be hidden when the battle begins."""
    return unit in (state.hidden if state.setting_up is None else state.setting_up.in_ambush)


def _find_marker_or_unit(state: TableState[Any], name: str | None) -> Any:
    """Return the marker or unit with the id `name`. Raises Refused if nothing has this id."""
    return state.markers.get(name or "") or state.hidden.get(name or "") or find_unit(state, name)


def is_secret_set_up(state: TableState[Any]) -> bool:
    """Whether the battle is being set up in secret: each side deploys unseen by other sides."""
    return state.setting_up is not None and state.options.deploy_in_secret


def make_hiding_types(tools: UmpireTools[S], ways: Ways[Any]) -> tuple[HidingType[S], ...]:
    """Return the action types of `Hide` and `Unhide`."""

    def hide(state: S, action: Hide) -> tuple[S, Report]:
        """Hide the unit from the other sides. Raises Refused if the unit is hidden already or may not hide."""
        unit = _find_marker_or_unit(state, action.unit)
        if not state.options.hidden_troops:
            raise Refused(NOT_ALLOWED)
        if unit.id in state.markers:
            raise Refused(f"{unit.name} is a marker. Name the unit that is to lie there, and say marker: yes.")
        present_marker = markers.marker_over_unit(state, unit.id)
        if present_marker is not None or (is_unit_hidden(state, unit.id) and not action.marker):
            place_words = "" if present_marker is None else f" under {present_marker.name}"
            raise Refused(f"{unit:are} hidden{place_words} already. /unit unhide shows {unit:them}.")
        if action.marker and not state.keeps_positions:
            raise Refused(NO_MARKERS)
        marker = _find_empty_marker(state, unit) if action.marker else None
        after = _add_or_remove_ambush(
            tools.remove_unit(state, unit.id) if unit.id in state.units else state, unit.id, add=True
        )
        counters = {name: getattr(state, name) for name in state.action_counters}
        hidden = unit if marker is None else unit.model_copy(update={"place": marker.place})
        after = after.model_copy(update={**counters, "hidden": {**after.hidden, unit.id: hidden}})
        text = f"{unit:are} hidden: the other side sees nothing of {unit:them} from now on"
        if marker is not None:
            after = markers.change_marker(after, marker, unit=unit.id)
            text = f"{unit:are} hidden under {marker.name}"
        steps = (umpire_step(text, in_headline=True),)
        return after, Report(headline=f"{text}.", steps=steps, side=unit.side, audience=frozenset({unit.side}))

    def unhide(state: S, action: Unhide) -> tuple[S, Report]:
        """Show the hidden unit, or turn over the marker. Raises Refused if the unit is visible or off the table."""
        target = _find_marker_or_unit(state, action.unit)
        marker = state.markers.get(target.id) or markers.marker_over_unit(state, target.id)
        if marker is not None:
            return turn_over_marker(ways, _add_or_remove_ambush(state, marker.unit, add=False), marker)
        if not is_unit_hidden(state, target.id):
            raise Refused(f"{target:are} not hidden: everyone sees {target:them}.")
        if is_off_table(state, target):
            raise Refused(f"{target:have} no place on the table. {BRING_ON.format(unit=target)}")
        after = show_units(_add_or_remove_ambush(state, target.id, add=False), [target.id])
        return after, make_reveal_report(target, f"{target:are} hidden no longer")

    return HidingType(Hide, hide), HidingType(Unhide, unhide)


def _find_empty_marker(state: TableState[Any], unit: Any) -> Marker:
    """Return an empty marker of the unit's side at the unit's place. Raises Refused if there is none."""
    if unit.place is None:
        raise Refused(f"{unit:have} no place on the table for a marker. {BRING_ON.format(unit=unit)}")
    spot = markers.round_marker_place(state, unit.place)
    own = (marker for marker in state.markers.values() if marker.side == unit.side and not marker.unit)
    empty_marker = next((marker for marker in own if marker.place.point == spot.point), None)
    if empty_marker is None:
        raise Refused(f"No marker with nothing under it lies where {unit:stand}. Put one there with /unit dummy.")
    return empty_marker


def turn_over_marker(ways: Ways[Any], state: S, marker: Marker) -> tuple[S, Report]:
    """Remove the marker, and show the unit under it at the nearest clear place. Return the state and the report."""
    after = markers.remove_marker(state, marker.id)
    if not marker.unit:
        text = f"There is nothing under {marker.name}"
        step = umpire_step(text, in_headline=True)
        return after, Report(headline=f"{text}.", steps=(step,), side=marker.side, showed_hidden=True)
    unit = state.every_unit[marker.unit]
    after = move_back_until_clear(ways, show_units(after, [unit.id]), unit.id)
    return after, make_reveal_report(after.units[unit.id], f"{unit:lie} under {marker.name}")


def _add_or_remove_ambush(state: S, unit: str, *, add: bool) -> S:
    """Add the unit (by id) to the set-up's ambushes, or remove it. After the set-up, return the state unchanged."""
    if state.setting_up is None:
        return state
    others = [other for other in state.setting_up.in_ambush if other != unit]
    return _set_ambushes(state, [*others, unit] if add else others)


def make_reveal_report(unit: Any, headline: str) -> Report:
    """Return the report that a hidden unit is now visible. A step says where the unit stands, if it has a place."""
    is_placed = unit.place is not None
    step = umpire_step(f"{unit:stand} {unit.place.spot_in_words}" if is_placed else headline, in_headline=not is_placed)
    return Report(headline=f"{headline}.", steps=(step,), units=(unit.id,), side=unit.side, showed_hidden=True)
