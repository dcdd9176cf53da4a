"""Positions of Tanga in which the British decide, taken from games of the card against a player of the Germans."""

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
from .dice import Noted, NotingDice
from .player import vary
from .words import Decided, decided

GAMES = {"initial-assault": 7, "invasion": 6, "big-push": 6, "campaign": 6}
"""Games of each scenario."""
OF_A_GAME = 40
"""Positions taken from each: 1,000 in all."""
WHOLE_FORMATION = 0.15
"""How often a formation's whole activation is played at once, not one decision."""
AT_RANDOM = 0.15
"""How often the Germans of every other game do anything legal instead of what is good."""
VARIED = 4
"""Options changed in every third game."""


@dataclass(frozen=True)
class Position:
    """What the British did in a position, and what came of it."""

    before: State
    action: Action
    throws: Noted
    after: State
    report: Report
    decisions: tuple[Decided, ...]


def jobs() -> Iterator[Callable[[], Parts]]:
    """A part to record for each game."""
    for scenario, games in GAMES.items():
        for number in range(games):
            yield partial(record, scenario, number)


def record(scenario: str, number: int) -> Parts:
    """A lot of decisions, by its name."""
    system = rulesets()["tanga"]
    chance = random.Random(f"{scenario} {number}")
    taken = _spread(list(_played(system, scenario, number, chance)), chance)
    lines = [line(system, position) for position in taken]
    return {f"{archive.DECISIONS}/{scenario}-{number}": [{"version": system.version}, *lines]}


def _played(system: Ruleset[Any], scenario: str, number: int, chance: random.Random) -> Iterator[Position]:
    """Every position of a game in which the British do something."""
    rolled = fuzz.RandomDice(number)
    state = system.setup(scenario, {}, rolled)
    if number % 3 == 2:
        state = vary(system, state, chance, VARIED)
    while state.over is None:
        action = _next(system, state, number, chance)
        dice = NotingDice(rolled)
        after, report = system.act(state, action, dice)
        if action.kind in ("british", "answer"):
            yield Position(state, action, dice.thrown, after, report, tuple(decided(system, after)))
        state = after


def _next(system: Ruleset[Any], state: Any, number: int, chance: random.Random) -> Action:
    """One decision of the British, any answer to a question, or an order of the Germans."""
    action = selfplay.choose_action(system, state)
    if action.kind == "answer":
        return chance.choice(fuzz.list_prompt_actions(system, state))
    if action.kind == "british":
        much = "formation" if chance.random() < WHOLE_FORMATION else "decision"
        return system.parse("british", {"much": much})
    if number % 2 and chance.random() < AT_RANDOM:
        return fuzz.choose_random_action(system, state, chance)
    return action


def _spread(positions: list[Position], chance: random.Random) -> list[Position]:
    """So many of a game, of every kind of situation in turn, in the order they were played."""
    order = list(range(len(positions)))
    chance.shuffle(order)
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for place in order:
        alike[_situation(positions[place])].append(place)
    taken: list[int] = []
    while len(taken) < OF_A_GAME and any(alike.values()):
        taken += [places.pop() for places in alike.values() if places][: OF_A_GAME - len(taken)]
    return [positions[place] for place in sorted(taken)]


def _situation(position: Position) -> Hashable:
    """What tells situations apart: what was decided, between how many, by which row; and whether dice were thrown."""
    decisions = tuple((one["about"], min(len(one["among"]), 3), _row(one["why"])) for one in position.decisions)
    return position.action.kind, decisions[:2], len(decisions) > 1, bool(position.throws)


def _row(why: str) -> str:
    """`row 4` of `2713: row 4, lowest hex number`, where a row of the card decided."""
    return why.rpartition(": ")[2].partition(",")[0] if ": row " in why else ""


def few(parts: Parts) -> list[Line]:
    """A few of all the decisions, among them one by each row of the card, whether or not dice were thrown."""
    lines = [line for part in parts.values() for line in part[1:]]
    seen: set[Hashable] = set()
    taken = []
    for line in sorted(lines, key=lambda line: len(line["decided"])):
        rows = {(one["about"], _row(one["why"]), bool(line["throws"])) for one in line["decided"]}
        if not rows <= seen:
            taken.append(line)
            seen |= rows
    return [next(iter(parts.values()))[0], *taken]


def line(system: Ruleset[Any], position: Position) -> Line:
    """Return a position as the line of a decision."""
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
