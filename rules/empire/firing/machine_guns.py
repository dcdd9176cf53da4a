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
    """The highest face of the D6 that jams it, 0 where none does: one below the dice of one gun.

    They are those chosen, or those left after BE-4.2 (option jam_by_dice_chosen).
    """
    thrown = chosen if state.options.jam_by_dice_chosen else left
    return min(max(thrown - 1 - value(SCORES, unit.weapon, JAMMING), 0), SIDES)


def jam_chance(state: EmpireState, unit: EmpireUnit, chosen: int, left: int) -> Fraction:
    """The chance of a jam."""
    if unit.weapon not in MACHINE_GUNS:
        return Fraction(0)
    return Fraction(jams_on(state, unit, chosen, left), SIDES)


def choice_words(dice: int, chance: Fraction, guns: int = 1) -> str:
    """`3 dice: jams 33.3%`; of several guns `3 dice each: …`."""
    words = f"{dice_words(dice)}{' each' if guns > 1 else ''}"
    return f"{words}: jams {likely(chance)}" if chance else f"{words}: cannot jam"


def question(guns: int) -> str:
    """What its owner is asked, whose choice is of the dice of each gun."""
    return "with how many dice each?" if guns > 1 else "with how many dice?"


def jam_step(state: EmpireState, unit: EmpireUnit, volley: Volley) -> Step:
    """The chance of a jam, before anything is thrown."""
    chance = jam_chance(state, unit, volley.chosen_each, volley.left_each)
    if not chance:
        return Step(text=f"{unit.name} cannot jam on {dice_words(volley.chosen_each)}", cite=_cite(volley))
    return Step(
        text=f"Jamming: a D6 below {_compared(state, volley)}",
        cite=_cite(volley),
        modifiers=steadiness(unit),
        chance=chance,
        hope="to jam",
    )


def throw_for_jam(state: EmpireState, unit: EmpireUnit, volley: Volley, dice: Dice) -> tuple[bool, Step]:
    """Whether the burst jams the gun; no die is thrown where none can."""
    jams_to = jams_on(state, unit, volley.chosen_each, volley.left_each)
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
        chance=jam_chance(state, unit, volley.chosen_each, volley.left_each),
        hope="to jam",
    )


def _compared(state: EmpireState, volley: Volley) -> str:
    if state.options.jam_by_dice_chosen:
        chosen = dice_words(volley.chosen_each)
        return f"{chosen} chosen" if volley.dice < volley.chosen else chosen
    return dice_words(volley.left_each)


def _cite(volley: Volley) -> Cite:
    """By ruling where dice were taken away, or where several guns have one roll for them all."""
    return CHOSEN if volley.dice < volley.chosen or volley.guns > 1 else JAM
