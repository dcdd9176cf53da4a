"""Single combats: who is paired with whom, and what each pair's dice make of it (CH-4.2 to CH-4.6)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from typing import NamedTuple

from rules.core.chart import Row
from rules.core.model import Cite
from rules.core.scene import Arrow

from .figures import men
from .model import Arm, ChargeState, ChargeUnit, Fight
from .tables import SIDES, TABLES, limit

SINGLE = Cite(rule="CH-4.2")
QUARTERS = 4
"""In which the chart of combats counts."""


class Man(NamedTuple):
    """A numbered figure of a unit, and its fighting arm: gunners count as infantry."""

    unit: str
    number: int
    mounted: bool


@dataclass(frozen=True)
class Bout:
    """A combat of one or two men per side, never two against two."""

    ours: tuple[Man, ...]
    theirs: tuple[Man, ...]

    @cached_property
    def _rows(self) -> tuple[Row | None, Row | None]:
        """Return both sides' chart rows."""
        rows = {row.label: row for row in TABLES.charts["combat"].rows}
        ours, theirs = who(self.ours), who(self.theirs)
        return rows.get(f"{ours} against {theirs}"), rows.get(f"{theirs} against {ours}")

    @property
    def factors(self) -> tuple[Fraction, Fraction]:
        """What our throw and theirs are multiplied by (CH-4.3, CH-4.4)."""
        ours, theirs = (Fraction(row.cells[0].value or 0, QUARTERS) if row else Fraction(1) for row in self._rows)
        return ours, theirs

    @property
    def cite(self) -> Cite:
        """The rule of its factors."""
        return next((row.cite for row in self._rows if row), SINGLE)

    def won(self, ours: int, theirs: int) -> int:
        """Return 1 if our throw is higher by more than one, -1 if theirs, else 0 (CH-4.2)."""
        by, other = self.factors
        return _won(ours * by - theirs * other)

    def falls(self, ours: int, theirs: int) -> Man | None:
        """Return the falling man for these dice, or None."""
        won = self.won(ours, theirs)
        return _beaten(self.theirs, self.ours) if won > 0 else _beaten(self.ours, self.theirs) if won < 0 else None

    @property
    def spread(self) -> dict[int, Fraction]:
        """Return the chances of an enemy loss (1), own loss (-1), or none (0)."""
        return _spread(*self.factors)


def who(men: Iterable[Man]) -> str:
    """`a cavalryman and an infantryman`, `two infantrymen`."""
    found = sorted("a cavalryman" if man.mounted else "an infantryman" for man in men)
    twice = {"a cavalryman": "two cavalrymen", "an infantryman": "two infantrymen"}
    return twice[found[0]] if len(found) > len(set(found)) else " and ".join(found)


def _won(ahead: Fraction) -> int:
    least = limit("a combat is won by more than")
    return (ahead > least) - (-ahead > least)


@cache
def _spread(by: Fraction, other: Fraction) -> dict[int, Fraction]:
    """Return the outcome chances for given multipliers."""
    found = Counter(_won(ours * by - theirs * other) for ours, theirs in product(range(1, SIDES + 1), repeat=2))
    return {won: Fraction(found[won], SIDES**2) for won in (-1, 0, 1)}


def _beaten(losers: tuple[Man, ...], winners: tuple[Man, ...]) -> Man:
    """Return who of a beaten pair falls: against cavalry the cavalryman, against infantry the other (ruling)."""
    by_horse = any(man.mounted for man in winners)
    return next((man for man in losers if man.mounted is by_horse), losers[0])


def paired(ours: Sequence[Man], theirs: Sequence[Man]) -> tuple[Bout, ...]:
    """Pair men one to one along the line from our right; surplus men double up from the right (ruling)."""
    few = min(len(ours), len(theirs))
    if not few:
        return ()
    our_men: list[tuple[Man, ...]] = [(man,) for man in ours[:few]]
    their_men: list[tuple[Man, ...]] = [(man,) for man in theirs[:few]]
    for paired_men, over in ((our_men, ours[few:]), (their_men, theirs[few:])):
        for place, man in enumerate(over[:few]):
            paired_men[place] = (*paired_men[place], man)
    return tuple(Bout(one, other) for one, other in zip(our_men, reversed(their_men), strict=True))


def drawn_up(ours: Sequence[ChargeUnit], theirs: Sequence[ChargeUnit]) -> tuple[Bout, ...]:
    """Return the combats of these units with those: their figures by number, each side's units from its right."""
    return paired(_men_of(_from_the_right(ours, theirs)), _men_of(_from_the_right(theirs, ours)))


def facing(state: ChargeState, fight: Fight, kind: str = "duel") -> Iterable[Arrow]:
    """Yield an arrow for each combat of a fight, from man to man."""
    units = [unit for each in fight.units if (unit := state.units[each]).on_table and unit.place is not None]
    ours = [unit for unit in units if unit.side == units[0].side]
    stood = {(unit.id, number): base.at for unit in units for number, base in enumerate(men(unit), 1)}
    for bout in drawn_up(ours, [unit for unit in units if unit not in ours]):
        for (one, number), (foe, its) in product(*([man[:2] for man in side] for side in (bout.ours, bout.theirs))):
            yield Arrow(start=stood[one, number], end=stood[foe, its], kind=kind, side=units[0].side)


def _from_the_right(units: Sequence[ChargeUnit], foes: Sequence[ChargeUnit]) -> Sequence[ChargeUnit]:
    """Units along their line towards their foes, the right-hand one first; as they came where a place is unknown."""
    here, there = ([unit.place for unit in some if unit.place is not None] for some in (units, foes))
    if len(here) < len(units) or not there:
        return units
    (x, y), (their_x, their_y) = (
        (sum(place.x for place in some) / len(some), sum(place.y for place in some) / len(some))
        for some in (here, there)
    )
    ahead, down = their_x - x, their_y - y
    to_the_right = {unit.id: place.y * ahead - place.x * down for unit, place in zip(units, here, strict=True)}
    return sorted(units, key=lambda unit: -round(to_the_right[unit.id], 3))


def _men_of(units: Iterable[ChargeUnit]) -> tuple[Man, ...]:
    """Return all figures of the units, numbered."""
    return tuple(
        Man(unit.id, number, unit.arm is Arm.CAVALRY) for unit in units for number in range(1, unit.figures + 1)
    )
