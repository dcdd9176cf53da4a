"""Machine guns: the choice of dice, and the D6 that jams them (BE-4)."""

from fractions import Fraction

from rules.core.dice import Dice
from rules.core.model import Cite, Mark
from rules.core.report import Modifier, Step
from rules.core.ruleset import Refused
from rules.core.wording import likely
from rules.empire.model import MACHINE_GUNS, EmpireState, EmpireUnit, Weapon
from rules.empire.tables import TABLES, row, value

from .volley import SIDES, Volley, dice_words

SCORES = "machine-gun-scores"
JAMMING = "on jamming and clearing"
JAM = Cite(rule="BE-4")
CHOSEN = Cite(rule="BE-4", mark=Mark.RULING)
HITS_LOST = Cite(rule="BE-4", mark=Mark.RULING)


def choices() -> tuple[int, ...]:
    """The numbers of dice its owner may choose."""
    return tuple(int(each.label) for each in TABLES.charts["machine-gun-dice"].rows)


def choose(unit: EmpireUnit, dice: int) -> int:
    """The dice chosen. Raises Refused on another number."""
    if dice not in choices():
        *fewer, most = choices()
        raise Refused(f"{unit.name} throws {', '.join(map(str, fewer))} or {most} dice, not {dice}.", JAM)
    return dice


def steadiness(unit: EmpireUnit) -> tuple[Modifier, ...]:
    """What a Maxim adds to the rolls for jamming and clearing."""
    added = value(SCORES, unit.weapon, JAMMING)
    cite = row(SCORES, unit.weapon).cite
    return (Modifier(value=Fraction(added), reason=Weapon(unit.weapon).value, cite=cite),) if added else ()


def jams_on(state: EmpireState, unit: EmpireUnit, chosen: int, left: int) -> int:
    """The highest face of the D6 that jams it, 0 where none does: one below its dice (option jam_by_dice_chosen)."""
    thrown = chosen if state.options.jam_by_dice_chosen else left
    return min(max(thrown - 1 - value(SCORES, unit.weapon, JAMMING), 0), SIDES)


def jam_chance(state: EmpireState, unit: EmpireUnit, chosen: int, left: int) -> Fraction:
    """The chance of a jam."""
    if unit.weapon not in MACHINE_GUNS:
        return Fraction(0)
    return Fraction(jams_on(state, unit, chosen, left), SIDES)


def choice_words(dice: int, chance: Fraction) -> str:
    """`3 dice: jams 33.3%`."""
    return f"{dice_words(dice)}: jams {likely(chance)}" if chance else f"{dice_words(dice)}: cannot jam"


def jam_step(state: EmpireState, unit: EmpireUnit, volley: Volley) -> Step:
    """The chance of a jam, before anything is thrown."""
    chance = jam_chance(state, unit, volley.chosen, volley.dice)
    if not chance:
        return Step(text=f"{unit.name} cannot jam on {dice_words(volley.chosen)}", cite=_cite(volley))
    return Step(
        text=f"Jamming: a D6 below {_compared(state, volley)}",
        cite=_cite(volley),
        modifiers=steadiness(unit),
        chance=chance,
        hope="to jam",
    )


def throw_for_jam(state: EmpireState, unit: EmpireUnit, volley: Volley, dice: Dice) -> tuple[bool, Step]:
    """Whether the burst jams the gun; no die is thrown where none can."""
    jams_to = jams_on(state, unit, volley.chosen, volley.dice)
    if not jams_to:
        return False, jam_step(state, unit, volley)
    throw = dice.throw(1, SIDES, f"{unit.name}, jamming", side=unit.side)
    jams = throw.total <= jams_to
    added = steadiness(unit)
    return jams, Step(
        text="Jamming",
        cite=_cite(volley),
        throws=(throw,),
        start=Fraction(throw.total),
        modifiers=added,
        score=Fraction(throw.total) + sum((each.value for each in added), Fraction(0)),
        needed=f"against {_compared(state, volley)}",
        verdict=f"{unit.name} jams" if jams else "no jam",
        chance=jam_chance(state, unit, volley.chosen, volley.dice),
        hope="to jam",
    )


def _compared(state: EmpireState, volley: Volley) -> str:
    if state.options.jam_by_dice_chosen:
        return f"{dice_words(volley.chosen)} chosen" if volley.dice < volley.chosen else dice_words(volley.chosen)
    return dice_words(volley.dice)


def _cite(volley: Volley) -> Cite:
    """Whether the dice chosen count, or those left, matters only where some were taken away (ruling)."""
    return CHOSEN if volley.dice < volley.chosen else JAM
