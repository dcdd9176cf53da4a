"""Fire, melee and rally of a formation, stack by stack, and answers to the open question (TA-4, TA-5, TA-H)."""

from collections.abc import Mapping, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, unit_hex, units_at
from rules.core.model import Cite
from rules.core.play import Play
from rules.core.refusal import passes_check
from rules.tanga import questions
from rules.tanga.combat import fire as fires
from rules.tanga.combat import melee as melees
from rules.tanga.combat.losses import describe_hits, eliminate, record_rally, require_rally, settle, take_hits
from rules.tanga.combat.losses import rally as rally_by_dice
from rules.tanga.descriptions import short_name
from rules.tanga.field import board_of, firing_unit, foe, may_fire_at, of_formation
from rules.tanga.model import BRITISH, GERMAN, Formation, TangaState, TangaUnit
from rules.tanga.priorities import Doing, Situation
from rules.tanga.progress import Ask, Asked, Decision, Question, mark
from rules.tanga.questions import ask_own_table
from rules.tanga.ways import aimed_at, decide

from . import marching
from .stacks import ids, in_order, mark_acted, names_with_verb, ready
from .step_results import StepResult

FIRES = Cite(rule="TA-4")
ATTACKS = Cite(rule="TA-5")
HITS = {questions.NONE: 0, questions.HIT: 1, questions.TWICE: 2}
BEATEN: Mapping[str, Sequence[str]] = {
    questions.BRITISH_WIN: (GERMAN,),
    questions.GERMANS_WIN: (BRITISH,),
    questions.NEITHER: (),
    questions.BOTH: (GERMAN, BRITISH),
}
"""Sides that take a hit in a melee, by answer. A side that alone takes a hit has lost the melee."""


def target(state: TangaState, units: Sequence[TangaUnit], *, melee: bool) -> Decision | None:
    """Return the decision which German hex to fire at or attack, by the Target chart; None without a target.

    Fire needs a firing unit in range and sight, melee an adjacent hex.
    """
    own_hex, german_hexes, title = unit_hex(units[0]), hexes_of_side(state, GERMAN), board_of(state).title
    near = (
        german_hexes.intersection(own_hex.neighbours())
        if melee
        else (at for at in german_hexes if may_fire_at(state, own_hex, at, units))
    )
    hexes = sorted(at for at in near if firing_unit(units_at(state, at)))
    cite, doing = (ATTACKS, Doing.MELEE) if melee else (FIRES, Doing.FIRE)

    def why(hex_: Hex, row: str) -> str:
        return f"{aimed_at(state, hex_).name} in {title(hex_)}: {row}"

    situation = Situation(doing=doing)
    return decide(state, units, Question.TARGET, hexes, cite, why, situation=situation) if hexes else None


def fire(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Let the formation's next stack fire at the chart's target, unless the volley's TCF is too low (TA-4).

    Units that took no part in the volley fire next (TA-H.5). Return None once every stack has fired.
    """
    state = play.state
    stack = _next_stack(state, formation)
    if not stack:
        return None
    fresh = [unit for unit in stack if not unit.fired]
    decision = target(state, fresh, melee=False) if fresh else None
    if decision is None:
        mark_acted(play, ids(stack))
        return StepResult()
    decision = decision.by_word(forced)
    reckoning = fires.plan_fire(state, fresh, decision.taken)
    firers = (reckoning.shooter, *reckoning.support)
    if (hold_step := fires.withheld_fire(state, reckoning)) is not None:
        mark_acted(play, ids(firers))
        play.say(hold_step)
        return StepResult(decision)
    if ask_own_table(play, Ask.FIRE_RESULT, reckoning.shooter, decision.taken):
        play.say(reckoning.factor.step)
        result = ""
    else:
        fires.fire(play, reckoning)
        result = f" ({describe_hits(state, play.state, 'no hit')})"
    place = board_of(state).title(decision.taken)
    return StepResult(decision, f"{names_with_verb(state, firers, 'fire')} at {place}{result}")


def melee(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Let the next stack attack the adjacent hex that the chart chooses, unless its factor is too low (TA-5, TA-H.7).

    Return None once every stack has had its turn.
    """
    state = play.state
    stack = _next_stack(state, formation)
    if not stack:
        return None
    mark_acted(play, ids(stack))
    own_hex = unit_hex(stack[0])
    fought = any(unit.fought for unit in melees.fighters(units_at(state, own_hex)))
    decision = None if fought else target(state, stack, melee=True)
    if decision is None:
        return StepResult()
    decision = decision.by_word(forced)
    target_hex = decision.taken
    if not melees.begins(state, own_hex, BRITISH, target_hex):
        weak = melees.factor(state, own_hex, BRITISH, target_hex).step
        verdict = f"under {melees.least_factor(state, BRITISH)}, they begin no melee"
        play.say(weak.model_copy(update={"cite": melees.BEGINS_NONE, "verdict": verdict}))
        return StepResult(decision)
    result = ""
    if not ask_own_table(play, Ask.MELEE_RESULT, stack[0], target_hex):
        melees.melee(play, own_hex, target_hex)
        result = f" ({describe_hits(state, play.state, 'no hit')})"
    place = board_of(state).title(target_hex)
    return StepResult(decision, f"{names_with_verb(state, stack, 'attack')} {place}{result}")


def rally(play: Play[TangaState], formation: Formation, _forced: Hex | None) -> StepResult | None:
    """Let the next disrupted unit in its RO hex try to rally (TA-H.8). Return None without such a unit."""
    state = play.state
    units = (unit for unit in of_formation(state, formation.id) if unit.id not in state.british.acted)
    able = (unit for unit in units if passes_check(require_rally, state, unit))
    unit = next(iter(in_order(state, able)), None)
    if unit is None:
        return None
    mark_acted(play, (unit.id,))
    if ask_own_table(play, Ask.RALLY_RESULT, unit, unit_hex(unit)):
        return StepResult()
    rally_by_dice(play, unit.id)
    return StepResult(clause=f"{short_name(state, unit)} rallies" if play.state.units[unit.id].is_good else "")


def _next_stack(state: TangaState, formation: Formation) -> Sequence[TangaUnit]:
    """Return the good-order combat units of the next hex in acting order."""
    waiting = ready(state, formation.id, state.british.acted)
    return [unit for unit in waiting if unit.at == waiting[0].at]


def answer(play: Play[TangaState], word: str) -> StepResult:
    """Apply an answer to the open question, and close the question."""
    question = play.state.british.asked
    assert question is not None
    mark(play, asked=None)
    if question.ask is Ask.MELEE_RESULT:
        return _answer_melee(play, question, word)
    if question.ask is not Ask.RALLY_RESULT:
        return _answer_fire(play, question, word)
    unit, rallied = play.state.units[question.unit], word == questions.RALLIES
    _report_answer(play, question, word, f"{unit.name} tries to rally")
    record_rally(play, unit.id, rallies=rallied)
    return StepResult(clause=f"{unit.name} rallies" if rallied else "")


def _answer_fire(play: Play[TangaState], question: Asked, word: str) -> StepResult:
    """Apply an answer about fire: whether Germans fire at a march, or a volley's result from the player's box."""
    state, march, target = play.state, play.state.british.march, question.at
    assert target is not None
    shooter, entering = state.units[question.unit], tuple[str, ...]()
    friends = (unit for unit in units_at(state, unit_hex(shooter)) if unit.side == shooter.side)
    stack = tuple(unit for unit in friends if unit.id not in state.british.acted)
    if shooter.side == GERMAN and march is not None:
        stack, entering = fires.units_asked_about(state, march, question.unit), march.units
        if word == fires.HOLD:
            mark(play, offered=(*state.british.offered, *ids(stack)))
            play.note(stack[0].name, question.cite, "holds fire", in_headline=True)
            return StepResult(clause=f"{stack[0].name} holds fire")
    reckoning = fires.plan_fire(state, stack, target, entering)
    if word == fires.FIRE:
        return marching.resolve_opportunity_fire(play, reckoning)
    result = _report_answer(play, question, word, f"{reckoning.shooter.name} fires at {board_of(state).title(target)}")
    fires.spend(play, reckoning, result)
    if word == questions.GONE:
        eliminate(play, reckoning.aimed_at)
        settle(play)
    else:
        take_hits(play, target, reckoning.aimed_at.side, HITS[word], entering)
    return StepResult()


def _answer_melee(play: Play[TangaState], question: Asked, word: str) -> StepResult:
    """Apply a melee result. Beaten sides take a hit. If only one is beaten, it retreats and its enemy may advance."""
    attacker, target_hex, title = play.state.units[question.unit], question.at, board_of(play.state).title
    own_hex = unit_hex(attacker)
    assert target_hex is not None
    melees.engage(play, own_hex, target_hex)
    _report_answer(play, question, word, f"Melee of {title(own_hex)} against {title(target_hex)}")
    hexes, beaten = {attacker.side: own_hex, foe(attacker.side): target_hex}, BEATEN[word]
    for side in beaten:
        take_hits(play, hexes[side], side, 1)
    if len(beaten) == 1:
        melees.retreat_loser(play, hexes[beaten[0]], hexes[foe(beaten[0])])
    return StepResult()


def _report_answer(play: Play[TangaState], question: Asked, word: str, text: str) -> str:
    """Report the result that the player read from the box, and return the answer's label."""
    label = dict(question.answers)[word].casefold()
    play.note(text, questions.OWN_TABLE, label)
    return label
