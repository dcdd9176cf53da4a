"""Appearance of the units of Charge! in lists, cards and pictures."""

from collections.abc import Iterable

from typing_extensions import override

from rules.core.scene import Arrow, Figure, SightLines, StatusMarker, Symbol
from rules.core.tabletop.battle import Place
from rules.core.tabletop.table import Base
from rules.core.tabletop.table_scenes import Drawing, UnitLook, move_arrows
from rules.core.turn_events import UnitFacts

from .aim import lines_of_fire
from .bouts import combat_arrows
from .figures import base_sizes, figure_bases, gun_base, unit_size
from .model import Arm, ChargeState, ChargeUnit


class ChargeDrawing(Drawing[ChargeUnit]):
    """Drawing of units as single figures."""

    @override
    def unit_look(self, state: ChargeState, unit: ChargeUnit, place: Place) -> UnitLook:
        return UnitLook(
            place,
            symbol=base_sizes()[unit.arm].symbol,
            strength=str(unit.figures),
            markers=self._markers(state, unit),
            words=f"{unit.figures}{' in contact' if state.enemies_in_contact(unit) else ''}",
            figures=self._figures(unit),
        )

    def _markers(self, state: ChargeState, unit: ChargeUnit) -> Iterable[StatusMarker]:
        if state.enemies_in_contact(unit):
            yield StatusMarker.MELEE
        if unit.this_turn.has_fired:
            yield StatusMarker.FIRED

    @override
    def arrows(self, state: ChargeState, before: ChargeState) -> Iterable[Arrow]:
        """Yield arrows for moves, new fights and finished mêlées since the state `before`."""
        yield from move_arrows(state, before, lambda old, _new: "retreat" if before.fight_of(old.id) else "move")
        for fight in before.fights:
            if not any(state.fight_of(unit) for unit in fight.units):
                yield from combat_arrows(before, fight, "fought")
        for fight in state.fights:
            if fight not in before.fights:
                yield from combat_arrows(state, fight)

    @override
    def sight(self, state: ChargeState, before: ChargeState) -> SightLines:
        """Return the arcs and lines of the fire since the state `before`."""
        sights = [
            lines_of_fire(state, state.units[hits.by], unit)
            for unit in state.units.values()
            for hits in unit.hits[len(before.units[unit.id].hits) if unit.id in before.units else 0 :]
            if state.units[hits.by].on_table
        ]
        fans = tuple(fan for sight in sights for fan in sight.fans)
        return SightLines(fans=fans, arrows=tuple(arrow for sight in sights for arrow in sight.arrows))

    def _figures(self, unit: ChargeUnit) -> Iterable[Figure]:
        yield from (_make_figure(gun, base_sizes()[unit.arm].symbol) for gun in gun_base(unit))
        fights_as = Arm.INFANTRY if unit.arm is Arm.GUN else unit.arm
        yield from (_make_figure(man, base_sizes()[fights_as].symbol) for man in figure_bases(unit))


def _make_figure(man: Base, symbol: Symbol) -> Figure:
    return Figure(at=man.at, symbol=symbol, frontage=man.frontage, depth=man.depth)


DRAWING = ChargeDrawing(unit_size)


UNIT_FACTS: UnitFacts[ChargeUnit] = UnitFacts(
    strength=lambda _state, unit: unit.figures,
    fates={"gone": lambda unit: not unit.on_table, "destroyed": lambda unit: unit.gun_destroyed},
    place=lambda unit: unit.place and unit.place.point,
)
"""Strength and place of a unit, for the headline of a turn."""
