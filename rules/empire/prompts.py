"""What the game waits for and what is open, with the buttons that settle it."""

from collections.abc import Iterable

from rules.core.report import Prompt

from .conduct import critical, testing
from .fighting import prompts as fighting
from .firing import prompts as firing
from .model import EmpireState
from .moving.prompts import moves
from .turning import bayonets, first


def prompts(state: EmpireState) -> tuple[Prompt, ...]:
    """Everything that the game waits for or that is open, what blocks the phase first."""
    if state.over is not None:
        return ()
    items = (*_tests(state), *bayonets.prompts(state), *moves(state), *firing.shots(state))
    return tuple(sorted(items, key=lambda item: not item.required))


def blocking(state: EmpireState, sides: Iterable[str]) -> tuple[Prompt, ...]:
    """What keeps these sides from ending the phase."""
    if state.over is not None:
        return ()
    return tuple(item for item in _tests(state) if item.required and item.side in sides)


def _tests(state: EmpireState) -> Iterable[Prompt]:
    """All but what merely may be done."""
    return (
        *first.prompts(state),
        *testing.prompts(state),
        *critical.prompts(state),
        *firing.prompts(state),
        *fighting.prompts(state),
    )
