"""Positions of Tanga in which the British decide, from games of their card against a German player."""

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State
from rules.registry import rulesets
from tests import fuzz, selfplay

from . import archive
from .archive import Line, Parts
from .dice import RecordedThrows, RecordingDice
from .player import vary_options
from .words import Decision, read_decisions

GAMES = {"initial-assault": 7, "invasion": 6, "big-push": 6, "campaign": 6}
"""Games of each scenario."""
POSITIONS_PER_GAME = 40
"""Positions per game: 1,000 in total."""
WHOLE_FORMATION = 0.15
"""Probability of playing a formation's whole activation at once, instead of one decision."""
RANDOM_ACTION = 0.15
"""Probability of a random German action instead of a good one, in every other game."""
VARIED_OPTIONS = 4
"""Options changed in every third game."""


@dataclass(frozen=True)
class Position:
    """Position before and after a British action."""

    before: State
    action: Action
    throws: RecordedThrows
    after: State
    report: Report
    decisions: tuple[Decision, ...]


def list_jobs() -> Iterator[Callable[[], Parts]]:
    """Yield functions that record one game each."""
    for scenario, games in GAMES.items():
        for number in range(games):
            yield partial(record_game, scenario, number)


def record_game(scenario: str, number: int) -> Parts:
    """Play a game; return its decisions as a part, by name."""
    system = rulesets()["tanga"]
    chance = random.Random(f"{scenario} {number}")
    chosen = _select_positions(list(_play_game(system, scenario, number, chance)), chance)
    lines = [make_line(system, position) for position in chosen]
    return {f"{archive.DECISIONS}/{scenario}-{number}": [{"version": system.version}, *lines]}


def _play_game(system: Ruleset[Any], scenario: str, number: int, chance: random.Random) -> Iterator[Position]:
    """Yield every position of a game in which the British act."""
    rolled = fuzz.RandomDice(number)
    state = system.setup(scenario, {}, rolled)
    if number % 3 == 2:
        state = vary_options(system, state, chance, VARIED_OPTIONS)
    while state.over is None:
        action = _choose_action(system, state, number, chance)
        dice = RecordingDice(rolled)
        after, report = system.act(state, action, dice)
        if action.kind in ("british", "answer"):
            yield Position(state, action, dice.throws, after, report, tuple(read_decisions(system, after)))
        state = after


def _choose_action(system: Ruleset[Any], state: Any, number: int, chance: random.Random) -> Action:
    """Return a decision of the British, a random answer to a question, or an order of the Germans."""
    action = selfplay.choose_action(system, state)
    if action.kind == "answer":
        return chance.choice(fuzz.list_prompt_actions(system, state))
    if action.kind == "british":
        scope = "formation" if chance.random() < WHOLE_FORMATION else "decision"
        return system.parse("british", {"much": scope})
    if number % 2 and chance.random() < RANDOM_ACTION:
        return fuzz.choose_random_action(system, state, chance)
    return action


def _select_positions(positions: list[Position], chance: random.Random) -> list[Position]:
    """Select positions from every kind of situation in turn; return them in the order of play."""
    order = list(range(len(positions)))
    chance.shuffle(order)
    by_situation: dict[Hashable, list[int]] = defaultdict(list)
    for place in order:
        by_situation[_classify(positions[place])].append(place)
    chosen: list[int] = []
    while len(chosen) < POSITIONS_PER_GAME and any(by_situation.values()):
        chosen += [places.pop() for places in by_situation.values() if places][: POSITIONS_PER_GAME - len(chosen)]
    return [positions[place] for place in sorted(chosen)]


def _classify(position: Position) -> Hashable:
    """Return the kind of a situation: decisions, numbers of candidates, deciding rows, and whether dice were thrown."""
    decisions = tuple(
        (decision["about"], min(len(decision["among"]), 3), _find_row(decision["why"]))
        for decision in position.decisions
    )
    return position.action.kind, decisions[:2], len(decisions) > 1, bool(position.throws)


def _find_row(why: str) -> str:
    """Return the deciding row of the card, such as `row 4` of `2713: row 4, lowest hex number`, or an empty string."""
    return why.rpartition(": ")[2].partition(",")[0] if ": row " in why else ""


def select_decisions(parts: Parts) -> list[Line]:
    """Select enough decisions to cover each row of the card, with dice and without dice."""
    lines = [line for part in parts.values() for line in part[1:]]
    known_rows: set[Hashable] = set()
    chosen = []
    for line in sorted(lines, key=lambda line: len(line["decided"])):
        rows = {(decision["about"], _find_row(decision["why"]), bool(line["throws"])) for decision in line["decided"]}
        if not rows <= known_rows:
            chosen.append(line)
            known_rows |= rows
    return [next(iter(parts.values()))[0], *chosen]


def make_line(system: Ruleset[Any], position: Position) -> Line:
    """Return a position as a recorded line."""
    action = fuzz.dump_action(position.action)
    return {
        "kind": action.pop("kind"),
        "args": action,
        "throws": position.throws,
        "turn": position.before.turn_title,
        "headline": position.report.headline,
        "before": system.write_state(position.before),
        "decided": list(position.decisions),
        "after": system.write_state(position.after),
    }
