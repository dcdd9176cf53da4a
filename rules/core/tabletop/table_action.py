"""Base class of action types on a table, where units' places decide some circumstances."""

from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

from typing_extensions import override

from rules.core.action_type import A, ActionType, P

from .battle import TableState

S = TypeVar("S", bound=TableState[Any])


class TableActionType(ActionType[S, A, P]):
    """An action type on a table. Only the umpire may claim circumstances that units' places decide."""

    words_decided_by_place: ClassVar[tuple[str, ...]] = ()
    """Circumstances that the table decides if the acting unit has a place."""

    @override
    def umpire_circumstances(self, state: S, action: A) -> Iterable[str]:
        """Return the circumstances that only the umpire may claim, because the acting unit's place decides them."""
        unit = state.units.get(action.unit or "")
        return self.words_decided_by_place if unit is not None and unit.place is not None else ()
