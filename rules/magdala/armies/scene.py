"""How the units of Magdala to Mafeking are drawn."""

from collections.abc import Iterable

from typing_extensions import override

from rules.core.scene import Marker, Symbol
from rules.core.tabletop.battle import Place
from rules.core.tabletop.table_scenes import Drawing, behind
from rules.magdala.arms import LEADERS
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Order, Weapon
from rules.magdala.placement import LINES, bases, size

MORALE_MARKERS = {
    Morale.PINNED: Marker.PINNED,
    Morale.HALTED: Marker.HALTED,
    Morale.RETREATING: Marker.RETREATING,
    Morale.ROUTED: Marker.ROUTED,
    Morale.PURSUING: Marker.PURSUING,
}

RETREATS = (Morale.RETREATING, Morale.ROUTED)


class MagdalaDrawing(Drawing[MagdalaUnit]):
    """A unit with its strength and morale; leaders just behind the units they are with."""

    lines = LINES

    @override
    def symbol(self, unit: MagdalaUnit) -> Symbol:
        if unit.afloat:
            return Symbol.BOAT
        return Symbol.CAMELRY if unit.camels else bases()[unit.troop].symbol

    @override
    def strength(self, unit: MagdalaUnit) -> str:
        return "" if unit.troop in LEADERS else str(unit.strength)

    @override
    def markers(self, state: MagdalaState, unit: MagdalaUnit) -> Iterable[Marker]:
        if unit.morale in MORALE_MARKERS:
            yield MORALE_MARKERS[unit.morale]
        if unit.weapon is not Weapon.MELEE and not unit.is_detachment and unit.ammunition <= 1:
            yield Marker.LOW_AMMUNITION if unit.ammunition else Marker.NO_AMMUNITION
        shown = {
            Marker.JAMMED: unit.jammed,
            Marker.SQUARE: unit.in_square,
            Marker.MELEE: unit.melee_with is not None,
            Marker.SKIRMISH: unit.order is Order.SKIRMISH and unit.troop not in LEADERS,
            Marker.OWES_TEST: any(prompt.unit == unit.id for prompt in state.prompts),
        }
        yield from (marker for marker, is_so in shown.items() if is_so)

    @override
    def at(self, state: MagdalaState, unit: MagdalaUnit, place: Place) -> Place:
        led = next((other for other in state.units.values() if other.general == unit.id and other.on_table), None)
        return place if led is None else behind(place, size(led)[1], size(unit)[1])

    @override
    def arrow(self, before: MagdalaUnit, unit: MagdalaUnit) -> str:
        return "retreat" if unit.morale in RETREATS else "move"

    @override
    def words(self, state: MagdalaState, unit: MagdalaUnit) -> str | None:
        if unit.troop in LEADERS:
            return None
        morale = f" {unit.morale.value}" if unit.morale is not Morale.STEADY else ""
        return f"{unit.strength}{morale}{' in melee' if unit.melee_with else ''}"


DRAWING = MagdalaDrawing(size)
