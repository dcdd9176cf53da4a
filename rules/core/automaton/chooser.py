"""An opponent for any system: it tries what it may do with dice of its own, and takes what leaves its side best.

It knows what its side knows. What hangs on dice it tries several times; at the hard level it also looks at what the
enemy could answer. The same position, level and seed make the same choice on every machine.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Generic, TypeVar

from rules.core.dice import Throw
from rules.core.model import Viewer
from rules.core.refused import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

S = TypeVar("S", bound=State)

PASS = "turn_next"
"""The kind of action that goes on when nothing is worth doing."""
WON = 1000.0
"""What a game won is worth."""
LATER = 0.6
"""How much of what comes later counts: it may yet come otherwise."""
THROWS = 3
"""For each thing that could be done next, or answered."""
KEPT = 3
"""Candidates of a decision that are kept to explain it."""


class Level(StrEnum):
    """How deeply it thinks."""

    EASY = "easy"
    HARD = "hard"


@dataclass(frozen=True)
class Bounds:
    """What a level may try: candidates of one decision, with so many throws each.

    For so many of the best it looks at what the same unit could do `next` in the turn, and at `answers` of the enemy.
    """

    candidates: int
    tries: int
    followed: int = 0
    following: int = 0
    answered: int = 0
    answers: int = 0


BOUNDS: Mapping[Level, Bounds] = {
    Level.EASY: Bounds(candidates=60, tries=1),
    Level.HARD: Bounds(candidates=160, tries=4, followed=16, following=8, answered=5, answers=12),
}


@dataclass(frozen=True)
class Worth(Generic[S]):
    """One thing that a side may have: its word, how much one of it counts, and how much of it a side (by id) has."""

    word: str
    weight: float
    of: Callable[[S, str], float]


@dataclass(frozen=True)
class Weighed:
    """A candidate: what its button says, its value, and by word what it is expected to bring or to cost."""

    action: Action
    label: str
    value: float
    brings: Mapping[str, float]


@dataclass(frozen=True)
class Thought:
    """A decision: what is done, and the best candidates, the one chosen first. `tries` is how much was tried."""

    action: Action
    best: tuple[Weighed, ...]
    tries: int


@dataclass
class OwnDice:
    """Dice to think with: they follow from a seed, and are never those of the game."""

    seed: str
    thrown: list[Throw] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:  # noqa: ARG002
        """As many faces by chance."""
        faces = tuple(self._random.randint(1, sides) for _ in range(count))
        self.thrown.append(Throw(number=len(self.thrown) + 1, label=label, sides=sides, dice=faces, side=side))
        return self.thrown[-1]


class Chooser(Generic[S]):
    """Decisions of one side at one level. `values` are the system's."""

    def __init__(self, system: Ruleset[S], values: Sequence[Worth[S]], side: str, level: Level, seed: str) -> None:
        self.system, self.values, self.side = system, values, side
        self.bounds, self.seed = BOUNDS[level], seed
        self.tries = 0
        self._anyway: dict[str, float] = {}

    def decide(self, state: S) -> Thought | None:
        """What the side does next; None where it has nothing to do."""
        self.tries, self._anyway = 0, {}
        seen = self.system.view(state, self.side)
        known = self.system.imagine(seen, OwnDice(f"{self.seed}:imagined"))
        candidates = [*self._candidates(known)]
        if not candidates:
            return None
        before = self._parts(known)
        weighed = [self._weigh(known, action, before, place) for place, action in enumerate(candidates)]
        found = sorted((one for one in weighed if one is not None), key=lambda one: -one.value)
        for number, look in ((self.bounds.followed, self._followed), (self.bounds.answered, self._answered)):
            looked = [look(known, one, place) for place, one in enumerate(found[:number])]
            found = [*sorted(looked, key=lambda one: -one.value), *found[number:]]
        return Thought(found[0].action, tuple(found[:KEPT]), self.tries) if found else None

    def _candidates(self, known: S) -> Iterator[Action]:
        """What is required of it alone, or else a bounded choice of what it may do, and going on."""
        required = [
            self.system.parse(offer.kind, offer.args)
            for prompt in self.system.open_prompts(known)
            if prompt.required and prompt.side == self.side
            for offer in prompt.offers
        ]
        if required:
            yield from required
            return
        if self.side not in known.acting:
            return
        kinds: dict[tuple[str, str | None], list[Action]] = {}
        for action in self.system.legal(known, self.side):
            if action.kind != PASS and not action.umpire_only:
                kinds.setdefault((action.kind, action.unit), []).append(action)
        yield from _in_turn(kinds.values(), self.bounds.candidates)
        yield from (action for action in self.system.legal(known, self.side, PASS))

    def _weigh(self, known: S, action: Action, before: Mapping[str, float], place: int) -> Weighed | None:
        """What it leaves the side with, over a few throws; None where it is refused after all."""
        if action.kind == PASS:
            return Weighed(action, self._label(known, action), sum(before.values()), {})
        total, tries = dict.fromkeys(before, 0.0), 0
        for _ in range(self.bounds.tries):
            dice = OwnDice(f"{self.seed}:{place}:{tries}")
            after = self._tried(known, action, dice)
            if after is None:
                return None
            tries += 1
            for word, worth in self._parts(after).items():
                total[word] = total.get(word, 0.0) + worth
            if not dice.thrown:
                break
        mean = {word: worth / tries for word, worth in total.items()}
        brings = {word: worth - before.get(word, 0.0) for word, worth in mean.items()}
        return Weighed(action, self._label(known, action), sum(mean.values()), brings)

    def _followed(self, known: S, one: Weighed, place: int) -> Weighed:
        """The same with the best that its unit could do next in the turn, less what it could do without this."""
        unit = one.action.unit
        if unit is None:
            return one
        if unit not in self._anyway:
            self._anyway[unit] = self._next(known, unit)
        return self._with(
            one, "what comes next", (self._next(self._after(known, one, place), unit) - self._anyway[unit])
        )

    def _next(self, state: S, unit: str) -> float:
        """The best that a unit could do in later phases of the turn: what it would bring; 0 where nothing is better."""
        phases, best = self.system.phases, 0.0
        for phase in phases.later(state) if phases is not None else ():
            then = phases.supposed(state, phase, self.side) if phases is not None else state
            before = sum(self._parts(then).values())
            mine = self.system.legal(then, self.side, unit=unit)
            for number, action in enumerate(islice(mine, self.bounds.following)):
                best = max(best, self._mean(then, action, f"{unit}:{phase}:{number}") - before)
        return best * LATER

    def _answered(self, known: S, one: Weighed, place: int) -> Weighed:
        """The same after the worst of a bounded number of the enemy's attacks."""
        after, worst = self._after(known, one, place), 0.0
        before = sum(self._parts(after).values())
        others = [side.id for side in after.sides if side.id != self.side]
        attacks: dict[str | None, list[Action]] = {}
        for other in others:
            for action in self.system.attacks(after, other):
                attacks.setdefault(action.unit, []).append(action)
        for number, attack in enumerate(_in_turn(attacks.values(), self.bounds.answers)):
            worst = min(worst, self._mean(after, attack, f"{place}:{number}:answer") - before)
        return self._with(one, "the answer", worst * LATER)

    def _with(self, one: Weighed, word: str, worth: float) -> Weighed:
        """With one more thing that it brings."""
        brings = {**one.brings, word: worth} if worth else one.brings
        return Weighed(one.action, one.label, one.value + worth, brings)

    def _after(self, known: S, one: Weighed, place: int) -> S:
        """One way in which it may stand after the candidate."""
        if one.action.kind == PASS:
            return known
        return self._tried(known, one.action, OwnDice(f"{self.seed}:{place}:0")) or known

    def _mean(self, state: S, action: Action, seed: str) -> float:
        """What an action leaves the side with, over a few throws; nothing is gained by one that is refused."""
        worth, tries = 0.0, 0
        for number in range(THROWS):
            dice = OwnDice(f"{self.seed}:{seed}:{number}")
            after = self._tried(state, action, dice)
            worth, tries = worth + sum(self._parts(state if after is None else after).values()), tries + 1
            if not dice.thrown:
                break
        return worth / tries

    def _tried(self, state: S, action: Action, dice: OwnDice) -> S | None:
        """The state after it, with nothing that follows; None where it is refused."""
        self.tries += 1
        try:
            return self.system.tried(state, action, dice)
        except Refused:
            return None

    def _label(self, known: S, action: Action) -> str:
        try:
            return self.system.label(known, action)
        except Refused:
            return action.kind

    def _parts(self, state: S) -> Mapping[str, float]:
        """What the side has more of than its enemies, by word, as it counts."""
        others = [side.id for side in state.sides if side.id != self.side]
        parts = {
            worth.word: worth.weight * (worth.of(state, self.side) - sum(worth.of(state, other) for other in others))
            for worth in self.values
        }
        over = self.system.settled(state).over
        if over is not None and over.winner is not None:
            parts["the game"] = WON if over.winner == self.side else -WON
        return parts


def _in_turn(groups: Iterable[Sequence[Action]], most: int) -> Iterator[Action]:
    """The first of every group, then the second of every one, and so on, up to a number."""
    left, yielded = [list(reversed(group)) for group in groups], 0
    while left and yielded < most:
        for group in left:
            yield group.pop()
            yielded += 1
            if yielded >= most:
                return
        left = [group for group in left if group]
