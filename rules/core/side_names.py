"""Names of the units and markers that one side may name: own units, known enemies, and groups such as all guns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Generic

from . import naming
from .model import UMPIRE, Viewer
from .order_words import OrderWords, load_order_words
from .orders import EXCEPT, kinds_for_orders, means_all_units, read_unit_count
from .ruleset import Ruleset
from .short_names import UnitNames
from .state import S
from .typed_text import normalize_text, simplify_signs
from .unit_groups import UnitGroups

ID = "*"
"""Prefix of an id that is used as a key. Typed words never contain the prefix, so they never equal the key."""
WITHOUT_COMMAS = str.maketrans(",;", "  ")
"""Translates the separators between names in an order to spaces."""
MISLEADING = re.compile(r"\bwith\b|^in\s", re.IGNORECASE)
"""Words in a unit's name that an order would read as part of its syntax."""


@dataclass(frozen=True)
class SideNames(Generic[S]):
    """The units and markers that one side may name, as far as its view `seen` shows them."""

    system: Ruleset[S]
    seen: S
    viewer: Viewer
    ordered: frozenset[str] | None = None
    """Units (by id) that already have an order, excluded from “the rest”; None without an order sheet."""
    nearest_known: dict[tuple[str, str, frozenset[str]], str] = field(default_factory=dict)
    """Cache of nearest enemies (by id). The key holds a unit, a kind of action, and the enemies to choose from."""
    _names_written: dict[tuple[str, bool], str] = field(default_factory=dict)
    _enemies: dict[Viewer, UnitGroups] = field(default_factory=dict)

    @cached_property
    def names(self) -> naming.Names:
        """Return the names of all units and markers that the side knows, by id."""
        units = self.system.known_units(self.seen, self.viewer)
        return self._make_names({unit.id: unit.name for unit in units})

    @cached_property
    def own_names(self) -> naming.Names:
        """Return the names of the side's own units and markers, by id; for the umpire, of all units."""
        units = self.system.known_units(self.seen, self.viewer)
        names = {unit.id: unit.name for unit in units if self._may_order_side(unit.side)}
        return self._make_names(names, {unit: self._class_words(unit) for unit in names})

    def _may_order_side(self, side: str) -> bool:
        """Whether the viewer may order a side's units: the umpire, the side, or an absent side's representative."""
        return self.viewer == UMPIRE or side in self.seen.sides_represented_by(self.viewer)

    def _class_words(self, unit: str) -> Sequence[str]:
        """Return the single words for units of this unit's class, such as `mortar` for the Stokes battery."""
        its_class = self.unit_class(unit)
        return [words[0] for words, classes in self.words.groups.items() if its_class in classes and len(words) == 1]

    def _make_names(self, names: Mapping[str, str], further: Mapping[str, Sequence[str]] | None = None) -> naming.Names:
        find = self.system.short_names
        return UnitNames(names, dict if find is None else partial(find, self.seen), further)

    @cached_property
    def words(self) -> OrderWords:
        """Return the system's order words."""
        kinds = kinds_for_orders(self.system)
        return load_order_words(
            self.system.package, tuple((kind, self.system.actions[kind].circumstance_names) for kind in kinds)
        )

    def unit_class(self, unit: str) -> str:
        """Return the unit's class, such as `field artillery`; empty for a marker."""
        return getattr(self.seen.units.get(unit), self.system.class_field, "")

    def matches_outside_names(self, pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
        """Return the pattern's matches in the text, except matches inside the name of a known unit."""
        matches = list(pattern.finditer(text))
        if not matches:
            return matches
        low = text.casefold()
        matching_names = (
            name.casefold() for name in self.names.values() if pattern.search(f"{name} ") or pattern.search(f" {name} ")
        )
        spans = [(match.start(), match.end()) for name in matching_names for match in re.finditer(re.escape(name), low)]
        return [match for match in matches if not any(_is_match_inside(match, *span) for span in spans)]

    def find_matching_units(self, text: str, names: naming.Names) -> tuple[str, ...]:
        """Return the units that a text may mean.

        An id may also be a word of other names: `umCijo`, the id of the 1st umCijo, may also mean the 2nd umCijo.
        """
        units = naming.find_matches(text, names)
        bare = naming.ARTICLE.sub("", normalize_text(text))
        is_id = len(units) == 1 and normalize_text(units[0]) == bare != normalize_text(names[units[0]])
        if not is_id or self.typeable_name(units[0], among_own=names is self.own_names) == units[0]:
            return units
        bearers = naming.find_matches(text, {f"{ID}{unit}": name for unit, name in names.items()})
        return tuple(unit.removeprefix(ID) for unit in bearers) if len(bearers) > 1 else units

    @cached_property
    def groups(self) -> UnitGroups:
        """Return the groups of the side's units, such as all guns."""
        return self._make_groups(self.own_names)

    def side_of(self, unit: str) -> Viewer:
        """Return the side of a unit (by id). For a marker, return the viewer."""
        return self.seen.units[unit].side if unit in self.seen.units else self.viewer

    def enemy_groups(self, unit: str) -> UnitGroups:
        """Return the groups of the known enemies of a unit (by id)."""
        side = self.side_of(unit)
        if side not in self._enemies:
            names = {enemy.id: enemy.name for enemy in self.seen.units.values() if enemy.side != side}
            self._enemies[side] = self._make_groups(self._make_names(names))
        return self._enemies[side]

    def _make_groups(self, names: naming.Names) -> UnitGroups:
        units_on_table = [unit for unit in names if unit in self.seen.units]
        find = self.system.formation_names
        formations = (
            {unit: find(self.seen, self.seen.units[unit]) for unit in units_on_table} if find is not None else {}
        )
        return UnitGroups(names, {unit: self.unit_class(unit) for unit in units_on_table}, formations, self.words)

    @property
    def formations(self) -> Mapping[str, str]:
        """Return the names of the side's formations, each as key and as value."""
        return {name: name for names in self.groups.formations.values() for name in names}

    def is_collective(self, names: str) -> bool:
        """Whether a text means a whole side or formation. Orders for these skip units that cannot obey."""
        is_all = means_all_units(names) and read_unit_count(names) is None
        return is_all or bool(self.groups.units_of_formation(names))

    @property
    def _whose_in_words(self) -> str:
        return "here" if self.viewer == UMPIRE else "of yours"

    def typeable_name(self, unit: str, *, among_own: bool = False) -> str:
        """Return a name for the unit that an order can contain, without commas and semicolons.

        An ambiguous or misleading name is replaced by the id. With `among_own`, the name must only be unique among the
        side's own units.
        """
        if (unit, among_own) not in self._names_written:
            among = self.own_names if among_own else self.names
            name = among.get(unit, unit)
            forms = dict.fromkeys((name, " ".join(name.translate(WITHOUT_COMMAS).split())))
            clear = (
                form for form in forms if naming.find_matches(form, among) == (unit,) and not self._is_misleading(form)
            )
            self._names_written[unit, among_own] = next(clear, unit)
        return self._names_written[unit, among_own]

    def _is_misleading(self, text: str) -> bool:
        """Whether part of a name would be read as order syntax."""
        name = simplify_signs(text)
        parts = {*",:;"} & {*name} or name.splitlines() != [name] or not naming.words_of(name)
        phrases = (spelling.inner_pattern.search(name) for spelling in self.words.spellings if not spelling.keeps_words)
        return bool(parts or MISLEADING.search(name) or EXCEPT.search(name) or any(phrases))


def _is_match_inside(match: re.Match[str], start: int, end: int) -> bool:
    """Whether a match lies inside the span, ignoring the spaces and commas at the match's beginning."""
    words = match.end() - len(match[0].lstrip(" ,"))
    return start <= words and match.end() <= end + (match[0] != match[0].rstrip())
