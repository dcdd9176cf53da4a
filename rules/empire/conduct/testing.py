"""Testing conduct: before a unit moves, to rally the shaken, and once more where the enemy gave way (BE-6)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.play import Play
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.throws import Against
from rules.core.wording import inches, percent
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.orders import find_fighter, in_phase
from rules.empire.phases import Phase, title

from . import question
from .fate import Fate, befall, fate, told
from .instant import MELEE_SAID, in_melee
from .modifiers import SAID, modifiers, not_so
from .readers import Reader, reader_of
from .results import Result, gun_move, read, readings

CONDUCT = Cite(rule="BE-6")
RULED = Cite(rule="BE-6", mark=Mark.RULING)
SIDES = 6


class ConductTest(Action):
    """The conduct of a unit before it moves; of one whose opponent gave way once more in 4a."""

    kind: ClassVar[str] = "conduct"
    circumstance_names: ClassVar[tuple[str, ...]] = (*SAID, *MELEE_SAID)


class Rally(Action):
    """The conduct of a shaken unit."""

    kind: ClassVar[str] = "rally"
    circumstance_names: ClassVar[tuple[str, ...]] = (*SAID, *MELEE_SAID)


Testing = ConductTest | Rally


@dataclass(frozen=True)
class ConductPlan:
    """The unit, the column of the chart that it reads, its D6, and what is said of the moment.

    The D6 passes from the least score with which the shaken rally, and the steady have a move.
    """

    unit: str
    reader: Reader
    test: Against
    said: tuple[str, ...]


class ConductType(ActionType[EmpireState, Testing, ConductPlan]):
    """A D6 with its modifiers, read on the unit's column of a conduct chart (BE-6)."""

    action: type[Testing] = ConductTest
    needs = question.NEEDS
    needs_words = (*ConductTest.circumstance_names, *question.WORDS)
    of_shaken = False
    """Whether it is offered to the shaken, or to the others."""

    def umpires_words(self, state: EmpireState, action: Testing) -> Iterable[str]:
        """What is not so, as far as the state knows."""
        unit = state.units.get(action.unit or "")
        return () if unit is None else not_so(state, unit)

    def candidates(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[Testing]:
        """Every steady unit of the side, or every shaken one."""
        if state.now not in (Phase.UNITS, Phase.EXPLOITATION):
            return
        for each in state.fighters():
            if each.shaken is self.of_shaken and viewer in (each.side, UMPIRE) and unit in (None, each.id):
                yield type(self).action(unit=each.id)

    def plan(self, state: EmpireState, action: Testing, *, supposing: bool = False) -> ConductPlan:  # noqa: ARG002
        """The D6. Raises Refused where the unit has nothing to test for, or not now."""
        unit, said = find_fighter(state, action.unit), action.circumstances
        in_phase(state, unit, Phase.UNITS, Phase.EXPLOITATION)
        _may_test(state, unit, action)
        reader = reader_of(state, unit)
        test = Against(1, SIDES, 0, modifiers(state, unit, said))
        good = (score for score, _ in test.spread if fate(state, unit, read(reader, score), said).good)
        return ConductPlan(unit.id, reader, replace(test, needed=min(good, default=test.spread[-1][0] + 1)), said)

    def label(self, state: EmpireState, plan: ConductPlan) -> str:
        """`Rally: Zulu impi, 50.0%`; of the steady `Conduct: Zulu impi, 83.3% to move`."""
        unit, chance = state.unit(plan.unit), percent(plan.test.chance)
        return f"Rally: {unit.name}, {chance}" if unit.shaken else f"Conduct: {unit.name}, {chance} to move"

    def odds(self, state: EmpireState, plan: ConductPlan) -> Odds:
        """The exact chances of every end."""
        unit, spread = state.unit(plan.unit), plan.test.spread
        chances: dict[str, Outcome] = {}
        for score, chance in spread:
            met = fate(state, unit, read(plan.reader, score), plan.said)
            before = chances[met.label].chance if met.label in chances else 0
            chances[met.label] = Outcome(label=met.label, chance=before + chance, good=met.good)
        return Odds(
            question=f"{unit.name}: {'to rally' if unit.shaken else 'conduct'}",
            steps=(_sum(plan), *_results(plan)),
            outcomes=tuple(chances.values()),
            spread=spread,
            spread_of="score",
            pass_from=plan.test.needed if unit.shaken and plan.test.chance else None,
        )

    def resolve(self, play: Play[EmpireState], plan: ConductPlan) -> None:
        """Throws it, and does what the chart says."""
        unit = play.state.unit(plan.unit)
        about = (unit.id, *(foe.id for foe in play.state.opponents(unit.id)))
        throw = play.throw(1, SIDES, f"{unit.name}: conduct", side=unit.side)
        score = plan.test.score(throw)
        result = read(plan.reader, score)
        met = fate(play.state, unit, result, plan.said)
        thrown = {"throws": (throw,), "start": Fraction(throw.total), "score": Fraction(score)}
        play.say(_sum(plan).model_copy(update=thrown), *_results(plan, result))
        befall(play, met, score)
        play.tell(headline=_headline(met, score), side=unit.side, outcome=told(met), units=about)

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Testing]:
        """Troops on a table that is as the words say; steady unless they are said to be shaken."""
        state, said = question.table(ConductTest.kind, given, words, shaken=question.is_shaken(given))
        return state, ConductTest(unit=question.UNIT, circumstances=said)


class RallyType(ConductType):
    """The same of a shaken unit."""

    action = Rally
    of_shaken = True

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Testing]:
        """The same of troops that are shaken."""
        question.must_be_shaken(given)
        state, said = question.table(Rally.kind, given, words, shaken=True)
        return state, Rally(unit=question.UNIT, circumstances=said)


def _sum(plan: ConductPlan) -> Step:
    """The sum before it is thrown."""
    title_ = f"{plan.reader.table.title}, {plan.reader.column}"
    return Step(text=title_, cite=plan.reader.cite, modifiers=plan.test.modifiers)


def _results(plan: ConductPlan, found: Result | None = None) -> Iterable[Step]:
    """A line for each distinct result with its chance; the one that was read is marked."""
    for each in readings(plan.reader, plan.test.spread):
        text = f"Score {each.scores}: {each.result.words}"
        verdict = "this is read" if each.result == found else ""
        yield Step(text=text, cite=plan.reader.cite, chance=each.chance, verdict=verdict)


def _headline(met: Fate, score: int) -> str:
    return f"{met.unit.name}: {'rally' if met.unit.shaken else 'conduct'} {score}, {met.label}."


def _may_test(state: EmpireState, unit: EmpireUnit, action: Testing) -> None:
    """Whether the unit has anything to test for in this phase. Raises Refused."""
    if isinstance(action, Rally) and not unit.shaken:
        instead = "It moves without a test." if unit.is_crew else "Test its conduct instead: /conduct."
        raise Refused(f"{unit.name} is steady and need not rally. {instead}", CONDUCT)
    if state.now is Phase.EXPLOITATION:
        _may_test_again(state, unit, action.circumstances)
    elif unit.this_turn.tested:
        may = unit.this_turn.allowed or 0
        then = "It may still make the move it has." if may > unit.this_turn.spent else "It is done for this phase."
        raise Refused(f"{unit.name} has tested its conduct this turn: {unit.this_turn.result}. {then}", CONDUCT)
    if unit.shaken:
        return
    if unit.is_crew:
        move = f"up to {inches(gun_move(unit))}"
        raise Refused(f"{unit.name} is steady: guns and machine guns move without a test, {move}. Use /move.", CONDUCT)
    if in_melee(state, unit, action.circumstances):
        raise Refused(f"{unit.name} is steady and in contact: it fights on, and does not test to move.", RULED)


def _may_test_again(state: EmpireState, unit: EmpireUnit, said: Iterable[str]) -> None:
    """Once more in 4a, if its opponent recoiled or was destroyed and it is free of others. Raises Refused (ruling)."""
    when = title(Phase.EXPLOITATION)
    if not unit.this_turn.opponent_gave_way:
        why = "none of its opponents recoiled or was destroyed in movement. It tests next turn"
        raise Refused(f"{unit.name} does not test in {when}: {why}.", RULED)
    if unit.is_crew:
        raise Refused(f"{unit.name} makes no exploitation move: only foot and mounted do. It tests next turn.", RULED)
    if unit.this_turn.exploited:
        raise Refused(f"{unit.name} has tested once more already in {when}. It tests next turn.", RULED)
    if in_melee(state, unit, said):
        raise Refused(f"{unit.name} is still in contact, and fights on: it makes no exploitation move.", RULED)


TEST_CONDUCT, RALLY = ConductType(), RallyType()


def test_of(unit: EmpireUnit) -> ConductType:
    """The kind of test it throws: the shaken to rally."""
    return RALLY if unit.shaken else TEST_CONDUCT
