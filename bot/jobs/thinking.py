"""Decide the bot's next action for one of its sides."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.journal.codec import read_state
from bot.journal.thinking_record import ThinkingRecord, TurnMemory, derive_bot_seed
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.memo import reuse_equal_objects
from rules.core.phases import PASS
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

MOST_KEPT_STATES = 4
"""Maximum number of games in the memory of a worker, each with its last state."""
_latest_states: dict[str, State] = {}


@dataclass(frozen=True)
class ThinkingTask:
    """A decision that a worker makes for one of the bot's sides."""

    system: Ruleset[Any]
    packed: bytes
    """Compressed state after entry `base`."""
    origin: str
    """Tag of the game's first seed."""
    base: int
    sides: dict[str, Level]
    """The bot's level on each of its sides."""
    remembered: dict[str, TurnMemory]
    """The bot's memory of the turn for each side."""
    may_only_pass: bool = False
    """Whether the bot has reached its limit of decisions, and now only answers required prompts or passes."""


class DecidedActions(NamedTuple):
    """The bot's decision for a side."""

    side: str
    thought: ThinkingRecord | None
    """Record for a later explanation, or None if the bot found only one candidate."""
    actions: Sequence[tuple[str, dict[str, Any]]]
    """Kinds and arguments of possible actions, best first."""
    remembered: TurnMemory
    """The bot's memory of the turn after the decision."""


def decide_bot_action(question: ThinkingTask) -> DecidedActions:
    """Decide for one of the bot's sides. Prefer a side with a required prompt."""
    system, state = question.system, read_state(question.system, question.packed)
    if isinstance(latest := _latest_states.get(question.origin), type(state)):
        state = reuse_equal_objects(state, latest)
    if len(_latest_states) >= MOST_KEPT_STATES:
        _latest_states.clear()
    _latest_states[question.origin] = state
    required = [prompt.side for prompt in system.required_prompts(state) if prompt.side in question.sides]
    side = next(iter([*required, *question.sides]))
    level, before = question.sides[side], question.remembered.get(side, TurnMemory())
    thought = ThinkingRecord(side, level, before.through)
    if question.may_only_pass:
        last = [_kind_and_arguments(action) for action in turn_ending_actions(system, state, side)]
        return DecidedActions(side, thought, last, before)
    chooser = DecisionMaker(
        system, side, level, derive_bot_seed(question.origin, question.base, level), before.through, before.acted
    )
    decision = chooser.decide(state)
    best = [candidate.action for candidate in decision.best] if decision is not None else []
    remembered = TurnMemory(tuple(sorted(chooser.through)), dict(chooser.acted))
    actions = [_kind_and_arguments(action) for action in (*best, *turn_ending_actions(system, state, side))]
    return DecidedActions(side, None if len(best) == 1 else thought, actions, remembered)


def turn_ending_actions(system: Ruleset[Any], state: State, side: str) -> Iterator[Action]:
    """Yield the actions by which a side ends its turn: answers to its required prompts first, then passing."""
    for prompt in system.required_prompts(state):
        if prompt.side == side:
            yield from (system.parse(offer.kind, offer.args) for offer in prompt.offers)
    yield from system.legal_actions(system.view(state, side), side, PASS)


def _kind_and_arguments(action: Action) -> tuple[str, dict[str, Any]]:
    return action.kind, action.model_dump(mode="json", by_alias=True, exclude_none=True)
