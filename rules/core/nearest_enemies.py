"""Find the enemy that players call `the nearest`, `the closest Zulus` or `nearest enemy infantry`."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from . import naming
from .named_sides import find_named_side
from .refusal import NotPossibleNow, Refused
from .side_units import OrderTool
from .state import S

NEAREST = re.compile(
    r"(?:\b(?:who|what|which)(?:ever)?(?:['’]s|\s+is|\s+are)\s+)?(?:\b(?:the|their|its|his|our)\s+)?"
    r"\b(?:nearest|closest)\b(?P<words>.*)",
    re.IGNORECASE,
)
ANY = frozenset(
    ("enemy", "enemies", "foe", "foes", "unit", "units", "target", "targets", "one", "ones", "troops", "of", "them")
)
"""Words that mean any enemy."""
NEXT_PART = re.compile(r"[\d,½¼¾]|(?:at|in|with|by|on|from|and|for|as)\b", re.IGNORECASE)
"""Matches the beginning of words that may follow the enemy in an order."""


@dataclass(frozen=True)
class NearestEnemyFinder(OrderTool[S]):
    """Finder of the nearest enemies of one side's units."""

    def replace_nearest_phrase(self, rest: str, unit: str, kind: str) -> str:
        """Return an order's words `rest` with the enemy's name in place of `the nearest …`.

        Raises Refused if no enemy fits the words after `nearest`, or if several are equally near.
        """
        match = NEAREST.search(rest)
        if match is None or kind not in self.system.actions:
            return rest
        words = match["words"].split()
        ends = (end for end in range(len(words), -1, -1) if end == len(words) or NEXT_PART.match(words[end]))
        for end in ends:
            if enemies := self._find_named_enemies(unit, words[:end]):
                key = unit, kind, frozenset(enemies)
                if key not in self.side.nearest_known:
                    self.side.nearest_known[key] = self._find_nearest_enemy(unit, kind, enemies)
                name = self.side.typeable_name(self.side.nearest_known[key])
                return " ".join((rest[: match.start()].strip(), name, *words[end:])).strip()
        phrase = " ".join(words)[: naming.MOST_REPEATED]
        raise Refused(f"No enemy here is called “{phrase}”. Name the enemy, or write “the nearest enemy”.")

    def _find_named_enemies(self, unit: str, words: Collection[str]) -> tuple[str, ...]:
        """Return the enemies (by id) named by side, class, formation or name; all for words such as `enemy`."""
        enemies, own_side = self.side.enemy_groups(unit), self.side.side_of(unit)
        name = " ".join(word for word in words if word.casefold() not in ANY)
        if not name or find_named_side(self.side.seen, name, self.side.words.sides) not in (None, own_side):
            return tuple(enemies.names)
        return enemies.find(name) or naming.find_matches(name, enemies.names)

    def _find_nearest_enemy(self, unit: str, kind: str, enemies: Collection[str]) -> str:
        """Return the id of the enemy nearest to the unit.

        Prefer possible targets of the action `kind`. Raises Refused if places are unknown, or if several enemies are
        equally near and not in one hex.
        """
        name, seen = self.side.own_names[unit], self.side.seen
        places = self.system.places
        gaps: dict[str, float] = {
            other: gap
            for other in (enemies if unit in seen.units else ())
            if (gap := places.distance(seen, unit, other)) is not None
        }
        if not gaps:
            raise NotPossibleNow(f"Which enemy is nearest to {name} is not known here. Name the enemy.")
        gaps = {other: gap for other, gap in gaps.items() if self._is_possible_target(kind, unit, other)} or gaps
        nearest = [other for other, gap in gaps.items() if gap <= min(gaps.values())]
        in_one_hex = places.measure(seen) == "hexes" and all(
            places.distance(seen, nearest[0], other) == 0 for other in nearest
        )
        if len(nearest) > 1 and not in_one_hex:
            names = naming.join_names([self.side.names[other] for other in nearest], naming.MOST_LISTED)
            raise Refused(f"Several enemies are equally near to {name}: {names}. Say which.")
        return nearest[0]

    def _is_possible_target(self, kind: str, unit: str, other: str) -> bool:
        """Whether the unit may now take the action `kind` with the target `other`; False without targets."""
        if "target" not in self.system.actions[kind].model_fields:
            return False
        system = self.system
        return system.allows(self.side.seen, system.parse(kind, {"unit": unit, "target": other}))
