"""Hidden units: they stand aside, so that no rule, picture or reckoning of the table knows of them (house).

A state has them in `hidden`, apart from its units. Who may know of them sees them among the units of his view.
"""

from collections.abc import Container, Iterable, Mapping
from typing import Any, TypeVar

from typing_extensions import override

from rules.core.model import UMPIRE, Viewer
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.state import Action
from rules.core.umpire import UmpireActionType, UmpireTools, umpire_step
from rules.core.unit_lookup import find_unit

from . import markers
from .battle import Marker, TableState
from .clearance import put_down
from .ways import Ways

S = TypeVar("S", bound=TableState[Any])

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
    """Takes a unit out of the enemy's sight; where it stands is kept.

    With `marker` it lies under the marker of its side that was put on there.
    """

    by_unit = False

    unit: str
    marker: bool = False


class Unhide(Action):
    """Shows a hidden unit where it stands, or what lies under a marker."""

    by_unit = False

    unit: str


class Hiding(UmpireActionType[S]):
    """Hiding actions of the umpire, and of each side during set-up."""

    @override
    def side(self, state: S, action: Action) -> Viewer:
        """Return the umpire's; in the set-up the unit's."""
        return UMPIRE if state.setting_up is None else str(_find(state, action.unit).side)


def hide_units(state: S, units: Iterable[str]) -> S:
    """Return the state with these units hidden, and references to them removed."""
    gone = {unit: state.units[unit] for unit in units if unit in state.units}
    for unit in gone:
        state = state.without(unit)
    return state.model_copy(update={"hidden": {**state.hidden, **gone}}) if gone else state


def show_units(state: S, units: Iterable[str]) -> S:
    """Return the state with those hidden units on the table."""
    back = {unit: state.hidden[unit] for unit in units if unit in state.hidden}
    if not back:
        return state
    left = {unit: each for unit, each in state.hidden.items() if unit not in back}
    there = {**state.units, **back}
    there |= {unit.id: _without_those_gone(unit, there) for unit in back.values()}
    return state.model_copy(update={"units": there, "hidden": left})


def _without_those_gone(unit: Any, there: Container[str]) -> Any:
    """Return the unit without references to missing units."""
    named = {field: getattr(unit, field) for field in unit.refers_to}
    gone = {field: None for field, other in named.items() if other is not None and other not in there}
    return unit.model_copy(update=gone) if gone else unit


def all_shown(state: S) -> S:
    """Return the state with everyone on the table."""
    return show_units(state, tuple(state.hidden))


def hidden_units_known_to(state: TableState[Any], viewer: Viewer) -> Mapping[str, Any]:
    """Return the hidden units that the viewer may know of, by id."""
    return {unit: each for unit, each in state.hidden.items() if viewer in (UMPIRE, each.side)}


def view_of(state: S, viewer: Viewer) -> S:
    """Return the viewer's view: own hidden units appear among visible ones, other sides' hidden units are absent.

    Those off the table stand apart still: there is nothing that a rule could have them do.
    """
    state = markers.view_of_markers(state, viewer, secretly=in_secret(state))
    state = knowing_of_ambushes(state, state, viewer)
    if not state.hidden:
        return state
    own = hidden_units_known_to(state, viewer)
    there = {unit: each for unit, each in own.items() if not is_off_table(state, each)}
    return state.model_copy(update={"hidden": own, "units": {**state.units, **there}})


def knowing_of_ambushes(state: S, whole: S, viewer: Viewer) -> S:
    """During set-up, return the state with only the viewer's own ambushes."""
    if viewer == UMPIRE or whole.setting_up is None:
        return state
    return _with_ambushes(state, [unit for unit in whole.setting_up.in_ambush if _is_of(whole, unit, viewer)])


def keeping_ambushes(then: S, now: S, viewer: Viewer) -> S:
    """Return the earlier set-up state with other sides' present ambushes.

    So do those again who have been shown since.
    """
    if then.setting_up is None or now.setting_up is None:
        return then
    before, since = then.setting_up.in_ambush, now.setting_up.in_ambush
    own = (unit for unit in before if _is_of(then, unit, viewer) or unit in now.units)
    others = (unit for unit in since if not _is_of(now, unit, viewer))
    return _with_ambushes(then, dict.fromkeys((*own, *others)))


def _is_of(state: TableState[Any], unit: str, side: Viewer) -> bool:
    found = state.every_unit.get(unit)
    return found is not None and found.side == side


def _with_ambushes(state: S, units: Iterable[str]) -> S:
    assert state.setting_up is not None
    setting_up = state.setting_up.model_copy(update={"in_ambush": tuple(units)})
    return state.model_copy(update={"setting_up": setting_up})


def is_off_table(state: TableState[Any], unit: Any) -> bool:
    """Whether a hidden unit lacks a place in a running battle whose other units have places."""
    if unit.place is not None or state.setting_up is not None:
        return False
    own = (each for each in state.hidden.values() if each.side == unit.side)
    return any(each.place is not None for each in (*state.units.values(), *own))


def lies_hidden(state: TableState[Any], unit: str) -> bool:
    """Whether the unit is hidden beyond the secret set-up."""
    return unit in (state.hidden if state.setting_up is None else state.setting_up.in_ambush)


def _find(state: TableState[Any], name: str | None) -> Any:
    """Return the marker or the unit of that id. Raises Refused."""
    return state.markers.get(name or "") or state.hidden.get(name or "") or find_unit(state, name)


def in_secret(state: TableState[Any]) -> bool:
    """Whether each side puts its units on unseen."""
    return state.setting_up is not None and state.options.deploy_in_secret


def hiding_types(tools: UmpireTools[S], ways: Ways[Any]) -> tuple[Hiding[S], ...]:
    """Return the hiding and revealing actions; for opponents, hiding equals removal."""

    def hide(state: S, action: Hide) -> tuple[S, Report]:
        unit = _find(state, action.unit)
        if not state.options.hidden_troops:
            raise Refused(NOT_ALLOWED)
        if unit.id in state.markers:
            raise Refused(f"{unit.name} is a marker. Name the unit that is to lie there, and say marker: yes.")
        over = markers.marker_over(state, unit.id)
        if over is not None or (lies_hidden(state, unit.id) and not action.marker):
            where = "" if over is None else f" under {over.name}"
            raise Refused(f"{unit:are} hidden{where} already. /unit unhide shows {unit:them}.")
        if action.marker and not state.keeps_positions:
            raise Refused(NO_MARKERS)
        lair = _lair(state, unit) if action.marker else None
        after = _in_ambush(tools.remove(state, unit.id) if unit.id in state.units else state, unit.id, among=True)
        uncounted = {name: getattr(state, name) for name in state.deed_counters}
        laid = unit if lair is None else unit.model_copy(update={"place": lair.place})
        after = after.model_copy(update={**uncounted, "hidden": {**after.hidden, unit.id: laid}})
        text = f"{unit:are} hidden: the other side sees nothing of {unit:them} from now on"
        if lair is not None:
            after = markers.changed(after, lair, unit=unit.id)
            text = f"{unit:are} hidden under {lair.name}"
        report = Report(headline=f"{text}.", steps=(umpire_step(text, in_headline=True),), side=unit.side)
        return after, report.model_copy(update={"audience": frozenset({unit.side})})

    def unhide(state: S, action: Unhide) -> tuple[S, Report]:
        named = _find(state, action.unit)
        marker = state.markers.get(named.id) or markers.marker_over(state, named.id)
        if marker is not None:
            return turned_over(ways, _in_ambush(state, marker.unit, among=False), marker)
        if not lies_hidden(state, named.id):
            raise Refused(f"{named:are} not hidden: everyone sees {named:them}.")
        if is_off_table(state, named):
            raise Refused(f"{named:have} no place on the table. {BRING_ON.format(unit=named)}")
        after = show_units(_in_ambush(state, named.id, among=False), [named.id])
        return after, revealed(named, f"{named:are} hidden no longer")

    return Hiding(Hide, hide), Hiding(Unhide, unhide)


def _lair(state: TableState[Any], unit: Any) -> Marker:
    """Return the marker of its side that lies where the unit stands, with nothing under it. Raises Refused."""
    if unit.place is None:
        raise Refused(f"{unit:have} no place on the table for a marker. {BRING_ON.format(unit=unit)}")
    at = markers.spot_for(state, unit.place)
    own = (one for one in state.markers.values() if one.side == unit.side and not one.unit)
    found = next((one for one in own if one.place.point == at.point), None)
    if found is None:
        raise Refused(f"No marker with nothing under it lies where {unit:stand}. Put one there with /unit dummy.")
    return found


def turned_over(ways: Ways[Any], state: S, marker: Marker) -> tuple[S, Report]:
    """Return the state without the marker, with its unit revealed in place, and a report."""
    after = markers.without(state, marker.id)
    if not marker.unit:
        told = f"There is nothing under {marker.name}"
        step = umpire_step(told, in_headline=True)
        return after, Report(headline=f"{told}.", steps=(step,), side=marker.side, showed_hidden=True)
    unit = state.every_unit[marker.unit]
    after = put_down(ways, show_units(after, [unit.id]), unit.id)
    return after, revealed(after.units[unit.id], f"{unit:lie} under {marker.name}")


def _in_ambush(state: S, unit: str, *, among: bool) -> S:
    """During a set-up: whether the unit stays hidden when the battle begins."""
    if state.setting_up is None:
        return state
    others = [each for each in state.setting_up.in_ambush if each != unit]
    return _with_ambushes(state, [*others, unit] if among else others)


def revealed(unit: Any, headline: str) -> Report:
    """Return the report of a hidden unit that everyone sees now."""
    placed = unit.place is not None
    step = umpire_step(f"{unit:stand} {unit.place.spoken}" if placed else headline, in_headline=not placed)
    return Report(headline=f"{headline}.", steps=(step,), units=(unit.id,), side=unit.side, showed_hidden=True)
