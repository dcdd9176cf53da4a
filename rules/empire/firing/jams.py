"""Machine guns jam by a D6 after each burst; one attempt a turn clears them, instead of firing (BE-4)."""

from collections.abc import Iterable
from fractions import Fraction

from rules.core.model import Cite
from rules.core.play import Play
from rules.core.refused import refuse
from rules.core.report import Modifier
from rules.core.state import Action
from rules.core.throws import Against, Spread
from rules.core.trial import Trial, TrialType
from rules.core.wording import counted, likely
from rules.empire.model import MACHINE_GUNS, EmpireState, EmpireUnit, Weapon
from rules.empire.orders import find_fighter, in_phase
from rules.empire.phases import Phase
from rules.empire.tables import adjustment, cite, row, value

from .firepower import SIDES, dice_words

JAM = Cite(rule="BE-4")
SCORES, JAMMING = "machine-gun-scores", "on jamming and clearing"
CHART, NEEDED = "clearing-a-jam", "cleared on a D6 of"


def jam(state: EmpireState, unit: EmpireUnit, chosen: int, guns: int, left: int) -> Trial | None:
    """The D6 against jamming for a burst of `chosen` dice of each of the guns, of which `left` are thrown in all.

    Below the dice of one gun it jams: those chosen, or those left after BE-4.2 (option jam_by_dice_chosen). By ruling
    where dice were taken away, or where several guns have one for them all. None of other weapons.
    """
    if unit.weapon not in MACHINE_GUNS:
        return None
    fewer, of_each = left < chosen * guns, -(-left // guns)
    by_chosen = state.options.jam_by_dice_chosen
    dice = chosen if by_chosen else of_each
    test = Against(1, SIDES, dice, _steadiness(unit))
    return Trial(
        unit=unit.id,
        text=f"{unit.name}, jamming" if test.chance < 1 else f"{unit.name} cannot jam on {dice_words(chosen)}",
        cite=JAM.ruled if fewer or guns > 1 else JAM,
        test=test,
        hope="not to jam",
        passed="no jam",
        failed=f"{unit:they jam}",
        against=f"against {dice_words(dice)}{' chosen' if by_chosen and fewer else ''}",
    )


def counting(state: EmpireState, spread: Spread, trial: Trial | None) -> Spread:
    """The chance of each number of hits where those of a burst that jams count or not (option jammed_hits_count)."""
    if trial is None or trial.test.chance == 1 or state.options.jammed_hits_count:
        return spread
    kept = trial.test.chance
    found = {0: 1 - kept}
    for number, share in spread:
        found[number] = found.get(number, Fraction(0)) + share * kept
    return tuple(sorted(found.items()))


def choice_words(dice: int, guns: int, trial: Trial) -> str:
    """`3 dice: 33.3% to jam`; of several guns `3 dice each: …`."""
    words, chance = f"{dice_words(dice)}{' each' if guns > 1 else ''}", 1 - trial.test.chance
    return f"{words}: {likely(chance)} to jam" if chance else f"{words}: cannot jam"


def _steadiness(unit: EmpireUnit) -> tuple[Modifier, ...]:
    """What a Maxim adds to the rolls for jamming and clearing."""
    added, by = value(SCORES, unit.weapon, JAMMING), row(SCORES, unit.weapon).cite
    return (Modifier(value=Fraction(added), reason=Weapon(unit.weapon).value, cite=by),) if added else ()


class Clear(Action):
    """An attempt to clear the jam of `unit`."""


class ClearType(TrialType[EmpireState, Clear, Clear]):
    """One attempt at a D6 a turn; each after the first is easier or harder by the chart (BE-4)."""

    action = Clear
    says = "Clear {}"

    def thinkable(self, state: EmpireState) -> Iterable[Clear]:
        """Every jammed gun."""
        return (Clear(unit=gun.id) for gun in state.fighters() if gun.jammed)

    def plan(self, state: EmpireState, action: Clear, *, supposing: bool = False) -> Clear:
        """The attempt, where it may be made now. Raises Refused."""
        unit = find_fighter(state, action.unit)
        refuse(JAM, (not unit.jammed, f"{unit:are} not jammed."))
        if not supposing:
            in_phase(state, unit, Phase.RIFLES)
            why = f"{unit:have} fired this turn, or tried to clear the jam: one attempt a turn. Try again next turn."
            refuse(JAM.ruled, (unit.this_turn.shot, why))
        return action

    def trial(self, state: EmpireState, plan: Clear) -> Trial:
        """A D6, with what is added for attempts made before, and to a Maxim."""
        unit = state.unit(plan.unit or "")
        reason = f"after {counted(unit.clearing, 'attempt')}"
        further = adjustment(CHART, "each attempt after the first", reason, unit.clearing)
        modifiers = (*((further,) if unit.clearing else ()), *_steadiness(unit))
        return Trial(
            unit=unit.id,
            text=f"{unit.name}, clearing the jam",
            cite=cite(CHART, NEEDED),
            test=Against(1, SIDES, value(CHART, NEEDED), modifiers),
            hope="to clear",
            passed="cleared",
            failed="still jammed",
            question=f"Is the jam of {unit.name} cleared?",
        )

    def resolve(self, play: Play[EmpireState], plan: Clear) -> None:
        """Throws the D6; cleared, the gun fires again from the next turn on."""
        unit = play.state.unit(plan.unit or "")
        cleared = self.trial(play.state, plan).throw(play)
        again = f"{unit:They fire} again from next turn on." if cleared else f"{unit:They may} try again next turn."
        play.change(unit.id, jammed=not cleared, clearing=0 if cleared else unit.clearing + 1)
        play.remember(unit.id, shot=True)
        headline = f"{unit:are} {'cleared' if cleared else 'still jammed'}."
        play.tell(headline=headline, side=unit.side, outcome=again, units=(unit.id,))


CLEAR = ClearType()
