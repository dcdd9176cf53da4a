"""What is owed and open, with the buttons that settle it."""

from collections.abc import Iterable

from rules.core.report import Owed

from .conduct import owed as conduct
from .fighting import owed as fighting
from .firing import owed as firing
from .model import EmpireState
from .turning import bayonets, initiative


def owed(state: EmpireState) -> tuple[Owed, ...]:
    """Everything owed and open, what blocks the phase first."""
    if state.over is not None:
        return ()
    items = (*_tests(state), *bayonets.owed(state), *conduct.moves(state), *firing.shots(state))
    return tuple(sorted(items, key=lambda item: not item.blocks_turn))


def blocking(state: EmpireState, sides: Iterable[str]) -> tuple[Owed, ...]:
    """What keeps these sides from ending the phase."""
    if state.over is not None:
        return ()
    return tuple(item for item in _tests(state) if item.blocks_turn and item.side in sides)


def _tests(state: EmpireState) -> Iterable[Owed]:
    """All but what merely may be done."""
    return (*initiative.owed(state), *conduct.tests(state), *firing.owed(state), *fighting.owed(state))
