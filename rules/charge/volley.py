"""Volleys before their dice are thrown: number of dice, range, and casualties for each pip (CH-2, CH-3)."""

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
from rules.core.throws import Distribution, dice_sum_distribution

from .aim import TO_HIT, firing_figures
from .figures import figure_bases, front_middle
from .model import Arm, ChargeUnit
from .tables import SIDES, TABLES, limit

VOLLEY = Cite(rule="CH-2.5")
GROUPS = Cite(rule="CH-2.6")
SUM = Cite(rule="CH-3.1")
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Volley:
    """The dice of one fire: `whole` dice, and with `has_odd_group` a die that counts half (CH-2.6).

    A gun must first throw `to_hit` or more; 1 always hits. Each pip costs `per_pip` casualties.
    """

    whole: int
    has_odd_group: bool
    per_pip: Fraction
    to_hit: int = 1

    @property
    def dice(self) -> int:
        """Number of dice thrown for casualties."""
        return self.whole + self.has_odd_group

    @property
    def chance_to_hit(self) -> Fraction:
        """Chance that the throw to hit succeeds."""
        return Fraction(SIDES + 1 - self.to_hit, SIDES)

    @property
    def expected_casualties(self) -> Fraction:
        """Mean number of casualties, with the chance to hit included."""
        pips = (self.whole + Fraction(self.has_odd_group, 2)) * Fraction(SIDES + 1, 2)
        return pips * self.per_pip * self.chance_to_hit

    def casualties(self, throw: Throw) -> Fraction:
        """Return the exact casualties of a throw. The last die counts half if there is an odd group."""
        odd = Fraction(throw.dice[-1], 2) if self.has_odd_group else Fraction(0)
        return (sum(throw.dice[: self.whole]) + odd) * self.per_pip

    @cached_property
    def distribution(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The chance of each exact number of casualties, lowest number first."""
        chances: dict[Fraction, Fraction] = {Fraction(0): 1 - self.chance_to_hit} if self.to_hit > 1 else {}
        halves: Distribution = dice_sum_distribution(1, SIDES) if self.has_odd_group else ((0, Fraction(1)),)
        for total, chance in dice_sum_distribution(self.whole, SIDES):
            for half, its_chance in halves:
                worth = (total + Fraction(half, 2)) * self.per_pip
                chances[worth] = chances.get(worth, Fraction(0)) + chance * its_chance * self.chance_to_hit
        return tuple(sorted(chances.items()))


def round_to_men(casualties: Fraction) -> int:
    """Round casualties to whole men; a fraction of a half or more counts as one man (CH-3.1)."""
    return int(casualties + HALF)


def measure_range(unit: ChargeUnit, target: ChargeUnit) -> float | None:
    """Return a volley's range in inches, or None if a unit has no place.

    It runs from the middle of the front of `unit` to the nearest figure of `target` (CH-2.1, ruling).
    """
    start = front_middle(unit)
    return None if start is None else min(_distances_to_figures(target, (shapely.Point(start),)), default=None)


def figures_in_range(unit: ChargeUnit, target: ChargeUnit, firing: Container[int], reach: float) -> tuple[int, ...]:
    """Return the numbers of the target's figures within `reach` inches of a firing figure (CH-3.3).

    `firing` contains the numbers of the firing figures. If none is in range or a unit has no place, return all figures.
    """
    edges = tuple(firer.edge for firer in firing_figures(unit) if firer.number in firing)
    distances = enumerate(_distances_to_figures(target, edges), 1)
    near_figures = tuple(number for number, far in distances if far <= reach + table.CLOSE)
    return near_figures or tuple(range(1, target.figures + 1))


def _distances_to_figures(target: ChargeUnit, edges: Sequence[BaseGeometry]) -> list[float]:
    """Return the distance in inches from each figure of `target` to the nearest of `edges`; empty without places."""
    figures = [base.outline for base in figure_bases(target)]
    return shapely.distance(figures, shapely.union_all(edges)).tolist() if edges else []


def count_infantry_dice(able: int) -> tuple[int, bool]:
    """Return the whole dice of `able` infantrymen, and whether they add a die that counts half (CH-2.5, CH-2.6)."""
    whole, odd = divmod(able, limit("infantrymen to a die"))
    return whole, odd >= limit("infantrymen to half a die, at least")


def halving_modifiers(unit: ChargeUnit, target: ChargeUnit, far: float, cover: str) -> tuple[Modifier, ...]:
    """Return the modifiers that halve casualties: long range (CH-2.4, CH-2.5), kind of target, and cover (CH-3.2).

    `far` is the range in inches; `cover` names the target's cover, or is empty.
    """
    of_gun = unit.arm is Arm.GUN
    full = limit("inches at which a shell has its full effect" if of_gun else "inches of short range of infantry")
    return _halving_modifiers(unit.arm, target.arm, f"over {full} inches" if far > full + table.CLOSE else "", cover)


@lru_cache(maxsize=1 << 8)
def _halving_modifiers(arm: Arm, of_target: Arm, beyond: str, cover: str) -> tuple[Modifier, ...]:
    rows: dict[str, bool | str] = {
        "a gun over 9 inches": beyond if arm is Arm.GUN else "",
        "infantry over 3 inches": "" if arm is Arm.GUN else beyond,
        "gunners": of_target is Arm.GUN,
        "cavalry": of_target is Arm.CAVALRY,
        "behind cover": cover,
    }
    modifiers = TABLES.row_modifiers("casualties", rows)
    return tuple(modifier.model_copy(update={"value": 1 / modifier.value, "times": True}) for modifier in modifiers)


def score_to_hit(far: float) -> int | None:
    """Return a gun's score to hit at `far` inches, rounded up to full inches; None beyond the last band (CH-2.3)."""
    bands = TABLES.charts[TO_HIT]
    whole_inches = int(-(-(far - table.CLOSE) // 1))
    return next((bands.cell(row, "D6").value for row in bands.rows if row.includes_score(whole_inches)), None)
