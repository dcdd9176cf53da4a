"""The table of a game as a scene to draw, with its essentials in words."""

from collections.abc import Iterable
from string import ascii_uppercase

from rules.core.battle import Place
from rules.core.place import GRID
from rules.core.scene import Arrow, Marker, SceneSide, Symbol, TableScene, UnitBase
from rules.core.table import shifted
from rules.magdala.bases import size
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Order, Troop, Weapon

from .roster import SINGLE_FIGURES

ALT_LIMIT = 1000

SYMBOLS = {
    Troop.REGULAR_INFANTRY: Symbol.INFANTRY,
    Troop.REGULAR_CAVALRY: Symbol.CAVALRY,
    Troop.MOUNTED_INFANTRY: Symbol.MOUNTED_INFANTRY,
    Troop.KOMMANDO: Symbol.MOUNTED_INFANTRY,
    Troop.FIELD_ARTILLERY: Symbol.ARTILLERY,
    Troop.HEAVY_ARTILLERY: Symbol.ARTILLERY,
    Troop.MACHINE_GUN: Symbol.MACHINE_GUN,
    Troop.MOUNTAIN_GUN: Symbol.ARTILLERY,
    Troop.POM_POM: Symbol.MACHINE_GUN,
    Troop.ROCKET: Symbol.ROCKET,
    Troop.NATIVE_FOOT: Symbol.INFANTRY,
    Troop.NATIVE_MOUNTED: Symbol.CAVALRY,
    Troop.WAGON: Symbol.WAGON,
    Troop.PACK_MULES: Symbol.PACK,
    Troop.GENERAL: Symbol.GENERAL,
    Troop.NATIVE_COMMANDER: Symbol.GENERAL,
    Troop.IMAM: Symbol.IMAM,
}

MORALE_MARKERS = {
    Morale.PINNED: Marker.PINNED,
    Morale.HALTED: Marker.HALTED,
    Morale.RETREATING: Marker.RETREATING,
    Morale.ROUTED: Marker.ROUTED,
    Morale.PURSUING: Marker.PURSUING,
}

ARROW_KINDS = {Morale.RETREATING: "retreat", Morale.ROUTED: "retreat"}


def square(place: Place) -> str:
    """The grid square of a place, lettered from the west and numbered from the north: `C2`."""
    return f"{ascii_uppercase[int(place.x // GRID)]}{int(place.y // GRID) + 1}"


def symbol(unit: MagdalaUnit) -> Symbol:
    """What it is drawn as."""
    if unit.afloat:
        return Symbol.BOAT
    return Symbol.CAMELRY if unit.camels else SYMBOLS[unit.troop]


def markers(state: MagdalaState, unit: MagdalaUnit) -> Iterable[Marker]:
    """What stands beside it."""
    if unit.morale in MORALE_MARKERS:
        yield MORALE_MARKERS[unit.morale]
    if unit.weapon is not Weapon.MELEE and not unit.is_detachment and unit.ammunition <= 1:
        yield Marker.LOW_AMMUNITION if unit.ammunition else Marker.NO_AMMUNITION
    if unit.jammed:
        yield Marker.JAMMED
    if unit.in_square:
        yield Marker.SQUARE
    if unit.melee_with:
        yield Marker.MELEE
    if unit.order is Order.SKIRMISH and unit.troop not in SINGLE_FIGURES:
        yield Marker.SKIRMISH
    if any(debt.unit == unit.id for debt in state.debts):
        yield Marker.OWES_TEST


def base(state: MagdalaState, unit: MagdalaUnit, place: Place) -> UnitBase:
    """A unit as it stands."""
    frontage, depth = size(unit)
    place = drawn_at(state, unit, place)
    single = unit.troop in SINGLE_FIGURES
    return UnitBase(
        unit=unit.id,
        name=unit.name,
        side=unit.side,
        symbol=symbol(unit),
        at=(place.x, place.y),
        facing=place.facing,
        frontage=frontage,
        depth=depth,
        strength="" if single else str(unit.strength),
        markers=tuple(markers(state, unit)),
    )


def drawn_at(state: MagdalaState, unit: MagdalaUnit, place: Place) -> Place:
    """Where it is drawn: a leader with a unit stands on its very spot, and is drawn just behind it."""
    led = next((other for other in state.units.values() if other.general == unit.id and other.on_table), None)
    if led is None:
        return place
    back = (size(led)[1] + size(unit)[1]) / 2
    x, y = shifted((place.x, place.y), place.facing + 180, back)
    return place.model_copy(update={"x": x, "y": y})


def arrows(state: MagdalaState, before: MagdalaState | None) -> Iterable[Arrow]:
    """One for each unit that stands elsewhere than it did."""
    for unit in state.units.values():
        old = before.units.get(unit.id) if before else None
        if old is None or old.place is None or unit.place is None or not unit.on_table:
            continue
        start, end = (old.place.x, old.place.y), (unit.place.x, unit.place.y)
        if start != end:
            yield Arrow(start=start, end=end, kind=ARROW_KINDS.get(unit.morale, "move"), side=unit.side)


def alt(state: MagdalaState, title: str, placed: Iterable[tuple[MagdalaUnit, Place]]) -> str:
    """Who stands where by grid square, how strong and in what state, in at most `ALT_LIMIT` characters."""
    standing: dict[str, list[str]] = {}
    for unit, place in placed:
        if unit.troop in SINGLE_FIGURES:
            continue
        state_word = f" {unit.morale.value}" if unit.morale is not Morale.STEADY else ""
        melee = " in melee" if unit.melee_with else ""
        standing.setdefault(unit.side, []).append(f"{unit.name} {square(place)} {unit.strength}{state_word}{melee}")
    sides = (f"{side.name}: {'; '.join(standing[side.id])}." for side in state.sides if side.id in standing)
    text = f"{title}. Grid of 12 inches, letters west to east, numbers north to south. {' '.join(sides)}"
    return text if len(text) <= ALT_LIMIT else f"{text[: ALT_LIMIT - 1].rsplit(';', 1)[0]}…"


def scene(state: MagdalaState, before: MagdalaState | None, scenario: str) -> TableScene:
    """The table, which lies open to all; `scenario` is the title."""
    placed = [(unit, unit.place) for unit in state.units.values() if unit.on_table and unit.place is not None]
    turn = state.turn_title
    title = f"{scenario} — {turn[:1].lower()}{turn[1:]}"
    return TableScene(
        width=state.width,
        height=state.height,
        ground=state.ground,
        title=title,
        subtitle=state.over.why if state.over else "",
        sides=tuple(SceneSide(id=side.id, name=side.name, index=side.index) for side in state.sides),
        terrain=state.terrain,
        bases=tuple(base(state, unit, place) for unit, place in placed),
        arrows=tuple(arrows(state, before)),
        off_table=tuple(unit.name for unit in state.units.values() if not unit.on_table),
        alt=alt(state, title, placed),
    )
