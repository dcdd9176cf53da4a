"""The table of a game as a scene to draw: kills on the bases, fire that landed as arrows."""

from collections.abc import Iterable

from rules.core.scene import Arrow, Marker, Symbol, TableScene, UnitBase
from rules.core.tabletop import table_scenes
from rules.core.tabletop.battle import Place
from rules.empire.bases import size
from rules.empire.firing.targeting import LINES
from rules.empire.model import Arm, EmpireState, EmpireUnit, Formation, Health

from .roster import condition

SYMBOLS = {
    Arm.FOOT: Symbol.INFANTRY,
    Arm.MOUNTED: Symbol.CAVALRY,
    Arm.ARTILLERY: Symbol.ARTILLERY,
    Arm.MACHINE_GUN: Symbol.MACHINE_GUN,
    Arm.ARMY_COMMANDER: Symbol.GENERAL,
    Arm.LEADER: Symbol.LEADER,
    Arm.MULES: Symbol.PACK,
    Arm.WAGON: Symbol.WAGON,
}


def symbol(unit: EmpireUnit) -> Symbol:
    """What it is drawn as; mounted troops that may dismount are mounted infantry."""
    if unit.arm is Arm.MOUNTED and unit.has_horses:
        return Symbol.MOUNTED_INFANTRY
    return SYMBOLS[unit.arm]


def markers(state: EmpireState, unit: EmpireUnit) -> Iterable[Marker]:
    """What stands beside it."""
    shown = {
        Marker.OUT: unit.health is Health.OUT,
        Marker.SHAKEN: unit.shaken,
        Marker.DISORDERED: unit.disordered,
        Marker.FANATIC: unit.this_turn.fanatic,
        Marker.LOW_AMMUNITION: unit.low_ammo,
        Marker.JAMMED: unit.jammed,
        Marker.GONE_TO_GROUND: unit.gone_to_ground,
        Marker.SQUARE: unit.in_square and not unit.is_piece,
        Marker.MELEE: bool(state.opponents(unit.id)),
        Marker.SKIRMISH: unit.formation is Formation.SKIRMISH and not unit.is_piece,
    }
    return (marker for marker, is_so in shown.items() if is_so)


def base(state: EmpireState, unit: EmpireUnit, place: Place) -> UnitBase:
    """A unit as it stands."""
    frontage, depth = size(unit)
    at = drawn_at(state, unit, place)
    return UnitBase(
        unit=unit.id,
        name=unit.name,
        side=unit.side,
        symbol=symbol(unit),
        at=at.point,
        facing=at.facing,
        frontage=frontage,
        depth=depth,
        kills=unit.kills,
        in_the_way=LINES.is_in_the_way(unit, state.options.friends_in_line),
        markers=tuple(markers(state, unit)),
    )


def drawn_at(state: EmpireState, unit: EmpireUnit, place: Place) -> Place:
    """Where it is drawn: pieces stand on the very spot of their unit, and are drawn side by side behind it."""
    host = state.units.get(unit.attached_to or "")
    if host is None or not host.on_table or host.place is None:
        return place
    row = state.pieces_with(host.id)
    wide = [size(piece)[0] for piece in row]
    number = next(index for index, piece in enumerate(row) if piece.id == unit.id)
    aside = sum(wide[:number]) + wide[number] / 2 - sum(wide) / 2
    return table_scenes.behind(host.place, size(host)[1], size(unit)[1], aside)


def arrows(state: EmpireState, before: EmpireState | None) -> Iterable[Arrow]:
    """One for each unit that moved or recoiled, and for fire that has landed with this action."""
    if before is None:
        return
    stirred = state.with_unit(*(piece.model_copy(update={"place": None}) for piece in _carried(state)))

    def kind(unit: EmpireUnit) -> str:
        fell_back = unit.this_turn.recoiled and not before.unit(unit.id).this_turn.recoiled
        return "retreat" if fell_back else "move"

    yield from table_scenes.moved(stirred, before, kind)
    if state.landed != before.landed or (before.shots and not state.shots):
        yield from _fire(before, state)


def _carried(state: EmpireState) -> Iterable[EmpireUnit]:
    """Pieces that stand where their unit does, and go with its arrow."""
    for piece in state.units.values():
        host = state.units.get(piece.attached_to or "")
        if host is not None and host.place is not None and host.place == piece.place:
            yield piece


def _fire(before: EmpireState, state: EmpireState) -> Iterable[Arrow]:
    """From each unit that fired to its target, as they stood; a miss where it had no hits."""
    for shot in state.landed:
        firer, target = before.units.get(shot.unit), before.units.get(shot.target)
        if firer and target and firer.place and target.place:
            kind = "fire" if shot.hits else "miss"
            yield Arrow(start=firer.place.point, end=target.place.point, kind=kind, side=firer.side)


def words(state: EmpireState, unit: EmpireUnit, place: Place) -> str:
    """Where it stands by grid square, and in what state: `Ashraf C1 2 of 4 kills, shaken, in melee`."""
    melee = ("in melee",) if state.opponents(unit.id) else ()
    said = ", ".join((*condition(unit, state.options), *melee))
    return f"{unit.name} {table_scenes.square(place)} {said}".strip()


def scene(state: EmpireState, before: EmpireState | None, scenario: str) -> TableScene:
    """The table, which lies open to all; `scenario` is the title."""
    placed = [(unit, unit.place) for unit in state.units.values() if unit.on_table and unit.place is not None]
    title = table_scenes.title_of(state, scenario)
    told = ((unit.side, words(state, unit, place)) for unit, place in placed if not unit.is_piece)
    off = (unit for unit in state.units.values() if not unit.on_table)
    return table_scenes.drawn(
        state,
        title,
        bases=(base(state, unit, place) for unit, place in placed),
        arrows=arrows(state, before),
        gone=(f"{unit.name} (to come)" if unit.reserve is not None else unit.name for unit in off),
        alt=table_scenes.in_words(state, title, told),
    )
