"""The units that an order may name: one side's own units, the known enemies, and groups such as all guns."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Generic

from . import naming
from .model import UMPIRE, Viewer
from .named_sides import find_named_side
from .order_words import OrderWords, load_order_words
from .orders import (
    DEFAULT_KIND,
    EVERYONE,
    EXCEPT,
    Order,
    counted_units,
    names_all_units,
    names_the_rest,
    ordered_kinds,
    without_all,
)
from .refusal import Refused
from .ruleset import Ruleset
from .short_names import UnitNames
from .state import S
from .typed_text import exact_form, fold
from .unit_groups import UnitGroups
from .unit_lists import LAST_OF_LIST, TWO_UNITS, completed_names, names_in_list

ALL = " ".join(EVERYONE[0])
ID = "*"
"""Before an id, so that no typed word equals it."""
WITHOUT_COMMAS = str.maketrans(",;", "  ")
"""Characters between names in an order, read as blanks."""
MISLEADING = re.compile(r"\bwith\b|^in\s", re.IGNORECASE)
"""Words in a unit's name that an order would read as its own."""


class NoUnits(Refused):
    """Refusal of names that are no units. Another reading of the line may still succeed."""


class WhichUnits(Refused):
    """Refusal of names that may mean several units. Another reading of the line may still succeed."""


@dataclass(frozen=True)
class SideUnits(Generic[S]):
    """The units and markers that one side may name, by the side's view `seen`."""

    system: Ruleset[S]
    seen: S
    viewer: Viewer
    ordered: frozenset[str] | None = None
    """Units (by id) that already have an order, excluded from “the rest”; None without an order sheet."""
    nearest_known: dict[tuple[str, str, frozenset[str]], str] = field(default_factory=dict)
    """The nearest of some enemies to a unit for a kind of action, as far as it was looked for."""
    _names_written: dict[tuple[str, bool], str] = field(default_factory=dict)
    _enemies: dict[Viewer, UnitGroups] = field(default_factory=dict)

    def after(self, orders: Iterable[Order]) -> "SideUnits[S]":
        """Return the units where the moves in these orders end, to read further orders from there."""
        seen, after_move = self.seen, self.system.places.after_move
        if after_move is None:
            return self
        for order in orders:
            to = order.args.get("to") if order.kind == DEFAULT_KIND else None
            for unit in order.units if isinstance(to, str) else ():
                seen = after_move(seen, unit, to) if unit in seen.units and isinstance(to, str) else seen
        return self if seen is self.seen else SideUnits(self.system, seen, self.viewer, self.ordered)

    @cached_property
    def names(self) -> naming.Names:
        """Return the names of all units and markers that the side knows, by id."""
        known = self.system.known_units(self.seen, self.viewer)
        return self._named({one.id: one.name for one in known})

    @cached_property
    def own(self) -> naming.Names:
        """Return the names of the side's own units and markers, by id; for the umpire, of all units."""
        known = self.system.known_units(self.seen, self.viewer)
        names = {one.id: one.name for one in known if self._may_order(one.side)}
        return self._named(names, {unit: self._class_words(unit) for unit in names})

    def _may_order(self, side: str) -> bool:
        """Whether the viewer orders a side's units: the umpire does, and a side that represents an absent one."""
        return self.viewer == UMPIRE or side in self.seen.represented_by(self.viewer)

    def _class_words(self, unit: str) -> Sequence[str]:
        """Return the words for units of its class, such as `mortar` for the Stokes battery."""
        its_class = self.unit_class(unit)
        return [words[0] for words, classes in self.words.groups.items() if its_class in classes and len(words) == 1]

    def _named(self, names: Mapping[str, str], further: Mapping[str, Sequence[str]] | None = None) -> naming.Names:
        find = self.system.short_names
        return UnitNames(names, dict if find is None else partial(find, self.seen), further)

    @cached_property
    def words(self) -> OrderWords:
        """Return the system's order words."""
        kinds = ordered_kinds(self.system)
        return load_order_words(
            self.system.package, tuple((kind, self.system.actions[kind].circumstance_names) for kind in kinds)
        )

    def unit_class(self, unit: str) -> str:
        """Return the unit's class, such as `field artillery`; empty for a marker."""
        return getattr(self.seen.units.get(unit), self.system.class_field, "")

    def listed(self, text: str) -> tuple[str, ...]:
        """Return the own units in a list: names with commas, `all`, `all Hadendoa`, `guns`, `the rest`, `all but guns`.

        Raises NoUnits if a name fits no unit, Refused if a name fits several units.
        """
        text = fold(text)
        whole = self._find_named(text)
        excluding = next(iter(self.outside_names(EXCEPT, text)), None)
        if excluding is not None and text[: excluding.start()].strip() and not whole:
            without = {*self._excluded(text[excluding.end() :])}
            meant = self.listed(text[: excluding.start()])
            return self._require_some(tuple(unit for unit in meant if unit not in without), text)
        if len(whole) == 1 and ("," not in text or exact_form(self.own[whole[0]]) == exact_form(text)):
            return whole
        if named := self._with_common_end(text):
            return named
        parts = [LAST_OF_LIST.sub("", part.strip()) for part in text.split(",") if part.strip()]
        try:
            return tuple(dict.fromkeys(unit for part in parts for unit in self._find_units(part)))
        except NoUnits:
            if len(whole) == 1 and all(map(naming.words_of, parts)):  # a name that contains a comma
                return whole
            raise

    def names_units(self, text: str) -> bool:
        """Whether a text names own units."""
        try:
            return bool(self.listed(text))
        except Refused:
            return False

    def _excluded(self, text: str) -> tuple[str, ...]:
        """Return the units that “all but” leaves out: all that bear a name of several. Raises Refused."""
        try:
            return self.listed(text)
        except NoUnits:
            raise
        except Refused:
            return self.listed(f"{ALL} {text}")

    def _with_common_end(self, text: str) -> tuple[str, ...]:
        """Return the units of a list or range whose last name ends for all of them: `A, B and C Coy 13th Rajputs`.

        Return none if any of these names is no single unit, or all of them are without that end.
        """
        *first, _ = names_in_list(text)
        if first and all(len(self.matches(name, self.own)) == 1 for name in first):
            return ()
        for names in completed_names(text):
            if found := self._single_units(names):
                return found
        return ()

    def _single_units(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the unit of each name; none if any name is no single unit."""
        found: list[str] = []
        for name in names:
            units = self.matches(name, self.own)
            if len(units) != 1:
                return ()
            found += units
        return tuple(dict.fromkeys(found))

    def _rest(self, text: str) -> tuple[str, ...]:
        """Return the units without an order. Raises Refused if there are none, or no sheet of orders."""
        if self.ordered is None:
            raise Refused(f"“{text.strip()}” means the units without an order on an order sheet. Name the units here.")
        every = (unit for unit in self.own if unit in self.seen.units)
        return self._require_some(tuple(unit for unit in every if unit not in self.ordered), text)

    def outside_names(self, pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
        """Return the pattern's matches that are not part of the name of a known unit in the text."""
        found = list(pattern.finditer(text))
        if not found:
            return found
        low = text.casefold()
        telling = (
            name.casefold() for name in self.names.values() if pattern.search(f"{name} ") or pattern.search(f" {name} ")
        )
        spans = [(one.start(), one.end()) for name in telling for one in re.finditer(re.escape(name), low)]
        return [at for at in found if not any(_is_inside(at, *span) for span in spans)]

    def _require_some(self, found: tuple[str, ...], text: str) -> tuple[str, ...]:
        """Return the units. Raises Refused if there are none."""
        if not found:
            raise Refused(f"“{text.strip()[: naming.MOST_REPEATED]}” leaves no unit {self._whose}.")
        return found

    def _find_named(self, text: str) -> tuple[str, ...]:
        """Return the own units with this name; loosely, unless it begins with `all` or `the rest`.

        `West wall` contains `all`, and `Forrest` contains `rest`. `Melik's guns` means several guns, although one of
        them alone is called `Melik's field gun`.
        """
        if names_all_units(text):
            return self.own.exact_keys(exact_form(text), naming.words_of(text))
        found = self.matches(text, self.own)
        if len(found) != 1:
            return found
        group = self.groups.of_class(text)
        if len(group) > 1 and found != self.own.exact_keys(exact_form(text), naming.words_of(text)):
            said = text.strip()[: naming.MOST_REPEATED]
            raise WhichUnits(f"“{said}” may be {self.own[found[0]]} or all {said}. Write which.")
        return self.groups.part(text) or found

    def matches(self, text: str, names: naming.Names) -> tuple[str, ...]:
        """Return the units that a text may mean; an id that is a word of several names means all who bear it.

        `umCijo` is the id of the 1st umCijo, and may mean the 2nd umCijo.
        """
        found = naming.find_matches(text, names)
        said = naming.ARTICLE.sub("", exact_form(text))
        is_id = len(found) == 1 and exact_form(found[0]) == said != exact_form(names[found[0]])
        if not is_id or self.written_name(found[0], among_own=names is self.own) == found[0]:
            return found
        bearers = naming.find_matches(text, {f"{ID}{unit}": name for unit, name in names.items()})
        return tuple(unit.removeprefix(ID) for unit in bearers) if len(bearers) > 1 else found

    def _find_units(self, part: str) -> tuple[str, ...]:
        found = self._find_named(part)
        rest = without_all(part)
        if names_the_rest(part) and not found:
            return self._rest(part)
        if rest is not None and not found:
            every = tuple(unit for unit in self.own if unit in self.seen.units)
            return every if not rest else self._counted(part, rest, self._units_called(rest))
        if len(found) != 1 and (two := TWO_UNITS.split(part)) != [part]:
            return tuple(unit for one in two for unit in self._find_units(one))
        if len(found) != 1 and (group := self.groups.find(part)):
            if not self.groups.names_one(part):
                return group
            found = group
        if len(found) > 1:
            there = tuple(unit for unit in found if self._is_placed(unit))
            if len(there) == 1:
                return there
            found = there or found
            which = naming.list_candidates(
                f"“{part.strip()[: naming.MOST_REPEATED]}”", [self.own[unit] for unit in found]
            )
            raise WhichUnits(f"{which} “all {part.strip()}” means all of them.")
        if found:
            return found
        try:
            return (naming.resolve(part, self.own, f"No unit {self._whose} is called {{}}."),)
        except Refused as refused:
            raise NoUnits(refused.why) from None

    def _is_placed(self, unit: str) -> bool:
        """Whether a unit (by id) stands on the map, in a known place."""
        return unit in self.seen.units and self.system.places.distance(self.seen, unit, unit) is not None

    def _counted(self, part: str, name: str, found: tuple[str, ...]) -> tuple[str, ...]:
        """Return the units that bear a name, as many as the text counts. Raises Refused if there are not so many."""
        count = counted_units(part)
        if count in (None, len(found)):
            return found
        named = naming.find_matches(name, self.own)
        if len(named) == count:
            return named
        names = naming.join_names([self.own[unit] for unit in found[: naming.MOST_LISTED]])
        said = name.strip()[: naming.MOST_REPEATED]
        raise Refused(f"“{said}” are {len(found)} here, not {count}: {names}. Say which.")

    def _units_called(self, name: str) -> tuple[str, ...]:
        """Return the units meant by `all …`: the units of a named side or group, else all units with that name."""
        side = find_named_side(self.seen, name, self.words.sides)
        if side is not None:
            return self._units_of_side(side)
        found = self.groups.find(name) or naming.find_matches(name, self.own)
        if not found:
            raise NoUnits(f"No units {self._whose} are called “{name.strip()[: naming.MOST_REPEATED]}”.")
        return found

    def _units_of_side(self, side: str) -> tuple[str, ...]:
        """Return the side's units on the table. Raises NoUnits if there are none, or they are not the viewer's."""
        if not self._may_order(side):
            raise NoUnits(f"Units of {self.seen.side(side):the} are not yours. Name your own.")
        found = tuple(unit for unit in self.own if unit in self.seen.units and self.seen.units[unit].side == side)
        if not found:
            raise NoUnits(f"There are no units of {self.seen.side(side):the} here.")
        return found

    @cached_property
    def groups(self) -> UnitGroups:
        """Return the groups of the side's units."""
        return self._groups_of(self.own)

    def side_of(self, unit: str) -> Viewer:
        """Return the side of a unit or marker (by id); for a marker, the viewer."""
        return self.seen.units[unit].side if unit in self.seen.units else self.viewer

    def enemies(self, unit: str) -> UnitGroups:
        """Return the groups of the known enemies of a unit (by id)."""
        side = self.side_of(unit)
        if side not in self._enemies:
            names = {one.id: one.name for one in self.seen.units.values() if one.side != side}
            self._enemies[side] = self._groups_of(self._named(names))
        return self._enemies[side]

    def _groups_of(self, names: naming.Names) -> UnitGroups:
        there = [unit for unit in names if unit in self.seen.units]
        find = self.system.formation_names
        formations = {unit: find(self.seen, self.seen.units[unit]) for unit in there} if find is not None else {}
        return UnitGroups(names, {unit: self.unit_class(unit) for unit in there}, formations, self.words)

    @property
    def formations(self) -> Mapping[str, str]:
        """Return the names of the side's formations, by name."""
        return {name: name for names in self.groups.formations.values() for name in names}

    def is_collective(self, names: str) -> bool:
        """Whether a text means a whole side or formation: units that cannot follow the order are left out."""
        is_all = names_all_units(names) and counted_units(names) is None
        return is_all or bool(self.groups.formation(names))

    @property
    def _whose(self) -> str:
        return "here" if self.viewer == UMPIRE else "of yours"

    def written_name(self, unit: str, *, among_own: bool = False) -> str:
        """Return the name by which an order may call a unit.

        A comma or semicolon is left out, since an order reads names between them. The id stands for a name that is
        ambiguous or would mislead.
        """
        if (unit, among_own) not in self._names_written:
            among = self.own if among_own else self.names
            name = among.get(unit, unit)
            forms = dict.fromkeys((name, " ".join(name.translate(WITHOUT_COMMAS).split())))
            clear = (
                form for form in forms if naming.find_matches(form, among) == (unit,) and not self._is_misleading(form)
            )
            self._names_written[unit, among_own] = next(clear, unit)
        return self._names_written[unit, among_own]

    def _is_misleading(self, typed: str) -> bool:
        """Whether part of a name would be read as order syntax."""
        name = fold(typed)
        parts = {*",:;"} & {*name} or name.splitlines() != [name] or not naming.words_of(name)
        phrases = (spelling.inside.search(name) for spelling in self.words.spellings if not spelling.keeps)
        return bool(parts or MISLEADING.search(name) or EXCEPT.search(name) or any(phrases))


@dataclass(frozen=True)
class OfSide(Generic[S]):
    """Base of what reads and writes the orders of one side."""

    side: SideUnits[S]

    @property
    def system(self) -> Ruleset[S]:
        """Return the rule system of the orders."""
        return self.side.system


def _is_inside(at: re.Match[str], start: int, end: int) -> bool:
    """Whether a match, without the spaces and commas at its beginning, lies in the span."""
    words = at.end() - len(at[0].lstrip(" ,"))
    return start <= words and at.end() <= end + (at[0] != at[0].rstrip())
