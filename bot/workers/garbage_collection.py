"""Run Python's cyclic garbage collector less often."""

import gc

NEW_OBJECTS, OLDER_GENERATIONS = 20_000, (10, 10)
"""Thresholds of the collector: new objects before a collection, and collections before one of an older generation.

With Python's defaults, garbage collection took a seventh of the bot's thinking time, and a quarter of the time of 200
simultaneous answers.
"""


def reduce_garbage_collection() -> None:
    """Exempt all existing objects from garbage collection, and collect less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, *OLDER_GENERATIONS)
