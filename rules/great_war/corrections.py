"""Umpire corrections in The Great War, and their effects on hexes and flags."""

from rules.core.refusal import refuse
from rules.core.umpire import AddUnit, UmpireTools

from .ground import board_of, can_enter_terrain
from .model import GreatWarState, GreatWarUnit
from .shared import parse_arm, unit_statuses
from .tables import chart_number


def add_unit(state: GreatWarState, action: AddUnit, unit_id: str) -> GreatWarState:
    """Return the state with a new unit, not yet on the map. Raises Refused on unknown troops or wrong numbers."""
    arm = parse_arm(action.troop)
    inches = "This map has hexes, not inches: add the unit without x and y, then /umpire set its place."
    refuse(None, (action.x is not None, inches))
    most = chart_number(arm, "figures")
    figures = most if action.figures is None else action.figures
    refuse(None, (not 1 <= figures <= most, f"A unit of {arm} has 1 to {most}. Give another number."))
    return state.with_unit(GreatWarUnit(id=unit_id, name=action.name, side=action.side, arm=arm, figures=figures))


def remove_unit(state: GreatWarState, unit_id: str) -> GreatWarState:
    """Return the state without the unit and its flags."""
    return _drop_flags_of(state.without_unit(unit_id), unit_id)


def settle_correction(before: GreatWarState, after: GreatWarState, unit_id: str) -> GreatWarState:
    """Return `after`, with flags and the unit's place adjusted to the correction.

    A unit without figures leaves the map, and flags at or by a moved unit are dropped. Raises Refused if the unit
    cannot stand in its hex, or if its fields contradict each other.
    """
    old, new = before.unit(unit_id), after.unit(unit_id)
    terrain = board_of(after).terrain.get(new.at) if new.at is not None else None
    most = chart_number(new.arm, "figures")
    units = [other for other in after.units.values() if other.at is not None and other.at == new.at and other != new]
    barred = terrain is not None and not can_enter_terrain(terrain, new.arm)
    refuse(
        None,
        (new.at is not None and terrain is None, f"{new.at} is off this map. Give another number."),
        (barred, f"{new.name} cannot stand in {new.at}. Give another hex."),
        (
            units,
            f"{new.at} is taken by {units[0].name if units else ''}. Move {units[0] if units else new:them} first.",
        ),
        (new.figures > most, f"A unit of {new.arm} has {most} at most."),
        (new.is_stuck and not new.is_tank, "Only tanks bog and are ditched."),
        (new.on_map and not new.figures, f"{new:have} nothing left: give figures first."),
    )
    if not new.figures:
        new = new.model_copy(update={"at": None})
    moved = new.at != old.at or new.side != old.side
    return _drop_flags_of(after.with_unit(new), unit_id) if moved else after.with_unit(new)


def _drop_flags_of(state: GreatWarState, unit_id: str) -> GreatWarState:
    gone = state.flags is not None and unit_id in (state.flags.unit, state.flags.by)
    return state.model_copy(update={"flags": None}) if gone else state


UMPIRE_TOOLS: UmpireTools[GreatWarState] = UmpireTools(
    add_unit=add_unit,
    remove_unit=remove_unit,
    settle=settle_correction,
    line=lambda state, unit: "".join(standing.text for standing in unit_statuses(state, (unit,))),
    set_down=lambda state, _unit, words: board_of(state).parse_hexes(words)[-1],
    place_field="at",
    place_in_words=lambda state, hex_: board_of(state).title(hex_),
)
