"""The table of a game as a scene to draw, with its essentials in words."""

from collections.abc import Iterable

from rules.core.scene import Marker, Symbol, TableScene, UnitBase
from rules.core.tabletop import table_scenes
from rules.core.tabletop.battle import Place
from rules.magdala.bases import size
from rules.magdala.firing.targeting import LINES
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Order, Troop, Weapon

from .roster import SINGLE_FIGURES

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
    if any(prompt.unit == unit.id for prompt in state.prompts):
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
        in_the_way=LINES.is_in_the_way(unit, state.options.friends_in_line),
        markers=tuple(markers(state, unit)),
    )


def drawn_at(state: MagdalaState, unit: MagdalaUnit, place: Place) -> Place:
    """Where it is drawn: a leader with a unit stands on its very spot, and is drawn just behind it."""
    led = next((other for other in state.units.values() if other.general == unit.id and other.on_table), None)
    return place if led is None else table_scenes.behind(place, size(led)[1], size(unit)[1])


def arrow_kind(unit: MagdalaUnit) -> str:
    """How its move is drawn."""
    return ARROW_KINDS.get(unit.morale, "move")


def words(unit: MagdalaUnit, place: Place) -> str:
    """Where it stands by grid square, how strong and in what state."""
    state_word = f" {unit.morale.value}" if unit.morale is not Morale.STEADY else ""
    melee = " in melee" if unit.melee_with else ""
    return f"{unit.name} {table_scenes.square(place)} {unit.strength}{state_word}{melee}"


def scene(state: MagdalaState, before: MagdalaState | None, scenario: str) -> TableScene:
    """The table, which lies open to all; `scenario` is the title."""
    placed = [(unit, unit.place) for unit in state.units.values() if unit.on_table and unit.place is not None]
    title = table_scenes.title_of(state, scenario)
    told = ((unit.side, words(unit, place)) for unit, place in placed if unit.troop not in SINGLE_FIGURES)
    return table_scenes.drawn(
        state,
        title,
        bases=(base(state, unit, place) for unit, place in placed),
        arrows=table_scenes.moved(state, before, arrow_kind),
        gone=(unit.name for unit in state.units.values() if not unit.on_table),
        alt=table_scenes.in_words(state, title, told),
    )
