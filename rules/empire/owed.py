"""What is owed and open, with the buttons that settle it."""

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
    items = (
        *initiative.owed(state),
        *bayonets.owed(state),
        *conduct.owed(state),
        *firing.owed(state),
        *fighting.owed(state),
    )
    return tuple(sorted(items, key=lambda item: not item.blocks_turn))
