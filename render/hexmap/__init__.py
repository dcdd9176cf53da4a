"""Draw hex maps: a printed board with counters, notes and tracks."""
