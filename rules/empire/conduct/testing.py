"""Conduct tests: before moving, to rally, and again after the enemy gave way (BE-6)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from typing_extensions import override

from rules.core.action_type import ActionType, Caption, Chance
from rules.core.ad_hoc import OURS, THEIRS
from rules.core.odds import Odds, combine_outcomes
from rules.core.parsing import load_circumstance_effects
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.report import Prompt, Step
from rules.core.state import Action
from rules.core.throws import ScoreThrow
from rules.core.typed_text import normalize_text
from rules.core.wording import inches
from rules.empire.model import Contact, EmpireState, EmpireUnit
from rules.empire.options import Theatre
from rules.empire.phases import Phase, phase_title
from rules.empire.shared import apply_troop_words, find_fighter, make_fighter, make_question_state, require_may_act

from . import charts
from .fate import CONDUCT, ConductEffects, apply_conduct_effects, find_conduct_effects, is_in_melee

SIDES = 6
TESTING, RALLYING = "conduct", "rally"
WHEN = (Phase.UNITS, Phase.EXPLOITATION)
THEATRES = {"zulu war": Theatre.ZULU_WAR, "sudan": Theatre.SUDAN, "north west frontier": Theatre.FRONTIER}
"""Theatres by their words in questions; without a word the general charts are read."""
MEANINGS = load_circumstance_effects("rules.empire", "conduct_circumstances.toml")["conduct"]
ASSUMED_FOES = {
    "mounted opponent": ("british-cavalry", "the mounted enemy"),
    "massed opponent": ("zulus", "the massed enemy"),
    "in melee": ("british-regulars", "the enemy"),
}
"""Opponents assumed for a circumstance in a question: the troops, and their name."""
TABLE_WORDS = ("skirmishing", "in company square", *THEATRES)
"""Circumstances that describe the table of a question rather than the action."""


class ConductTest(Action):
    """Test of conduct before moving; in phase 4a again for units whose opponent gave way."""

    kind = "conduct"
    circumstance_names = charts.CLAIM_WORDS


class Rally(ConductTest):
    """Test of a shaken unit's conduct."""


class ConductPlan(NamedTuple):
    """A unit's conduct test: claims, chart column and D6. The test is passed if the unit rallies or may move."""

    unit: str
    claims: tuple[str, ...]
    conduct_column: charts.ConductColumn
    test: ScoreThrow

    def effects_of_score(self, state: EmpireState, score: int) -> ConductEffects:
        """Return the effects of a score on the unit."""
        return find_conduct_effects(state, state.unit(self.unit), self.conduct_column.read(score), self.claims)

    def steps(self, **fields: Any) -> Iterable[Step]:
        """Yield the test's modifiers, then each result with its chance. The throw's `fields` mark the thrown result."""
        chart, column, cite = self.conduct_column.conduct_chart, self.conduct_column.column, self.conduct_column.cite
        result = self.conduct_column.read(int(fields["score"])).words if fields else ""
        if fields:
            yield Step(cite=cite, modifiers=self.test.modifiers, chance=self.test.chance, **fields)
        yield Step(text=f"{chart.title}, {column}", cite=cite, modifiers=() if fields else self.test.modifiers)
        yield from chart.result_steps(column, self.test.distribution, cite, result)


class ConductType(ActionType[EmpireState, ConductTest, ConductPlan]):
    """Action type of conduct tests: a D6 with modifiers, read on the unit's column of a conduct chart (BE-6)."""

    action: type[ConductTest]
    question_fields = ("troop", "state")
    question_circumstances = (*charts.CLAIM_WORDS, *TABLE_WORDS)
    measured_circumstances = charts.DISTANCE_WORDS

    def __init__(self, action: type[ConductTest], state: str) -> None:
        """Create the action type for units whose condition is `state`: steady or shaken."""
        self.action, self._state = action, state
        self.question_defaults = {"state": state}

    def umpire_circumstances(self, state: EmpireState, action: ConductTest) -> Iterable[str]:
        """Return the claims that only the umpire may make, because the state decides them."""
        unit = state.units.get(action.unit or "")
        return () if unit is None else charts.claims_decided_by_state(state, unit)

    def circumstances_to_ask(self, state: EmpireState, action: ConductTest) -> tuple[str, ...]:
        """Return the circumstances about nearby units, without circumstances that would change nothing."""
        unit = state.units.get(action.unit or "")
        redundant = () if unit is None else charts.redundant_claims(state, unit)
        return tuple(word for word in super().circumstances_to_ask(state, action) if word not in redundant)

    @override
    def suggest_for_unit(self, state: EmpireState, unit: str) -> Iterable[ConductTest]:
        """Yield the unit's test if the phase has tests, and the unit is steady or shaken as this type requires."""
        candidate = state.units[unit]
        fights = candidate.on_table and not candidate.is_piece
        if state.current_phase in WHEN and fights and candidate.shaken is (self._state == charts.SHAKEN):
            yield self.action(unit=unit)

    def plan(self, state: EmpireState, action: ConductTest) -> ConductPlan:
        """Return the plan. Raises Refused if the unit has no test to throw now."""
        unit, circumstances = find_fighter(state, action.unit), action.circumstances
        require_may_act(state, unit, *WHEN)
        _require_may_test(state, unit, action)
        test = ScoreThrow(1, SIDES, 0, charts.find_conduct_modifiers(state, unit, circumstances))
        plan = ConductPlan(unit.id, circumstances, charts.find_conduct_column(state, unit), test)
        good = (score for score, _ in test.distribution if plan.effects_of_score(state, score).is_good)
        return plan._replace(test=replace(test, needed=min(good, default=test.distribution[-1][0] + 1)))

    def caption(self, state: EmpireState, plan: ConductPlan) -> Caption:
        """Return a button text: `Rally: Zulu impi, 50.0%`, or `Conduct: Zulu impi, 83.3% to move`."""
        unit, chance = state.unit(plan.unit), plan.test.chance
        if unit.shaken:
            return Caption(f"Rally: {unit.name}", Chance(chance), ", ")
        return Caption(f"Conduct: {unit.name}", Chance(chance, "to move"), ", ")

    def odds(self, state: EmpireState, plan: ConductPlan) -> Odds:
        """Return the exact chances of all results."""
        unit = state.unit(plan.unit)
        ends = {score: plan.effects_of_score(state, score) for score, _ in plan.test.distribution}
        return Odds(
            question=f"{unit.name}: {'to rally' if unit.shaken else 'conduct'}",
            steps=tuple(plan.steps()),
            outcomes=combine_outcomes(plan.test.distribution, lambda score: (ends[score].label, ends[score].is_good)),
            distribution=plan.test.distribution,
            score_label="score",
            pass_from=plan.test.needed if unit.shaken and plan.test.chance else None,
        )

    def resolve(self, play: Play[EmpireState], plan: ConductPlan) -> None:
        """Throw the D6 and apply the chart's result."""
        unit = play.state.unit(plan.unit)
        about = (unit.id, *(foe.id for foe in play.state.opponents(unit.id)))
        throw = play.throw(1, SIDES, f"{unit.name}: conduct", side=unit.side)
        score = plan.test.score(throw)
        effects = plan.effects_of_score(play.state, score)
        text, hope = (RALLYING, "to rally") if unit.shaken else (TESTING, "to move")
        fields = {"throws": (throw,), "start": Fraction(throw.total), "score": Fraction(score)}
        headline_fields = {"verdict": effects.label, "text_in_headline": True, "verdict_in_headline": True}
        play.say(*plan.steps(text=f"{unit.name}, {text}", hope=hope, **fields, **headline_fields))
        apply_conduct_effects(play, effects, score)
        headline = f"{unit:score} {score} {'to rally' if unit.shaken else 'for conduct'}: {effects.label}."
        play.tell(headline=headline, side=unit.side, outcome=effects.sentences, units=about)

    def set_up_question(self, options: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, ConductTest]:
        """Return the state and the test that the question's words describe. Raises Refused for unknown words."""
        condition = normalize_text(str(options["state"]))
        if condition not in (charts.STEADY, charts.SHAKEN):
            raise Refused(f"state: “{condition[:20]}” is neither {charts.STEADY} nor {charts.SHAKEN}. Say one of them.")
        troop = make_fighter(str(options["troop"]), "unit", OURS, shaken=condition == charts.SHAKEN)
        unit = apply_troop_words(troop, words, MEANINGS, CONDUCT)
        opponents = {word: ASSUMED_FOES[word] for word in ASSUMED_FOES if word in words}
        foes = (
            make_fighter(troops, word, THEIRS).model_copy(update={"name": name})
            for word, (troops, name) in opponents.items()
        )
        theatre = next((THEATRES[word] for word in words if word in THEATRES), Theatre.ALL_TYPES)
        contacts = tuple(Contact(attacker=foe, defender="unit") for foe in opponents)
        state = make_question_state(Phase.UNITS, unit, *foes, theatre=theatre, contacts=contacts)
        circumstances = tuple(word for word in words if word not in TABLE_WORDS)
        return state, self.action(unit="unit", circumstances=circumstances)


def _require_may_test(state: EmpireState, unit: EmpireUnit, action: ConductTest) -> None:
    """Raise Refused unless the unit may test in this phase: once, and again in phase 4a (ruling)."""
    turn, second = unit.this_turn, state.current_phase is Phase.EXPLOITATION
    when, melee = phase_title(Phase.EXPLOITATION), is_in_melee(state, unit, action.circumstances)
    steady, next_turn = not unit.shaken, f"{unit:They test} next turn"
    instead = f"{unit:They move} without a test." if unit.is_crew else f"Test {unit:their} conduct instead: /conduct."
    remainder = f"{unit:They are} done for this phase."
    if (turn.allowed or 0) > turn.spent:
        remainder = f"{unit:They may} still make the move {unit:they have}."
    refuse(
        CONDUCT,
        (steady and isinstance(action, Rally), f"{unit:are} steady and need not rally. {instead}"),
        (turn.tested and not second, f"{unit:have} tested {unit:their} conduct this turn: {turn.result}. {remainder}"),
    )
    none = f"none of {unit:their} opponents recoiled or was destroyed in movement"
    if second:
        refuse(
            CONDUCT.as_ruling,
            (not turn.opponent_gave_way, f"{unit:do} not test in {when}: {none}. {next_turn}."),
            (unit.is_crew, f"{unit:make} no exploitation move: only foot and mounted do. {next_turn}."),
            (turn.exploited, f"{unit:have} tested once more already in {when}. {next_turn}."),
            (melee, f"{unit:are} still in contact: {unit:they fight} on, without an exploitation move."),
        )
    move = f"guns and machine guns move without a test, up to {inches(charts.crew_move_inches(unit))}"
    fights = f"{unit:they fight} on, and {unit.verb('do')} not test to move"
    refuse(CONDUCT, (steady and unit.is_crew, f"{unit:are} steady: {move}. Use /move."))
    refuse(CONDUCT.as_ruling, (steady and melee, f"{unit:are} steady and in contact: {fights}."))


TEST_CONDUCT, RALLY = ConductType(ConductTest, charts.STEADY), ConductType(Rally, charts.SHAKEN)


def choose_test_type(unit: EmpireUnit) -> ConductType:
    """Return the type of the unit's test: a rally if the unit is shaken, otherwise a conduct test."""
    return RALLY if unit.shaken else TEST_CONDUCT


def conduct_test_prompt(state: EmpireState, unit: EmpireUnit) -> Prompt:
    """Return the unit's test prompt: required if the unit is shaken in phase 4B, otherwise optional."""
    kind, second = choose_test_type(unit), state.current_phase is Phase.EXPLOITATION
    key = f"conduct:{unit.id}:{state.turn}:{state.phase}"
    text, cite = f"{unit.name} may test {unit:their} conduct, to move", CONDUCT
    if second:
        text, cite = f"{unit.name} may test once more: {unit:their} opponent gave way", CONDUCT.as_ruling
    elif unit.shaken:
        text = f"{unit:are} shaken and must test"
    return kind.prompt(state, [kind.action(unit=unit.id)], key, text, cite, required=must_test(state, unit))


def prompts(state: EmpireState, *, required_only: bool = False) -> Iterable[Prompt]:
    """Yield prompts for possible tests, those of shaken units first. With `required_only`, leave optional tests out."""
    testing = state.fighters(state.active) if state.current_phase in WHEN else ()
    units = sorted(testing, key=lambda unit: not unit.shaken)
    candidates = (conduct_test_prompt(state, unit) for unit in units if not required_only or must_test(state, unit))
    return (prompt for prompt in candidates if prompt.offers)


def must_test(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether the unit must test before the phase ends, because it is shaken in phase 4B."""
    return unit.shaken and state.current_phase is not Phase.EXPLOITATION
