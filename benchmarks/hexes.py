"""Hex searches compared with networkx on the same map: `python -m benchmarks.hexes`.

The map has 28 by 22 hexes: a fifth are closed, the others cost 1 to 3 to enter. networkx gets a finished graph, its
best case: in a game every moved counter changes the open hexes. Both must agree before they are timed. Prints medians
and their ratio.
"""

import random
import statistics
import time
from collections.abc import Callable

import networkx

from rules.core.hexboard.hexes import Hex, cheapest_path, path_lengths_from, reachable_hexes

ROUNDS = 50
DICE = random.Random(1)
GROUND = {Hex.at(column, row): DICE.choice((1, 1, 2, 3, None)) for column in range(18, 46) for row in range(1, 23)}
OPEN = {at for at, price in GROUND.items() if price is not None}
START, GOAL = min(OPEN), max(OPEN)
FAR = 1_000


def steps(weigh: Callable[[Hex], int]) -> networkx.DiGraph:
    """Every step into an open hex, by what it weighs."""
    graph = networkx.DiGraph()
    for at in GROUND:
        graph.add_weighted_edges_from(
            (at, neighbour, weigh(neighbour)) for neighbour in at.neighbours() if neighbour in OPEN
        )
    return graph


def median(job: Callable[[], object]) -> float:
    """Milliseconds of the middle run."""
    milliseconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        job()
        milliseconds.append((time.perf_counter() - start) * 1000)
    return statistics.median(milliseconds)


def main() -> None:
    """Compares, measures, prints."""
    level, costly = steps(lambda _: 1), steps(GROUND.__getitem__)
    pairs = {
        "distances": (
            lambda: path_lengths_from([START], OPEN),
            lambda: networkx.single_source_dijkstra_path_length(level, START),
        ),
        "reach": (
            lambda: reachable_hexes(START, FAR, GROUND.get),
            lambda: networkx.single_source_dijkstra_path_length(costly, START),
        ),
        "way's cost": (
            lambda: sum(GROUND[at] for at in cheapest_path(START, GOAL, GROUND.get, str)),
            lambda: networkx.dijkstra_path_length(costly, START, GOAL),
        ),
    }
    print(f"the whole of a map of 28 by 22 hexes, {len(OPEN)} open, median of {ROUNDS}, milliseconds")
    print(f"{'':14}{'ours':>8}{'networkx':>10}{'ratio':>8}")
    for name, (ours, theirs) in pairs.items():
        if ours() != theirs():
            raise SystemExit(f"{name}: networkx finds something else")
        own_median, networkx_median = median(ours), median(theirs)
        print(f"{name:14}{own_median:8.2f}{networkx_median:10.2f}{networkx_median / own_median:8.1f}")


if __name__ == "__main__":
    main()
