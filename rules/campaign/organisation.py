"""Joining two columns, and splitting a column, between days (CA-1.6)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from typing_extensions import override

from rules.core import naming
from rules.core.action_type import ActionType, Caption, SimpleType
from rules.core.refusal import refuse
from rules.core.state import Action
from rules.core.typed_text import simplify_signs
from rules.core.unit_lookup import check_unit_name, find_unit, new_unit_id

from .columns import MOST_LISTED, Column, ColumnDay, ColumnUnit, Orders
from .knowledge import record_activity, view, viewers_of_orders
from .model import CampaignPlay, CampaignState
from .release import require_orders_open
from .supply import supply_capacity
from .telling import cite

BETWEEN_DAYS = cite("1.6")
BETWEEN = re.compile(r"\s*(?:[,;]|\band\b)\s*", re.IGNORECASE)


def require_free_column(state: CampaignState, column: Column) -> None:
    """Raise Refused unless a column is on the map and in no battle, and its command can write orders."""
    refuse(cite("8.4"), (column.at is None, f"{column.name} is not on the map yet."))
    refuse(cite("5.8"), (not state.is_free(column), f"{column.name} is in a battle."))
    require_orders_open(state, column.side, BETWEEN_DAYS)


class Join(Action):
    """Join a column to another column of its command in its hex."""

    stays_for_readers = True

    unit: str
    target: str
    by_deputy: bool = False
    """Whether a deputy gives the order for the command (CA-1.10)."""


class JoinType(SimpleType[CampaignState, Join]):
    """Action type of joining two columns (CA-1.6)."""

    action = Join
    says = "{unit}: join {target}"

    @override
    def suggest_actions(self, state: CampaignState) -> Iterable[Join]:
        """Yield a join for each pair of columns of one command in one hex."""
        for column in state.columns:
            partners = (other for other in state.columns if other.at == column.at and other.side == column.side)
            yield from (Join(unit=column.id, target=other.id) for other in partners if other != column)

    def check(self, state: CampaignState, action: Join) -> None:
        """Raise Refused unless both columns are free, of one command, and in one hex."""
        column, target = find_unit(state, action.unit, "column"), find_unit(state, action.target, "column")
        require_free_column(state, column)
        require_free_column(state, target)
        refuse(
            BETWEEN_DAYS,
            (column == target, f"{column.name} cannot join itself. Name another column."),
            (column.side != target.side, f"{target.name} is of another command."),
            (column.at != target.at, f"{column.name} and {target.name} are in different hexes. March first."),
        )

    def resolve(self, play: CampaignPlay, plan: Join) -> None:
        """Merge the first column into the second. Days of supply are averaged by figures, and rounded down."""
        column, target = play.state.unit(plan.unit), play.state.unit(plan.target)
        figures = column.figures + target.figures
        supply = (column.supply * column.figures + target.supply * target.figures) // figures
        joined = target.model_copy(
            update={
                "troops": (*target.troops, *column.troops),
                "has_wagon": column.has_wagon or target.has_wagon,
                "days_dug": min(column.days_dug, target.days_dug),
            }
        )
        joined = joined.model_copy(update={"supply": min(supply, supply_capacity(play.state, joined))})
        play.set(units=play.state.without_unit(column.id).with_unit(joined).units)
        record_activity(play, column.side, by_deputy=plan.by_deputy)
        audience = viewers_of_orders(play.state, column.side)
        play.tell(headline=f"{column.name} joins {target.name}.", units=(target.id,), audience=audience)


class Split(Action):
    """Form a new column from named units of a column."""

    stays_for_readers = True

    unit: str
    name: str
    units: str
    """Names of the units that form the new column: `Gordons, Black Watch`."""
    wagon: bool = False
    """Whether the new column takes the wagon."""
    by_deputy: bool = False
    """Whether a deputy gives the order for the command (CA-1.10)."""


@dataclass(frozen=True)
class SplitPlan:
    """A planned split: the column, the new column's name, and the indices of the units that leave."""

    column: str
    name: str
    places: Sequence[int]
    wagon: bool
    by_deputy: bool


class SplitType(ActionType[CampaignState, Split, SplitPlan]):
    """Action type of splitting a column (CA-1.6)."""

    action = Split

    def plan(self, state: CampaignState, action: Split) -> SplitPlan:
        """Return the planned split. Raises Refused for unknown units, if no unit stays, or for a name in use."""
        column: Column = find_unit(state, action.unit, "column")
        require_free_column(state, column)
        name = check_unit_name(view(state, column.side), action.name)  # names of hidden columns are free
        names = {str(place): unit.name for place, unit in enumerate(column.troops)}
        words = [part for part in BETWEEN.split(simplify_signs(action.units).strip()) if part]
        have = ", ".join(names.values())
        places = sorted({int(naming.resolve_name(word, names, f"{column.name} has no unit {{}}.")) for word in words})
        refuse(
            BETWEEN_DAYS,
            (not places, f"Name the units that leave. {column.name} has: {have}."),
            (len(places) == len(column.troops), f"Some unit must stay with {column.name}. It has: {have}."),
            (action.wagon and not column.has_wagon, f"{column.name} has no wagon."),
        )
        return SplitPlan(column.id, name, places, action.wagon, action.by_deputy)

    def caption(self, state: CampaignState, plan: SplitPlan) -> Caption:
        """Return a caption such as `Graham's column: Gordons leave as Left wing`."""
        column = state.unit(plan.column)
        leaving = ", ".join(column.troops[place].name for place in plan.places)
        return Caption(f"{column.name}: {leaving} leave as {plan.name}")

    def resolve(self, play: CampaignPlay, plan: SplitPlan) -> None:
        """Make the new column with the stance *hold*; both columns keep as much supply as they can carry."""
        state, column = play.state, play.state.unit(plan.column)
        leaving = tuple(column.troops[place] for place in plan.places)
        staying = tuple(unit for place, unit in enumerate(column.troops) if place not in plan.places)
        old = _change_units(state, column, staying, has_wagon=column.has_wagon and not plan.wagon)
        fresh = column.model_copy(
            update={
                "id": new_unit_id(state, f"{column.side} {plan.name}"),
                "name": plan.name,
                "listed": MOST_LISTED,
                "orders": Orders(),
                "days_dug": 0,
                "today": ColumnDay(),
            }
        )
        new = _change_units(state, fresh, leaving, has_wagon=plan.wagon)
        headline = f"{self.caption(state, plan)}."
        play.set(units=state.with_unit(old, new).units)
        record_activity(play, column.side, by_deputy=plan.by_deputy)
        play.tell(headline=headline, units=(old.id, new.id), audience=viewers_of_orders(state, column.side))


def _change_units(state: CampaignState, column: Column, units: Sequence[ColumnUnit], *, has_wagon: bool) -> Column:
    """Replace a column's units, and reduce its supply to the days of supply that the new units can carry."""
    changed = column.model_copy(update={"troops": tuple(units), "has_wagon": has_wagon})
    return changed.model_copy(update={"supply": min(column.supply, supply_capacity(state, changed))})


JOIN, SPLIT = JoinType(), SplitType()
