"""What the games of the opponents come to: a row for each match, with what falls short of what is asked."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

LEAST = {("hard", "random"): 0.95, ("easy", "random"): 0.85, ("hard", "easy"): 0.60}
"""The share of the games that the first is to win of the other at least; a draw counts half."""
FAIR = 0.3
"""The share that each side of a scenario is to win at least where both players are as good."""
DECISION, TURN, LONGEST = 0.3, 2.0, 10.0
"""Seconds that hard may take for a decision and a turn on the average, and for a turn at most."""
Times: TypeAlias = tuple[int, float, float, int]
"""How many, their seconds together, the longest, how many took longer than is asked on the average."""


@dataclass(frozen=True)
class Match:
    """A game to be played. `swapped`: the second side of the scenario is that of the first player."""

    system: str
    scenario: str
    seed: int
    one: str
    other: str
    swapped: bool


@dataclass(frozen=True)
class Result:
    """A game played. `decisions` and `turns` are by level; `better` is 1 where the first player won, 0.5 a draw."""

    match: Match
    first: str
    """The side of the first player."""
    winner: str | None
    better: float
    decisions: dict[str, Times]
    turns: dict[str, Times]
    seconds: float
    fault: str = ""


@dataclass(frozen=True)
class Row:
    """What came of a match; a scenario has a row of its own where both players are as good."""

    system: str
    match: str
    results: Sequence[Result]

    @property
    def fair(self) -> bool:
        """Whether both players are as good, so that it is the sides that are compared."""
        return self.results[0].match.one == self.results[0].match.other

    @property
    def whole(self) -> Sequence[Result]:
        """The games played to their end."""
        return [one for one in self.results if not one.fault]

    @property
    def share(self) -> float:
        """Of the first player, who has the first side of the scenario where both are as good."""
        return sum(one.better for one in self.whole) / max(len(self.whole), 1)

    def times(self) -> tuple[Times, Times] | None:
        """Of hard, in seconds: its decisions and its turns. None where it did not play."""
        decisions = [one.decisions["hard"] for one in self.whole if "hard" in one.decisions]
        turns = [one.turns["hard"] for one in self.whole if "hard" in one.turns]
        return (_together(decisions), _together(turns)) if decisions else None

    def __str__(self) -> str:
        """`magdala: hard against easy: 63.0% of 200 (...); 4.2 s a game; ...`, and what falls short."""
        won = Counter(one.winner or "nobody" for one in self.whole)
        told = ", ".join(f"{side} {number}" for side, number in sorted(won.items()))
        seconds = sum(one.seconds for one in self.whole) / max(len(self.whole), 1)
        head = f"{self.system}: {self.match}: {self.share:.1%} of {len(self.whole)} ({told}); {seconds:.1f} s a game"
        names = zip((("decision", DECISION), ("turn", TURN)), self.times() or (), strict=False)
        times = [
            f"a {name} {_mean(of):.2f} s, at most {of[2]:.2f} s, {of[3]} of {of[0]} over {asked} s"
            for (name, asked), of in names
        ]
        return "\n".join(["; ".join([head, *times]), *(f"  SHORT: {words}" for words in self.short())])

    def short(self) -> Iterator[str]:
        """What is less than it is to be."""
        yield from (f"{one.match}\n{one.fault}" for one in self.results if one.fault)
        first = self.results[0].match
        least = FAIR if self.fair else LEAST[first.one, first.other]
        if self.share < least or (self.fair and self.share > 1 - FAIR):
            yield f"{self.share:.1%}, where {least:.0%} is asked"
        if (times := self.times()) is not None:
            decisions, turns = times
            if _mean(decisions) > DECISION or _mean(turns) > TURN or turns[2] > LONGEST:
                yield f"slower than {DECISION} s a decision, {TURN} s a turn, {LONGEST} s the longest"


def _together(times: Sequence[Times]) -> Times:
    number, seconds, longest, longer = zip(*times, strict=True)
    return sum(number), sum(seconds), max(longest), sum(longer)


def _mean(times: Times) -> float:
    return times[1] / times[0]


def rows(results: Iterable[Result]) -> list[Row]:
    """What came of every match."""
    by = defaultdict[tuple[str, str], list[Result]](list)
    for result in results:
        match = result.match
        where = f" at {match.scenario}" if match.one == match.other else ""
        by[match.system, f"{match.one} against {match.other}{where}"].append(result)
    return [Row(system, name, found) for (system, name), found in sorted(by.items())]
