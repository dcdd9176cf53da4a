"""Machine guns: the choice of dice, and the D6 that jams them (BE-4)."""

from dataclasses import dataclass
from fractions import Fraction

from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Modifier, Step
from rules.core.ruleset import Refused
from rules.core.wording import likely
from rules.empire.model import MACHINE_GUNS, EmpireState, EmpireUnit, Weapon
from rules.empire.tables import TABLES, row, value

from .scores import SIDES, dice_words

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
    if unit.weapon not in MACHINE_GUNS:
        return 0
    thrown = chosen if state.options.jam_by_dice_chosen else left
    return min(max(thrown - 1 - value(SCORES, unit.weapon, JAMMING), 0), SIDES)


def choice_words(dice: int, chance: Fraction, guns: int = 1) -> str:
    """`3 dice: jams 33.3%`; of several guns `3 dice each: …`."""
    words = f"{dice_words(dice)}{' each' if guns > 1 else ''}"
    return f"{words}: jams {likely(chance)}" if chance else f"{words}: cannot jam"


def question(guns: int) -> str:
    """What its owner is asked, whose choice is of the dice of each gun."""
    return "with how many dice each?" if guns > 1 else "with how many dice?"


@dataclass(frozen=True)
class Jam:
    """The D6 for a burst of `chosen` dice of each of the guns, of which `left` are thrown in all."""

    unit: str
    jams_to: int
    compared: str
    chosen: int
    modifiers: tuple[Modifier, ...]
    cite: Cite

    @property
    def step(self) -> Step:
        """The chance of a jam, before anything is thrown."""
        if not self.jams_to:
            return Step(text=f"{self.unit} cannot jam on {dice_words(self.chosen)}", cite=self.cite)
        return Step(
            text=f"Jamming: a D6 below {self.compared}",
            cite=self.cite,
            modifiers=self.modifiers,
            chance=Fraction(self.jams_to, SIDES),
            hope="to jam",
        )

    def throw(self, play: Play[EmpireState], side: str) -> bool:
        """Whether the burst jams the gun; no die is thrown where none can."""
        if not self.jams_to:
            play.say(self.step)
            return False
        throw = play.throw(1, SIDES, f"{self.unit}, jamming", side=side)
        jams = throw.total <= self.jams_to
        total = Fraction(throw.total)
        thrown: dict[str, object] = {
            "text": "Jamming",
            "throws": (throw,),
            "start": total,
            "score": total + sum((each.value for each in self.modifiers), Fraction(0)),
            "needed": f"against {self.compared}",
            "verdict": f"{self.unit} jams" if jams else "no jam",
        }
        play.say(self.step.model_copy(update=thrown))
        return jams


def jam(state: EmpireState, unit: EmpireUnit, chosen: int, guns: int, left: int) -> Jam:
    """The D6 of a burst; by ruling where dice were taken away, or where several guns have one for them all."""
    left_each, fewer = -(-left // guns), left < chosen * guns
    compared = dice_words(left_each)
    if state.options.jam_by_dice_chosen:
        compared = f"{dice_words(chosen)}{' chosen' if fewer else ''}"
    cite = CHOSEN if fewer or guns > 1 else JAM
    return Jam(unit.name, jams_on(state, unit, chosen, left_each), compared, chosen, steadiness(unit), cite)
