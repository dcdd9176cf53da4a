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
"""Maximum number of games whose last state a worker keeps."""
_latest: dict[str, State] = {}


@dataclass(frozen=True)
class ThinkingTask:
    """A decision to make: the packed state of entry `base`, and the levels of the bot's sides.

    `origin` is the tag of the game's first seed. `remembered` is the bot's memory of the turn for each side.
    `may_only_pass`: the bot has reached its limit this turn, and only answers required prompts or passes.
    """

    system: Ruleset[Any]
    packed: bytes
    origin: str
    base: int
    sides: dict[str, Level]
    remembered: dict[str, Memory]
    may_only_pass: bool = False


class DecidedActions(NamedTuple):
    """A decision for a side: actions as kind and arguments, best first, and the bot's new memory of the turn.

    `thought` records the decision for later explanation; None if only one action was possible.
    """

    side: str
    thought: Thinking | None
    actions: Sequence[tuple[str, dict[str, Any]]]
    remembered: Memory


def decide(question: ThinkingTask) -> DecidedActions:
    """Decide for one of the bot's sides. A side with a required prompt comes first."""
    system, state = question.system, read_state(question.system, question.packed)
    if isinstance(latest := _latest.get(question.origin), type(state)):
        state = reuse_equal_objects(state, latest)
    if len(_latest) >= LATEST:
        _latest.clear()
    _latest[question.origin] = state
    required = [prompt.side for prompt in system.required_prompts(state) if prompt.side in question.sides]
    side = next(iter([*required, *question.sides]))
    level, before = question.sides[side], question.remembered.get(side, Memory())
    thought = Thinking(side, level, before.through)
    if question.may_only_pass:
        last = [_as_json(action) for action in final_actions(system, state, side)]
        return DecidedActions(side, thought, last, before)
    chooser = Chooser(
        system, side, level, derive_seed(question.origin, question.base, level), before.through, before.acted
    )
    decision = chooser.decide(state)
    best = [candidate.action for candidate in decision.best] if decision is not None else []
    remembered = Memory(tuple(sorted(chooser.through)), dict(chooser.acted))
    actions = [_as_json(action) for action in (*best, *final_actions(system, state, side))]
    return DecidedActions(side, None if len(best) == 1 else thought, actions, remembered)


def final_actions(system: Ruleset[Any], state: State, side: str) -> Iterator[Action]:
    """Yield the actions that end a side's turn: answers to its required prompts, then passing."""
    for prompt in system.required_prompts(state):
        if prompt.side == side:
            yield from (system.parse(offer.kind, offer.args) for offer in prompt.offers)
    yield from system.legal(system.view(state, side), side, PASS)


def _as_json(action: Action) -> tuple[str, dict[str, Any]]:
    return action.kind, action.model_dump(mode="json", by_alias=True, exclude_none=True)
