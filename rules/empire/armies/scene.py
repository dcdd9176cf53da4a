"""How the units of Battles for Empire are drawn: kills on the bases, fire that landed as arrows."""

from collections.abc import Iterable

from typing_extensions import override

from rules.core.scene import Arrow, Marker, Symbol
from rules.core.tabletop.battle import Place
from rules.core.tabletop.table_scenes import Drawing, behind
from rules.empire.firing.targeting import LINES
from rules.empire.model import Arm, EmpireState, EmpireUnit, Formation, Health
from rules.empire.placement import size, sizes

from .roster import condition, plight


class EmpireDrawing(Drawing[EmpireUnit]):
    """A unit with its kills; pieces behind the unit they are with; fire that has landed with the last action."""

    lines = LINES

    @override
    def symbol(self, unit: EmpireUnit) -> Symbol:
        if unit.arm is Arm.MOUNTED and unit.has_horses:
            return Symbol.MOUNTED_INFANTRY
        return sizes().stands[unit.arm].symbol

    @override
    def kills(self, unit: EmpireUnit) -> int:
        return unit.kills

    @override
    def markers(self, state: EmpireState, unit: EmpireUnit) -> Iterable[Marker]:
        if unit.health is Health.OUT:
            yield Marker.OUT
        yield from plight(unit)
        if unit.in_square and not unit.is_piece:
            yield Marker.SQUARE
        if state.opponents(unit.id):
            yield Marker.MELEE
        if unit.formation is Formation.SKIRMISH and not unit.is_piece:
            yield Marker.SKIRMISH

    @override
    def at(self, state: EmpireState, unit: EmpireUnit, place: Place) -> Place:
        host = state.units.get(unit.attached_to or "")
        if host is None or not host.on_table or host.place is None:
            return place
        row = state.pieces_with(host.id)
        wide = [size(piece)[0] for piece in row]
        number = next(index for index, piece in enumerate(row) if piece.id == unit.id)
        aside = sum(wide[:number]) + wide[number] / 2 - sum(wide) / 2
        return behind(host.place, size(host)[1], size(unit)[1], aside)

    @override
    def arrow(self, before: EmpireUnit, unit: EmpireUnit) -> str:
        return "retreat" if unit.this_turn.recoiled and not before.this_turn.recoiled else "move"

    @override
    def arrows(self, state: EmpireState, before: EmpireState) -> Iterable[Arrow]:
        """One for each unit that moved or recoiled, and for fire that has landed with this action."""
        on_their_own = state.with_unit(*(piece.model_copy(update={"place": None}) for piece in _carried(state)))
        yield from super().arrows(on_their_own, before)
        if state.landed != before.landed or (before.shots and not state.shots):
            yield from _fire(before, state)

    @override
    def gone(self, unit: EmpireUnit) -> str:
        return f"{unit.name} (to come)" if unit.reserve is not None else unit.name

    @override
    def words(self, state: EmpireState, unit: EmpireUnit) -> str | None:
        """`2 of 4 kills, shaken, in melee`."""
        melee = ("in melee",) if state.opponents(unit.id) else ()
        return None if unit.is_piece else ", ".join((*condition(unit, state.options), *melee))


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


DRAWING = EmpireDrawing(size)
