"""How many dice a volley throws, in exact fractions rounded once (MM-3.2 to MM-3.5)."""

from fractions import Fraction
from math import floor

from rules.core.chart import Row
from rules.core.model import Cite, Mark, Model
from rules.core.report import Modifier, Step
from rules.core.wording import number
from rules.magdala.model import MagdalaUnit, Nation, Order, Troop, Weapon
from rules.magdala.options import MagdalaOptions
from rules.magdala.tables import TABLES, cite, entry, factor, row, value

SMALL_ARMS = (Weapon.BREECHLOADER, Weapon.OTHER_SMALL_ARMS)
GUNS = (Weapon.FIELD_GUN, Weapon.HEAVY_GUN, Weapon.MACHINE_GUN, Weapon.LIGHT_GUN, Weapon.ROCKET)
ROUNDING = Cite(rule="MM-3.5", mark=Mark.RULING)
POOR_SHOTS = Cite(rule="MM-3.6", mark=Mark.RULING)


class Situation(Model):
    """What halves a volley (MM-3.4): each empty, or the reason in words."""

    half_effect: str = ""
    skirmishers: str = ""
    cover: str = ""
    cover_cite: Cite | None = None
    """Of works (MM-7), where not the ground itself covers the target."""
    prone: str = ""


class Volley(Model):
    """The dice of a volley, and the sum that led to them."""

    exact: Fraction
    dice: int
    steps: tuple[Step, ...]


def is_boer(unit: MagdalaUnit) -> bool:
    """Boers, on foot or mounted, and their guns."""
    return unit.troop is Troop.KOMMANDO or unit.nation is Nation.BOER


def is_sharpshooter(unit: MagdalaUnit) -> bool:
    """European sharpshooters: Boers, skirmishing European regulars, and whoever the list calls so (MM-3.2)."""
    if unit.weapon in GUNS:
        return False
    skirmishing = unit.european and unit.regular and unit.order is Order.SKIRMISH
    return unit.sharpshooter or is_boer(unit) or skirmishing


def firer(unit: MagdalaUnit) -> Row:
    """The row of the dice chart the unit fires by (MM-3.2)."""
    if unit.weapon in GUNS:
        return row("firing-dice", "artillery, machine guns, rockets")
    if unit.sniper:
        return row("firing-dice", "specialist snipers")
    if is_sharpshooter(unit):
        return row("firing-dice", "European sharpshooters")
    if unit.regular:
        return row("firing-dice", "volleying European regulars" if unit.european else "volleying regulars")
    return row("firing-dice", "native irregulars")


def rounds_up(unit: MagdalaUnit) -> bool:
    """European regulars, Boers and snipers round halves up; every other firer drops all fractions (MM-3.5)."""
    by_row = entry("firing-dice", firer(unit).label, "halves")
    return (unit.european and unit.regular) or is_boer(unit) if by_row is None else bool(by_row)


def factors(unit: MagdalaUnit, situation: Situation, options: MagdalaOptions) -> tuple[Modifier, ...]:
    """Everything the dice are multiplied by, in the order of the rules; the order makes no difference."""
    by = firer(unit)
    dice, figures = TABLES.charts["firing-dice"].cell(by, "dice"), TABLES.charts["firing-dice"].cell(by, "for each")
    each = Fraction(value("firing-dice", by.label, "dice"), value("firing-dice", by.label, "for each"))
    reason = f"{by.label}, {dice.text} per {figures.text}"
    found = [Modifier(value=each, reason=reason, cite=by.cite, times=True)]
    if unit.magazine and (unit.weapon in SMALL_ARMS or options.magazine_artillery):
        found.append(_factor("magazine rifles", "magazine rifles"))
    if unit.poor_shots:
        found.append(Modifier(value=options.poor_shots, reason="poor shots", cite=POOR_SHOTS, times=True))
    halvings = (
        ("target in skirmish order", situation.skirmishers, None),
        ("target in cover or rough going", situation.cover, situation.cover_cite),
        ("target pinned or prone", situation.prone, None),
        ("half effect", situation.half_effect, None),
    )
    found.extend(_factor(label, reason, by_rule) for label, reason, by_rule in halvings if reason)
    return tuple(found)


def _factor(label: str, reason: str, by_rule: Cite | None = None) -> Modifier:
    return Modifier(value=factor(label), reason=reason, cite=by_rule or cite("firing-factors", label), times=True)


def rounded(exact: Fraction, up: bool) -> int:
    """Whole dice: a half or more counts as one where halves round up, else all fractions are dropped (MM-3.5)."""
    return floor(exact + Fraction(1, 2)) if up else floor(exact)


def dice_words(dice: int) -> str:
    """`1 die`, `8 dice`."""
    return f"{dice} {'die' if dice == 1 else 'dice'}"


def volley(unit: MagdalaUnit, situation: Situation, options: MagdalaOptions) -> Volley:
    """The dice of the unit's whole strength in that situation."""
    figures = Fraction(unit.strength)
    modifiers = factors(unit, situation, options)
    exact = figures
    for modifier in modifiers:
        exact *= modifier.value
    up = rounds_up(unit)
    dice = rounded(exact, up)
    who = "crew" if unit.weapon in GUNS else "figures"
    reckoning = Step(
        text=f"{dice_words(dice)} from {unit.strength} {who}",
        cite=firer(unit).cite,
        start=figures,
        modifiers=modifiers,
        score=exact,
    )
    steps = [reckoning]
    if exact.denominator != 1:
        habit = "halves round up" if up else "fractions are dropped"
        steps.append(Step(text=f"{number(exact)} makes {dice_words(dice)}: {habit}", cite=ROUNDING))
    return Volley(exact=exact, dice=dice, steps=tuple(steps))
