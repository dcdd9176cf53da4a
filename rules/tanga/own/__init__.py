"""Support for a player's own boxed game: its map and counters, with results from its tables."""
