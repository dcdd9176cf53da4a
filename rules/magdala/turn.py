"""Alternate turns: the prompts that a turn waits for, and the end of a side's turn (MM-1, MM-3 to MM-6)."""

from collections.abc import Iterable
from typing import Any

from typing_extensions import override

from rules.core.action_type import Caption
from rules.core.model import Cite, Mark
from rules.core.phases import Phase, PhaseKind, Phases, TurnNext, TurnNextType
from rules.core.report import Prompt
from rules.core.ruleset import Refused
from rules.core.state import Action

from .engagement import is_engaged, melee_pairs
from .fighting.melee import MELEE, Melee
from .firing.fire import FIRE, Fire
from .firing.mishaps import STRAY
from .model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test, UnitTurn
from .morale import effects
from .morale.flight import FLEEING, HELD, flight_rule, give_way_at_half_strength
from .morale.generals import DECLINE, REROLL, RISK, GeneralRisk
from .morale.retreat import PURSUIT, RETIRE, RETREAT, Retire
from .morale.testing import MORALE, REACTION, MoraleTest
from .occasions import BEFORE_MELEE, REROLL_BY_GENERAL
from .shared import TURNS, MagdalaType
from .stored_prompts import MOVES, add_prompt, oldest_prompt, remove_prompts
from .tables import limit

CITES = {
    Test.UNDER_FIRE: Cite(rule="MM-5.2"),
    Test.MELEE_LOST: Cite(rule="MM-4.5"),
    Test.RETEST: Cite(rule="MM-5.7"),
    Test.GENERAL_RISK: Cite(rule="MM-6"),
    Test.DEFENSIVE_FIRE: Cite(rule="MM-4.1"),
    Test.STRAY_ROCKETS: Cite(rule="MM-3.8"),
    **dict.fromkeys((Test.REACTION, Test.WITNESS), Cite(rule="MM-5.10")),
    **dict.fromkeys((Test.PURSUIT, Test.PURSUIT_MOVE), Cite(rule="MM-4.6")),
}
ANSWERS: tuple[MagdalaType[Any, Any], ...] = (MORALE, REACTION, PURSUIT, RETREAT, RISK, FIRE, STRAY, REROLL, DECLINE)
"""Action types that settle stored prompts, in the order of their buttons."""
RENEWED_EVERY_TURN = (
    *("under_fire", "fire_casualties", "tested_casualties", "figures_at_start", "halted"),
    *("fought", "fought_with", "lost_round"),
)
"""Fields of `UnitTurn` that are renewed every turn for both sides; other fields only in the unit's own turn."""


def prompts(state: MagdalaState) -> tuple[Prompt, ...]:
    """Return the open prompts: stored prompts, oldest first, then melees, then choices of held units.

    Return () after the end of the game.
    """
    if state.over is not None:
        return ()
    items = (_make_prompt(state, prompt) for prompt in state.prompts)
    return (*(item for item in items if item), *_melee_prompts(state), *_held_unit_prompts(state))


def blocking_prompts(state: MagdalaState) -> tuple[Prompt, ...]:
    """Return the required prompts, which keep the turn from ending."""
    return tuple(item for item in prompts(state) if item.required)


def has_all_facts(state: MagdalaState, action: Action) -> bool:
    """Whether the game can do `action` without asking people where units are (ruling)."""
    units = (state.units.get(getattr(action, field, None) or "") for field in action.refers_to)
    return isinstance(action, GeneralRisk) or all(unit is None or _has_place(unit) for unit in units)


def _has_place(unit: MagdalaUnit) -> bool:
    return unit.place is not None or not unit.on_table


def _is_settled_by_game(state: MagdalaState, item: Prompt) -> bool:
    """Whether the game settles the prompt by itself at the turn's end: it has one offer, and its units have places."""
    risks = any(offer.kind == GeneralRisk.kind for offer in item.offers)
    units = (state.units.get(unit) for offer in item.offers for unit in (item.unit, offer.args.get("target", "")))
    can_settle = risks or all(unit is None or _has_place(unit) for unit in units)
    return state.throws_at_once and len(item.offers) == 1 and can_settle


def _make_prompt(state: MagdalaState, prompt: StoredPrompt) -> Prompt | None:
    """Return the prompt to show, with its offers; None for a flight that no friend can witness."""
    unit = state.unit(prompt.unit)
    answers = ((kind, kind.suggest_answers(state, prompt)) for kind in ANSWERS)
    offers = tuple(offer for kind, actions in answers for offer in kind.offers(state, actions, prompt.key))
    if prompt.test is Test.WITNESS and not offers:
        return None
    now = prompt.test not in MOVES or unit.side == state.active
    occasion = BEFORE_MELEE if prompt.test is Test.DEFENSIVE_FIRE else ""
    if prompt.failed:
        cite, occasion = Cite(rule="MM-6"), REROLL_BY_GENERAL
    else:
        cite = flight_rule(unit) if prompt.test is Test.RETREAT else CITES[prompt.test]
    return Prompt(
        key=prompt.key,
        unit=unit.id,
        side=unit.side,
        text=_prompt_text(state, prompt) + ("" if now else f", in {unit:their} own turn"),
        cite=cite,
        offers=offers,
        required=now and prompt.test is not Test.WITNESS,
        occasion=occasion,
    )


def _prompt_text(state: MagdalaState, prompt: StoredPrompt) -> str:
    """Return the prompt's text; the text of a secret test hides its result."""
    unit = state.unit(prompt.unit)
    name = unit.name
    if prompt.failed:
        failed = f"{name} failed {unit:their} test ({prompt.test.value}): throw again, or accept"
        return f"{name}: a test thrown in secret is to be settled" if prompt.secret else failed
    if prompt.test is Test.DEFENSIVE_FIRE:
        fire = FIRE.plan_if_allowed(state, Fire(unit=prompt.unit, target=prompt.by))
        effect = "half" if prompt.half_effect or (fire and fire.half) else "full"
        return f"{name} may fire at {state.unit(prompt.by).name} before the melee, at {effect} effect"
    if prompt.test is Test.STRAY_ROCKETS:
        nearest = f"{prompt.hits} of {unit:their} rockets fall on the friends nearest {state.unit(prompt.by).name}"
        return f"{name}: {nearest}. Who are they?"
    if prompt.test is Test.WITNESS:
        reach, flees = limit("friends see the flight within"), f"{unit:rout}" if prompt.routing else f"{unit:retreat}"
        return f"{flees}: friends within {reach} inches test their reaction"
    return f"{name}: {prompt.test.value}"


def _melee_prompts(state: MagdalaState) -> Iterable[Prompt]:
    """Yield a prompt for each melee whose round of this turn is due (MM-4.5); the active side fights it (ruling)."""
    for attacker, defender in melee_pairs(state):
        if defender.id not in attacker.this_turn.fought_with:
            ours, theirs = (attacker, defender) if attacker.side == state.active else (defender, attacker)
            melee, rule = Melee(unit=ours.id, target=theirs.id), Cite(rule="MM-4.5", mark=Mark.RULING)
            key = f"melee:{attacker.id}:{defender.id}:{attacker.melee_round}:{state.turn}:{state.active}"
            text = f"{attacker.name} against {defender.name}: round {attacker.melee_round} of melee"
            yield MELEE.prompt(state, (melee,), key, text, rule)


def _held_unit_prompts(state: MagdalaState) -> Iterable[Prompt]:
    """Yield prompts for pinned and halted units that may retreat, or test to go on, in their own turn (MM-5.7)."""
    for unit in (unit for unit in state.units_of(state.active) if unit.morale in HELD):
        key, rule = f"held:{unit.id}:{state.turn}:{state.active}", Cite(rule="MM-5.7")
        tests = MORALE.offers(state, (MoraleTest(unit=unit.id),), key)
        retreats = RETIRE.offers(state, (Retire(unit=unit.id),), key)
        text = f"{unit:are} {unit.morale}: {unit:they} may {'test to go on, or ' if tests else ''}retreat"
        if retreats:
            both = (*tests, *retreats)
            yield Prompt(key=key, unit=unit.id, side=unit.side, text=text, cite=rule, offers=both, required=False)


class TurnType(TurnNextType[MagdalaState]):
    """The end of a side's turn, after which the other side's begins (MM-1)."""

    def check(self, state: MagdalaState, action: TurnNext) -> None:
        """Raise Refused with the prompts that keep the turn from ending, unless the umpire waives them."""
        blocking = tuple(item for item in blocking_prompts(state) if not _is_settled_by_game(state, item))
        if blocking and not action.waive:
            raise Refused("The turn cannot pass yet; the umpire may waive what it waits for.", TURNS, blocking)

    @override
    def caption(self, state: MagdalaState, plan: TurnNext) -> Caption:
        """Return a caption such as `End the turn of the British`."""
        return Caption(f"End the turn of {state.side(state.active):the}")

    def resolve(self, play: MagdalaPlay, plan: TurnNext) -> None:
        """Waive open prompts, and begin the other side's turn.

        If the game can settle an open prompt by itself, such as a round of melee, only mark the turn as ending
        (ruling).
        """
        if not plan.waive and any(_is_settled_by_game(play.state, item) for item in blocking_prompts(play.state)):
            side = play.state.side(play.state.active)
            play.set(ending=True, events=play.state.events + 1)
            play.tell(headline=f"{side:The} end their turn.", side=play.state.active)
            return
        _waive_prompts(play)
        PHASES.advance(play)
        play.set(events=play.state.events + 1, ending=False)
        play.tell(headline=f"{play.state.turn_title}.", opens_turn=True, side=play.state.active)


def _waive_prompts(play: MagdalaPlay) -> None:
    """Drop the prompts that keep the turn from ending, and report them; a test that has failed takes effect."""
    by_key = {prompt.key: prompt for prompt in play.state.prompts}
    for item in blocking_prompts(play.state):
        prompt = by_key.get(item.key)
        play.note(item.text, item.cite, "waived" if prompt else "put off")
        if prompt is not None:
            play.state = remove_prompts(play.state, prompt)
            if prompt.failed:
                effects.apply_failed_test(play, prompt)


def _end_side_turn(play: MagdalaPlay) -> None:
    """Finish the active side's turn: count turns spent pinned or halted, and drop flights that nobody saw (MM-5.10)."""
    unseen = {prompt.key: prompt for prompt in play.state.prompts if prompt.test is Test.WITNESS}
    for item in prompts(play.state):
        if item.key in unseen:
            play.note(item.text, item.cite, "nobody was named; let go by")
    play.state = remove_prompts(play.state, *unseen.values())
    play.set(opened_by=play.state.opened_by or play.state.active)
    for unit in play.state.units_of(play.state.active):
        if unit.morale in HELD and not unit.this_turn.halted:
            play.change(unit.id, held_turns=unit.held_turns + 1)
    for unit in tuple(play.state.units.values()):
        if unit.this_turn.fought and not unit.this_turn.lost_round:
            play.change(unit.id, melee_lost_in_a_row=0)


def _renew_turn_records(state: MagdalaState) -> MagdalaState:
    """Return the state with every unit's turn record renewed, for the turn of the active side.

    Records of a unit's own actions last until its next turn; fire received counts until the end of its own turn.
    """
    for unit in state.units.values():
        own = unit.side == state.active
        fresh = UnitTurn(under_fire=unit.this_turn.under_fire and own, figures_at_start=unit.strength)
        renewed = {name: getattr(fresh, name) for name in RENEWED_EVERY_TURN}
        state = state.changed(unit.id, this_turn=fresh if own else unit.this_turn.model_copy(update=renewed))
    return state


def _begin_side_turn(play: MagdalaPlay) -> None:
    """Call for the moves that fleeing and pursuing units owe; units at half strength give way (MM-5.9)."""
    for unit in play.state.units_of(play.state.active):
        due = _owed_move(play.state, unit)
        if due is not None:
            play.state = add_prompt(play.state, unit.id, due)
    for unit in tuple(play.state.units.values()):
        give_way_at_half_strength(play, unit.id)


def _owed_move(state: MagdalaState, unit: MagdalaUnit) -> Test | None:
    """Return the move or test that the unit owes in its side's turn; None if it owes none or is in melee (ruling)."""
    if is_engaged(state, unit):
        return None
    if unit.morale is Morale.PURSUING:
        return Test.PURSUIT_MOVE
    if unit.morale not in FLEEING or oldest_prompt(state, unit.id, Test.RETREAT, Test.REACTION) is not None:
        return None
    has_retreated_a_turn = unit.retreats_in_a_row > 0 and unit.morale is Morale.RETREATING and not unit.leaving
    return Test.REACTION if has_retreated_a_turn else Test.RETREAT


def _sides_in_turn_order(state: MagdalaState) -> list[str]:
    """Return the ids of the sides in the order of their turns: the side that opened the game comes first."""
    sides = [side.id for side in state.sides]
    first = sides.index(state.opened_by or state.active)
    return sides[first:] + sides[:first]


PHASES: Phases[MagdalaState] = Phases(
    (
        Phase(
            "",
            "turn",
            PhaseKind.SEQUENTIAL,
            begin_part=_renew_turn_records,
            side_begins=_begin_side_turn,
            side_ends=_end_side_turn,
            has_to_do=lambda _state, _side: True,
        ),
    ),
    order=_sides_in_turn_order,
    next_turn=lambda state: state,
    is_over=lambda _state: False,
    cite=TURNS,
)
"""Turn structure: each side has one turn, then the game's turn ends."""
TURN = TurnType()
