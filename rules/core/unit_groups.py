"""Groups of units in players' words: `the guns`, `Melik's guns`, `the platoons of 17. FK`, `Durnford's Horse`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from . import naming
from .order_words import OrderWords
from .typed_text import normalize_text

OF = re.compile(r"\s+of\s+(?:the\s+)?", re.IGNORECASE)
OWNED = re.compile(r"(?P<whose>.+)['’]s?\s+(?P<kind>\S+)", re.IGNORECASE)
"""Matches a group named after its owner: `17. FK's platoons`."""
LINKS = frozenset(("the", "of", "our", "my"))


@dataclass(frozen=True)
class UnitGroups:
    """The groups of one side's units: classes, formations, and units of a class that share a name or formation."""

    names: naming.Names
    classes: Mapping[str, str]
    """The class of each unit, by id."""
    formations: Mapping[str, tuple[str, ...]]
    """The names of each unit's formation, by the unit's id."""
    words: OrderWords

    def find(self, text: str) -> tuple[str, ...]:
        """Return the units of the named class, formation, or part of a class; none for other texts."""
        return self._units_of_class(naming.words_of(text)) or self.units_of_formation(text) or self.part_of_class(text)

    def units_of_whole_class(self, text: str) -> tuple[str, ...]:
        """Return all units of the class that the text names, such as `infantry`; none for one unit (`the tank`)."""
        return () if self.means_single_unit(text) else self._units_of_class(naming.words_of(text))

    def means_single_unit(self, text: str) -> bool:
        """Whether the text names a single unit of a class: `the tank` does, but `cavalry` means the whole class."""
        words = tuple(word for word in naming.words_of(text) if word not in LINKS)
        return bool(words) and any((*words[:-1], plural) in self.words.groups for plural in _plurals(words[-1]))

    def units_of_formation(self, text: str) -> tuple[str, ...]:
        """Return the units of the formation that the text names."""
        bare = naming.ARTICLE.sub("", normalize_text(text))
        formation = self._formation_names.exact_keys(bare, naming.words_of(bare)) or self._find_formation(bare)
        return tuple(unit for unit, names in self.formations.items() if not {*formation}.isdisjoint(names))

    def _find_formation(self, text: str) -> tuple[str, ...]:
        """Return all names of the formation that the text means, such as `the 61st`; empty if unclear.

        A text that also matches a unit outside the formation is unclear: `1st` may also mean a platoon of the 17. FK.
        """
        matches = {*naming.find_matches(text, self._formation_names)}
        formations = {names for names in self.formations.values() if not matches.isdisjoint(names)}
        bearers = naming.find_matches(text, self.names) if len(formations) == 1 else ()
        return (
            next(iter(formations)) if bearers and {self.formations.get(unit) for unit in bearers} == formations else ()
        )

    def part_of_class(self, text: str) -> tuple[str, ...]:
        """Return the units of a class that share a name or formation: `Melik's guns`, `platoons of 17. FK`."""
        kind, *owners = OF.split(text, maxsplit=1)
        if owners:
            return self._select_by_name(self._units_of_class(naming.words_of(kind)), owners[0])
        if (owned := OWNED.fullmatch(text)) and self.units_of_formation(owned["whose"]):
            return self._select_by_name(self._units_of_class(naming.words_of(owned["kind"])), owned["whose"])
        words = tuple(word for word in naming.words_of(text) if word not in LINKS)
        ends = (
            index for index in range(1, len(words)) if words[-1].endswith("s") and words[index:] in self.words.groups
        )
        return next(
            (self._select_by_name(self._units_of_class(words[index:]), " ".join(words[:index])) for index in ends), ()
        )

    def _units_of_class(self, words: tuple[str, ...]) -> tuple[str, ...]:
        bare = tuple(word for word in words if word not in LINKS)
        plural = (*bare[:-1], f"{bare[-1]}s") if bare else ()
        classes = self.words.groups.get(bare) or self.words.groups.get(plural) or frozenset()
        return tuple(unit for unit, its_class in self.classes.items() if its_class in classes)

    def _select_by_name(self, units: tuple[str, ...], name: str) -> tuple[str, ...]:
        """Return the `units` that belong to the formation `name`, or else the `units` called `name`."""
        names = {unit: self.names[unit] for unit in units}
        named_units = {*self.units_of_formation(name)} or {*naming.find_matches(name, names)}
        return tuple(unit for unit in units if unit in named_units)

    @cached_property
    def _formation_names(self) -> naming.Names:
        return naming.Names({name: name for names in self.formations.values() for name in names})


def _plurals(word: str) -> tuple[str, ...]:
    return f"{word}s", f"{word.removesuffix('y')}ies" if word.endswith("y") else f"{word}es"
