"""Testing conduct: before a unit moves, to rally the shaken, and once more where the enemy gave way (BE-6)."""

from collections.abc import Iterable
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import inches
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.orders import find_fighter, in_phase
from rules.empire.phases import Phase, title

from .fate import Fate, befall, fate, told
from .guns import gun_move
from .instant import MELEE_SAID, in_melee
from .modifiers import SAID
from .trial import Trial, trial

CONDUCT = Cite(rule="BE-6")
RULED = Cite(rule="BE-6", mark=Mark.RULING)


class ConductTest(Action):
    """The conduct of a unit before it moves; of one whose opponent gave way once more in 4a."""

    kind: ClassVar[str] = "conduct"
    circumstance_names: ClassVar[tuple[str, ...]] = (*SAID, *MELEE_SAID)


class Rally(Action):
    """The conduct of a shaken unit."""

    kind: ClassVar[str] = "rally"
    circumstance_names: ClassVar[tuple[str, ...]] = (*SAID, *MELEE_SAID)


Testing = ConductTest | Rally


def take(state: EmpireState, action: Testing, dice: Dice) -> tuple[EmpireState, Report]:
    """Throws it, and does what the chart says. Raises Refused before."""
    asked = _asked(state, action)
    unit = asked.unit
    score, result, steps = asked.throw(dice)
    met = fate(state, unit, result, action.circumstances)
    after, more = befall(state, met, score)
    report = Report(
        headline=f"{unit.name}: {'rally' if unit.shaken else 'conduct'} {score}, {met.label}.",
        side=unit.side,
        steps=(*steps, *more),
        outcome=told(met),
        units=(unit.id, *(foe.id for foe in state.opponents(unit.id))),
    )
    return after, report


def odds(state: EmpireState, action: Testing) -> Odds:
    """The exact chances of every end. Raises Refused as `take`."""
    asked = _asked(state, action)
    chances: dict[str, Outcome] = {}
    for score, chance in asked.spread:
        met = fate(state, asked.unit, asked.result(score), action.circumstances)
        before = chances[met.label].chance if met.label in chances else 0
        chances[met.label] = Outcome(label=met.label, chance=before + chance, good=_is_good(met))
    rallying = [score for score, _ in asked.spread if asked.result(score).moves] if asked.unit.shaken else []
    return Odds(
        question=f"{asked.unit.name}: {'to rally' if asked.unit.shaken else 'conduct'}",
        steps=(asked.step, *asked.steps()),
        outcomes=tuple(chances.values()),
        spread=asked.spread,
        spread_of="score",
        pass_from=min(rallying, default=None),
    )


def _is_good(met: Fate) -> bool:
    return met.result.moves if met.unit.shaken else met.inches > 0


def may_exploit(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether in 4a it tests once more: its opponent gave way, and it touches no other (BE-6, ruling)."""
    return (
        unit.this_turn.opponent_gave_way and _why_not_again(state, unit) is None and _why_no_test(state, unit) is None
    )


def _asked(state: EmpireState, action: Testing) -> Trial:
    """The roll asked for. Raises Refused when it may not be thrown now."""
    unit = find_fighter(state, action.unit)
    in_phase(state, unit, Phase.UNITS, Phase.EXPLOITATION)
    if isinstance(action, Rally) and not unit.shaken:
        instead = "It moves without a test." if unit.is_crew else "Test its conduct instead: /conduct."
        raise Refused(f"{unit.name} is steady and need not rally. {instead}", CONDUCT)
    again = state.now is Phase.EXPLOITATION
    refusal = _why_not_again(state, unit, action.circumstances) if again else _why_not_now(unit)
    refusal = refusal or _why_no_test(state, unit, action.circumstances)
    if refusal is not None:
        raise refusal
    return trial(state, unit, action.circumstances)


def _why_not_now(unit: EmpireUnit) -> Refused | None:
    """A unit tests once in 4B."""
    if not unit.this_turn.tested:
        return None
    may = unit.this_turn.allowed or 0
    then = "It may still make the move it has." if may > unit.this_turn.spent else "It is done for this phase."
    return Refused(f"{unit.name} has tested its conduct this turn: {unit.this_turn.result}. {then}", CONDUCT)


def _why_not_again(state: EmpireState, unit: EmpireUnit, said: Iterable[str] = ()) -> Refused | None:
    """Once more in 4a, if its opponent recoiled or was destroyed and it is free of others (BE-6, ruling)."""
    when = title(Phase.EXPLOITATION)
    if not unit.this_turn.opponent_gave_way:
        why = "none of its opponents recoiled or was destroyed in movement. It tests next turn"
        return Refused(f"{unit.name} does not test in {when}: {why}.", RULED)
    if unit.is_crew:
        return Refused(f"{unit.name} makes no exploitation move: only foot and mounted do. It tests next turn.", RULED)
    if unit.this_turn.exploited:
        return Refused(f"{unit.name} has tested once more already in {when}. It tests next turn.", RULED)
    if in_melee(state, unit, said):
        return Refused(f"{unit.name} is still in contact, and fights on: it makes no exploitation move.", RULED)
    return None


def _why_no_test(state: EmpireState, unit: EmpireUnit, said: Iterable[str] = ()) -> Refused | None:
    """Steady crews have no chart, and a steady unit in contact nothing to test for."""
    if unit.shaken:
        return None
    if unit.is_crew:
        move = f"up to {inches(gun_move(unit))}"
        return Refused(f"{unit.name} is steady: guns and machine guns move without a test, {move}. Use /move.", CONDUCT)
    if in_melee(state, unit, said):
        return Refused(f"{unit.name} is steady and in contact: it fights on, and does not test to move.", RULED)
    return None


def testable(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether its test would be thrown if it were asked for now."""
    if unit.is_piece or not unit.on_table or unit.side not in state.acting or state.over is not None:
        return False
    if state.now is Phase.EXPLOITATION:
        return may_exploit(state, unit)
    return state.now is Phase.UNITS and _why_not_now(unit) is None and _why_no_test(state, unit) is None


def legal_tests(state: EmpireState, side: Viewer) -> Iterable[ConductTest]:
    """Of every steady unit that may test."""
    for unit in state.fighters():
        if side in (unit.side, UMPIRE) and not unit.shaken and testable(state, unit):
            yield ConductTest(unit=unit.id)


def legal_rallies(state: EmpireState, side: Viewer) -> Iterable[Rally]:
    """Of every shaken unit that may test."""
    for unit in state.fighters():
        if side in (unit.side, UMPIRE) and unit.shaken and testable(state, unit):
            yield Rally(unit=unit.id)


DEEDS: tuple[Deed[EmpireState], ...] = (
    Deed(ConductTest, take, odds, legal_tests),
    Deed(Rally, take, odds, legal_rallies),
)
