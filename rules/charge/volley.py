"""What a fire is worth before the dice: how many, at what range, and what each pip costs the target (CH-2, CH-3)."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from rules.core.dice import Throw
from rules.core.model import Cite
from rules.core.report import Modifier
from rules.core.tabletop import table
from rules.core.throws import Spread, sums

from .aim import TO_HIT, firers
from .figures import front, men
from .model import Arm, ChargeUnit
from .tables import SIDES, TABLES, limit

VOLLEY = Cite(rule="CH-2.5")
GROUPS = Cite(rule="CH-2.6")
SHELL = Cite(rule="CH-2.4")
SUM = Cite(rule="CH-3.1")
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Volley:
    """The dice of one fire: so many `whole` ones, and one for an `odd` group at half its number (CH-2.6).

    A gun throws one, if it first throws `to_hit` or more (1 is no throw at all). Every pip is worth `each` casualties.
    """

    whole: int
    odd: bool
    each: Fraction
    to_hit: int = 1

    @property
    def dice(self) -> int:
        """Return the number of casualty dice."""
        return self.whole + self.odd

    @property
    def chance_to_hit(self) -> Fraction:
        """Return the chance of any hit."""
        return Fraction(SIDES + 1 - self.to_hit, SIDES)

    @property
    def mean(self) -> Fraction:
        """Return the expected casualties."""
        return (self.whole + Fraction(self.odd, 2)) * Fraction(SIDES + 1, 2) * self.each * self.chance_to_hit

    def casualties(self, throw: Throw) -> Fraction:
        """Return the exact casualties of a throw; the last die is that of the odd group."""
        odd = Fraction(throw.dice[-1], 2) if self.odd else Fraction(0)
        return (sum(throw.dice[: self.whole]) + odd) * self.each

    @cached_property
    def spread(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Every number of casualties, with its fraction and its exact chance, lowest first."""
        found: dict[Fraction, Fraction] = {Fraction(0): 1 - self.chance_to_hit} if self.to_hit > 1 else {}
        halves: Spread = sums(1, SIDES) if self.odd else ((0, Fraction(1)),)
        for total, chance in sums(self.whole, SIDES):
            for half, its_chance in halves:
                worth = (total + Fraction(half, 2)) * self.each
                found[worth] = found.get(worth, Fraction(0)) + chance * its_chance * self.chance_to_hit
        return tuple(sorted(found.items()))


def whole_men(casualties: Fraction) -> int:
    """Return whole men: a fraction under a half drops, a half or more counts as one (CH-3.1)."""
    return int(casualties + HALF)


def range_measured(unit: ChargeUnit, target: ChargeUnit) -> float | None:
    """Return the inches from the middle of the front of `unit` to the nearest enemy figure, or None without places.

    One range holds for the volley (CH-2.1, ruling).
    """
    start = front(unit)
    return None if start is None else min(_ranges(target, (shapely.Point(start),)), default=None)


def reached(unit: ChargeUnit, target: ChargeUnit, firing: Container[int], reach: float) -> tuple[int, ...]:
    """Return the figures of `target`, by number, that are in range of the firing figures of `unit` (CH-3.3).

    Ranges are measured from the front edge of each file. Without places, return all figures of `target`.
    """
    edges = tuple(firer.edge for firer in firers(unit) if firer.number in firing)
    near = tuple(number for number, far in enumerate(_ranges(target, edges), 1) if far <= reach + table.CLOSE)
    return near or tuple(range(1, target.figures + 1))


def _ranges(target: ChargeUnit, edges: Sequence[BaseGeometry]) -> list[float]:
    """Return inches from the nearest of `edges` to each target figure; empty without place."""
    figures = [base.outline for base in men(target)]
    return shapely.distance(figures, shapely.union_all(edges)).tolist() if edges else []


def groups(able: int) -> tuple[int, bool]:
    """Return whole dice for infantrymen, and whether remaining ones get half a die (CH-2.5, CH-2.6)."""
    whole, odd = divmod(able, limit("infantrymen to a die"))
    return whole, odd >= limit("infantrymen to half a die, at least")


def halvings(unit: ChargeUnit, target: ChargeUnit, far: float, covered: str) -> tuple[Modifier, ...]:
    """Return what halves the number of a die: the range (CH-2.4, CH-2.5), who is hit, and cover (CH-3.2)."""
    of_gun = unit.arm is Arm.GUN
    full = limit("inches at which a shell has its full effect" if of_gun else "inches of short range of infantry")
    return _halvings(unit.arm, target.arm, f"over {full} inches" if far > full + table.CLOSE else "", covered)


@lru_cache(maxsize=1 << 8)
def _halvings(arm: Arm, of_target: Arm, beyond: str, covered: str) -> tuple[Modifier, ...]:
    rows: dict[str, bool | str] = {
        "a gun over 9 inches": beyond if arm is Arm.GUN else "",
        "infantry over 3 inches": "" if arm is Arm.GUN else beyond,
        "gunners": of_target is Arm.GUN,
        "cavalry": of_target is Arm.CAVALRY,
        "behind cover": covered,
    }
    divided = TABLES.adjustments("casualties", rows)
    return tuple(each.model_copy(update={"value": 1 / each.value, "times": True}) for each in divided)


def needed(far: float) -> int | None:
    """Return the score a gun needs at that range, None beyond all bands (CH-2.3); fractions count to the next band."""
    bands = TABLES.charts[TO_HIT]
    whole = int(-(-(far - table.CLOSE) // 1))
    return next((bands.cell(row, "D6").value for row in bands.rows if row.holds(whole)), None)
