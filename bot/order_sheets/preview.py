"""Preview of an order sheet: sketch the table after each order, with average dice."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from bot.journal.game import Game
from rules.core.legal_units import legal_actions_of_units, units_with_legal_action
from rules.core.model import UMPIRE, Viewer
from rules.core.order_book import OrderBook
from rules.core.orders import (
    DEFAULT_KIND,
    MY_TURN,
    kinds_for_orders,
    prerequisites,
    sketch_preliminary_test,
)
from rules.core.own_turn import phases_of_own_turn
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

from .forecast import OrderForecast
from .model import SheetOrder
from .order_sketch import sketch_order

WHOLE, NOW = "whole", "now"
"""Menu values for an order's phase: any phase of the turn, or the present phase."""


@dataclass
class Prospect:
    """The table that a side expects after its orders, sketched phase by phase."""

    system: Ruleset[Any]
    before: State
    """The present table, or the table at the beginning of the side's next turn if the side does not act now."""
    viewer: Viewer
    turn: Mapping[str, State]
    """The remaining phases of the turn, each with its state."""
    acts_later: bool
    """Whether the side does not act now, but in a later turn."""
    after_orders: State | None = None
    forecasts: list[OrderForecast] = field(default_factory=list)
    acts: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """Kind and units of each sketched action, to be drawn on the map."""
    _tables: list[tuple[int, State, int]] = field(default_factory=list)
    """For each order: the rank of its phase, the table after it, and the length of `acts` after it."""
    _book: OrderBook[Any] | None = None
    _phase_tables: "dict[str, _PhaseFacts]" = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The table after all orders."""
        return self.after_orders or self.before

    @classmethod
    def without_orders(cls, system: Ruleset[Any], view: State, viewer: Viewer) -> "Prospect":
        """Return the prospect of a side that has given no orders. `view` is the table as the side sees it."""
        turn = phases_of_own_turn(system, view, viewer)
        acts_later = viewer != UMPIRE and viewer not in view.acting_sides
        before = next(iter(turn.values()), view) if acts_later else view
        return cls(system, before, viewer, turn, acts_later)

    @classmethod
    def for_sheet(cls, game: Game, viewer: Viewer, orders: Iterable[SheetOrder] = ()) -> "Prospect":
        """Return the prospect of a side after these orders, phase by phase. The latest prospects are cached."""
        no_orders = _ProspectKey(id(game.state), viewer, (), game)
        phase_rank = _cached_prospect(no_orders).phase_rank
        in_sequence = sorted(orders, key=lambda order: phase_rank(order.phase))
        key = replace(no_orders, orders=tuple(order.model_dump_json() for order in in_sequence))
        return _cached_prospect(key).copy()

    def copy(self) -> "Prospect":
        """Return a copy of the prospect. Adding orders to the copy leaves the prospect unchanged."""
        return replace(self, forecasts=[*self.forecasts], acts=[*self.acts], _tables=[*self._tables])

    @property
    def book(self) -> OrderBook[Any]:
        """The order book for the table after all orders; it reads and writes the text of orders."""
        if self._book is None or self._book.seen is not self.state:
            self._book = OrderBook(self.system, self.state, self.viewer)
        return self._book

    @property
    def phases_ahead(self) -> tuple[str, ...]:
        """The phases for which the side may give orders, in its present or next turn.

        An empty string stands for the present phase, MY_TURN for a later turn without phases.
        """
        phases = tuple(self.turn)
        if self.acts_later:
            return phases if all(phases) else (MY_TURN,)
        return ("", *(phase for phase in phases if phase != self.before.phase))

    def phase_for_menu(self, chosen: str) -> str:
        """Return the phase that a menu shows: the chosen phase, or WHOLE for all phases of the turn.

        If several phases remain, a menu without a choice, or for a phase in which no unit can act, shows WHOLE.
        """
        phase = chosen if chosen in self.phases_ahead else self.phases_ahead[0]
        plans_whole_turn = len(self.phases_ahead) > 1 and (chosen in ("", WHOLE) or not self.find_able_units(phase))
        return WHOLE if plans_whole_turn else phase

    def phases_of_menu_value(self, chosen: str) -> tuple[str, ...]:
        """Return the phases that a menu value means. WHOLE means all phases ahead; a phase means itself."""
        return self.phases_ahead if chosen == WHOLE else (chosen,)

    def phase_rank(self, phase: str) -> int:
        """Return the index of a phase among the phases ahead, or 0 for a phase that is over."""
        return self.phases_ahead.index(phase) if phase in self.phases_ahead else 0

    def expected_table(self, phase: str, unit: str = "") -> State:
        """Return the table expected in a phase, without the orders for later phases.

        For the umpire, the phase is in the turn of the unit's side, or of the active side without a unit.
        """
        side, table = self.viewer, self._table_after_phase(phase)
        if side == UMPIRE:
            side = table.units[unit].side if unit in table.units else table.active
        if phase not in ("", MY_TURN) and self.system.phases is not None and (phase != table.phase or self.acts_later):
            phase_table: State = self.system.phases.suppose_phase(table, phase, side)
            return phase_table
        return table

    def prepared_table(self, phase: str, unit: str = "") -> State:
        """Return the `expected_table` after every unit has done the prerequisites of a move.

        For an empty `phase`, return the `expected_table` unchanged.
        """
        table = self.expected_table(phase, unit)
        return self._sketch_prerequisites(table) if phase else table

    def possible_destinations(self, phase: str, unit: str) -> Sequence[str]:
        """Return the suggested destinations to which the unit may move in that phase."""
        phase_table = self._get_phase_facts(phase)
        if unit not in phase_table.places:
            suggested = self.system.places.destinations(self.expected_table(phase, unit), self.viewer, unit)
            moves = [(place, self.system.parse(DEFAULT_KIND, {"unit": unit, "to": place})) for place in suggested]
            sketches = ((place, *self.sketch_test(phase_table.table, move)) for place, move in moves)
            phase_table.places[unit] = [place for place, table, move, _ in sketches if self.system.allows(table, move)]
        return phase_table.places[unit]

    def _table_after_phase(self, phase: str) -> State:
        """Return the table after the orders for that phase and earlier phases."""
        rank = self.phase_rank(phase)
        if not self._tables or self._tables[-1][0] <= rank:
            return self.state
        return next((table for table_rank, table, _ in reversed(self._tables) if table_rank <= rank), self.before)

    def add_order(self, order: SheetOrder) -> OrderForecast:
        """Sketch an order after the other orders of its phase, then sketch the orders of later phases again."""
        rank = self.phase_rank(order.phase)
        later_places = (place for place, (table_rank, *_) in enumerate(self._tables) if table_rank > rank)
        place = next(later_places, len(self._tables))
        later = self._remove_orders_from(place)
        for sheet_order in (order, *later):
            self.forecasts.append(sketch_order(self, sheet_order))
            self._tables.append((self.phase_rank(sheet_order.phase), self.state, len(self.acts)))
        return self.forecasts[place]

    def remove_order(self, forecast: OrderForecast) -> None:
        """Remove an order, and sketch the later orders again."""
        place = next(place for place, candidate in enumerate(self.forecasts) if candidate is forecast)
        for order in self._remove_orders_from(place)[1:]:
            self.add_order(order)

    def _remove_orders_from(self, place: int) -> list[SheetOrder]:
        """Remove and return all orders from index `place` on."""
        orders = [forecast.order for forecast in self.forecasts[place:]]
        del self.forecasts[place:], self._tables[place:]
        _, self.after_orders, acts = self._tables[-1] if self._tables else (0, None, 0)
        del self.acts[acts:]
        return orders

    def sketch_test(self, table: State, action: Action) -> tuple[State, Action, bool]:
        """Sketch the test that must come before an action. See `sketch_preliminary_test` for the result."""
        return sketch_preliminary_test(self.system, table, self.viewer, action)

    def is_past(self, order: SheetOrder) -> bool:
        """Whether the order's turn or phase has ended already."""
        over = order.phase not in (self.state.phase, *self.phases_ahead)
        return 0 < order.turn < self.state.turn or (order.turn == self.state.turn and over)

    def find_able_units(self, phase: str) -> set[str]:
        """Return the side's units that can act in that phase on the expected table."""
        phase_table = self._get_phase_facts(phase)
        if phase_table.able is None:
            system, kinds, units, table = (
                self.system,
                kinds_for_orders(self.system),
                self.book.own_names.keys(),
                phase_table.table,
            )
            now = units_with_legal_action(system, table, self.viewer, kinds, units)
            now |= units_with_legal_action(
                system, phase_table.after, self.viewer, (DEFAULT_KIND,), phase_table.tested - now
            )
            phase_table.able = now | units_with_legal_action(
                system, table, self.viewer, kinds, units - now, unmeasured=True
            )
        return phase_table.able

    def offered_actions(self, phase: str, units: Collection[str] | None = None) -> Mapping[str, Sequence[Action]]:
        """Return the actions offered to each unit in that phase. `units` is None for all units of the side."""
        phase_table, kinds = self._get_phase_facts(phase), kinds_for_orders(self.system)
        chosen_units = tuple(self.book.own_names if units is None else units)
        new = {unit: list[Action]() for unit in chosen_units if unit not in phase_table.offered}
        tested_units = [unit for unit in new if unit in phase_table.tested]
        actions = (
            *legal_actions_of_units(self.system, phase_table.table, self.viewer, kinds, new),
            *legal_actions_of_units(self.system, phase_table.after, self.viewer, (DEFAULT_KIND,), tested_units),
            *legal_actions_of_units(self.system, phase_table.table, self.viewer, kinds, new, unmeasured=True),
        )
        for action in actions:
            new[action.unit or ""].append(action)
        phase_table.offered |= new
        return {unit: phase_table.offered[unit] for unit in chosen_units if phase_table.offered[unit]}

    def _get_phase_facts(self, phase: str) -> "_PhaseFacts":
        phase_table, state = self._phase_tables.get(phase), self._table_after_phase(phase)
        if phase_table is None or phase_table.state is not state:
            table = self.prepared_table(phase)
            phase_table = self._phase_tables[phase] = _PhaseFacts(state, table, *self._sketch_tests_to_move(table))
        return phase_table

    def _sketch_tests_to_move(self, table: State) -> tuple[State, set[str]]:
        """Sketch the tests that units must take before they move. Return the table, and the tested units."""
        tests, tested_units = self.system.preliminary_tests, set[str]()
        for unit in self.book.own_names:
            if tests is not None and (test := tests.find_test_before_move(table, unit)) is not None:
                table = self.system.sketch(table, self.viewer, test).state
                tested_units.add(unit)
        return table, tested_units

    def _sketch_prerequisites(self, table: State) -> State:
        """Return the table after every unit has done the prerequisites of a move."""
        for unit in self.book.own_names if DEFAULT_KIND in self.system.actions else ():
            with suppress(Refused):
                first = prerequisites(self.system, self.state, self.system.parse(DEFAULT_KIND, {"unit": unit})) or ()
                for prerequisite in first:
                    table = table.with_unit(self.system.sketch(self.state, self.viewer, prerequisite).state.units[unit])
        return table


@dataclass
class _PhaseFacts:
    """Cached facts about a phase."""

    state: State
    """The table after the orders up to this phase. If it changes, the facts are outdated."""
    table: State
    """The table expected in the phase."""
    after: State
    """`table` after the tests of the `tested` units."""
    tested: set[str]
    able: set[str] | None = None
    """Units that can act; None before they are computed."""
    offered: dict[str, list[Action]] = field(default_factory=dict)
    """Actions of each unit."""
    places: dict[str, list[str]] = field(default_factory=dict)
    """Possible destinations of each unit."""


@dataclass(frozen=True)
class _ProspectKey:
    """Cache key of a prospect: state, side and orders.

    `state` is a Python `id`. The key holds the game, so that Python cannot reuse this `id` for another state.
    """

    state: int
    viewer: Viewer
    orders: tuple[str, ...]
    game: Game = field(compare=False)


@lru_cache(maxsize=32)
def _cached_prospect(key: _ProspectKey) -> Prospect:
    """Return the prospect after the orders of `key`. Callers must copy the prospect before they change it."""
    if not key.orders:
        system = key.game.ruleset
        return Prospect.without_orders(system, system.view(key.game.state, key.viewer), key.viewer)
    *before, last = key.orders
    prospect = _cached_prospect(replace(key, orders=tuple(before))).copy()
    prospect.add_order(SheetOrder.model_validate_json(last))
    return prospect
