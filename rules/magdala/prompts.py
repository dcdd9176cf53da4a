"""What a game waits for, with the buttons that settle it: tests, answers, moves, rounds of melee (MM-3 to MM-6)."""

from collections.abc import Iterable
from typing import Any

from rules.core.model import Cite, Mark
from rules.core.report import Offer, Prompt
from rules.core.ruleset import Refused
from rules.core.tabletop.line_of_fire import FriendsInLine

from .arms import LEADERS
from .engagement import engaged, pairs
from .firing.targeting import LINES
from .fleeing.flight import HELD, cause, pinned_down, who_may_see
from .model import MagdalaState, MagdalaUnit, StoredPrompt, Test
from .morale.generalship import general_with, in_danger, may_be_thrown_again
from .stored_prompts import MOVES, SETTLE_FIRST, first_prompt, prompts_of
from .tables import limit

MORALE_TESTS = (Test.UNDER_FIRE, Test.MELEE_LOST, Test.RETEST)
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
KINDS = {
    **dict.fromkeys(MORALE_TESTS, ("morale", "Morale")),
    Test.REACTION: ("reaction", "Reaction"),
    Test.PURSUIT: ("pursuit", "Pursuit"),
    Test.PURSUIT_MOVE: ("pursuit", "Pursue"),
    Test.RETREAT: ("retreat", "Retreat"),
    Test.GENERAL_RISK: ("risk", "Risk"),
}
BUTTONS = 20
"""Most offers one thing owed lists."""


def prompts(state: MagdalaState) -> tuple[Prompt, ...]:
    """Everything owed and open, in the order in which it came; choices last."""
    if state.over is not None:
        return ()
    stored = (shown(state, prompt) for prompt in state.prompts)
    return (*(item for item in stored if item), *_melees(state), *_held(state))


def blocking(state: MagdalaState) -> tuple[Prompt, ...]:
    """What keeps the turn from passing."""
    return tuple(item for item in prompts(state) if item.required)


def _melees(state: MagdalaState) -> Iterable[Prompt]:
    """Each melee's round of this turn (MM-4.5)."""
    for attacker, defender in pairs(state):
        if defender.id in attacker.this_turn.fought_with:
            continue
        ready = hindrance(state, attacker, defender) is None
        key = f"melee:{attacker.id}:{defender.id}:{attacker.melee_round}:{state.turn}:{state.active}:{ready}"
        fight = offer(key, attacker, f"Melee: {attacker.name}", "melee", target=defender.id)
        yield Prompt(
            key=key,
            unit=attacker.id,
            side=attacker.side,
            text=f"{attacker.name} against {defender.name}: round {attacker.melee_round} of melee",
            cite=Cite(rule="MM-4.5", mark=Mark.RULING),
            offers=(fight,) if ready else (),
        )


def _held(state: MagdalaState) -> Iterable[Prompt]:
    """What a pinned or halted unit may choose in its own turn (MM-5.7)."""
    turns = limit("turns held before testing again")
    for unit in state.of_side(state.active):
        owing = any(prompt.unit == unit.id and prompt.test is not Test.WITNESS for prompt in state.prompts)
        if unit.morale not in HELD or pinned_down(unit) or owing or engaged(state, unit) or unit.this_turn.retreated:
            continue
        ready = unit.held_turns >= turns and not unit.this_turn.retested
        key = f"held:{unit.id}:{state.turn}:{state.active}:{ready}"
        back = offer(key, unit, f"Retreat: {unit.name}", "retire", danger=True)
        again = (offer(key, unit, f"Go on: {unit.name}", "morale"),) if ready else ()
        yield Prompt(
            key=key,
            unit=unit.id,
            side=unit.side,
            text=f"{unit.name} is {unit.morale}: it may {'test to go on, or ' if ready else ''}retreat",
            cite=Cite(rule="MM-5.7"),
            offers=(*again, back),
            required=False,
        )


def shown(state: MagdalaState, prompt: StoredPrompt) -> Prompt | None:
    """The prompt as it is shown; None where there is nobody to settle it."""
    if prompt.failed:
        return _failed(state, prompt)
    special = {Test.DEFENSIVE_FIRE: _fire, Test.STRAY_ROCKETS: _strays, Test.WITNESS: _witnesses}
    if prompt.test in special:
        return special[prompt.test](state, prompt)
    unit = state.unit(prompt.unit)
    kind, word = KINDS[prompt.test]
    now = prompt.test not in MOVES or unit.side == state.active
    offers = (offer(prompt.key, unit, f"{word}: {unit.name}", kind),) if now and not _waits(state, prompt) else ()
    text = f"{unit.name}: {prompt.test.value}" + ("" if now else ", in its own turn")
    return _prompt(state, prompt, text, *offers, required=now)


def _prompt(
    state: MagdalaState,
    prompt: StoredPrompt,
    text: str,
    *offers: Offer,
    required: bool = True,
    cite: Cite | None = None,
) -> Prompt:
    unit = state.unit(prompt.unit)
    by = cite or (cause(unit) if prompt.test is Test.RETREAT else CITES[prompt.test])
    return Prompt(key=prompt.key, unit=unit.id, side=unit.side, text=text, cite=by, offers=offers, required=required)


def _waits(state: MagdalaState, prompt: StoredPrompt) -> bool:
    """Whether a reaction test waits until a lost melee is settled, or one that has failed already (MM-5.8, MM-6)."""
    if prompt.test is not Test.REACTION:
        return False
    first = first_prompt(state, prompt.unit, Test.REACTION)
    failed = first is not None and first.failed
    return failed or first_prompt(state, prompt.unit, Test.MELEE_LOST) is not None


def _failed(state: MagdalaState, prompt: StoredPrompt) -> Prompt:
    """A failed test that a general may have thrown again (MM-6)."""
    unit = state.unit(prompt.unit)
    general = general_with(state, unit)
    label = f"Re-roll with {general.name if general else 'the general'}"
    may = may_be_thrown_again(state, prompt) and in_danger(state, unit) is None
    secret = {"secret": True} if prompt.secret else {}
    again = (offer(prompt.key, unit, label, "reroll", **secret),) if may else ()
    accept = offer(prompt.key, unit, "Accept", "decline", danger=True, **secret)
    failed = f"{unit.name} failed its test ({prompt.test.value}): throw again, or accept"
    text = f"{unit.name}: a test thrown in secret is to be settled" if prompt.secret else failed
    return _prompt(state, prompt, text, *again, accept, cite=Cite(rule="MM-6"))


def _fire(state: MagdalaState, prompt: StoredPrompt) -> Prompt:
    """The defender's fire at those who come into contact (MM-4.1); none is offered where friends bar it (MM-3.11)."""
    unit, attacker, ruled = state.unit(prompt.unit), state.unit(prompt.by), state.options.friends_in_line
    past = ruled is not FriendsInLine.IGNORE and bool(LINES.friends(state, unit, attacker))
    label = f"Fire{' past friends' if past else ''}: {unit.name}"
    shot = offer(prompt.key, unit, label, "fire", target=attacker.id)
    barred = past and ruled is FriendsInLine.REFUSE
    effect = "half" if prompt.half_effect else "full"
    text = f"{unit.name} may fire at {attacker.name} before the melee, at {effect} effect"
    hold = offer(prompt.key, unit, "Hold fire", "decline")
    return _prompt(state, prompt, text, *(() if barred else (shot,)), hold)


def friends_of_the_rocket(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Friendly units its rockets may fall on (MM-3.8)."""
    return tuple(other for other in state.of_side(unit.side) if other.id != unit.id and other.troop not in LEADERS)


def _strays(state: MagdalaState, prompt: StoredPrompt) -> Prompt:
    """The choice of the friends on whom rockets fall (MM-3.8)."""
    unit = state.unit(prompt.unit)
    friends = friends_of_the_rocket(state, unit)
    nearest = f"{prompt.hits} of its rockets fall on the friends nearest {state.unit(prompt.by).name}"
    offers = (offer(prompt.key, unit, friend.name, "stray", target=friend.id) for friend in friends)
    return _prompt(state, prompt, f"{unit.name}: {nearest}. Who are they?", *offers)


def _witnesses(state: MagdalaState, prompt: StoredPrompt) -> Prompt | None:
    """Without positions: the umpire says which friends are within 12" (MM-5.10)."""
    unit = state.unit(prompt.unit)
    busy = (Test.REACTION, Test.MELEE_LOST)
    unshaken = (friend for friend in who_may_see(state, unit) if first_prompt(state, friend.id, *busy) is None)
    friends = tuple(unshaken)[:BUTTONS]
    if not friends:
        return None
    reach = limit("friends see the flight within")
    text = f"{unit.name} {'routs' if prompt.routing else 'retreats'}: friends within {reach} inches test their reaction"
    offers = (offer(prompt.key, each, f"Reaction: {each.name}", "reaction", by=unit.id) for each in friends)
    return _prompt(state, prompt, text, *offers, required=False)


def offer(key: str, unit: MagdalaUnit, label: str, kind: str, danger: bool = False, **args: Any) -> Offer:
    """A button by which a unit settles what has that key; `args` beside the unit itself."""
    return Offer(label=label, kind=kind, args={"unit": unit.id, **args}, side=unit.side, key=key, danger=danger)


def still_owes(state: MagdalaState, prompt: StoredPrompt, cite: Cite) -> Refused:
    """The refusal of anything that has to wait until that prompt is settled."""
    asked = shown(state, prompt)
    why = f"{state.unit(prompt.unit).name} still owes: {prompt.test}. Settle that first."
    return Refused(why, cite, (asked,) if asked else ())


def first_fire(state: MagdalaState, one: MagdalaUnit, other: MagdalaUnit) -> StoredPrompt | None:
    """The fire of either at the other, as it came in, if it is still to be settled (MM-4.1)."""
    two = {one.id, other.id}
    fires = (
        prompt for prompt in state.prompts if prompt.test is Test.DEFENSIVE_FIRE and {prompt.unit, prompt.by} == two
    )
    return next(fires, None)


def hindrance(state: MagdalaState, one: MagdalaUnit, other: MagdalaUnit) -> Refused | None:
    """Why two units cannot fight yet; None if they can."""
    fire = first_fire(state, one, other)
    if fire is not None:
        why = f"The defender's fire comes first: fire, or decline, before {one.name} fights {other.name}."
        asked = shown(state, fire)
        return Refused(why, Cite(rule="MM-4.1"), (asked,) if asked else ())
    for each in (one, other):
        prompt = next(
            (prompt for prompt in prompts_of(state, each.id, *SETTLE_FIRST) if prompt.test not in MOVES), None
        )
        if prompt is not None:
            return still_owes(state, prompt, Cite(rule="MM-5"))
    return None
