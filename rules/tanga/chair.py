"""What the umpire's corrections entail at Tanga: counters stand on land, and not with the enemy."""

from rules.core import naming
from rules.core.ruleset import Refused
from rules.core.umpire import AddUnit, UmpireTools

from .field import board_of, units_at
from .model import Arm, Condition, TangaState, TangaUnit
from .places import set_down
from .progress import BritishTurn


def make(state: TangaState, action: AddUnit, unit_id: str) -> TangaState:
    """The state with a counter of that arm, in the side's first formation, off the map until it is set down."""
    arm = Arm(naming.one(action.troop, {arm.value: arm.value for arm in Arm}, "There are no troops {}."))
    if action.x is not None:
        raise Refused("This map has hexes, not inches: add the unit without x and y, then /umpire set its place.")
    formation = next((one for one in state.formations.values() if one.side == action.side), None)
    if formation is None:
        raise Refused("That side has no formation that the unit could belong to.")
    unit = TangaUnit(id=unit_id, name=action.name, side=action.side, formation=formation.id, arm=arm)
    return state.with_unit(unit.model_copy(update=_like(state, unit, action.figures)))


def _like(state: TangaState, unit: TangaUnit, cf: int | None) -> dict[str, object]:
    """Factors as those of the counters of its arm on its side; a CF where it is given."""
    same = [one for one in state.units.values() if one.side == unit.side and one.arm is unit.arm]
    found = same[0] if same else unit
    return {"cf": found.cf if cf is None else min(cf, 20), "mf": found.mf, "eb": found.eb}


def reveal(state: TangaState, unit_id: str) -> TangaState:
    """As it was: counters themselves have no secrets."""
    return state.with_unit(state.unit(unit_id))


def take_away(state: TangaState, unit_id: str) -> TangaState:
    """The state without a counter, and without the marker that goes with it."""
    units = {key: unit for key, unit in state.units.items() if key != unit_id}
    markers = {key: marker for key, marker in state.markers.items() if marker.company != unit_id}
    after = state.model_copy(update={"units": units, "markers": markers, "decisions": (), "before_last": None})
    return after.model_copy(update={"british": _taken_up(state, after, unit_id)})


def settle(before: TangaState, after: TangaState, unit_id: str) -> TangaState:
    """Sets right what hangs together with a corrected counter. Raises Refused where it cannot stand."""
    old, new = before.unit(unit_id), after.unit(unit_id)
    if new.formation not in after.formations or after.formation(new.formation).side != new.side:
        raise Refused(f"Formation: {new.side} has no “{new.formation[:40]}”. There are: {', '.join(after.formations)}.")
    if new.formation != old.formation and any(marker.company == unit_id for marker in after.markers.values()):
        raise Refused("An MG marker of its formation lies under it: while it does, it stays in its formation.")
    if new.at != old.at and new.at is not None:
        _check_hex(after, new)
    if new.condition is Condition.ELIMINATED and new.at is not None:
        new = new.model_copy(update={"at": None})
    if new.condition is Condition.GOOD:
        new = new.model_copy(update={"retreating": False, "ro": None})
    if new.at != old.at:
        inland = new.at is not None and new.at not in board_of(after).landing
        new = new.model_copy(update={"inland": new.inland or inland, "turned_up": False})
    after = after.with_unit(new).model_copy(update={"decisions": (), "before_last": None})
    if new == old.model_copy(update={"name": new.name}):
        return after
    return after.model_copy(update={"british": _taken_up(before, after, unit_id)})


def _taken_up(before: TangaState, after: TangaState, unit_id: str) -> BritishTurn:
    """How far the British are, without a march or a question that a changed counter upsets: they decide it anew."""
    now = after.british
    anew = {unit_id} - after.units.keys()
    changed: dict[str, object] = {}
    if now.march is not None and unit_id in now.march.units:
        changed |= {"march": None, "offered": ()}
    if (asked := now.asked) is not None:
        here = before.unit(asked.unit).at
        places = {state.units[unit_id].at for state in (before, after) if unit_id in state.units}
        if unit_id == asked.unit or places & {here, asked.at} - {None}:
            changed["asked"] = None
            anew |= {unit.id for unit in before.units.values() if unit.at == here}
    if changed or anew:
        changed["acted"] = tuple(unit for unit in now.acted if unit not in anew)
    return now.model_copy(update={"offered": tuple(unit for unit in now.offered if unit in after.units)} | changed)


def _check_hex(state: TangaState, unit: TangaUnit) -> None:
    board = board_of(state)
    assert unit.at is not None
    if unit.at not in board.land:
        raise Refused(f"{unit.at.label} is no land hex of this map. Give another number.")
    if any(other.side != unit.side for other in units_at(state, unit.at)):
        raise Refused(f"The enemy is in {board.title(unit.at)}. Move him first.")


UMPIRE_TOOLS: UmpireTools[TangaState] = UmpireTools(
    make=make, reveal=reveal, remove=take_away, settle=settle, set_down=set_down, place_field="at"
)
