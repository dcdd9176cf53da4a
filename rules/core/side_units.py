"""Find the units that an order names: names, lists, groups such as all guns, and the rest."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic

from . import naming
from .named_sides import find_named_side
from .orders import (
    DEFAULT_KIND,
    EVERYONE,
    EXCEPT,
    THE_REST,
    Order,
    means_all_units,
    read_unit_count,
    remove_leading_quantifier,
)
from .refusal import Refused
from .ruleset import Ruleset
from .side_names import SideNames
from .state import S
from .typed_text import normalize_text, simplify_signs
from .unit_lists import LAST_OF_LIST, TWO_UNITS, completed_names, names_in_list

ALL = " ".join(EVERYONE[0])


class UnknownUnits(Refused):
    """Refusal of names that are no units. Another reading of the line may still succeed."""


class AmbiguousUnits(Refused):
    """Refusal of names that may mean any of several units. Another reading of the line may still succeed."""


@dataclass(frozen=True)
class SideUnitFinder(SideNames[S]):
    """Finder of the units that a side's order names, in the side's view `seen`."""

    def with_units_moved(self, orders: Iterable[Order]) -> "SideUnitFinder[S]":
        """Return a finder for later orders, with the units placed where the moves in these orders end."""
        seen, state_after_move = self.seen, self.system.places.state_after_move
        if state_after_move is None:
            return self
        for order in orders:
            to = order.args.get("to") if order.kind == DEFAULT_KIND else None
            for unit in order.units if isinstance(to, str) else ():
                seen = state_after_move(seen, unit, to) if unit in seen.units and isinstance(to, str) else seen
        return self if seen is self.seen else SideUnitFinder(self.system, seen, self.viewer, self.ordered)

    def find_listed_units(self, text: str) -> tuple[str, ...]:
        """Return the own units in a list: names with commas, `all`, `all Hadendoa`, `guns`, `the rest`, `all but guns`.

        Raises UnknownUnits if a name matches no unit, AmbiguousUnits if it matches several units.
        """
        text = simplify_signs(text)
        units = self._find_named_units(text)
        exclusion = next(iter(self.matches_outside_names(EXCEPT, text)), None)
        if exclusion is not None and text[: exclusion.start()].strip() and not units:
            excluded_units = {*self._find_excluded_units(text[exclusion.end() :])}
            units_before = self.find_listed_units(text[: exclusion.start()])
            return self._require_units(tuple(unit for unit in units_before if unit not in excluded_units), text)
        if len(units) == 1 and ("," not in text or normalize_text(self.own_names[units[0]]) == normalize_text(text)):
            return units
        if units_of_list := self._find_by_common_end(text):
            return units_of_list
        parts = [LAST_OF_LIST.sub("", part.strip()) for part in text.split(",") if part.strip()]
        try:
            return tuple(dict.fromkeys(unit for part in parts for unit in self._find_units(part)))
        except UnknownUnits:
            if len(units) == 1 and all(map(naming.words_of, parts)):  # a name that contains a comma
                return units
            raise

    def mentions_own_units(self, text: str) -> bool:
        """Whether a text names any of the side's own units."""
        try:
            return bool(self.find_listed_units(text))
        except Refused:
            return False

    def _find_excluded_units(self, text: str) -> tuple[str, ...]:
        """Return the units that the words after “all but” exclude: all units with the name. Raises Refused."""
        try:
            return self.find_listed_units(text)
        except UnknownUnits:
            raise
        except Refused:
            return self.find_listed_units(f"{ALL} {text}")

    def _find_by_common_end(self, text: str) -> tuple[str, ...]:
        """Return the units of a list or range with a common end: `A, B and C Coy 13th Rajputs`.

        Return none if the names before the last are complete already, or if a completed name matches no single unit.
        """
        *first, _ = names_in_list(text)
        if first and all(len(self.find_matching_units(name, self.own_names)) == 1 for name in first):
            return ()
        for names in completed_names(text):
            if units := self._find_single_units(names):
                return units
        return ()

    def _find_single_units(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the unit of each name; none if any name does not match a single unit."""
        unit_ids: list[str] = []
        for name in names:
            units = self.find_matching_units(name, self.own_names)
            if len(units) != 1:
                return ()
            unit_ids += units
        return tuple(dict.fromkeys(unit_ids))

    def _find_units_without_order(self, text: str) -> tuple[str, ...]:
        """Return the units without an order. Raises Refused if there are none, or if there is no order sheet."""
        if self.ordered is None:
            raise Refused(f"“{text.strip()}” means the units without an order on an order sheet. Name the units here.")
        all_units = (unit for unit in self.own_names if unit in self.seen.units)
        return self._require_units(tuple(unit for unit in all_units if unit not in self.ordered), text)

    def _require_units(self, units: tuple[str, ...], text: str) -> tuple[str, ...]:
        """Return `units`. Raises Refused if there are none."""
        if not units:
            raise Refused(f"“{text.strip()[: naming.MOST_REPEATED]}” leaves no unit {self._whose_in_words}.")
        return units

    def _find_named_units(self, text: str) -> tuple[str, ...]:
        """Return the own units with this name. Raises AmbiguousUnits if it may mean one unit or a class.

        A text that begins with `all` or `the rest` must match exactly. Otherwise `all` would match `West wall`.
        """
        if means_all_units(text):
            return self.own_names.exact_keys(normalize_text(text), naming.words_of(text))
        units = self.find_matching_units(text, self.own_names)
        if len(units) != 1:
            return units
        group = self.groups.units_of_whole_class(text)
        if len(group) > 1 and units != self.own_names.exact_keys(normalize_text(text), naming.words_of(text)):
            quote = text.strip()[: naming.MOST_REPEATED]
            raise AmbiguousUnits(f"“{quote}” may be {self.own_names[units[0]]} or all {quote}. Write which.")
        return self.groups.part_of_class(text) or units

    def _find_units(self, part: str) -> tuple[str, ...]:
        units = self._find_named_units(part)
        rest = remove_leading_quantifier(part)
        if naming.words_of(part) in THE_REST and not units:
            return self._find_units_without_order(part)
        if rest is not None and not units:
            all_units = tuple(unit for unit in self.own_names if unit in self.seen.units)
            return all_units if not rest else self._require_unit_count(part, rest, self._find_units_after_all(rest))
        if len(units) != 1 and (names := TWO_UNITS.split(part)) != [part]:
            return tuple(unit for text in names for unit in self._find_units(text))
        if len(units) != 1 and (group := self.groups.find(part)):
            if not self.groups.means_single_unit(part):
                return group
            units = group
        if len(units) > 1:
            find_distance, seen_units = self.system.places.distance, (unit for unit in units if unit in self.seen.units)
            placed_units = tuple(unit for unit in seen_units if find_distance(self.seen, unit, unit) is not None)
            if len(placed_units) == 1:
                return placed_units
            units = placed_units or units
            question = naming.clarifying_question(
                f"“{part.strip()[: naming.MOST_REPEATED]}”", [self.own_names[unit] for unit in units]
            )
            raise AmbiguousUnits(f"{question} “all {part.strip()}” means all of them.")
        if units:
            return units
        try:
            return (naming.resolve_name(part, self.own_names, f"No unit {self._whose_in_words} is called {{}}."),)
        except Refused as refused:
            raise UnknownUnits(refused.why) from None

    def _require_unit_count(self, part: str, name: str, units: tuple[str, ...]) -> tuple[str, ...]:
        """Return `units`. Raises Refused unless there are as many as the order says: `both guns`."""
        count = read_unit_count(part)
        if count in (None, len(units)):
            return units
        matches = naming.find_matches(name, self.own_names)
        if len(matches) == count:
            return matches
        names = naming.join_names([self.own_names[unit] for unit in units[: naming.MOST_LISTED]])
        quote = name.strip()[: naming.MOST_REPEATED]
        raise Refused(f"“{quote}” are {len(units)} here, not {count}: {names}. Say which.")

    def _find_units_after_all(self, name: str) -> tuple[str, ...]:
        """Return the units that words after `all` mean: those of a side, of a group, or with that name."""
        side = find_named_side(self.seen, name, self.words.sides)
        if side is not None:
            return self._units_of_side(side)
        units = self.groups.find(name) or naming.find_matches(name, self.own_names)
        if not units:
            raise UnknownUnits(f"No units {self._whose_in_words} are called “{name.strip()[: naming.MOST_REPEATED]}”.")
        return units

    def _units_of_side(self, side: str) -> tuple[str, ...]:
        """Return the side's units on the table. Raises UnknownUnits if there are none, or if others order them."""
        if not self._may_order_side(side):
            raise UnknownUnits(f"Units of {self.seen.side(side):the} are not yours. Name your own.")
        units = tuple(unit for unit in self.own_names if unit in self.seen.units and self.seen.units[unit].side == side)
        if not units:
            raise UnknownUnits(f"There are no units of {self.seen.side(side):the} here.")
        return units


@dataclass(frozen=True)
class OrderTool(Generic[S]):
    """Base of classes that read or write the orders of one side."""

    side: SideUnitFinder[S]

    @property
    def system(self) -> Ruleset[S]:
        """Return the rule system of the orders."""
        return self.side.system
