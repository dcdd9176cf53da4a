"""Menus of a column's orders under headings, and the forms for falling back and for a split."""

from collections.abc import Iterable

from typing_extensions import override

from rules.core.order_menus import FormField, OrderForm, OrderMenus
from rules.core.refusal import Refused
from rules.core.state import Action

from .model import CampaignState
from .orders import CHANGES, MOVE, Move
from .organisation import Join, Split, require_free_column

HEADINGS = {"stance": "Stance", "on_sight": "When enemies come near", "task": "Task", "way": "Task"}
"""Menu headings of changes, by the changed field of a column's orders."""
BACK = OrderForm(
    kind=Move.kind,
    words="Fall back to …",
    heading=HEADINGS["on_sight"],
    fields=(FormField(name="back", words="Where to fall back to", is_place=True),),
)


class CampaignMenus(OrderMenus[CampaignState]):
    """Menus of orders and joins for a column."""

    @override
    def heading(self, action: Action) -> str:
        """Return the menu heading for a join or for a change of orders; empty for other actions."""
        if isinstance(action, Join):
            return "Columns"
        if not isinstance(action, Move) or action.to:
            return ""
        if action.until:
            return HEADINGS["task"]
        first = next(iter(action.circumstances), "")
        return HEADINGS[next(iter(CHANGES[first]))] if first else ""

    @override
    def is_in_force(self, state: CampaignState, action: Action) -> bool:
        """Whether the action would leave the column's orders unchanged."""
        try:
            return isinstance(action, Move) and MOVE.plan(state, action).orders == state.unit(action.unit).orders
        except Refused:
            return False

    @override
    def forms(self, state: CampaignState, unit: str) -> Iterable[OrderForm]:
        """Yield forms for falling back to a place and for a split, if a column may receive orders now."""
        column = state.units.get(unit)
        if column is None:
            return
        try:
            require_free_column(state, column)
        except Refused:
            return
        yield BACK
        if len(column.troops) < 2:
            return
        names = tuple(troops.name for troops in column.troops)
        fields = [
            FormField(name="units", words="Units that leave", choices=names, several=True),
            FormField(name="name", words="Name of the new column"),
        ]
        if column.has_wagon:
            fields.append(FormField(name="wagon", words="They take the wagon", choices=("no", "yes")))
        yield OrderForm(kind=Split.kind, words="Split off …", heading="Columns", fields=tuple(fields))
