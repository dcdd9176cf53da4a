"""Toy soldiers on a map, for tests of pictures of games."""

from rules.core.model import Viewer
from rules.core.scene import Arrow, Ground, Symbol, TableScene, UnitBase

from .toy import Toy, ToyState


class Painted(Toy):
    """Toy soldiers that march east, with their secrets printed on their bases."""

    def scene(self, state: ToyState, viewer: Viewer, before: ToyState | None = None) -> TableScene:
        places = {unit.id: (4.0 + unit.steps, 8.0 + 12 * at) for at, unit in enumerate(state.units.values())}
        names = {unit.id: f"{unit.name} {unit.secret or ''}" for unit in state.units.values()}
        earlier_steps = {} if before is None else {unit.id: unit.steps for unit in before.units.values()}
        return TableScene(
            width=72,
            height=48,
            ground=Ground.DESERT,
            title=state.turn_title,
            sides=state.sides,
            bases=tuple(
                UnitBase(unit=unit.id, name=names[unit.id], side=unit.side, symbol=Symbol.INFANTRY, at=places[unit.id])
                for unit in state.units.values()
            ),
            arrows=tuple(
                Arrow(start=(4.0 + earlier_steps[unit.id], places[unit.id][1]), end=places[unit.id], side=unit.side)
                for unit in state.units.values()
                if earlier_steps.get(unit.id, unit.steps) != unit.steps
            ),
            alt=f"{state.turn_title}: {', '.join(names.values())}",
        )
