"""What a volley throws, in exact fractions rounded once (MM-3.2 to MM-3.5), and what it needs at its range (MM-3.6)."""

from dataclasses import dataclass
from fractions import Fraction
from math import floor, prod

from rules.core.chart import Row
from rules.core.model import Cite, Mark
from rules.core.report import Modifier, Step
from rules.core.ruleset import Refused
from rules.core.tabletop.table import CLOSE
from rules.core.wording import counted, inches, number
from rules.magdala.model import MagdalaUnit, Nation, Order, Troop, Weapon
from rules.magdala.options import MagdalaOptions
from rules.magdala.tables import TABLES, cite, entry, row, value

SMALL_ARMS = (Weapon.BREECHLOADER, Weapon.OTHER_SMALL_ARMS)
GUNS = (Weapon.FIELD_GUN, Weapon.HEAVY_GUN, Weapon.MACHINE_GUN, Weapon.LIGHT_GUN, Weapon.ROCKET)
RANGES = Cite(rule="MM-3.6")
ROUNDING = Cite(rule="MM-3.5", mark=Mark.RULING)


def is_boer(unit: MagdalaUnit) -> bool:
    """Boers, on foot or mounted, and their guns."""
    return unit.troop is Troop.KOMMANDO or unit.nation is Nation.BOER


def is_sharpshooter(unit: MagdalaUnit) -> bool:
    """European sharpshooters: Boers, skirmishing European regulars, and whoever the list calls so (MM-3.2)."""
    skirmishing = unit.european and unit.regular and unit.order is Order.SKIRMISH
    return unit.weapon not in GUNS and (unit.sharpshooter or is_boer(unit) or skirmishing)


def firer(unit: MagdalaUnit) -> Row:
    """The row of the dice chart the unit fires by (MM-3.2)."""
    rows = {
        "artillery, machine guns, rockets": unit.weapon in GUNS,
        "specialist snipers": unit.sniper,
        "European sharpshooters": is_sharpshooter(unit),
        "volleying European regulars": unit.regular and unit.european,
        "volleying regulars": unit.regular,
        "native irregulars": True,
    }
    return row("firing-dice", next(label for label, holds in rows.items() if holds))


def rounds_up(unit: MagdalaUnit) -> bool:
    """European regulars, Boers and snipers round halves up; every other firer drops all fractions (MM-3.5)."""
    by_row = entry("firing-dice", firer(unit).label, "halves")
    return (unit.european and unit.regular) or is_boer(unit) if by_row is None else bool(by_row)


def factor(label: str, reason: str = "", by: Cite | None = None) -> Modifier:
    """What a circumstance makes of the number of dice (MM-3.3, MM-3.4), by its row or by the rule of works."""
    times, divided_by = (value("firing-factors", label, column) for column in ("times", "divided by"))
    rule = by or cite("firing-factors", label)
    return Modifier(value=Fraction(times, divided_by), reason=reason or label, cite=rule, times=True)


def factors(unit: MagdalaUnit, options: MagdalaOptions) -> tuple[Modifier, ...]:
    """What the unit's own kind and weapon make of its strength."""
    by = firer(unit)
    dice, figures = (TABLES.charts["firing-dice"].cell(by, column) for column in ("dice", "for each"))
    each = Fraction(value("firing-dice", by.label, "dice"), value("firing-dice", by.label, "for each"))
    reason = f"{by.label}, {dice.text} per {figures.text}"
    magazine = unit.magazine and (unit.weapon in SMALL_ARMS or options.magazine_artillery)
    poor = Modifier(value=options.poor_shots, reason="poor shots", cite=RANGES.ruled, times=True)
    return (
        Modifier(value=each, reason=reason, cite=by.cite, times=True),
        *((factor("magazine rifles"),) if magazine else ()),
        *((poor,) if unit.poor_shots else ()),
    )


def rounded(exact: Fraction, up: bool) -> int:
    """Whole dice: a half or more counts as one where halves round up, else all fractions are dropped (MM-3.5)."""
    return floor(exact + Fraction(1, 2)) if up else floor(exact)


def volley(unit: MagdalaUnit, halvings: tuple[Modifier, ...], options: MagdalaOptions) -> tuple[int, tuple[Step, ...]]:
    """The dice of the unit's whole strength, and the sum that leads to them; in which order makes no difference."""
    figures, up = Fraction(unit.strength), rounds_up(unit)
    modifiers = (*factors(unit, options), *halvings)
    exact = prod((each.value for each in modifiers), start=figures)
    dice = rounded(exact, up)
    said = counted(dice, "die", "dice")
    text = f"{said} from {unit.strength} {'crew' if unit.weapon in GUNS else 'figures'}"
    steps = [Step(text=text, cite=firer(unit).cite, start=figures, modifiers=modifiers, score=exact)]
    if exact != dice:
        habit = "halves round up" if up else "fractions are dropped"
        steps.append(Step(text=f"{number(exact)} makes {said}: {habit}", cite=ROUNDING))
    return dice, tuple(steps)


@dataclass(frozen=True)
class Band:
    """A band of range: its name, the least face that hits, and the rule."""

    name: str
    hits_from: int
    cite: Cite


def band(unit: MagdalaUnit, range_: float, options: MagdalaOptions) -> Band:
    """The band of range for the unit's weapon. Raises Refused out of range, or under a heavy gun's least."""
    printed = row("ranges", unit.weapon)
    short, long = (entry("ranges", unit.weapon, column) for column in ("short, under", "long, to"))
    marksmen = is_sharpshooter(unit) if unit.weapon is Weapon.BREECHLOADER else unit.sniper
    further = options.sharpshooter_bonus if marksmen and unit.weapon in SMALL_ARMS else 0
    if long is not None and range_ > long + further + CLOSE:
        reach = inches(long + further)
        raise Refused(
            f"{unit.name} cannot reach {inches(range_)}: {printed.label} carry {reach}. Nothing is spent.", printed.cite
        )
    least = options.heavy_gun_least_range
    if unit.weapon is Weapon.HEAVY_GUN and range_ + CLOSE < least:
        why = f"A heavy gun has no short range: it fires at {inches(least)} or more, not at {inches(range_)}."
        raise Refused(why, printed.cite.ruled)
    if short is not None and range_ < short - CLOSE:
        return Band("short range", value("ranges", unit.weapon, "hits at short"), printed.cite)
    name = "long range" if short is not None or long is None else "any range"
    beyond_print = long is not None and range_ > long + CLOSE
    by = printed.cite.ruled if beyond_print else printed.cite
    return Band(name, value("ranges", unit.weapon, "hits at long"), by)
