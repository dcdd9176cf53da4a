"""Why the bot decided so: the same decision thought again, on the state and with the dice of its own that it had."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from bot.journal.codec import read_state
from bot.opponent.thinking_record import Thinking, seed
from rules.core.automaton.opponent import Chooser, Thought
from rules.core.automaton.reasons import Reason, reasons
from rules.core.hexboard.hex_scene import Scene
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

MOST_OTHERS = 24
"""What is offered instead of a decision, at most: a menu holds no more."""
OF_ITS_UNIT = 14
"""Of these, what the same unit could do: the rest is for what other units could."""
KEY = 16
"""Letters of the name of an action."""


@dataclass(frozen=True)
class Asked:
    """A decision asked about: how it was thought of, on the packed state of entry `base`, and what was done.

    `origin` as `seed` has it. `others`: whether what else could be done is asked for too.
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
    """Something else that could have been done: what its button says, and its name in a menu."""

    label: str
    key: str
    kind: str
    args: dict[str, Any]


@dataclass(frozen=True)
class Why:
    """A decision's candidates, the one that was thought best first, on a scene; `done` is which was done, from 0.

    `done` is None where it is none of them.
    """

    best: tuple[Reason, ...]
    scene: Scene | None
    done: int | None
    label: str
    others: tuple[Other, ...] = ()


def why(asked: Asked) -> Why:
    """The decision once more, and what it was weighed against."""
    system, thinking = asked.system, asked.thinking
    state = read_state(system, asked.packed)
    named = seed(asked.origin, asked.base, thinking.level)
    thought = Chooser(system, thinking.side, thinking.level, named, thinking.through).decide(state)
    seen, done = system.view(state, thinking.side), system.parse(*asked.done)
    others = tuple(islice(_others(system, seen, thinking.side, thought, done), MOST_OTHERS)) if asked.others else ()
    label = _label(system, seen, done) or done.kind
    if thought is None:
        return Why((), None, None, label, others)
    told = reasons(system, state, thinking.side, thought)
    place = next((place for place, one in enumerate(thought.best) if one.action == done), None)
    return Why(told.best, told.scene, place, label, others)


def instead(asked: Asked, key: str) -> tuple[str, dict[str, Any]] | None:
    """The action of that name among what could be done instead; None where it is not among it."""
    return next(((one.kind, one.args) for one in why(asked).others if one.key == key), None)


def _others(system: Ruleset[Any], seen: State, side: str, thought: Thought | None, done: Action) -> Iterator[Other]:
    """What could be done but was not: the candidates, what the unit could do beside, passing on, then other units."""
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
    """What its button says, of what the side knows; None where that side cannot do it."""
    try:
        return system.label(seen, action)
    except Refused:
        return None


def key_of(action: Action) -> str:
    """A short name of an action, the same wherever it is worked out."""
    told = json.dumps([action.kind, _args(action)], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:KEY]


def _args(action: Action) -> dict[str, Any]:
    return action.model_dump(mode="json", by_alias=True, exclude_none=True)
