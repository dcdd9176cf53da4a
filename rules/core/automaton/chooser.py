"""An opponent for any system: it tries what it may do with dice of its own, and takes what leaves its side best.

It knows what its side knows. It takes its units one after the other, and tries for each what it could do; what hangs
on dice it tries several times. At the hard level it also looks at what the unit could do next, and at what the enemy
could answer. The same position, level and seed make the same choice on every machine.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Generic, TypeAlias, TypeVar

from rules.core.refused import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

from .own_dice import OwnDice

S = TypeVar("S", bound=State)

Through: TypeAlias = tuple[int, str, str]
PASS = "turn_next"
"""The kind of action that goes on when nothing is worth doing."""
WON = 1000.0
"""What a game won is worth."""
LATER = 0.6
"""How much of what comes later counts: it may yet come otherwise."""
THROWS = 2
"""For each thing that could be done next, or answered."""
LEAST = 0.01
"""How much better than leaving it a thing must be."""
KEPT = 3
"""Candidates of a decision that are kept to explain it."""


class Level(StrEnum):
    """How deeply it thinks."""

    EASY = "easy"
    HARD = "hard"


@dataclass(frozen=True)
class Bounds:
    """What a level may try: candidates of one unit once each, then the best so many of them with so many throws.

    For so many of the best it looks at what the same unit could do `next` in the turn, and at `answers` of the enemy.
    """

    candidates: int
    thrown: int
    throws: int
    followed: int = 0
    following: int = 0
    answered: int = 0
    answers: int = 0


BOUNDS: Mapping[Level, Bounds] = {
    Level.EASY: Bounds(candidates=60, thrown=0, throws=1),
    Level.HARD: Bounds(candidates=60, thrown=6, throws=4, followed=4, following=5, answered=3, answers=5),
}


@dataclass(frozen=True)
class Weighed:
    """A candidate: its value, by word what it is expected to bring or to cost, and what its button says where kept.

    It is `certain` where it throws no dice.
    """

    action: Action
    value: float
    brings: Mapping[str, float]
    label: str = ""
    certain: bool = False


@dataclass(frozen=True)
class Thought:
    """A decision: what is done, and the best candidates, the one chosen first."""

    action: Action
    best: tuple[Weighed, ...]


class Chooser(Generic[S]):
    """Decisions of one side at one level, one after the other.

    `through` has the units (by turn, phase and id) for which nothing was worth doing: they are not asked again.
    """

    def __init__(self, system: Ruleset[S], side: str, level: Level, seed: str, through: Iterable[Through] = ()) -> None:
        """`seed` is what its own dice follow from: the name of the decision."""
        self.system, self.side, self.seed = system, side, seed
        self.bounds = BOUNDS[level]
        self.through = set(through)
        self._afters: dict[int, S] = {}

    def decide(self, state: S) -> Thought | None:
        """What the side does next; None where it has nothing to do."""
        known = self._known(state)
        owed = [*self._owed(known)]
        if owed:
            return self._thought(known, self._weighed(known, owed, "owed"))
        if self.side not in known.acting:
            return None
        passing = [*self.system.legal(known, self.side, PASS)]
        left: list[Weighed] = []
        for name, group in self._groups(known):
            here = (known.turn, known.phase, name)
            if passing and here in self.through:
                continue
            weighed = self._weighed(known, chain(group, passing), name)
            if passing and weighed and weighed[0].action.kind != PASS:
                return self._thought(known, weighed)
            self.through.add(here)
            left += _against_leaving(weighed[:KEPT])
        best = sorted(left, key=lambda one: -one.value)
        return self._thought(known, [*self._weighed(known, passing, PASS), *best])

    def _known(self, state: S) -> S:
        """What the side knows, and what it supposes of the rest."""
        return self.system.imagine(self.system.view(state, self.side), OwnDice(f"{self.seed}:imagined"))

    def _owed(self, known: S) -> Iterator[Action]:
        """What is required of it."""
        for prompt in self.system.open_prompts(known):
            if prompt.required and prompt.side == self.side:
                yield from (self.system.parse(offer.kind, offer.args) for offer in prompt.offers)

    def _groups(self, known: S) -> Iterator[tuple[str, Iterable[Action]]]:
        """What is weighed together, with its name: what its units share, what each does, what the side does as one."""
        kinds = [kind for kind, action in self.system.actions.items() if not action.umpire_only and kind != PASS]
        rationed = [kind for kind in kinds if self.system.actions[kind].rationed]
        for kind in rationed:
            yield kind, self.system.legal(known, self.side, kind)
        for unit in [*known.units.values()]:
            if unit.side == self.side:
                yield unit.id, islice(self._own(known, unit.id, rationed), self.bounds.candidates)
        by_side = [kind for kind in kinds if not self.system.actions[kind].by_unit]
        yield "", chain.from_iterable(self.system.legal(known, self.side, kind) for kind in by_side)

    def _own(self, known: S, unit: str, but: Container[str] = ()) -> Iterator[Action]:
        """What a unit may do, as far as it is asked for: the first of every kind, then the second, and so on."""
        kinds = (kind for kind, action in self.system.actions.items() if kind not in but and not action.umpire_only)
        return _in_turn(iter(self.system.worth_trying(known, self.side, kind, unit)) for kind in kinds)

    def _weighed(self, known: S, actions: Iterable[Action], name: str) -> list[Weighed]:
        """Candidates, the best first: all of them tried once, the best of them looked at more closely."""
        before, bounds = self._parts(known), self.bounds
        self._afters = {}
        tried = (self._weigh(known, action, before, name, 1) for action in actions)
        found = _sorted(one for one in tried if one is not None)
        if all(one.action.kind == PASS for one in found):
            return found
        again = (self._thrown(known, one, before, name) for one in found[: bounds.thrown])
        found = _sorted([*again, *found[bounds.thrown :]])
        for number, look in ((bounds.followed, self._followed), (bounds.answered, self._answered)):
            close = [place for place, one in enumerate(found) if place < number or one.action.kind == PASS]
            looked = _sorted(look(known, found[place], name) for place in close) if number else []
            found = [*looked, *(one for place, one in enumerate(found) if place not in close)] if number else found
        return found

    def _thrown(self, known: S, one: Weighed, before: Mapping[str, float], name: str) -> Weighed:
        """The same over more throws, where it hangs on any."""
        return one if one.certain else self._weigh(known, one.action, before, name, self.bounds.throws) or one

    def _weigh(self, known: S, action: Action, before: Mapping[str, float], name: str, throws: int) -> Weighed | None:
        """What it leaves the side with, over a few throws; None where it is refused after all."""
        if action.kind == PASS:
            return Weighed(action, sum(before.values()) + LEAST, {}, certain=True)
        total, tries, dice = dict.fromkeys(before, 0.0), 0, OwnDice("")
        while tries < throws:
            dice = OwnDice(f"{self.seed}:{name}:{tries}")
            after = self._tried(known, action, dice)
            if after is None:
                return None
            self._afters.setdefault(id(action), after)
            tries += 1
            for word, worth in self._parts(after).items():
                total[word] = total.get(word, 0.0) + worth
            if not dice.thrown:
                break
        mean = {word: worth / tries for word, worth in total.items()}
        brings = {word: worth - before.get(word, 0.0) for word, worth in mean.items()}
        return Weighed(action, sum(mean.values()), brings, certain=not dice.thrown)

    def _followed(self, known: S, one: Weighed, name: str) -> Weighed:
        """The same with the best that its unit could do next in the turn; in this phase only where it goes on in it."""
        unit, passes = one.action.unit or name, one.action.kind == PASS
        if unit not in known.units:
            return one
        after = known if passes else self._after(known, one)
        return _with(one, "what comes next", self._next(after, unit, later_alone=passes))

    def _next(self, state: S, unit: str, *, later_alone: bool) -> float:
        """The best that a unit could do next in the turn: what it would bring; 0 where nothing is better."""
        phases, best = self.system.phases, 0.0
        now = () if later_alone or self.side not in state.acting else (state,)
        later = phases.later(state) if phases is not None else ()
        then = (phases.supposed(state, phase, self.side) for phase in later if phases is not None)
        for at in chain(now, then):
            before = None
            for action in islice(self._own(at, unit), self.bounds.following):
                before = sum(self._parts(at).values()) if before is None else before
                best = max(best, self._mean(at, action, f"{unit}:{at.phase}") - before)
        return best * LATER

    def _answered(self, known: S, one: Weighed, name: str) -> Weighed:
        """The same after the worst of a bounded number of the enemy's attacks on its unit."""
        unit = one.action.unit or name
        after, worst = known if one.action.kind == PASS else self._after(known, one), 0.0
        if unit not in after.units:
            return one
        others = [side.id for side in after.sides if side.id != self.side]
        attacks = chain.from_iterable(self.system.attacks(after, other, unit) for other in others)
        for then, answers in groupby(islice(attacks, self.bounds.answers), key=itemgetter(0)):
            before = sum(self._parts(then).values())
            worst = min(worst, *(self._mean(then, answer, f"{unit}:answer") - before for _, answer in answers))
        return _with(one, "the answer", worst * LATER)

    def _after(self, known: S, one: Weighed) -> S:
        """One way in which it may stand after the candidate: as with its first throw."""
        return self._afters.get(id(one.action), known)

    def _mean(self, state: S, action: Action, seed: str) -> float:
        """What an action leaves the side with, over two throws; nothing is gained by one that is refused."""
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
        try:
            return self.system.tried(state, action, dice)
        except Refused:
            return None

    def _thought(self, known: S, found: Sequence[Weighed]) -> Thought | None:
        """The first of the candidates is chosen, and the best are kept; None where there is none."""
        kept = tuple(replace(one, label=self._label(known, one.action)) for one in found[:KEPT])
        return Thought(kept[0].action, kept) if kept else None

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
            for worth in self.system.values
        }
        over = self.system.settled(state).over
        if over is not None and over.winner is not None:
            parts["the game"] = WON if over.winner == self.side else -WON
        return parts


def _sorted(found: Iterable[Weighed]) -> list[Weighed]:
    return sorted(found, key=lambda one: -one.value)


def _against_leaving(found: Sequence[Weighed]) -> Iterator[Weighed]:
    """What else could have been done than passing on, each told by what it brings more than that."""
    leaving = next((one.brings for one in found if one.action.kind == PASS), {})
    for one in found:
        if one.action.kind != PASS:
            less = {word: one.brings.get(word, 0.0) - leaving.get(word, 0.0) for word in {**one.brings, **leaving}}
            yield replace(one, value=one.value - sum(leaving.values()), brings=less)


def _with(one: Weighed, word: str, worth: float) -> Weighed:
    """The same with one more thing that it brings."""
    brings = {**one.brings, word: worth} if worth else one.brings
    return Weighed(one.action, one.value + worth, brings)


def _in_turn(rows: Iterable[Iterator[Action]]) -> Iterator[Action]:
    """The first of every row, then the second of every one, and so on."""
    left = [*rows]
    while left:
        taken = [(row, next(row, None)) for row in left]
        yield from (action for _, action in taken if action is not None)
        left = [row for row, action in taken if action is not None]
