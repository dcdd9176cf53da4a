"""Single combats of a mêlée: the pairing of men, and the result of their dice (CH-4.2 to CH-4.6)."""

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

from .figures import figure_bases
from .model import Arm, ChargeState, ChargeUnit, Fight
from .tables import SIDES, TABLES, limit

SINGLE = Cite(rule="CH-4.2")
QUARTERS = 4
"""The chart of combats gives multipliers in quarters."""


class Man(NamedTuple):
    """The figure `number` of the unit with the id `unit`. `mounted` means cavalry; gunners fight as infantry."""

    unit: str
    number: int
    mounted: bool


@dataclass(frozen=True)
class Bout:
    """A combat of one or two men per side, never two against two."""

    ours: tuple[Man, ...]
    theirs: tuple[Man, ...]

    @cached_property
    def _chart_rows(self) -> tuple[Row | None, Row | None]:
        """The row of each side in the chart of combats, ours first; None for a side without a row."""
        rows = {row.label: row for row in TABLES.charts["combat"].rows}
        ours, theirs = describe_men(self.ours), describe_men(self.theirs)
        return rows.get(f"{ours} against {theirs}"), rows.get(f"{theirs} against {ours}")

    @property
    def factors(self) -> tuple[Fraction, Fraction]:
        """Multipliers of our throw and of the enemy's throw (CH-4.3, CH-4.4)."""
        ours, theirs = (Fraction(row.cells[0].value or 0, QUARTERS) if row else Fraction(1) for row in self._chart_rows)
        return ours, theirs

    @property
    def cite(self) -> Cite:
        """Rule that gives the multipliers."""
        return next((row.cite for row in self._chart_rows if row), SINGLE)

    def man_who_falls(self, ours: int, theirs: int) -> Man | None:
        """Return the man who falls if we throw `ours` and the enemy throws `theirs`, or None (CH-4.2)."""
        our_factor, their_factor = self.factors
        result = _winner_by_lead(ours * our_factor - theirs * their_factor)
        if not result:
            return None
        return _choose_casualty(self.theirs, self.ours) if result > 0 else _choose_casualty(self.ours, self.theirs)

    @property
    def distribution(self) -> dict[int, Fraction]:
        """Chance of each result: an enemy falls (1), one of our men falls (-1), or nobody falls (0)."""
        return _result_chances(*self.factors)


def describe_men(men: Iterable[Man]) -> str:
    """Describe one or two men by arm: `a cavalryman and an infantryman`, `two infantrymen`."""
    arms = sorted("a cavalryman" if man.mounted else "an infantryman" for man in men)
    plurals = {"a cavalryman": "two cavalrymen", "an infantryman": "two infantrymen"}
    return plurals[arms[0]] if len(arms) > len(set(arms)) else " and ".join(arms)


def _winner_by_lead(lead: Fraction) -> int:
    """Return 1 if our side wins, -1 if the enemy wins, or 0. A side wins with a lead of more than one (CH-4.2)."""
    least = limit("a combat is won by more than")
    return (lead > least) - (-lead > least)


@cache
def _result_chances(our_factor: Fraction, their_factor: Fraction) -> dict[int, Fraction]:
    """Return the chance of each result: our side wins (1), the enemy wins (-1), or neither wins (0)."""
    dice = product(range(1, SIDES + 1), repeat=2)
    counts = Counter(_winner_by_lead(ours * our_factor - theirs * their_factor) for ours, theirs in dice)
    return {won: Fraction(counts[won], SIDES**2) for won in (-1, 0, 1)}


def _choose_casualty(losers: tuple[Man, ...], winners: tuple[Man, ...]) -> Man:
    """Return the man in `losers` who falls.

    If `winners` include a cavalryman, a cavalryman falls first, otherwise an infantryman (ruling).
    """
    by_horse = any(man.mounted for man in winners)
    return next((man for man in losers if man.mounted is by_horse), losers[0])


def pair_men(ours: Sequence[Man], theirs: Sequence[Man]) -> tuple[Bout, ...]:
    """Return the combats, with men paired one to one along the line from our right.

    Men left over join existing pairs, from the right of their own side (ruling).
    """
    pair_count = min(len(ours), len(theirs))
    if not pair_count:
        return ()
    our_men: list[tuple[Man, ...]] = [(man,) for man in ours[:pair_count]]
    their_men: list[tuple[Man, ...]] = [(man,) for man in theirs[:pair_count]]
    for paired_men, surplus in ((our_men, ours[pair_count:]), (their_men, theirs[pair_count:])):
        for place, man in enumerate(surplus[:pair_count]):
            paired_men[place] = (*paired_men[place], man)
    return tuple(Bout(men, foes) for men, foes in zip(our_men, reversed(their_men), strict=True))


def pair_units(ours: Sequence[ChargeUnit], theirs: Sequence[ChargeUnit]) -> tuple[Bout, ...]:
    """Return the single combats between two groups of units, each lined up from its right.

    Within a unit, the figures stand in the order of their numbers.
    """
    return pair_men(_list_men(_sort_from_right(ours, theirs)), _list_men(_sort_from_right(theirs, ours)))


def combat_arrows(state: ChargeState, fight: Fight, kind: str = "duel") -> Iterable[Arrow]:
    """Yield arrows that show who fights whom in a fight. `kind` is the arrows' style."""
    units = [unit for unit_id in fight.units if (unit := state.units[unit_id]).on_table and unit.place is not None]
    ours = [unit for unit in units if unit.side == units[0].side]
    positions = {(unit.id, number): base.at for unit in units for number, base in enumerate(figure_bases(unit), 1)}
    for bout in pair_units(ours, [unit for unit in units if unit not in ours]):
        for (unit_id, number), (foe, its) in product(*([man[:2] for man in side] for side in (bout.ours, bout.theirs))):
            yield Arrow(start=positions[unit_id, number], end=positions[foe, its], kind=kind, side=units[0].side)


def _sort_from_right(units: Sequence[ChargeUnit], foes: Sequence[ChargeUnit]) -> Sequence[ChargeUnit]:
    """Return the units in order along their line facing `foes`, the right-hand unit first.

    The order is unchanged if one of the units has no place, or if no enemy has a place.
    """
    own_places, enemy_places = ([unit.place for unit in group if unit.place is not None] for group in (units, foes))
    if len(own_places) < len(units) or not enemy_places:
        return units
    (x, y), (their_x, their_y) = (
        (sum(place.x for place in places) / len(places), sum(place.y for place in places) / len(places))
        for places in (own_places, enemy_places)
    )
    ahead, down = their_x - x, their_y - y
    to_the_right = {unit.id: place.y * ahead - place.x * down for unit, place in zip(units, own_places, strict=True)}
    return sorted(units, key=lambda unit: -round(to_the_right[unit.id], 3))


def _list_men(units: Iterable[ChargeUnit]) -> tuple[Man, ...]:
    """Return each figure of the units with its number."""
    return tuple(
        Man(unit.id, number, unit.arm is Arm.CAVALRY) for unit in units for number in range(1, unit.figures + 1)
    )
