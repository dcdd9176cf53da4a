"""Fire, melee and rally of a British formation, stack by stack, and answers to questions (TA-4, TA-5, TA-H)."""

from collections.abc import Mapping, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, unit_hex, units_at
from rules.core.model import Cite
from rules.core.play import Play
from rules.core.refusal import passes_check
from rules.tanga import questions
from rules.tanga.combat import fire as fires
from rules.tanga.combat import melee as melees
from rules.tanga.combat.losses import (
    apply_hits,
    collapse_broken_formations,
    describe_hits,
    eliminate_unit,
    record_rally,
    require_may_rally,
    throw_to_rally,
)
from rules.tanga.descriptions import short_name
from rules.tanga.field import board_of, can_fire_at, firing_unit, formation_units, opposing_side
from rules.tanga.model import BRITISH, GERMAN, Formation, TangaState, TangaUnit
from rules.tanga.priorities import Situation, TargetPurpose
from rules.tanga.progress import Decision, OpenQuestion, Question, QuestionKind, change_progress
from rules.tanga.questions import ask_for_table_result
from rules.tanga.ways import choose_hex, first_unit_hit

from . import marching
from .stacks import good_order_units, mark_acted, names_with_verb, sort_units, unit_ids
from .step_results import StepResult

HITS_BY_ANSWER = {questions.NONE: 0, questions.HIT: 1, questions.TWICE: 2}
LOSERS_BY_ANSWER: Mapping[str, Sequence[str]] = {
    questions.BRITISH_WIN: (GERMAN,),
    questions.GERMANS_WIN: (BRITISH,),
    questions.NEITHER: (),
    questions.BOTH: (GERMAN, BRITISH),
}
"""Sides that take a hit in a melee, by answer. If only one side takes a hit, that side has lost the melee."""


def choose_target(state: TangaState, units: Sequence[TangaUnit], *, melee: bool) -> Decision | None:
    """Return the decision for the German hex to fire at or attack, by the Target chart; None without a target."""
    own_hex, german_hexes, title = unit_hex(units[0]), hexes_of_side(state, GERMAN), board_of(state).title
    near = (
        german_hexes.intersection(own_hex.neighbours())
        if melee
        else (at for at in german_hexes if can_fire_at(state, own_hex, at, units))
    )
    hexes = sorted(at for at in near if firing_unit(units_at(state, at)))
    cite, doing = (Cite(rule="TA-5"), TargetPurpose.MELEE) if melee else (Cite(rule="TA-4"), TargetPurpose.FIRE)

    def explain_hex(hex_: Hex, row: str) -> str:
        return f"{first_unit_hit(state, hex_).name} in {title(hex_)}: {row}"

    situation = Situation(doing=doing)
    return choose_hex(state, units, Question.TARGET, hexes, cite, explain_hex, situation=situation) if hexes else None


def fire_with_next_stack(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Let the formation's next stack fire at the hex that the chart chooses, unless the volley's TCF is too low (TA-4).

    Return None once every stack has fired.
    """
    state = play.state
    stack = _next_stack(state, formation)
    if not stack:
        return None
    fresh = [unit for unit in stack if not unit.fired]
    decision = choose_target(state, fresh, melee=False) if fresh else None
    if decision is None:
        mark_acted(play, unit_ids(stack))
        return StepResult()
    decision = decision.overruled_by(forced)
    volley = fires.plan_fire(state, fresh, decision.chosen_hex)
    firers = (volley.shooter, *volley.support)
    if (hold_step := fires.explain_withheld_volley(state, volley)) is not None:
        mark_acted(play, unit_ids(firers))
        play.say(hold_step)
        return StepResult(decision)
    if ask_for_table_result(play, QuestionKind.FIRE_RESULT, volley.shooter, decision.chosen_hex):
        play.say(volley.factor.step)
        result = ""
    else:
        fires.fire_volley(play, volley)
        result = f" ({describe_hits(state, play.state, 'no hit')})"
    place = board_of(state).title(decision.chosen_hex)
    return StepResult(decision, f"{names_with_verb(state, firers, 'fire')} at {place}{result}")


def attack_with_next_stack(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Let the next stack attack the adjacent hex that the chart chooses, unless its factor is too low (TA-5, TA-H.7).

    Return None once every stack has had its turn.
    """
    state = play.state
    stack = _next_stack(state, formation)
    if not stack:
        return None
    mark_acted(play, unit_ids(stack))
    own_hex = unit_hex(stack[0])
    fought = any(unit.fought for unit in melees.fighting_units(units_at(state, own_hex)))
    decision = None if fought else choose_target(state, stack, melee=True)
    if decision is None:
        return StepResult()
    decision = decision.overruled_by(forced)
    target_hex = decision.chosen_hex
    if not melees.can_begin_melee(state, own_hex, BRITISH, target_hex):
        weak = melees.melee_factor(state, own_hex, BRITISH, target_hex).step
        verdict = f"under {melees.least_melee_factor(state, BRITISH)}, they begin no melee"
        play.say(weak.model_copy(update={"cite": melees.BEGINS_NONE, "verdict": verdict}))
        return StepResult(decision)
    result = ""
    if not ask_for_table_result(play, QuestionKind.MELEE_RESULT, stack[0], target_hex):
        melees.fight_melee(play, own_hex, target_hex)
        result = f" ({describe_hits(state, play.state, 'no hit')})"
    place = board_of(state).title(target_hex)
    return StepResult(decision, f"{names_with_verb(state, stack, 'attack')} {place}{result}")


def rally_next_unit(play: Play[TangaState], formation: Formation, _forced: Hex | None) -> StepResult | None:
    """Let the next disrupted unit in its RO hex try to rally (TA-H.8). Return None without such a unit."""
    state = play.state
    units = (unit for unit in formation_units(state, formation.id) if unit.id not in state.british.acted)
    able = (unit for unit in units if passes_check(require_may_rally, state, unit))
    unit = next(iter(sort_units(state, able)), None)
    if unit is None:
        return None
    mark_acted(play, (unit.id,))
    if ask_for_table_result(play, QuestionKind.RALLY_RESULT, unit, unit_hex(unit)):
        return StepResult()
    throw_to_rally(play, unit.id)
    return StepResult(clause=f"{short_name(state, unit)} rallies" if play.state.units[unit.id].is_in_good_order else "")


def _next_stack(state: TangaState, formation: Formation) -> Sequence[TangaUnit]:
    """Return the good-order combat units of the next hex in acting order."""
    waiting = good_order_units(state, formation.id, state.british.acted)
    return [unit for unit in waiting if unit.at == waiting[0].at]


def apply_answer(play: Play[TangaState], word: str) -> StepResult:
    """Apply an answer to the open question, and close the question."""
    question = play.state.british.asked
    assert question is not None
    change_progress(play, asked=None)
    if question.ask is QuestionKind.MELEE_RESULT:
        return _apply_melee_answer(play, question, word)
    if question.ask is not QuestionKind.RALLY_RESULT:
        return _apply_fire_answer(play, question, word)
    unit, rallied = play.state.units[question.unit], word == questions.RALLIES
    _report_answer(play, question, word, f"{unit.name} tries to rally")
    record_rally(play, unit.id, rallies=rallied)
    return StepResult(clause=f"{unit.name} rallies" if rallied else "")


def _apply_fire_answer(play: Play[TangaState], question: OpenQuestion, word: str) -> StepResult:
    """Apply an answer about fire: that Germans fire or hold fire, or the result of a volley from the player's box."""
    state, march, target = play.state, play.state.british.march, question.at
    assert target is not None
    shooter, entering = state.units[question.unit], tuple[str, ...]()
    friends = (unit for unit in units_at(state, unit_hex(shooter)) if unit.side == shooter.side)
    stack = tuple(unit for unit in friends if unit.id not in state.british.acted)
    if shooter.side == GERMAN and march is not None:
        stack, entering = fires.units_asked_about(state, march, question.unit), march.units
        if word == fires.HOLD:
            change_progress(play, offered=(*state.british.offered, *unit_ids(stack)))
            play.note(stack[0].name, question.cite, "holds fire", in_headline=True)
            return StepResult(clause=f"{stack[0].name} holds fire")
    volley = fires.plan_fire(state, stack, target, entering)
    if word == fires.FIRE:
        return marching.resolve_opportunity_fire(play, volley)
    result = _report_answer(play, question, word, f"{volley.shooter.name} fires at {board_of(state).title(target)}")
    fires.record_volley(play, volley, result)
    if word == questions.GONE:
        eliminate_unit(play, volley.aimed_at)
        collapse_broken_formations(play)
    else:
        apply_hits(play, target, volley.aimed_at.side, HITS_BY_ANSWER[word], entering)
    return StepResult()


def _apply_melee_answer(play: Play[TangaState], question: OpenQuestion, word: str) -> StepResult:
    """Apply a melee result: beaten sides take a hit. If one side is beaten, it retreats, and the other may advance."""
    attacker, target_hex, title = play.state.units[question.unit], question.at, board_of(play.state).title
    own_hex = unit_hex(attacker)
    assert target_hex is not None
    melees.record_melee(play, own_hex, target_hex)
    _report_answer(play, question, word, f"Melee of {title(own_hex)} against {title(target_hex)}")
    hexes, beaten = {attacker.side: own_hex, opposing_side(attacker.side): target_hex}, LOSERS_BY_ANSWER[word]
    for side in beaten:
        apply_hits(play, hexes[side], side, 1)
    if len(beaten) == 1:
        melees.retreat_and_advance(play, hexes[beaten[0]], hexes[opposing_side(beaten[0])])
    return StepResult()


def _report_answer(play: Play[TangaState], question: OpenQuestion, word: str, text: str) -> str:
    """Report the result that the player read from the box; return the label of the answer."""
    label = dict(question.answers)[word].casefold()
    play.note(text, questions.OWN_TABLE, label)
    return label
