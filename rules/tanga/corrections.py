"""The umpire's corrections of counters. A counter must stand on land, and in no hex with the enemy."""

from rules.core import naming
from rules.core.hexboard.stacks import units_at
from rules.core.refusal import refuse
from rules.core.ruleset import Refused
from rules.core.umpire import AddUnit, UmpireTools

from .field import board_of
from .model import Arm, Condition, TangaState, TangaUnit

UNDECIDED: dict[str, object] = {"decisions": (), "before_last": None}
"""Fields cleared after a correction, so that nobody can overrule earlier British decisions."""


def add_unit(state: TangaState, action: AddUnit, unit_id: str) -> TangaState:
    """Return the state with a new counter in the side's first formation, off the map.

    Factors are copied from the side's first counter of the arm; the action's `figures` replace the CF. Raises Refused
    for a place in inches, or if the side has no formation.
    """
    arm = Arm(naming.resolve_name(action.troop, {arm.value: arm.value for arm in Arm}, "There are no troops {}."))
    formation = next((formation for formation in state.formations.values() if formation.side == action.side), None)
    if action.x is not None:
        raise Refused("This map has hexes, not inches: add the unit without x and y, then /umpire set its place.")
    if formation is None:
        raise Refused("That side has no formation that the unit could belong to.")
    unit = TangaUnit(id=unit_id, name=action.name, side=action.side, formation=formation.id, arm=arm)
    sample = next((other for other in state.units.values() if other.side == unit.side and other.arm is arm), unit)
    cf = sample.cf if action.figures is None else min(action.figures, 20)
    return state.with_unit(unit.model_copy(update={"cf": cf, "mf": sample.mf, "eb": sample.eb}))


def remove_unit(state: TangaState, unit_id: str) -> TangaState:
    """Return the state without the counter and its MG marker."""
    markers = {key: marker for key, marker in state.markers.items() if marker.company != unit_id}
    return _reset_decisions(state, state.without_unit(unit_id).model_copy(update={"markers": markers}), unit_id)


def settle_correction(before: TangaState, after: TangaState, unit_id: str) -> TangaState:
    """Return `after`, made consistent with the corrected counter. Raises Refused for a wrong hex or formation."""
    old, new = before.unit(unit_id), after.unit(unit_id)
    stack = units_at(after, new.at) if new.at is not None and new.at != old.at else ()
    place = "" if new.at is None else board_of(after).title(new.at)
    no_formation = new.formation not in after.formations or after.formation(new.formation).side != new.side
    there_are = f"{new.side} has no “{new.formation[:40]}”. There are: {', '.join(after.formations)}."
    has_marker = any(marker.company == unit_id for marker in after.markers.values())
    marker = "An MG marker of its formation lies under it: while it does, it stays in its formation."
    refuse(
        None,
        (no_formation, f"Formation: {there_are}"),
        (has_marker and new.formation != old.formation, marker),
        (stack and new.at not in board_of(after).land, f"{new.at} is no land hex of this map. Give another number."),
        (any(other.side != new.side for other in stack), f"The enemy is in {place}. Move him first."),
    )
    if new.condition is Condition.ELIMINATED:
        new = new.model_copy(update={"at": None})
    if new.condition is Condition.GOOD:
        new = new.model_copy(update={"retreating": False, "ro": None})
    if new.at != old.at:
        inland = new.inland or (new.at is not None and new.at not in board_of(after).landing_hexes)
        new = new.model_copy(update={"inland": inland, "turned_up": False})
    after = after.with_unit(new)
    renamed = new == old.model_copy(update={"name": new.name})
    return after.model_copy(update=UNDECIDED) if renamed else _reset_decisions(before, after, unit_id)


def _reset_decisions(before: TangaState, after: TangaState, unit_id: str) -> TangaState:
    """Return the state `after` without any British march or question that the changed counter affects."""
    now = after.british
    anew = {unit_id} - after.units.keys()
    changed: dict[str, object] = {}
    if now.march is not None and unit_id in now.march.units:
        changed |= {"march": None, "offered": ()}
    if (question := now.asked) is not None:
        question_hex = before.unit(question.unit).at
        places = {state.units[unit_id].at for state in (before, after) if unit_id in state.units}
        if unit_id == question.unit or places & {question_hex, question.at} - {None}:
            changed["asked"] = None
            anew |= {unit.id for unit in before.units.values() if unit.at == question_hex}
    if changed or anew:
        changed["acted"] = tuple(unit for unit in now.acted if unit not in anew)
    offered = tuple(unit for unit in now.offered if unit in after.units)
    return after.model_copy(update=UNDECIDED | {"british": now.model_copy(update={"offered": offered, **changed})})


UMPIRE_TOOLS: UmpireTools[TangaState] = UmpireTools(
    add_unit=add_unit,
    remove_unit=remove_unit,
    settle=settle_correction,
    set_down=lambda state, _unit, words: board_of(state).parse_hexes(words)[-1],
    place_field="at",
    place_in_words=lambda state, hex_: board_of(state).title(hex_),
)
