"""Read and write orders, one per line: `Amarar: forward 12`, `Berkshires, Marines fire Arteiga`, `all: back 3`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Generic, TypeVar

from . import naming
from .agreement import Noun, agreeing
from .model import UMPIRE, Model, Viewer
from .named_sides import find_named_side
from .refusal import Refused
from .ruleset import Ruleset
from .state import Action, State
from .wording import as_words

S = TypeVar("S", bound=State)

USUAL = "move"
"""Kind of action that an order means if it names none."""
ALL = "all"
MY_TURN = "my turn"
"""Pseudo phase: the order's side's next turn."""
LONGEST, MOST_WORDS = 4000, 200
"""Maximum characters of an order line with a hundred unit names, and of its action part."""
MOST_WAYS = 20
"""Maximum number of readings tried for one line, which may name an action many times."""
FIRST = ("target", "to")
"""Fields that an order may give first, without the field's name."""
NOT_WRITTEN = ("unit", "circumstances", "secret", "waive")
HOW = "Write it as “Amarar: forward 12”, or “Berkshires, Marines fire Arteiga”."
BULLET = re.compile(r"^(?:[-*•]\s+|\d+[.)]\s+)")
WITH = re.compile(r"\bwith\b", re.IGNORECASE)
FILLING = re.compile(r"^(?:at|to|on|against)\s+", re.IGNORECASE)
MISLEADING = re.compile(r"\bwith\b|^in\s", re.IGNORECASE)
PHASE = re.compile(r"^in\s+([^:]+):\s*(?=\S)", re.IGNORECASE)


class Order(Model):
    """An order: action kind, arguments and units, for a later `phase` of the turn or for now."""

    kind: str
    units: tuple[str, ...]
    args: Mapping[str, Any] = {}
    phase: str = ""


def actions(system: Ruleset[S], state: S, order: Order) -> Iterator[tuple[str, Action]]:
    """Yield each unit of the order (by id) with its action; `Ruleset.meant_kind` settles the kind for markers.

    Raises Refused.
    """
    for unit in order.units:
        kind = order.kind if unit in state.units else system.meant_kind(state, order.kind, unit)
        yield unit, system.parse(kind, {**order.args, "unit": unit})


def find_leading_test(system: Ruleset[S], state: S, action: Action, refused: Refused) -> Action | None:
    """Return the unit's optional test that `refused` asks for, if the game knows all the test's facts; else None.

    Required tests are left to whoever calls for tests.
    """
    own = (one for one in refused.prompts if one.unit == action.unit and not one.required and len(one.offers) == 1)
    tests = (system.parse(one.offers[0].kind, one.offers[0].args) for one in own)
    return next((test for test in tests if system.knows_all(state, test)), None)


def prerequisites(system: Ruleset[S], state: S, action: Action) -> Sequence[Action] | None:
    """Return the prerequisites of an action in a later phase, or None if it cannot be given ahead. Raises Refused."""
    return None if system.orders_first is None else system.orders_first(state, action)


def shorten_action(system: Ruleset[S], state: S, action: Action) -> Action | None:
    """Return `action`, shortened if its preliminary test allows less; None if nothing remains."""
    if system.allows(state, action) or system.preliminary_tests is None:
        return action
    return system.preliminary_tests.shortened(state, action)


def ready(system: Ruleset[S], state: S, viewer: Viewer, action: Action) -> tuple[S, Action, bool]:
    """Return the state and the action after a sketch of the preliminary test, and whether there is such a test."""
    try:
        system.label(state, action)
        return state, action, False
    except Refused as refused:
        first = find_leading_test(system, state, action, refused)
    if first is None:
        return state, action, False
    after = system.sketch(state, viewer, first).state
    return after, shorten_action(system, after, action) or action, True


def is_all(names: str) -> bool:
    """Whether the text begins with `all`: all units, or all units of a name."""
    return names.casefold().split()[:1] == [ALL]


def is_list(names: str) -> bool:
    """Whether the text may name several units, by commas or by `all`."""
    return "," in names or is_all(names)


def ordered_kinds(system: Ruleset[Any]) -> tuple[str, ...]:
    """Return the kinds of action available as unit orders."""
    return tuple(kind for kind, action in system.actions.items() if action.by_unit and not action.umpire_only)


@dataclass(frozen=True)
class OrderBook(Generic[S]):
    """Reads and writes the orders of one side, by the side's view `seen`."""

    system: Ruleset[S]
    seen: S
    viewer: Viewer
    _names_written: dict[tuple[str, bool], str] = field(default_factory=dict)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Return the names of all units and markers that the side knows, by id."""
        return naming.Names({one.id: one.name for one in self.system.known_units(self.seen, self.viewer)})

    @cached_property
    def own(self) -> Mapping[str, str]:
        """Return the names of the side's own units and markers, by id; for the umpire, of all units."""
        known = self.system.known_units(self.seen, self.viewer)
        return naming.Names({one.id: one.name for one in known if self.viewer in (UMPIRE, one.side)})

    @cached_property
    def verbs(self) -> Sequence[tuple[str, str]]:
        """Return each spelling of an action with its kind, the longest first: `bug out`, `bugs out`."""
        kinds = ordered_kinds(self.system)
        said = ((form, kind) for kind in kinds for form in (as_words(kind), _singular_verb(as_words(kind))))
        return sorted(dict(said).items(), key=lambda form: -len(form[0]))

    def read(self, line: str) -> Order:
        """Return the order that a line gives. Raises Refused with what is wrong in the line."""
        text = BULLET.sub("", line.strip())
        if len(text) > LONGEST:
            raise Refused(f"An order has {LONGEST} characters at most. {HOW}")
        phase = ""
        if at := PHASE.match(text):
            phases = (MY_TURN, *(self.system.phases.of_people if self.system.phases is not None else ()))
            phase, text = naming.one(at[1], {one: one for one in phases}, "There is no phase {}."), text[at.end() :]
        wrong: Refused | None = None
        for names, kind, rest in islice(self._ways_to_read(text), MOST_WAYS):
            try:
                return self._parse_order(names, kind, rest, phase)
            except _NoUnits as refused:
                wrong = wrong or refused
        raise wrong or Refused(f"“{text[: naming.LONGEST]}” is no order. {HOW}")

    def write(self, order: Order, most: int | None = None) -> str:
        """Return the order as readable text; beyond `most` units, add the number of omitted ones."""
        called = [self._written_name_among(unit, self.own) for unit in order.units[:most]]
        more = len(order.units) - len(called)
        names = ", ".join(called) + (f" and {more} more" if more else "")
        first = self._unnamed_field(order.kind)
        pieces = [str(self._value_in_words(order.kind, first, order.args[first]))] if first in order.args else []
        for name, value in order.args.items():
            if name not in (first, "with") and value is not None:
                pieces.append(f"{as_words(name)} {self._value_in_words(order.kind, name, value)}")
        said = order.args.get("with") or ()
        words = said if isinstance(said, str) else ", ".join(said)
        moves = order.kind == USUAL and (first in order.args or (not pieces and self._is_usual_circumstance(words)))
        rest = words if moves and not pieces else " ".join((*pieces, *([f"with {words}"] if words else [])))
        line = f"{names}: {rest}" if moves else f"{names}{':' if more else ''} {as_words(order.kind)} {rest}".strip()
        return f"in {order.phase}: {line}" if order.phase else line

    def _is_usual_circumstance(self, words: str) -> bool:
        """Whether `words`, such as `lie down`, would be read after the colon as a circumstance of the usual action."""
        known = (
            map(naming.words_of, self.system.actions[USUAL].circumstance_names) if USUAL in self.system.actions else ()
        )
        verb = any(re.match(rf"{re.escape(form)}\b", words, re.IGNORECASE) for form, _ in self.verbs)
        return naming.words_of(words) in known and not verb

    def units(self, text: str) -> tuple[str, ...]:
        """Return the units in a list separated by commas; `all Hadendoa` is every unit of that name.

        `all British` is every unit of that side.

        Raises Refused.
        """
        whole = naming.meant(text, self.own)
        if len(whole) == 1 and ("," not in text or self.own[whole[0]].casefold() == text.strip().casefold()):
            return whole
        parts = [part.strip() for part in text.split(",") if part.strip()]
        try:
            return tuple(dict.fromkeys(unit for part in parts for unit in self._find_units(part)))
        except _NoUnits:
            if len(whole) == 1 and all(map(naming.words_of, parts)):  # a part of a name with a comma
                return whole
            raise

    def units_able(self, kind: str, units: tuple[str, ...], args: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the units that can execute the action one after another; if none can, all units, to refuse each."""
        found, state = [], self.seen
        for unit, action in actions(self.system, self.seen, Order(kind=kind, units=units, args=args)):
            table, possible, _ = ready(self.system, state, self.viewer, action)
            if self.system.allows(table, possible):
                found.append(unit)
                state = self.system.sketch(table, self.viewer, possible).state
        return tuple(found) or units

    def _find_units(self, part: str) -> tuple[str, ...]:
        first, _, rest = part.partition(" ")
        if first.casefold() == ALL and not naming.meant(part, self.own):
            every = tuple(unit for unit in self.own if unit in self.seen.units)
            return every if not rest.strip() else self._units_called(rest)
        if len(naming.meant(part, self.own)) != 1 and (two := re.split(r"\s+(?:and|&)\s+", part)) != [part]:
            return tuple(unit for one in two for unit in self._find_units(one))
        try:
            return (naming.one(part, self.own, f"No unit {self._whose} is called {{}}."),)
        except Refused as refused:
            raise _NoUnits(refused.why) from None

    @property
    def _whose(self) -> str:
        return "here" if self.viewer == UMPIRE else "of yours"

    def _units_called(self, name: str) -> tuple[str, ...]:
        """Return the units that `all` of a name means: those of a side, else those that bear the name."""
        side = find_named_side(self.seen, name)
        if side is not None:
            return self._units_of_side(side)
        found = naming.meant(name, self.own)
        if not found:
            raise _NoUnits(f"No units {self._whose} are called “{name.strip()[: naming.LONGEST]}”.")
        return found

    def _units_of_side(self, side: str) -> tuple[str, ...]:
        """Return the side's units on the table. Raises _NoUnits if there are none, or they are not the viewer's."""
        if self.viewer not in (UMPIRE, side):
            raise _NoUnits(f"Units of {self.seen.side(side):the} are not yours. Name your own.")
        found = tuple(unit for unit in self.own if unit in self.seen.units and self.seen.units[unit].side == side)
        if not found:
            raise _NoUnits(f"There are no units of {self.seen.side(side):the} here.")
        return found

    def _ways_to_read(self, text: str) -> Iterator[tuple[str, str, str]]:
        """Yield readings of a line as (names, kind, rest): split at the colon, then at each action named."""
        names, colon, rest = text.partition(":")
        if colon:
            verb = next((v for v in self.verbs if re.match(rf"{re.escape(v[0])}\b", rest.strip(), re.I)), None)
            yield names, verb[1] if verb else USUAL, rest.strip()[len(verb[0]) if verb else 0 :]
        for form, kind in self.verbs:
            for found in re.finditer(rf"(?<=\S)\s+{re.escape(form)}\b(?!\s*:)", text, re.IGNORECASE):
                yield text[: found.start()], kind, text[found.end() :]

    def _parse_order(self, names: str, kind: str, rest: str, phase: str) -> Order:
        units = self.units(names)
        if not units:
            raise _NoUnits(f"Whom is that for? {HOW}")
        if len(rest) > MOST_WORDS:
            raise Refused(f"What units are to do has {MOST_WORDS} characters at most. {HOW}")
        if kind not in self.system.actions:
            raise Refused(f"Say what they are to do: {', '.join(map(as_words, ordered_kinds(self.system)))}.")
        args = self._parse_args(kind, rest)
        able = self.units_able(kind, units, args) if is_all(names) else units
        order = Order(kind=kind, units=able, args=args, phase=phase)
        for _ in actions(self.system, self.seen, order):
            pass
        return order

    def _parse_args(self, kind: str, rest: str) -> dict[str, Any]:
        said = WITH.split(rest, maxsplit=1)
        args: dict[str, Any] = {"with": said[1].strip()} if len(said) > 1 else {}
        first, fields = self._unnamed_field(kind), self._field_names(kind)
        named = "|".join(re.escape(as_words(name)) for name in fields if name not in FIRST) or "(?!)"
        pieces = re.split(rf"(?:^|\s|,)({named})\b\s*:?\s*", said[0], flags=re.IGNORECASE)
        words = naming.words_of(pieces[0])
        if words in map(naming.words_of, self.system.actions[kind].circumstance_names):
            args["with"] = ", ".join((*filter(None, [args.get("with")]), pieces[0].strip(" ,")))
        elif piece := FILLING.sub("", pieces[0].strip(" ,")):
            if not first:
                raise Refused(f"“{piece[: naming.LONGEST]}” is not understood: {as_words(kind)} needs no more words.")
            args[first] = self._parse_value(kind, first, piece)
        for name, value in zip(pieces[1::2], pieces[2::2], strict=True):
            field = next(each for each in fields if as_words(each) == " ".join(name.casefold().split()))
            args[field] = self._parse_value(kind, field, value.strip(" ,"))
        return args

    def _field_names(self, kind: str) -> tuple[str, ...]:
        known = self.system.actions[kind].model_fields
        return tuple(name for name in known if name not in NOT_WRITTEN)

    def _unnamed_field(self, kind: str) -> str:
        """Return the field given without its name: destination or target, else the first required field."""
        fields = self._field_names(kind)
        known = self.system.actions[kind].model_fields
        required = (name for name in fields if known[name].is_required())
        return next((name for name in FIRST if name in fields), None) or next(required, "")

    def _parse_value(self, kind: str, field: str, text: str) -> str:
        names_unit = field in self.system.actions[kind].refers_to
        return naming.one(text, self.names, "No unit here is called {}.") if names_unit else text

    def _value_in_words(self, kind: str, field: str, value: object) -> object:
        names_unit = field in self.system.actions[kind].refers_to
        return self._written_name_among(str(value), self.names) if names_unit else value

    def written_name(self, unit: str) -> str:
        """Return the name by which an order may call a unit of either side."""
        return self._written_name_among(unit, self.names)

    def _written_name_among(self, unit: str, among: Mapping[str, str]) -> str:
        """Return the unit's name if unambiguous, else its id."""
        if (unit, among is self.own) not in self._names_written:
            name = among.get(unit, unit)
            clear = naming.meant(name, among) == (unit,) and not self._is_misleading(name)
            self._names_written[unit, among is self.own] = name if clear else unit
        return self._names_written[unit, among is self.own]

    def _is_misleading(self, name: str) -> bool:
        """Whether part of a name would be read as order syntax."""
        parts = {*",:;"} & {*name} or name.splitlines() != [name] or not naming.words_of(name)
        verbs = (re.search(rf"\s{re.escape(verb)}\b", name, re.IGNORECASE) for verb, _ in self.verbs)
        return bool(parts or MISLEADING.search(name) or any(verbs))


class _NoUnits(Refused):
    """Refusal of names that are no units. Another reading of the line may still succeed."""


def _singular_verb(words: str) -> str:
    return agreeing("", Noun.THING, words).lstrip()
