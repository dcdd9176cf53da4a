"""Whether two samples differ: the rank test of Mann and Whitney."""

import math
from collections import Counter
from collections.abc import Sequence


def rank_test(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the probability that two samples of one distribution differ at least this much (two-sided).

    Uses the normal distribution, corrected for ties; accurate from about ten values each.
    """
    both = sorted([*first, *second])
    places: dict[float, list[int]] = {}
    for place, value in enumerate(both, 1):
        places.setdefault(value, []).append(place)
    rank = {value: sum(ranks) / len(ranks) for value, ranks in places.items()}
    m, n = len(first), len(second)
    above = sum(rank[value] for value in first) - m * (m + 1) / 2
    ties = sum(count**3 - count for count in Counter(both).values())
    spread = math.sqrt(m * n / 12 * ((m + n + 1) - ties / ((m + n) * (m + n - 1))))
    return math.erfc(abs(above - m * n / 2) / spread / math.sqrt(2)) if spread else 1.0
