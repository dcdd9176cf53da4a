"""The table as a side would see it after the orders of its sheet, one upon the other, with dice in the middle."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from rules.core.model import UMPIRE, Viewer
from rules.core.orders import MY_TURN, USUAL, Order, OrderBook, actions, in_words, ordered_kinds
from rules.core.refused import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

from .game import Game
from .sheet import MOST_WRONG, SheetOrder, Wrong

MOST_NAMED = 3
"""Units of an order that are named, where it is told."""
TIMES = ("phase", "active", "done")
"""Fields of a state that say whose turn it is, and which phase."""


@dataclass(frozen=True)
class Foreseen:
    """What is foreseen of an order: its words, its chances, whether dice decide, warnings, and what prevents it."""

    order: SheetOrder
    words: str
    chances: tuple[str, ...]
    about: bool
    warnings: tuple[str, ...]
    prevented: tuple[str, ...]


@dataclass(frozen=True)
class Option:
    """Something that these units can do, in words without them, with the chances of each."""

    order: Order
    words: str
    chances: tuple[str, ...]


@dataclass
class Prospect:
    """One order after the other is laid upon the table; `acts` are the actions that a picture shows."""

    system: Ruleset[Any]
    before: State
    viewer: Viewer
    state: State = field(init=False)
    foreseen: list[Foreseen] = field(default_factory=list)
    acts: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    _book: OrderBook[Any] | None = None
    _offers: dict[str, tuple[State, dict[str, list[Action]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.state = self.before

    @classmethod
    def of(cls, game: Game, viewer: Viewer, orders: Iterable[SheetOrder] = ()) -> "Prospect":
        """That of a game as it stands, for a side, after such orders."""
        prospect = cls(game.ruleset, game.ruleset.view(game.state, viewer), viewer)
        for order in orders:
            prospect.add(order)
        return prospect

    @property
    def book(self) -> OrderBook[Any]:
        """By which orders are read and written on the table as it would stand."""
        if self._book is None or self._book.seen is not self.state:
            self._book = OrderBook(self.system, self.state, self.viewer)
        return self._book

    @property
    def times(self) -> tuple[str, ...]:
        """When orders can be done: now, or when its side may act again; then in each later phase of the turn."""
        rests = self.viewer != UMPIRE and self.viewer not in self.state.acting
        later = self.system.phases.later(self.state) if self.system.phases is not None else ()
        return (MY_TURN if rests else "", *later)

    def time(self, chosen: str) -> str:
        """The time chosen, where there is such a one still; else the next."""
        return chosen if chosen in self.times else self.times[0]

    def supposed(self, phase: str, unit: str = "") -> State:
        """The table as it would stand in a later phase, or when it is that unit's side's turn."""
        side = self.viewer
        if side == UMPIRE:
            side = self.state.units[unit].side if unit in self.state.units else self.state.active
        if phase == MY_TURN:
            return self._at(self.state, active=side, done=())
        if phase and phase != self.state.phase and self.system.phases is not None:
            there: State = self.system.phases.supposed(self.state, phase, side)
            return there
        return self.state

    def add(self, order: SheetOrder) -> None:
        """Lays an order upon the table, as far as it can be done there."""
        chances: list[str] = []
        warnings: list[str] = []
        prevented: list[str] = []
        about = False
        for unit, action in actions(self.system, order):
            table = self.supposed(order.phase, unit)
            try:
                chances.append(chance_in(self.system.label(table, action)))
                sketch = self.system.sketch(table, self.viewer, action)
            except Refused as refused:
                name = self.state.units[unit].name if unit in self.state.units else unit
                prevented.append(str(refused) if len(order.units) == 1 else f"{name}: {refused}")
                continue
            self.state = self._at(sketch.state, **{name: getattr(self.state, name, None) for name in TIMES})
            self.acts.append((action.kind, sketch.report.units))
            report = sketch.report.seen_by(self.viewer)
            told = report.warnings if report is not None else ()
            name = "" if len(order.units) == 1 else f"{self.state.units[unit].name}: "
            warnings += (f"{name}{warning}" for warning in told)
            about |= sketch.about
        likely = tuple(dict.fromkeys(filter(None, chances)))
        words = self.book.written(order, MOST_NAMED)
        self.foreseen.append(Foreseen(order, words, likely, about, tuple(dict.fromkeys(warnings)), tuple(prevented)))

    def timely(self, order: Order) -> SheetOrder:
        """The order; for a later time, where it can be done only then, or belongs there though it cannot be done."""
        timed = SheetOrder(**{name: getattr(order, name) for name in Order.model_fields})
        times = sorted(self.times, key=MY_TURN.__eq__)
        if order.phase or times == [""]:
            return timed
        tried = [timed.model_copy(update={"phase": phase}) for phase in times]
        able = next((one for one in tried if self._refusal(one) is None), None)
        return able or next((one for one in tried if not self._untimely(one)), tried[0])

    def _refusal(self, order: SheetOrder) -> Refused | None:
        """Why none of its units can do it at its time; nothing where one can."""
        refused = None
        for unit, action in actions(self.system, order):
            try:
                self.system.label(self.supposed(order.phase, unit), action)
            except Refused as why:
                refused = refused or why
            else:
                return None
        return refused

    def _untimely(self, order: SheetOrder) -> bool:
        """Whether it is the order of the phases that forbids it at its time."""
        refused = self._refusal(order)
        return refused is not None and self.system.phases is not None and refused.cite == self.system.phases.cite

    def read(self, lines: Iterable[str]) -> tuple[Wrong, ...]:
        """Adds the orders of a text, a line each; those that cannot be read."""
        wrong = []
        for line in filter(None, map(str.strip, lines)):
            try:
                order = self.timely(self.book.read(line))
                if order.phase:  # then “all” are those who can do it then
                    later = OrderBook(self.system, self.supposed(order.phase), self.viewer)
                    order = self.timely(later.read(line).model_copy(update={"phase": order.phase}))
                self.add(order)
            except Refused as refused:
                wrong.append(Wrong(text=line[:200], why=str(refused)))
        return tuple(wrong[:MOST_WRONG])

    def able(self, phase: str = "") -> tuple[str, ...]:
        """The side's own units that can do anything then, in order of battle."""
        return tuple(unit for unit in self.book.own if unit in self._offered(phase))

    def options(self, units: tuple[str, ...], phase: str = "") -> list[Option]:
        """What these units can do, with those of them that can: what the system offers first, then places to go."""
        thought: dict[str, Order] = {}
        for unit in units:
            offered = [(one.kind, _args(one)) for one in self._offered(phase).get(unit, ())]
            places = self.system.places(self.supposed(phase, unit), self.viewer, unit) if unit == units[0] else ()
            for kind, args in (*offered, *((USUAL, {"to": place}) for place in places)):
                named = Order(kind=kind, units=units, args=self._named(args), phase=phase)
                thought.setdefault(self.book.written(named), named)
        found = [option for order in thought.values() if (option := self._option(order)).order.units]
        return sorted(found, key=lambda option: -len(option.order.units))

    def given(self, option: Option) -> SheetOrder:
        """The order of an option, to those of its units that can do it one after the other."""
        order = option.order
        able = OrderBook(self.system, self.supposed(order.phase, order.units[0]), self.viewer).able
        return self.timely(order.model_copy(update={"units": able(order.kind, order.units, order.args)}))

    def lost(self) -> tuple[str, ...]:
        """Warnings of what units could do to others this turn, and may not after their orders."""
        before, after = self._blows(self.before), self._blows(self.state)
        ordered = {(unit, one.order.kind) for one in self.foreseen for unit in one.order.units}
        moved = {unit for unit, _ in ordered}
        gone = [(unit, kind) for unit, kind in before - after - ordered if unit in moved and unit in self.state.units]
        names = {unit: self.state.units[unit].name for unit, _ in gone}
        warned = " ".join(warning for one in self.foreseen for warning in one.warnings)
        said = (f"{names[unit]} may then not {in_words(kind)}." for unit, kind in sorted(gone))
        return tuple(one for one, (unit, _) in zip(said, sorted(gone), strict=True) if names[unit] not in warned)

    def _blows(self, state: State) -> set[tuple[str, str]]:
        """Who can do what to whom, now or later in the turn."""
        kinds = [kind for kind, action in self.system.actions.items() if "target" in action.model_fields]
        phases, sides = self.system.phases, state.acting if self.viewer == UMPIRE else (self.viewer,)
        later = (
            (phases.supposed(state, phase, side) for side in sides for phase in phases.later(state)) if phases else ()
        )
        tables = (state, *later)
        found = (one for table in tables for kind in kinds for one in self.system.legal(table, self.viewer, kind))
        return {(one.unit, one.kind) for one in found if one.unit and one.by_unit and not one.umpire_only}

    def _offered(self, phase: str) -> Mapping[str, list[Action]]:
        """What each unit is offered then, by the table as it would stand."""
        if phase not in self._offers or self._offers[phase][0] is not self.state:
            found: dict[str, list[Action]] = {}
            kinds = ordered_kinds(self.system)
            for one in self.system.legal(self.supposed(phase), self.viewer):
                if one.unit and one.kind in kinds:
                    found.setdefault(one.unit, []).append(one)
            self._offers[phase] = self.state, found
        return self._offers[phase][1]

    def _option(self, order: Order) -> Option:
        chances = {}
        for unit, action in actions(self.system, order):
            with suppress(Refused):
                chances[unit] = chance_in(self.system.label(self.supposed(order.phase, unit), action))
        words = self.book.written(order.model_copy(update={"units": (), "phase": ""})).lstrip(": ")
        able = order.model_copy(update={"units": tuple(chances)})
        return Option(able, words, tuple(dict.fromkeys(filter(None, chances.values()))))

    def _named(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments with a unit that `to` ends on by its name."""
        where, _, last = str(args.get("to", "")).rpartition(" ")
        return {**args, "to": f"{where} {self.book.called(last)}"} if where and last in self.state.units else {**args}

    @staticmethod
    def _at(state: State, **times: Any) -> State:
        return state.model_copy(update={name: value for name, value in times.items() if hasattr(state, name)})


def chance_in(label: str) -> str:
    """The chance that the label of a button ends on; nothing where it has none."""
    end = label.rpartition(": ")[2]
    return end if end.endswith("%") else ""


def _args(action: Action) -> dict[str, Any]:
    return action.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"unit"})
