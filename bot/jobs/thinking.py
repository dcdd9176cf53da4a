"""Choose the bot's next action for a side, on a copy of the state."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.journal.codec import read_state
from bot.journal.thinking_record import Memory, Thinking, derive_seed
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import Chooser
from rules.core.memo import reuse_equal_objects
from rules.core.phases import PASS
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

LATEST = 4
"""Number of games of which a worker remembers the last state."""
_latest: dict[str, State] = {}


@dataclass(frozen=True)
class Question:
    """A decision to make: the packed state of entry `base`, for the bot's sides.

    `remembered` is what each side remembers of the turn; `at_an_end`: it may do no more this turn than pass on.
    """

    system: Ruleset[Any]
    packed: bytes
    origin: str
    base: int
    sides: dict[str, Level]
    remembered: dict[str, Memory]
    at_an_end: bool = False


class Decided(NamedTuple):
    """For which side; the actions by kind and arguments, the best first; and what it remembers now.

    `thought` is how it was decided; None where there was one thing to do and no other.
    """

    side: str
    thought: Thinking | None
    actions: Sequence[tuple[str, dict[str, Any]]]
    remembered: Memory


def decide(question: Question) -> Decided:
    """Return what the bot does; a side that owes something does it first."""
    system, state = question.system, read_state(question.system, question.packed)
    if isinstance(known := _latest.get(question.origin), type(state)):
        state = reuse_equal_objects(state, known)
    if len(_latest) >= LATEST:
        _latest.clear()
    _latest[question.origin] = state
    owing = [one.side for one in system.required_prompts(state) if one.side in question.sides]
    side = next(iter([*owing, *question.sides]))
    level, before = question.sides[side], question.remembered.get(side, Memory())
    thought = Thinking(side, level, before.through)
    if question.at_an_end:
        return Decided(side, thought, [_told(action) for action in at_an_end(system, state, side)], before)
    chooser = Chooser(
        system, side, level, derive_seed(question.origin, question.base, level), before.through, before.acted
    )
    found = chooser.decide(state)
    best = [one.action for one in found.best] if found is not None else []
    remembered = Memory(tuple(sorted(chooser.through)), dict(chooser.acted))
    actions = [_told(action) for action in (*best, *at_an_end(system, state, side))]
    return Decided(side, None if len(best) == 1 else thought, actions, remembered)


def at_an_end(system: Ruleset[Any], state: State, side: str) -> Iterator[Action]:
    """Yield the actions left for a finished side: required answers, or passing."""
    for prompt in system.required_prompts(state):
        if prompt.side == side:
            yield from (system.parse(offer.kind, offer.args) for offer in prompt.offers)
    yield from system.legal(system.view(state, side), side, PASS)


def _told(action: Action) -> tuple[str, dict[str, Any]]:
    return action.kind, action.model_dump(mode="json", by_alias=True, exclude_none=True)
