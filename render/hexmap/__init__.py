"""Draw hex maps: a printed board with counters, notes and tracks."""

from .sheet import draw, picture, size

__all__ = ["draw", "picture", "size"]
