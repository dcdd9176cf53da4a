"""Results of opponents' games: a row for each match, with its shortfalls from the targets."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

MIN_SHARES = {("hard", "random"): 0.95, ("easy", "random"): 0.85, ("hard", "easy"): 0.60}
"""Minimum share of games that the first level should win against the second; a draw counts half."""
MIN_SIDE_SHARE = 0.3
"""Minimum share of games that each side of a scenario should win between equal players."""
MEAN_DECISION_TIME, MEAN_TURN_TIME, MAX_TURN_TIME = 0.3, 2.0, 10.0
"""Target times of level hard in seconds: mean decision, mean turn, longest turn."""
Times: TypeAlias = tuple[int, float, float, int]
"""Count, total seconds, longest, and number over the target for the mean."""


@dataclass(frozen=True)
class Match:
    """A planned game. If `swapped`, the first player has the scenario's second side."""

    system: str
    scenario: str
    seed: int
    one: str
    other: str
    swapped: bool


@dataclass(frozen=True)
class Result:
    """Result of a game. `decisions` and `turns` are by level; `better` is 1 if the first player won, 0.5 for a draw."""

    match: Match
    first: str
    """Id of the first player's side."""
    winner: str | None
    better: float
    decisions: dict[str, Times]
    turns: dict[str, Times]
    seconds: float
    fault: str = ""


@dataclass(frozen=True)
class Row:
    """Results of a match. For equal players, each scenario has its own row."""

    system: str
    match: str
    results: Sequence[Result]

    @property
    def is_mirror_match(self) -> bool:
        """Whether both players have the same level; the row then compares sides."""
        return self.results[0].match.one == self.results[0].match.other

    @property
    def finished(self) -> Sequence[Result]:
        """Results of all finished games."""
        return [result for result in self.results if not result.fault]

    @property
    def share(self) -> float:
        """Share of games won by the first player, who has the scenario's first side if levels are equal."""
        return sum(result.better for result in self.finished) / max(len(self.finished), 1)

    def times(self) -> tuple[Times, Times] | None:
        """Return the times of level hard: decisions and turns. Return None if hard did not play."""
        decisions = [result.decisions["hard"] for result in self.finished if "hard" in result.decisions]
        turns = [result.turns["hard"] for result in self.finished if "hard" in result.turns]
        return (_add_times(decisions), _add_times(turns)) if decisions else None

    def __str__(self) -> str:
        """Return `magdala: hard against easy: 63.0% of 200 (...); 4.2 s a game; ...` or the like, with shortfalls."""
        won = Counter(result.winner or "nobody" for result in self.finished)
        wins = ", ".join(f"{side} {number}" for side, number in sorted(won.items()))
        seconds = sum(result.seconds for result in self.finished) / max(len(self.finished), 1)
        head = f"{self.system}: {self.match}: {self.share:.1%} of {len(self.finished)} ({wins}); {seconds:.1f} s a game"
        names = zip((("decision", MEAN_DECISION_TIME), ("turn", MEAN_TURN_TIME)), self.times() or (), strict=False)
        times = [
            f"a {name} {_mean(summary):.2f} s, at most {summary[2]:.2f} s, {summary[3]} of {summary[0]} over {target} s"
            for (name, target), summary in names
        ]
        return "\n".join(["; ".join([head, *times]), *(f"  SHORT: {words}" for words in self.list_shortfalls())])

    def list_shortfalls(self) -> Iterator[str]:
        """Yield the faults of games and every missed target."""
        yield from (f"{result.match}\n{result.fault}" for result in self.results if result.fault)
        first = self.results[0].match
        min_share = MIN_SIDE_SHARE if self.is_mirror_match else MIN_SHARES[first.one, first.other]
        if self.share < min_share or (self.is_mirror_match and self.share > 1 - MIN_SIDE_SHARE):
            yield f"{self.share:.1%}, where {min_share:.0%} is asked"
        if (times := self.times()) is not None:
            decisions, turns = times
            if _mean(decisions) > MEAN_DECISION_TIME or _mean(turns) > MEAN_TURN_TIME or turns[2] > MAX_TURN_TIME:
                targets = f"{MEAN_DECISION_TIME} s a decision, {MEAN_TURN_TIME} s a turn, {MAX_TURN_TIME} s the longest"
                yield f"slower than {targets}"


def _add_times(times: Sequence[Times]) -> Times:
    number, seconds, longest, longer = zip(*times, strict=True)
    return sum(number), sum(seconds), max(longest), sum(longer)


def _mean(times: Times) -> float:
    return times[1] / times[0]


def group_results(results: Iterable[Result]) -> list[Row]:
    """Return a row for each match."""
    by_row = defaultdict[tuple[str, str], list[Result]](list)
    for result in results:
        match = result.match
        suffix = f" at {match.scenario}" if match.one == match.other else ""
        by_row[match.system, f"{match.one} against {match.other}{suffix}"].append(result)
    return [Row(system, name, results) for (system, name), results in sorted(by_row.items())]
