"""Scores of a volley: what each die needs, the modifiers, and what too many of them take away (BE-3, BE-4)."""

from dataclasses import dataclass
from fractions import Fraction

from rules.core.model import Cite, Mark
from rules.core.report import Modifier, Step
from rules.core.throws import Volley
from rules.empire.model import GUNS, MACHINE_GUNS, EmpireState, EmpireUnit, Weapon
from rules.empire.tables import adjustment, row, value

from .cover import claims, has_moved

SIDES = 6
COVERED = "target in cover, skirmishing or gone to ground"
OVER_MODIFIED = Cite(rule="BE-4.2", mark=Mark.RULING)
LIGHT = (Weapon.LIGHT_GUN, Weapon.MOUNTAIN_GUN)

Adjusted = tuple[tuple[Modifier, ...], tuple[Step, ...]]


@dataclass(frozen=True)
class Score:
    """The dice left to throw and the least face that hits; `beyond` dice were taken away, if there were so many."""

    volley: Volley
    beyond: int
    steps: tuple[Step, ...]


def dice_words(dice: int) -> str:
    """`1 die`, `8 dice`."""
    return f"{dice} {'die' if dice == 1 else 'dice'}"


def hit_words(hits: int) -> str:
    """`no hits`, `1 hit`, `3 hits`."""
    return "no hits" if not hits else "1 hit" if hits == 1 else f"{hits} hits"


def faces(needed: int) -> str:
    """`5-6`, or `6`."""
    return str(SIDES) if needed >= SIDES else f"{needed}-{SIDES}"


def printed(unit: EmpireUnit, band: str) -> tuple[int, Cite]:
    """The least face that hits before modifiers, and its rule (BE-3, BE-4)."""
    if unit.weapon in GUNS:
        return value("artillery-dice", unit.rate, "hits on"), row("artillery-dice", unit.rate).cite
    if unit.weapon in MACHINE_GUNS:
        return value("machine-gun-scores", unit.weapon, band), row("machine-gun-scores", unit.weapon).cite
    return value("rifle-scores", unit.rate, band), row("rifle-scores", unit.rate).cite


def modifiers(state: EmpireState, unit: EmpireUnit, target: EmpireUnit, *, contact: bool) -> Adjusted:
    """Every modifier of each die, and the claims to cover that are not allowed (BE-3, BE-4, BE-4.3)."""
    guns = unit.weapon in GUNS
    chart = "artillery-modifiers" if guns else "rifle-modifiers"
    of_firer = {
        "firer shaken": unit.shaken,
        "moving and firing": not guns and has_moved(unit),
        "firer low on ammunition": unit.low_ammo,
        "pivoted this turn": guns and unit.this_turn.pivoted,
        "heavy gun": unit.weapon is Weapon.HEAVY_GUN,
        "light or mountain gun": unit.weapon in LIGHT,
    }
    found = [adjustment(chart, label) for label, so in of_firer.items() if so]
    covered, denied = _covered(state, target, chart)
    found.extend(covered)
    if contact and not guns:
        found.append(_in_contact(state, unit, target))
    if target.in_depth:
        label = "target in column or deep" if guns else "target in column or deep massed"
        found.append(adjustment(chart, label, f"target {_formation_words(target)}"))
    return tuple(found), denied


def _formation_words(target: EmpireUnit) -> str:
    words = target.formation.value
    return f"in {words}" if words == "column" else words


def _covered(state: EmpireState, target: EmpireUnit, chart: str) -> Adjusted:
    """Cover, skirmish order and gone to ground count once together, or one each (BE-3, ruling, covers_add_up)."""
    claim = claims(target)
    each = tuple(adjustment(chart, COVERED, f"target {granted}") for granted in claim.granted)
    if len(each) < 2:
        return each, claim.denied
    ruled = Cite(rule=each[0].cite.rule, mark=Mark.RULING)
    if state.options.covers_add_up:
        return tuple(one.model_copy(update={"cite": ruled}) for one in each), claim.denied
    reason = f"target {' and '.join(claim.granted)}, once"
    return (each[0].model_copy(update={"reason": reason, "cite": ruled}),), claim.denied


def _in_contact(state: EmpireState, unit: EmpireUnit, target: EmpireUnit) -> Modifier:
    """Fire at those in contact: worse of the fragile, not of the elite; whose quality is a ruling (BE-4)."""
    label = "target in contact"
    by, who = (unit, "firer") if state.options.contact_by_firer else (target, "target")
    if by.fragile == by.elite:
        return adjustment("rifle-modifiers", label)
    quality = "fragile" if by.fragile else "elite"
    found = adjustment("rifle-modifiers", f"{label}, {quality}", f"{label}, {who} {quality}")
    return found.model_copy(update={"cite": Cite(rule=found.cite.rule, mark=Mark.RULING)})


def score(state: EmpireState, unit: EmpireUnit, target: EmpireUnit, dice: int, band: str, *, contact: bool) -> Score:
    """What so many dice need in that band of range; too many modifiers take dice away (BE-4.2)."""
    least, cite = printed(unit, band)
    adjusted, denied = modifiers(state, unit, target, contact=contact)
    total = sum((each.value for each in adjusted), Fraction(0))
    wanted = least - int(total)
    who = unit.weapon.value if unit.weapon in MACHINE_GUNS else f"{unit.rate.value} {unit.weapon.value}"
    reckoning = Step(
        text=f"{who[0].upper()}{who[1:]}, {band} range: each die hits on {faces(least)}",
        cite=cite,
        modifiers=adjusted,
        score=total if adjusted else None,
        needed="on each die" if adjusted else "",
        verdict=_verdict(wanted) if adjusted else "",
    )
    beyond = max(wanted - SIDES, 0)
    left = max(dice - beyond, 0)
    gone = (_taken_away(dice, left, wanted),) if left < dice else ()
    volley = Volley(left, SIDES, needed=min(max(wanted, 1), SIDES))
    return Score(volley, beyond, (*denied, reckoning, *gone))


def _verdict(wanted: int) -> str:
    return f"would hit on {wanted}" if wanted > SIDES else f"hits on {faces(max(wanted, 1))}"


def _taken_away(dice: int, left: int, wanted: int) -> Step:
    """Modifiers beyond the possible take dice away, and the others hit on 6 (BE-4.2)."""
    beyond = wanted - SIDES
    away = f"{dice_words(beyond)} {'is' if beyond == 1 else 'are'} taken away"
    verdict = f"{dice_words(left)} left, hitting on {SIDES}" if left else "no dice left: no effect"
    return Step(
        text=f"{wanted} is {beyond} more than a die shows: of {dice}, {away}", cite=OVER_MODIFIED, verdict=verdict
    )
