"""Explain a decision of the bot: repeat the decision with its original state and dice."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from bot.journal.codec import read_state
from bot.journal.thinking_record import Thinking, derive_seed
from rules.core.automaton.opponent import Chooser, Thought
from rules.core.automaton.reasons import Reason, explain_thought
from rules.core.hexboard.hex_scene import Scene
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

MOST_OTHERS = 24
"""Maximum number of alternatives offered, limited by a Discord menu."""
OF_ITS_UNIT = 14
"""Maximum alternatives for the decision's own unit; other units fill the rest."""
KEY = 16
"""Letters of the name of an action."""


@dataclass(frozen=True)
class Asked:
    """A questioned decision: its thinking record, the packed state of entry `base`, and the action taken.

    `origin` as in `derive_seed`. `others`: whether what else could be done is asked for too.
    """

    system: Ruleset[Any]
    packed: bytes
    origin: str
    base: int
    thinking: Thinking
    done: tuple[str, dict[str, Any]]
    others: bool = False


@dataclass(frozen=True)
class Other:
    """An alternative action: button text and menu value."""

    label: str
    key: str
    kind: str
    args: dict[str, Any]


@dataclass(frozen=True)
class Why:
    """The candidates of a decision, best first, drawn on a scene; `done` is the index of the chosen one.

    `done` is None where it is none of them.
    """

    best: tuple[Reason, ...]
    scene: Scene | None
    done: int | None
    label: str
    others: tuple[Other, ...] = ()


def why(asked: Asked) -> Why:
    """Repeat the decision and return its candidates."""
    system, thinking = asked.system, asked.thinking
    state = read_state(system, asked.packed)
    named = derive_seed(asked.origin, asked.base, thinking.level)
    thought = Chooser(system, thinking.side, thinking.level, named, thinking.through).decide(state)
    seen, done = system.view(state, thinking.side), system.parse(*asked.done)
    others = tuple(islice(_others(system, seen, thinking.side, thought, done), MOST_OTHERS)) if asked.others else ()
    label = _label(system, seen, done) or done.kind
    if thought is None:
        return Why((), None, None, label, others)
    told = explain_thought(system, state, thinking.side, thought)
    place = next((place for place, one in enumerate(thought.best) if one.action == done), None)
    return Why(told.best, told.scene, place, label, others)


def find_alternative(asked: Asked, key: str) -> tuple[str, dict[str, Any]] | None:
    """Return the alternative named `key`, or None."""
    return next(((one.kind, one.args) for one in why(asked).others if one.key == key), None)


def _others(system: Ruleset[Any], seen: State, side: str, thought: Thought | None, done: Action) -> Iterator[Other]:
    """Yield alternatives: other candidates, other actions of the unit, passing, then actions of other units."""
    best = [one.action for one in thought.best] if thought is not None else []
    owed = [one for one in system.open_prompts(seen) if one.required and one.side == side]
    answers = (system.parse(offer.kind, offer.args) for prompt in owed for offer in prompt.offers)
    own = islice(system.legal(seen, side, None, done.unit), OF_ITS_UNIT) if done.unit is not None else ()
    rest = (action for kind in system.actions for action in islice(system.legal(seen, side, kind), OF_ITS_UNIT))
    free = chain(own, system.legal(seen, side, PASS), rest)
    told = {_label(system, seen, done)}
    for action in chain(best, answers if owed else free):
        label = None if action.umpire_only else _label(system, seen, action)
        if label is not None and label not in told:
            told.add(label)
            yield Other(label, key_of(action), action.kind, _args(action))


def _label(system: Ruleset[Any], seen: State, action: Action) -> str | None:
    """Return the action's button text as the side knows the table, or None for an impossible action."""
    try:
        return system.label(seen, action)
    except Refused:
        return None


def key_of(action: Action) -> str:
    """Return a short, stable name for an action."""
    told = json.dumps([action.kind, _args(action)], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:KEY]


def _args(action: Action) -> dict[str, Any]:
    return action.model_dump(mode="json", by_alias=True, exclude_none=True)
