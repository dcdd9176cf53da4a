"""Explain a decision of the bot by repeating it from its original state with its original dice."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from bot.journal.codec import read_state
from bot.journal.thinking_record import ThinkingRecord, derive_bot_seed
from rules.core.automaton.opponent import DecisionMaker, OpponentDecision
from rules.core.automaton.reasons import CandidateReason, explain_candidates
from rules.core.hexboard.hex_scene import Scene
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

MOST_ALTERNATIVES = 24
"""Maximum number of alternatives offered, limited by a Discord menu."""
MOST_PER_GROUP = 14
"""Maximum number of alternatives for one group: the decision's unit, or a kind of action."""
KEY_LENGTH = 16
"""Number of characters in an alternative's key."""


@dataclass(frozen=True)
class DecisionQuestion:
    """A decision to explain, with its thinking record."""

    system: Ruleset[Any]
    packed: bytes
    """Compressed state before the decision, which is the state of entry `base`."""
    origin: str
    """Tag of the game's first seed."""
    base: int
    thinking: ThinkingRecord
    done: tuple[str, dict[str, Any]]
    """Kind and arguments of the executed action."""
    with_alternatives: bool = False
    """Whether the explanation lists alternative actions, too."""


@dataclass(frozen=True)
class AlternativeAction:
    """An action that the umpire may choose in place of the one that the bot decided."""

    label: str
    """Button text of the action."""
    key: str
    """Value of the action in the menu."""
    kind: str
    args: dict[str, Any]


@dataclass(frozen=True)
class Explanation:
    """The candidate actions of a decision, best first, and a scene that shows them."""

    best: tuple[CandidateReason, ...]
    scene: Scene | None
    done: int | None
    """Index of the executed action among the candidates, if any."""
    label: str
    """Button text of the executed action."""
    alternatives: tuple[AlternativeAction, ...] = ()


def explain_decision(question: DecisionQuestion) -> Explanation:
    """Repeat a decision from its original state, and explain the candidate actions."""
    system, thinking = question.system, question.thinking
    state = read_state(system, question.packed)
    seed = derive_bot_seed(question.origin, question.base, thinking.level)
    thought = DecisionMaker(system, thinking.side, thinking.level, seed, thinking.through).decide(state)
    view, choice = system.view(state, thinking.side), system.parse(*question.done)
    every = _find_alternatives(system, view, thinking.side, thought, choice)
    alternatives = tuple(islice(every, MOST_ALTERNATIVES)) if question.with_alternatives else ()
    label = _button_label(system, view, choice) or choice.kind
    if thought is None:
        return Explanation((), None, None, label, alternatives)
    explained = explain_candidates(system, state, thinking.side, thought)
    place = next((place for place, candidate in enumerate(thought.best) if candidate.action == choice), None)
    return Explanation(explained.best, explained.scene, place, label, alternatives)


def find_alternative(question: DecisionQuestion, key: str) -> tuple[str, dict[str, Any]] | None:
    """Return the kind and the arguments of the alternative with that key, or None for an unknown key."""
    alternatives = explain_decision(question).alternatives
    return next(((alternative.kind, alternative.args) for alternative in alternatives if alternative.key == key), None)


def _find_alternatives(
    system: Ruleset[Any], view: State, side: str, thought: OpponentDecision | None, choice: Action
) -> Iterator[AlternativeAction]:
    """Yield the alternatives to the action `choice`, each with a different button text.

    The decision's other candidates come first. Then come answers to a required prompt, or else other legal actions,
    first those of the same unit.
    """
    best = [candidate.action for candidate in thought.best] if thought is not None else []
    required = [prompt for prompt in system.open_prompts(view) if prompt.required and prompt.side == side]
    answers = (system.parse(offer.kind, offer.args) for prompt in required for offer in prompt.offers)
    unit_actions = (
        islice(system.legal_actions(view, side, None, choice.unit), MOST_PER_GROUP) if choice.unit is not None else ()
    )
    other_actions = (
        action for kind in system.actions for action in islice(system.legal_actions(view, side, kind), MOST_PER_GROUP)
    )
    free = chain(unit_actions, system.legal_actions(view, side, PASS), other_actions)
    labels = {_button_label(system, view, choice)}
    for action in chain(best, answers if required else free):
        label = None if action.umpire_only else _button_label(system, view, action)
        if label is not None and label not in labels:
            labels.add(label)
            args = action.model_dump(mode="json", by_alias=True, exclude_none=True)
            text = json.dumps([action.kind, args], sort_keys=True)
            key = hashlib.sha256(text.encode()).hexdigest()[:KEY_LENGTH]
            yield AlternativeAction(label, key, action.kind, args)


def _button_label(system: Ruleset[Any], view: State, action: Action) -> str | None:
    """Return the button text of the action in the side's view, or None if the rules refuse the action."""
    try:
        return system.label(view, action)
    except Refused:
        return None
