"""How far a unit may move (MM-2)."""

from fractions import Fraction

from rules.core.dice import Throw
from rules.core.model import Cite, Mark, Model
from rules.core.report import Modifier, Step
from rules.core.throws import Spread, sums
from rules.core.wording import tenths
from rules.magdala.arms import LEADERS
from rules.magdala.model import GunTeam, MagdalaUnit, Order, Troop
from rules.magdala.options import MagdalaOptions
from rules.magdala.tables import SIDES, cite, entry

HALF_TURN = Fraction(1, 2)
BAD_GOING = Cite(rule="MM-2.9")
BAD_GOING_RULING = Cite(rule="MM-2.9", mark=Mark.RULING)
"""How much bad going takes off is the umpire's to say."""
RULED = Cite(rule="MM-2.7a", mark=Mark.RULING)
MOUNTING = Cite(rule="MM-2.3")

BY_OPTION = {
    "field artillery, foot team": "foot_gun_move",
    "field artillery, light team": "light_gun_move",
    "field artillery, horse team": "horse_gun_move",
    "pom-pom": "light_gun_move",
    "kommando on foot": "dismounted_kommando_move",
    "machine gun or rocket": "heavy_weapon_move",
    "heavy artillery": "heavy_weapon_move",
    "mountain gun": "mountain_gun_move",
    "general": "general_move",
    "aboard the riverboat": "boat_move",
}
"""Rows of the movement chart whose inches are an option."""

FIXED = {
    Troop.HEAVY_ARTILLERY: "heavy artillery",
    Troop.MACHINE_GUN: "machine gun or rocket",
    Troop.ROCKET: "machine gun or rocket",
    Troop.MOUNTAIN_GUN: "mountain gun",
    Troop.POM_POM: "pom-pom",
    Troop.WAGON: "supply wagon",
    Troop.PACK_MULES: "pack mules",
    Troop.GENERAL: "general",
}
TEAMS = {
    GunTeam.FOOT: "field artillery, foot team",
    GunTeam.LIGHT: "field artillery, light team",
    GunTeam.HORSE: "field artillery, horse team",
}
MOUNTED = {
    Troop.REGULAR_CAVALRY: "regular cavalry",
    Troop.MOUNTED_INFANTRY: "mounted infantry",
    Troop.KOMMANDO: "mounted infantry",
}
GUNS = (
    Troop.FIELD_ARTILLERY,
    Troop.HEAVY_ARTILLERY,
    Troop.MACHINE_GUN,
    Troop.MOUNTAIN_GUN,
    Troop.POM_POM,
    Troop.ROCKET,
)


class Rate(Model):
    """A unit's rate: `inches`, on top of so many `dice`; for a `charge` where it may make one."""

    row: str
    cite: Cite
    dice: int = 0
    inches: int
    charge: int | None = None
    limbers: bool = False

    @property
    def text(self) -> str:
        """`6 inches`, `2D6 + 2 inches`."""
        return f"{self.dice}D{SIDES} + {self.inches} inches" if self.dice else f"{self.inches} inches"

    @property
    def furthest(self) -> int:
        """Inches at best."""
        return self.dice * SIDES + self.inches

    @property
    def spread(self) -> Spread:
        """The chance of each number of inches."""
        return tuple((total + self.inches, chance) for total, chance in sums(self.dice, SIDES))


def row_of(unit: MagdalaUnit) -> str:
    """The row of the movement chart a unit moves by."""
    if unit.afloat:
        return "aboard the riverboat"
    if unit.troop is Troop.FIELD_ARTILLERY:
        return TEAMS[unit.gun_team]
    if unit.troop in FIXED:
        return FIXED[unit.troop]
    if unit.mounted:
        return "camel-mounted" if unit.camels else MOUNTED.get(unit.troop, "native and irregular mounted")
    if unit.troop is Troop.KOMMANDO:
        return "kommando on foot"
    if unit.regular:
        return f"regular infantry, {unit.order} order"
    return "native and irregular foot"


def rate(unit: MagdalaUnit, options: MagdalaOptions) -> Rate:
    """The unit's rate as it stands: mounted or on foot, in its order."""
    label = row_of(unit)
    printed = entry("movement", label, "inches")
    return Rate(
        row=label,
        cite=RULED if _is_ruled(unit) else cite("movement", label),
        dice=entry("movement", label, "dice") or 0,
        inches=getattr(options, BY_OPTION[label]) if printed is None else printed,
        charge=entry("movement", label, "charge"),
        limbers=bool(entry("movement", label, "limbers")),
    )


def _is_ruled(unit: MagdalaUnit) -> bool:
    """Whether print does not name the troops that its row serves: leaders, and regulars off their horses."""
    regulars_on_foot = unit.troop is Troop.MOUNTED_INFANTRY and unit.regular and not unit.mounted
    return unit.troop in LEADERS or regulars_on_foot


def charging(own: Rate) -> Rate:
    """The rate of a charge. Raises ValueError for troops that cannot charge."""
    if own.charge is None:
        raise ValueError(f"{own.row} cannot charge")
    return own.model_copy(update={"inches": own.charge, "row": f"{own.row}, charging"})


def is_formed(unit: MagdalaUnit) -> bool:
    """Formed regulars, and guns, whose rates are for good going (MM-2.4, MM-2.9)."""
    if unit.afloat or unit.troop is Troop.GENERAL:
        return False
    return unit.troop in GUNS or (unit.regular and unit.order is Order.CLOSE)


def factors(options: MagdalaOptions, *, bad_going: str, half_turn: bool) -> tuple[Modifier, ...]:
    """What a move is multiplied by: bad going (its name in words, or empty) and a half turn spent on mounting."""
    found = []
    if bad_going:
        found.append(Modifier(value=options.going, reason=bad_going, cite=BAD_GOING_RULING, times=True))
    if half_turn:
        reason = "half a turn to mount or dismount"
        found.append(Modifier(value=HALF_TURN, reason=reason, cite=MOUNTING, times=True))
    return tuple(found)


def allowed(own: Rate, throw: Throw | None, modifiers: tuple[Modifier, ...]) -> Step:
    """The inches a unit may move, as its `score`. `throw` is of the rate's dice."""
    steps: tuple[Modifier, ...] = modifiers
    start = Fraction(own.inches)
    if throw is not None:
        start = Fraction(throw.total)
        steps = (Modifier(value=Fraction(own.inches), reason=own.row, cite=own.cite), *modifiers)
    inches = start + (own.inches if throw is not None else 0)
    for modifier in modifiers:
        inches *= modifier.value
    return Step(
        text=f"{own.row[0].upper()}{own.row[1:]}: {own.text}",
        cite=own.cite,
        throws=(throw,) if throw else (),
        start=start,
        modifiers=steps,
        score=inches,
        verdict=f"up to {tenths(float(inches))} inches",
    )


def leash(unit: MagdalaUnit, options: MagdalaOptions) -> Fraction:
    """Inches a detachment works from its parent: two moves, of average dice where it throws them (MM-2.8)."""
    own = rate(unit, options)
    if not own.dice:
        return Fraction(2 * own.inches)
    return Fraction(options.detachment_leash_mounted if unit.mounted else options.detachment_leash_foot)
