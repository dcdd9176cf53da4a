"""The distance that a unit may move (MM-2)."""

from fractions import Fraction
from functools import cache
from math import prod

from rules.core.model import Cite, Mark, Model
from rules.core.report import Modifier, Step
from rules.core.throws import Distribution, dice_sum_distribution
from rules.core.wording import decimal_text
from rules.magdala.arms import ARMS, LEADERS, Arm
from rules.magdala.model import MagdalaPlay, MagdalaUnit, Order, Troop
from rules.magdala.options import MagdalaOptions
from rules.magdala.tables import SIDES, TABLES, cell_value, cite, row, value

BAD_GOING = Cite(rule="MM-2.9")
RULED = Cite(rule="MM-2.7a", mark=Mark.RULING)
MOUNTING = Cite(rule="MM-2.3")

NAMED = (Troop.HEAVY_ARTILLERY, Troop.MOUNTAIN_GUN, Troop.POM_POM, Troop.WAGON, Troop.PACK_MULES, Troop.GENERAL)
ROWS = dict.fromkeys((Troop.MACHINE_GUN, Troop.ROCKET), "machine gun or rocket") | {
    troop: troop.value for troop in NAMED
}
"""Rows of the movement chart for troops whose order and mount do not matter."""
MOUNTED = {
    Troop.REGULAR_CAVALRY: "regular cavalry",
    **dict.fromkeys((Troop.MOUNTED_INFANTRY, Troop.KOMMANDO), "mounted infantry"),
}


class MoveRate(Model):
    """A unit's rate: `inches` plus `dice`; `charge` is its charging rate in inches, None if it never charges."""

    row: str
    cite: Cite
    dice: int = 0
    inches: int
    charge: int | None = None

    @property
    def text(self) -> str:
        """Return the rate in words: `6 inches`, `2D6 + 2 inches`."""
        return f"{self.dice}D{SIDES} + {self.inches} inches" if self.dice else f"{self.inches} inches"

    @property
    def step(self) -> Step:
        """Return the report step of the rate."""
        return Step(text=f"{self.row[0].upper()}{self.row[1:]}: {self.text}", cite=self.cite)

    @property
    def distribution(self) -> Distribution:
        """Return the chance of each number of inches."""
        return _rate_distribution(self.dice, self.inches)


@cache
def _rate_distribution(dice: int, inches: int) -> Distribution:
    return tuple((total + inches, chance) for total, chance in dice_sum_distribution(dice, SIDES))


def movement_row(unit: MagdalaUnit) -> str:
    """Return the row of the movement chart by which a unit moves."""
    if unit.afloat:
        return "aboard the riverboat"
    if unit.troop is Troop.FIELD_ARTILLERY:
        return f"field artillery, {unit.gun_team} team"
    if unit.troop in ROWS:
        return ROWS[unit.troop]
    if unit.mounted:
        return "camel-mounted" if unit.camels else MOUNTED.get(unit.troop, "native and irregular mounted")
    if unit.troop is Troop.KOMMANDO:
        return "kommando on foot"
    return f"regular infantry, {unit.order} order" if unit.regular else "native and irregular foot"


def move_rate(unit: MagdalaUnit, options: MagdalaOptions) -> MoveRate:
    """Return the unit's rate in its present mount and order."""
    label = movement_row(unit)
    option = TABLES.charts["movement"].cell(row("movement", label), "inches").option
    regulars_on_foot = unit.troop is Troop.MOUNTED_INFANTRY and unit.regular and not unit.mounted
    return MoveRate(
        row=label,
        cite=RULED if unit.troop in LEADERS or regulars_on_foot else cite("movement", label),
        dice=cell_value("movement", label, "dice") or 0,
        inches=getattr(options, option) if option else value("movement", label, "inches"),
        charge=cell_value("movement", label, "charge"),
    )


def must_limber_to_move(unit: MagdalaUnit) -> bool:
    """Whether the unit is guns that limber up to move (MM-2.4)."""
    return bool(cell_value("movement", movement_row(unit), "limbers"))


def is_formed_regulars_or_guns(unit: MagdalaUnit) -> bool:
    """Whether the unit is formed regulars or guns, whose rates are for good going (MM-2.4, MM-2.9)."""
    if unit.afloat or unit.troop is Troop.GENERAL:
        return False
    return ARMS.get(unit.troop) is Arm.ARTILLERY or (unit.regular and unit.order is Order.CLOSE)


def move_factors(options: MagdalaOptions, *, bad_going: str, half_turn: bool) -> tuple[Modifier, ...]:
    """Return the factors on a move: for `bad_going` (its name, or empty), and for half a turn spent on mounting."""
    half = "half a turn to mount or dismount"
    slowed = Modifier(value=options.going, reason=bad_going, cite=BAD_GOING.as_ruling, times=True)
    halved = Modifier(value=Fraction(1, 2), reason=half, cite=MOUNTING, times=True)
    return tuple(factor for factor, counts in ((slowed, bad_going), (halved, half_turn)) if counts)


def throw_allowance(
    play: MagdalaPlay,
    unit: MagdalaUnit,
    rate: MoveRate,
    modifiers: tuple[Modifier, ...],
    label: str,
    *,
    in_headline: bool = False,
) -> Fraction:
    """Throw the rate's dice under `label`, report the unit's move, and return the inches allowed.

    `in_headline` is whether the report's headline repeats the label.
    """
    throw = play.throw(rate.dice, SIDES, label, side=unit.side) if rate.dice else None
    dice_total = throw.total if throw is not None else 0
    inches = prod((modifier.value for modifier in modifiers), start=Fraction(dice_total + rate.inches))
    reach = f"up to {decimal_text(float(inches))} inches"
    fields: dict[str, object] = {"start": Fraction(rate.inches), "modifiers": modifiers, "needed": reach}
    if throw is not None:
        base = Modifier(value=Fraction(rate.inches), reason=rate.row, cite=rate.cite)
        fields = {"start": Fraction(dice_total), "modifiers": (base, *modifiers), "verdict": reach}
        fields |= {"throws": (throw,), "text": label, "text_in_headline": in_headline}
    play.say(rate.step.model_copy(update={"score": inches, **fields}))
    return inches


def max_distance_from_parent(unit: MagdalaUnit, options: MagdalaOptions) -> Fraction:
    """Return the maximum inches from a detachment to its parent: two moves; for moves by dice an option (MM-2.8)."""
    own = move_rate(unit, options)
    if not own.dice:
        return Fraction(2 * own.inches)
    return Fraction(options.detachment_leash_mounted if unit.mounted else options.detachment_leash_foot)
