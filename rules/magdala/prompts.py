"""What a game waits for, with the buttons that settle it: tests, answers, moves, rounds of melee (MM-3 to MM-6)."""

from collections.abc import Iterable
from typing import Any

from rules.core.model import Cite, Mark
from rules.core.report import Prompt

from .action_types import MagdalaType
from .engagement import pairs
from .fighting.melee import MELEE, Melee
from .firing.fire import FIRE
from .firing.mishaps import STRAY
from .model import MagdalaState, StoredPrompt, Test
from .morale.flight import HELD, cause
from .morale.generals import DECLINE, REROLL, RISK
from .morale.retreat import PURSUIT, RETIRE, RETREAT, Retire
from .morale.testing import MORALE, REACTION, MoraleTest
from .stored_prompts import MOVES
from .tables import limit

CITES = {
    Test.UNDER_FIRE: Cite(rule="MM-5.2"),
    Test.MELEE_LOST: Cite(rule="MM-4.5"),
    Test.RETEST: Cite(rule="MM-5.7"),
    Test.REACTION: Cite(rule="MM-5.10"),
    Test.WITNESS: Cite(rule="MM-5.10"),
    Test.PURSUIT: Cite(rule="MM-4.6"),
    Test.PURSUIT_MOVE: Cite(rule="MM-4.6"),
    Test.GENERAL_RISK: Cite(rule="MM-6"),
    Test.DEFENSIVE_FIRE: Cite(rule="MM-4.1"),
    Test.STRAY_ROCKETS: Cite(rule="MM-3.8"),
}
ANSWERS: tuple[MagdalaType[Any, Any], ...] = (
    *(MORALE, REACTION, PURSUIT, RETREAT, RISK),
    *(FIRE, STRAY, REROLL, DECLINE),
)
"""What settles a stored prompt, in the order of its buttons."""


def prompts(state: MagdalaState) -> tuple[Prompt, ...]:
    """Everything owed and open, in the order in which it came; choices last."""
    if state.over is not None:
        return ()
    stored = (_stored(state, prompt) for prompt in state.prompts)
    return (*(item for item in stored if item), *_melees(state), *_held(state))


def blocking(state: MagdalaState) -> tuple[Prompt, ...]:
    """What keeps the turn from passing."""
    return tuple(item for item in prompts(state) if item.required)


def _stored(state: MagdalaState, prompt: StoredPrompt) -> Prompt | None:
    """The prompt as it is shown; None of a flight that nobody is left to see."""
    unit = state.unit(prompt.unit)
    answers = ((kind, kind.answers(state, prompt)) for kind in ANSWERS)
    offers = tuple(offer for kind, actions in answers for offer in kind.offers(state, actions, prompt.key))
    if prompt.test is Test.WITNESS and not offers:
        return None
    now = prompt.test not in MOVES or unit.side == state.active
    return Prompt(
        key=prompt.key,
        unit=unit.id,
        side=unit.side,
        text=_text(state, prompt) + ("" if now else ", in its own turn"),
        cite=Cite(rule="MM-6") if prompt.failed else cause(unit) if prompt.test is Test.RETREAT else CITES[prompt.test],
        offers=offers,
        required=now and prompt.test is not Test.WITNESS,
    )


def _text(state: MagdalaState, prompt: StoredPrompt) -> str:
    """What is waited for; of a test thrown in secret not how it fell."""
    name = state.unit(prompt.unit).name
    if prompt.failed:
        failed = f"{name} failed its test ({prompt.test.value}): throw again, or accept"
        return f"{name}: a test thrown in secret is to be settled" if prompt.secret else failed
    if prompt.test is Test.DEFENSIVE_FIRE:
        effect = "half" if prompt.half_effect else "full"
        return f"{name} may fire at {state.unit(prompt.by).name} before the melee, at {effect} effect"
    if prompt.test is Test.STRAY_ROCKETS:
        nearest = f"{prompt.hits} of its rockets fall on the friends nearest {state.unit(prompt.by).name}"
        return f"{name}: {nearest}. Who are they?"
    if prompt.test is Test.WITNESS:
        reach = limit("friends see the flight within")
        return f"{name} {'routs' if prompt.routing else 'retreats'}: friends within {reach} inches test their reaction"
    return f"{name}: {prompt.test.value}"


def _melees(state: MagdalaState) -> Iterable[Prompt]:
    """Each melee's round of this turn (MM-4.5)."""
    for attacker, defender in pairs(state):
        if defender.id not in attacker.this_turn.fought_with:
            yield MELEE.prompt(
                state,
                (Melee(unit=attacker.id, target=defender.id),),
                f"melee:{attacker.id}:{defender.id}:{attacker.melee_round}:{state.turn}:{state.active}",
                f"{attacker.name} against {defender.name}: round {attacker.melee_round} of melee",
                Cite(rule="MM-4.5", mark=Mark.RULING),
            )


def _held(state: MagdalaState) -> Iterable[Prompt]:
    """What a pinned or halted unit may choose in its own turn (MM-5.7)."""
    for unit in (each for each in state.of_side(state.active) if each.morale in HELD):
        back, key = Retire(unit=unit.id), f"held:{unit.id}:{state.turn}:{state.active}"
        if RETIRE.planned(state, back) is None:
            continue
        again = MORALE.offers(state, (MoraleTest(unit=unit.id),), key)
        text = f"{unit.name} is {unit.morale}: it may {'test to go on, or ' if again else ''}retreat"
        retreat = RETIRE.prompt(state, (back,), key, text, Cite(rule="MM-5.7"), required=False)
        yield retreat.model_copy(update={"offers": (*again, *retreat.offers)})
