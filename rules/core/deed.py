"""An action with what does it: the pieces a rule system is assembled from, one deed a kind of action."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .dice import Dice
from .model import Viewer
from .odds import Odds
from .report import Report
from .state import Action, State

S = TypeVar("S", bound=State)


@dataclass(frozen=True)
class Deed(Generic[S]):
    """`do` and `odds` raise Refused before any die; `legal` lists what a side may do."""

    action: type[Action]
    do: Callable[[S, Any, Dice], tuple[S, Report]]
    odds: Callable[[S, Any], Odds] | None = None
    legal: Callable[[S, Viewer], Iterable[Action]] | None = None
