"""Preview of an order sheet: the table after each order, with average dice."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from bot.journal.game import Game
from rules.core.action_type import Chance
from rules.core.legal_units import able_units, actions_of
from rules.core.model import UMPIRE, Viewer
from rules.core.order_book import OrderBook
from rules.core.order_reader import is_for_all
from rules.core.orders import (
    DEFAULT_KIND,
    LONGEST,
    MY_TURN,
    Order,
    actions_by_unit,
    ordered_kinds,
    prerequisites,
    sketch_preliminary_test,
)
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State
from rules.core.wording import as_words

from .model import SheetOrder, Wrong
from .own_turn import own_turn

PAST = "Too late for this order; Do all removes it."
MOST_NAMED = 3
"""Maximum unit names written in an order's description."""
WHOLE, NOW = "whole", "now"
"""Menu values for an order's phase: automatic, or now."""
TIMES = ("phase", "active", "done")
"""State fields for active side and phase."""


@dataclass(frozen=True)
class Foreseen:
    """What is foreseen of an order: its words, its chances, whether dice decide, warnings, and what prevents it."""

    order: SheetOrder
    words: str
    chances: tuple[tuple[Chance, ...], ...]
    """Of each unit, as its button says them."""
    about: bool
    warnings: tuple[str, ...]
    prevented: tuple[str, ...]


@dataclass
class Prospect:
    """Orders laid upon the table one after the other, sorted by phase. Pictures show `acts`.

    `before` is the table at the beginning of the turn in which the side acts next, or the present table if the side
    acts now.
    """

    system: Ruleset[Any]
    before: State
    viewer: Viewer
    turn: Mapping[str, State]
    """Remaining phases of the turn, each with its state."""
    rests: bool
    """Whether the side does not act now."""
    laid: State | None = None
    foreseen: list[Foreseen] = field(default_factory=list)
    acts: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    _tables: list[tuple[int, State, int]] = field(default_factory=list)
    """After each order: the rank of its phase, the table, and the number of `acts`."""
    _book: OrderBook[Any] | None = None
    _times: "dict[str, _PhaseTable]" = field(default_factory=dict)

    @property
    def state(self) -> State:
        """Return the table after all orders."""
        return self.laid or self.before

    @classmethod
    def start(cls, system: Ruleset[Any], seen: State, viewer: Viewer) -> "Prospect":
        """Return the prospect of a side without orders, on the table as the side sees it."""
        turn = own_turn(system, seen, viewer)
        rests = viewer != UMPIRE and viewer not in seen.acting_sides
        before = next(iter(turn.values()), seen) if rests else seen
        return cls(system, before, viewer, turn, rests)

    @classmethod
    def of(cls, game: Game, viewer: Viewer, orders: Iterable[SheetOrder] = ()) -> "Prospect":
        """Return the prospect of a game for a side after these orders. The latest prospects are cached."""
        nothing = _Key(id(game.state), viewer, (), game)
        in_time = sorted(orders, key=_cached_preview(nothing).rank)
        return _cached_preview(replace(nothing, orders=tuple(order.model_dump_json() for order in in_time))).copied()

    def copied(self) -> "Prospect":
        """Return a copy for laying further orders."""
        return replace(self, foreseen=[*self.foreseen], acts=[*self.acts], _tables=[*self._tables])

    @property
    def book(self) -> OrderBook[Any]:
        """Return the book for reading and writing orders on the resulting table."""
        if self._book is None or self._book.seen is not self.state:
            self._book = OrderBook(self.system, self.state, self.viewer)
        return self._book

    @property
    def times(self) -> tuple[str, ...]:
        """Phases in which orders can be done: now and later in the turn, or, if the side rests, in its next turn."""
        phases = tuple(self.turn)
        if self.rests:
            return phases if all(phases) else (MY_TURN,)
        return ("", *(phase for phase in phases if phase != self.before.phase))

    def time(self, chosen: str) -> str:
        """Return the chosen phase if units can act there; otherwise the whole turn if it has several phases."""
        there = chosen if chosen in self.times else self.times[0]
        whole = len(self.times) > 1 and (chosen in ("", WHOLE) or not self.able(there))
        return WHOLE if whole else there

    def spans(self, time: str) -> tuple[str, ...]:
        """Return the phases covered by the choice."""
        return self.times if time == WHOLE else (time,)

    def rank(self, order: Order) -> int:
        """Return the rank of the order's phase. Phases that are over come first."""
        return self._rank(order.phase)

    def _rank(self, phase: str) -> int:
        return self.times.index(phase) if phase in self.times else 0

    def supposed(self, phase: str, unit: str = "") -> State:
        """Return the table as expected in a phase, for the unit's side.

        Orders for later phases are not included.
        """
        side, table = self.viewer, self._table(phase)
        if side == UMPIRE:
            side = table.units[unit].side if unit in table.units else table.active
        if phase not in ("", MY_TURN) and self.system.phases is not None and (phase != table.phase or self.rests):
            there: State = self.system.phases.suppose_phase(table, phase, side)
            return there
        return table

    def prepared(self, phase: str, unit: str = "") -> State:
        """Return the table of `supposed`, in a later phase with the prerequisites of each unit done."""
        table = self.supposed(phase, unit)
        return self._all_ordered(table) if phase else table

    def possible_places(self, phase: str, unit: str) -> Sequence[str]:
        """Return the places suggested to the unit that the unit may move to in that phase."""
        then = self._then(phase)
        if unit not in then.places:
            suggested = self.system.places.destinations(self.supposed(phase, unit), self.viewer, unit)
            moves = [(place, self.system.parse(DEFAULT_KIND, {"unit": unit, "to": place})) for place in suggested]
            sketch_preliminary_test = ((place, *self._ready(then.table, move)) for place, move in moves)
            then.places[unit] = [
                place for place, table, move, _ in sketch_preliminary_test if self.system.allows(table, move)
            ]
        return then.places[unit]

    def _table(self, phase: str) -> State:
        """Return the table after orders for that phase and earlier phases."""
        rank = self._rank(phase)
        if not self._tables or self._tables[-1][0] <= rank:
            return self.state
        return next((table for done, table, _ in reversed(self._tables) if done <= rank), self.before)

    def add(self, order: SheetOrder) -> Foreseen:
        """Lay an order upon the table after the orders of its phase, then lay the orders of later phases again."""
        rank = self.rank(order)
        place = next((place for place, (done, *_) in enumerate(self._tables) if done > rank), len(self._tables))
        later = self._take_up(place)
        for one in (order, *later):
            self._lay(one)
            self._tables.append((self.rank(one), self.state, len(self.acts)))
        return self.foreseen[place]

    def remove(self, found: Foreseen) -> None:
        """Remove an order from the table."""
        place = next(place for place, one in enumerate(self.foreseen) if one is found)
        for one in self._take_up(place)[1:]:
            self.add(one)

    def _take_up(self, place: int) -> list[SheetOrder]:
        """Remove the orders from that index on, and return them."""
        taken = [one.order for one in self.foreseen[place:]]
        del self.foreseen[place:], self._tables[place:]
        _, self.laid, acts = self._tables[-1] if self._tables else (0, None, 0)
        del self.acts[acts:]
        return taken

    def _lay(self, order: SheetOrder) -> None:
        """Lay one order on the table as far as possible."""
        words = self.book.write(order, MOST_NAMED)
        try:
            parsed = list(actions_by_unit(self.system, self.state, order))
        except Refused as refused:
            self.foreseen.append(Foreseen(order, words, (), False, (), (str(refused),)))
            return
        if self.is_past(order):
            over = order.model_copy(update={"why": PAST})
            self.foreseen.append(Foreseen(over, words, (), False, (), ()))
            return
        chances: list[tuple[Chance, ...]] = []
        warnings: list[str] = []
        prevented: list[str] = []
        about = False
        for unit, action in parsed:
            table, possible, tested = self._ready(self.supposed(order.phase, unit), action)
            about |= tested
            try:
                if len(order.units) <= MOST_NAMED:
                    chances.append(self.system.caption(table, possible).chances)
                sketch = self.system.sketch(table, self.viewer, possible)
            except Refused as refused:
                name = self.book.own.get(unit, unit)
                prevented.append(str(refused) if len(order.units) == 1 else f"{name}: {refused}")
                continue
            self.laid = self._at(sketch.state, **{name: getattr(self.state, name, None) for name in TIMES})
            self.acts.append((action.kind, sketch.report.units))
            report = sketch.report.seen_by(self.viewer)
            told = report.warnings if report is not None else ()
            name = self.book.own.get(unit, unit)
            alone = len(order.units) == 1
            warnings += (one if alone or one.startswith(name) else f"{name}: {one}" for one in told)
            about |= sketch.about
        likely = tuple(dict.fromkeys(filter(None, chances)))
        self.foreseen.append(Foreseen(order, words, likely, about, tuple(dict.fromkeys(warnings)), tuple(prevented)))

    def _ready(self, table: State, action: Action) -> tuple[State, Action, bool]:
        return sketch_preliminary_test(self.system, table, self.viewer, action)

    def is_past(self, order: SheetOrder) -> bool:
        """Whether the order's phase is over."""
        over = order.phase not in (self.state.phase, *self.times)
        return 0 < order.turn < self.state.turn or (order.turn == self.state.turn and over)

    def timely(self, order: Order) -> SheetOrder:
        """Return the order with its phase: the first phase where units can execute it."""
        times = [order.phase] if order.phase not in ("", MY_TURN) else self.times
        tried = [self._timed(order, phase) for phase in times]
        if len(tried) == 1:
            return tried[0]
        able = next((one for one in tried if self._refusal(one) is None), None)
        return able or next((one for one in tried if not self._untimely(one)), tried[0])

    def _timed(self, order: Order, phase: str) -> SheetOrder:
        fields = {name: getattr(order, name) for name in Order.model_fields}
        return SheetOrder(**{**fields, "phase": phase, "turn": self.state.turn if phase not in ("", MY_TURN) else 0})

    def _refusal(self, order: SheetOrder) -> Refused | None:
        """Return the refusal if no unit can execute the order in its phase; None otherwise."""
        refused = None
        for unit, action in actions_by_unit(self.system, self.state, order):
            table, possible, _ = self._ready(self.supposed(order.phase, unit), action)
            try:
                self.system.label(table, possible)
            except Refused as why:
                refused = refused or why
            else:
                return None
        return refused

    def _untimely(self, order: SheetOrder) -> bool:
        """Whether only the phase sequence forbids the order."""
        refused = self._refusal(order)
        return refused is not None and self.system.phases is not None and refused.cite == self.system.phases.cite

    def read(self, lines: Iterable[str]) -> tuple[Wrong, ...]:
        """Adds the orders of a text, a line each; those that cannot be read."""
        wrong = []
        for line in filter(None, map(str.strip, lines)):
            try:
                self._read_line(line)
            except Refused as refused:
                wrong.append(Wrong(text=line[:LONGEST], why=str(refused)))
        return tuple(wrong)

    def _read_line(self, line: str) -> None:
        """Lay the orders of a line. For all units, those orders that nobody can do are left out. Raises Refused."""
        orders, everyone = self.book.read(line), is_for_all(line)
        for one in () if everyone else orders:
            self.order_first(one)
        timed = [self.timely(one) for one in orders]
        phase = timed[0].phase
        there = self.supposed(phase)
        if there is not self.state:  # then “all” are those who can do it then, and “the nearest” is nearest then
            later = OrderBook(self.system, there, self.viewer).read(line)
            timed = [self.timely(one.model_copy(update={"phase": phase})) for one in later]
        found = [self.add(one) for one in timed]
        useless = [one for one in found if everyone and len(one.prevented) >= len(one.order.units)]
        for idle in reversed(useless):
            self.remove(idle)
        if len(useless) == len(found):
            raise Refused(f"None of them can: {useless[0].prevented[0]}")

    def order_first(self, order: Order) -> tuple[SheetOrder, ...]:
        """Lay the prerequisites of the order's units upon the table, and return them.

        Units whose prerequisites cannot be done are shown with the order. Raises Refused if that holds for all units.
        """
        laid, refusals = [], []
        given = [*actions_by_unit(self.system, self.state, order)]
        for _, action in given:
            try:
                first = prerequisites(self.system, self.state, action) or ()
            except Refused as refused:
                refusals.append(refused)
                continue
            for one in first:
                laid.append(self.timely(Order(kind=one.kind, units=(one.unit or "",))))
                self.add(laid[-1])
        if refusals and len(refusals) == len(given):
            raise refusals[0]
        return tuple(laid)

    def lost(self) -> tuple[str, ...]:
        """Warn about attacks that units lose this turn by their orders."""
        ordered = {(unit, one.order.kind) for one in self.foreseen for unit in one.order.units}
        moved = {unit for unit, _ in ordered if unit in self.state.units}
        gone = self._blows(self.before, moved) - ordered
        gone -= self._blows(self.state, {unit for unit, _ in gone})
        names = {unit: self.state.units[unit].name for unit, _ in gone}
        warned = " ".join(warning for one in self.foreseen for warning in one.warnings)
        said = (f"{names[unit]} may then not {as_words(kind)}." for unit, kind in sorted(gone))
        return tuple(one for one, (unit, _) in zip(said, sorted(gone), strict=True) if names[unit] not in warned)

    def _blows(self, state: State, units: Collection[str]) -> set[tuple[str, str]]:
        """Return pairs of unit and kind of action for the units that can act on a target, now or later in the turn."""
        kinds = [kind for kind in ordered_kinds(self.system) if "target" in self.system.actions[kind].model_fields]
        phases, sides = self.system.phases, state.acting_sides if self.viewer == UMPIRE else (self.viewer,)
        later = (
            (phases.suppose_phase(state, phase, side) for side in sides for phase in phases.later_phases(state))
            if phases
            else ()
        )
        tables = (state, *later) if units else ()
        return {
            (unit, kind)
            for table in tables
            for kind in kinds
            for unit in able_units(self.system, table, self.viewer, (kind,), units)
        }

    def able(self, phase: str) -> set[str]:
        """Return the side's units able to act in that phase on the expected table."""
        then = self._then(phase)
        if then.able is None:
            system, kinds, units = self.system, ordered_kinds(self.system), self.book.own.keys()
            now = able_units(system, then.table, self.viewer, kinds, units)
            now |= able_units(system, then.after, self.viewer, (DEFAULT_KIND,), then.tested - now)
            then.able = now | able_units(system, then.table, self.viewer, kinds, units - now, lacking=True)
        return then.able

    def offered(self, phase: str, units: Collection[str] | None = None) -> Mapping[str, Sequence[Action]]:
        """Return the actions offered in that phase to each of `units` (None: all units of the side)."""
        then, wanted = self._then(phase), tuple(self.book.own if units is None else units)
        new, kinds = {unit: list[Action]() for unit in wanted if unit not in then.offered}, ordered_kinds(self.system)
        found = (
            *actions_of(self.system, then.table, self.viewer, kinds, new),
            *actions_of(
                self.system, then.after, self.viewer, (DEFAULT_KIND,), [unit for unit in new if unit in then.tested]
            ),
            *actions_of(self.system, then.table, self.viewer, kinds, new, lacking=True),
        )
        for one in found:
            new[one.unit or ""].append(one)
        then.offered |= new
        return {unit: then.offered[unit] for unit in wanted if then.offered[unit]}

    def _then(self, phase: str) -> "_PhaseTable":
        known, state = self._times.get(phase), self._table(phase)
        if known is None or known.state is not state:
            table = self.prepared(phase)
            known = self._times[phase] = _PhaseTable(state, table, *self._all_tested(table))
        return known

    def _all_tested(self, table: State) -> tuple[State, set[str]]:
        """Return the table after the tests that units must take before they move, and the tested units."""
        tested: set[str] = set()
        for unit in self.book.own:
            if (test := self._test_to_move(table, unit)) is not None:
                table = self.system.sketch(table, self.viewer, test).state
                tested.add(unit)
        return table, tested

    def _test_to_move(self, table: State, unit: str) -> Action | None:
        tests = self.system.preliminary_tests
        return None if tests is None else tests.test_to_move(table, unit)

    def _all_ordered(self, table: State) -> State:
        """Return a later phase's table with the prerequisites of each unit done."""
        for unit in self.book.own if DEFAULT_KIND in self.system.actions else ():
            with suppress(Refused):
                first = prerequisites(self.system, self.state, self.system.parse(DEFAULT_KIND, {"unit": unit})) or ()
                for one in first:
                    table = table.with_unit(self.system.sketch(self.state, self.viewer, one).state.units[unit])
        return table

    @staticmethod
    def _at(state: State, **times: Any) -> State:
        return state.model_copy(update={name: value for name, value in times.items() if hasattr(state, name)})


@dataclass
class _PhaseTable:
    """The known facts about a phase of the turn, valid for `state`: the table then, and the table `after` its tests.

    `tested` are units that take a test, `able` units that can do anything, `offered` the actions of each.
    """

    state: State
    table: State
    after: State
    tested: set[str]
    able: set[str] | None = None
    offered: dict[str, list[Action]] = field(default_factory=dict)
    places: dict[str, list[str]] = field(default_factory=dict)
    """Possible destinations of each unit."""


@dataclass(frozen=True)
class _Key:
    """Cache key: state, side and earlier orders. Holding the game keeps the state's identity unique."""

    state: int
    viewer: Viewer
    orders: tuple[str, ...]
    game: Game = field(compare=False)


@lru_cache(maxsize=32)
def _cached_preview(key: _Key) -> Prospect:
    """Return the cached preview, never modified: each order is laid on the preview of earlier orders."""
    if not key.orders:
        system = key.game.ruleset
        return Prospect.start(system, system.view(key.game.state, key.viewer), key.viewer)
    *before, last = key.orders
    prospect = _cached_preview(replace(key, orders=tuple(before))).copied()
    prospect.add(SheetOrder.model_validate_json(last))
    return prospect
